import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
import xacro
import yaml

CONFIG = os.path.join(get_package_share_directory('pan_moveit_config'), 'config')


def load_yaml(name):
    with open(os.path.join(CONFIG, name)) as file:
        return yaml.safe_load(file)


def generate_launch_description():
    description = {'robot_description': xacro.process_file(
        os.path.join(CONFIG, 'pan.urdf.xacro')).toxml()}
    with open(os.path.join(CONFIG, 'pan.srdf')) as file:
        semantic = {'robot_description_semantic': file.read()}
    kinematics = {'robot_description_kinematics': load_yaml('kinematics.yaml')}
    planning = {
        'planning_pipelines': ['ompl'],
        'ompl': {
            'planning_plugin': 'ompl_interface/OMPLPlanner',
            'request_adapters': 'default_planner_request_adapters/AddTimeOptimalParameterization '
                                'default_planner_request_adapters/FixStartStateBounds '
                                'default_planner_request_adapters/FixStartStateCollision',
            'start_state_max_bounds_error': 0.1,
            **load_yaml('ompl_planning.yaml'),
        },
    }
    controllers = load_yaml('moveit_controllers.yaml')
    return LaunchDescription([
        Node(package='moveit_ros_move_group', executable='move_group', output='screen',
             parameters=[description, semantic, kinematics, planning, controllers]),
        Node(package='rviz2', executable='rviz2',
             parameters=[description, semantic, kinematics]),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[description]),
    ])
