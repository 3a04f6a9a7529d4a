from nav_msgs.msg import Odometry
import rclpy
from rclpy.node import Node
from sensor_msgs.msg import PointCloud2
from tf2_ros import TransformBroadcaster


class OdometryNode(Node):

    def __init__(self):
        super().__init__('odometry_node')
        self.odom_frame = self.declare_parameter('odom_frame', 'odom').value
        self.child_frame = self.declare_parameter('child_frame', '').value
        self.max_range = self.declare_parameter('max_range', 100.0).value
        self.deskew = self.declare_parameter('deskew', False).value
        self.publish_odom_tf = self.declare_parameter('publish_odom_tf', False).value
        self.publish_alias_tf = self.declare_parameter('publish_alias_tf', False).value
        self.broadcaster = TransformBroadcaster(self)
        self.publisher = self.create_publisher(Odometry, 'odometry', 10)
        self.create_subscription(PointCloud2, 'pointcloud_topic', self.register, 10)

    def register(self, cloud):
        odometry = Odometry()
        odometry.header.stamp = cloud.header.stamp
        odometry.header.frame_id = self.odom_frame
        odometry.child_frame_id = self.child_frame or cloud.header.frame_id
        self.publisher.publish(odometry)


def main():
    rclpy.init()
    rclpy.spin(OdometryNode())
