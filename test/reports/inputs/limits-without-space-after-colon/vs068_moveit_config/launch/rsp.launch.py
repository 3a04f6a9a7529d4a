from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_rsp_launch


def generate_launch_description():
    moveit_config = MoveItConfigsBuilder(
        'vs068', package_name='vs068_moveit_config').robot_description(
            file_path='config/vs068.urdf').to_moveit_configs()
    return generate_rsp_launch(moveit_config)
