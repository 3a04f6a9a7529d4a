import rclpy
from rclpy.node import Node
from std_msgs.msg import String


class Bridge(Node):

    def __init__(self):
        super().__init__('bridge')
        self.declare_parameter('usb_vendor', '0483')
        self.declare_parameter('usb_product', '5740')
        self.declare_parameter('baud', 115200)
        self.publisher = self.create_publisher(String, 'received', 10)
        port = ':'.join(self.get_parameter(name).get_parameter_value().string_value
                        for name in ('usb_vendor', 'usb_product'))
        self.get_logger().info(f'opening {port}')


def main():
    rclpy.init()
    rclpy.spin(Bridge())
