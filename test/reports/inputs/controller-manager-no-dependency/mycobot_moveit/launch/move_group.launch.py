from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_move_group_launch


def generate_launch_description():
    return generate_move_group_launch(
        MoveItConfigsBuilder('mycobot', package_name='mycobot_moveit')
        .robot_description(file_path='config/mycobot.urdf')
        .to_moveit_configs())
