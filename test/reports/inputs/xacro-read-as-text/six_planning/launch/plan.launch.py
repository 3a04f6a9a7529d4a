import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
import yaml


def load_file(package, path):
    with open(os.path.join(get_package_share_directory(package), path)) as file:
        return file.read()


def load_yaml(package, path):
    return yaml.safe_load(load_file(package, path))


def generate_launch_description():
    robot_description = {
        'robot_description': load_file('six_description', 'urdf/six.urdf.xacro')}
    robot_description_semantic = {
        'robot_description_semantic': load_file('six_planning', 'config/six.srdf')}
    kinematics = {
        'robot_description_kinematics': load_yaml('six_planning', 'config/kinematics.yaml')}
    planning = {
        'robot_description_planning': load_yaml('six_planning', 'config/joint_limits.yaml')}
    pipeline = {
        'planning_pipelines': ['ompl'],
        'ompl': load_yaml('six_planning', 'config/ompl_planning.yaml')}
    controllers = load_yaml('six_planning', 'config/moveit_controllers.yaml')
    return LaunchDescription([
        Node(package='moveit_ros_move_group', executable='move_group', output='screen',
             parameters=[robot_description, robot_description_semantic, kinematics, planning,
                         pipeline, controllers]),
    ])
