from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_move_group_launch


def generate_launch_description():
    moveit_config = MoveItConfigsBuilder(
        'px100', package_name='px100_moveit_config').robot_description(
            file_path='config/px100.urdf').to_moveit_configs()
    return generate_move_group_launch(moveit_config)
