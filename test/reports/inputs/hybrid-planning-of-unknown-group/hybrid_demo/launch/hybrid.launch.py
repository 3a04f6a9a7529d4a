from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import ComposableNodeContainer
from launch_ros.actions import Node
from launch_ros.descriptions import ComposableNode
import yaml


def generate_launch_description():
    share = Path(get_package_share_directory('hybrid_demo'))
    text = (share / 'urdf' / 'arm.urdf').read_text()
    description = {'robot_description': text}
    semantic = {'robot_description_semantic': (share / 'config' / 'arm.srdf').read_text()}
    local = yaml.safe_load((share / 'config' / 'local_planner.yaml').read_text())
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[description]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        ComposableNodeContainer(
            name='hybrid_planning_container', namespace='', package='rclcpp_components',
            executable='component_container',
            composable_node_descriptions=[ComposableNode(
                package='moveit_hybrid_planning',
                plugin='moveit::hybrid_planning::LocalPlannerComponent',
                name='local_planner', parameters=[local, description, semantic])]),
    ])
