from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_move_group_launch


def generate_launch_description():
    config = MoveItConfigsBuilder('iiwa7', package_name='iiwa_moveit').to_moveit_configs()
    return generate_move_group_launch(config)
