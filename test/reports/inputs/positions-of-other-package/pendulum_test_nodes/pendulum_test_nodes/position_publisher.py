import rclpy
from rclpy.node import Node
from std_msgs.msg import Float64MultiArray


class PositionPublisher(Node):

    def __init__(self):
        super().__init__('position_publisher')
        topic = self.declare_parameter('topic', '/forward_position_controller/commands').value
        wait = self.declare_parameter('wait_sec', 5.0).value
        self.goals = [self.declare_parameter(name, [0.0, 0.0]).value for name in ('pos1', 'pos2')]
        self.publisher = self.create_publisher(Float64MultiArray, topic, 1)
        self.create_timer(wait, self.send)

    def send(self):
        self.publisher.publish(Float64MultiArray(data=self.goals[0]))
        self.goals.reverse()


def main():
    rclpy.init()
    rclpy.spin(PositionPublisher())
