from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
import yaml


def load_file(package, path):
    return (Path(get_package_share_directory(package)) / path).read_text()


def load_yaml(package, path):
    try:
        return yaml.safe_load(load_file(package, path))
    except OSError:
        return None


def generate_launch_description():
    description = {'robot_description': load_file('lift_moveit_config', 'config/lift.urdf')}
    semantic = {'robot_description_semantic': load_file('lift_moveit_config', 'config/lift.srdf')}
    kinematics = {'robot_description_kinematics': load_yaml(
        'lift_moveit_config', 'config/kinematics.yaml')}
    limits = {'robot_description_planning': load_yaml(
        'lift_moveit_config', 'config/joint_limits.yaml')}
    ompl = {'move_group': {
        'planning_plugins': ['ompl_interface/OMPLPlanner'],
        'request_adapters': ['default_planning_request_adapters/ResolveConstraintFrames',
                             'default_planning_request_adapters/CheckStartStateBounds']}}
    controllers = {
        'moveit_simple_controller_manager': load_yaml(
            'lift_moveit_config', 'config/lift_controllers.yaml'),
        'moveit_controller_manager':
            'moveit_simple_controller_manager/MoveItSimpleControllerManager'}
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[description]),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[description, semantic, kinematics, limits, ompl, controllers]),
    ])
