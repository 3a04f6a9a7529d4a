from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_move_group_launch


def generate_launch_description():
    builder = MoveItConfigsBuilder('sling', package_name='sling_moveit_config')
    moveit_config = builder.to_moveit_configs()
    return generate_move_group_launch(moveit_config)
