import rclpy
from rclpy.node import Node
from sensor_msgs.msg import JointState


class GripperDriver(Node):

    def __init__(self):
        super().__init__('gripper_driver')
        self.publisher = self.create_publisher(JointState, 'joint_states', 10)
        self.create_timer(0.02, self.report)

    def report(self):
        message = JointState(name=['finger_joint'], position=[0.0])
        message.header.stamp = self.get_clock().now().to_msg()
        self.publisher.publish(message)


def main():
    rclpy.init()
    rclpy.spin(GripperDriver())
