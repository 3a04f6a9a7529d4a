from launch import LaunchDescription
from launch_param_builder import ParameterBuilder
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    moveit_config = MoveItConfigsBuilder('u5', package_name='u5_moveit_config').to_moveit_configs()
    servo = {'moveit_servo': ParameterBuilder('u5_moveit_config').yaml(
        'config/u5_servo.yaml').to_dict()}
    return LaunchDescription([
        Node(package='moveit_servo', executable='servo_node_main', output='screen',
             parameters=[servo, moveit_config.robot_description,
                         moveit_config.robot_description_semantic,
                         moveit_config.robot_description_kinematics,
                         moveit_config.joint_limits]),
    ])
