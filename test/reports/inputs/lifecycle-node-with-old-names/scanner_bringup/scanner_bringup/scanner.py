import rclpy
from rclpy.lifecycle import LifecycleNode
from rclpy.lifecycle import TransitionCallbackReturn
from sensor_msgs.msg import LaserScan


class Scanner(LifecycleNode):

    def __init__(self):
        super().__init__('scanner')
        self.declare_parameter('frame_id', 'laser_frame')
        self.declare_parameter('port', '/dev/ttyUSB0')

    def on_configure(self, state):
        self.publisher = self.create_lifecycle_publisher(LaserScan, 'scan', 10)
        return TransitionCallbackReturn.SUCCESS


def main():
    rclpy.init()
    rclpy.spin(Scanner())
