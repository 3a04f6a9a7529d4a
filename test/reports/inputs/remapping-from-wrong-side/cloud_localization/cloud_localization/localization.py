from geometry_msgs.msg import PoseStamped
import rclpy
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Imu
from sensor_msgs.msg import PointCloud2


class Localization(Node):

    def __init__(self):
        super().__init__('localization')
        self.map_frame = self.declare_parameter('map_frame', 'map').value
        self.turn_rate = None
        self.publisher = self.create_publisher(PoseStamped, '/pose', 10)
        self.create_subscription(
            Imu, '/gpsimu_driver/imu_data', self.predict, qos_profile_sensor_data)
        self.create_subscription(
            PointCloud2, '/velodyne_points', self.correct, qos_profile_sensor_data)

    def predict(self, imu):
        self.turn_rate = imu.angular_velocity.z

    def correct(self, cloud):
        pose = PoseStamped()
        pose.header.stamp = cloud.header.stamp
        pose.header.frame_id = self.map_frame
        self.publisher.publish(pose)


def main():
    rclpy.init()
    rclpy.spin(Localization())
