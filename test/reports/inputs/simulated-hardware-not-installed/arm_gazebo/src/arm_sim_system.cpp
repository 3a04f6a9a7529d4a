// The class is exported here.
