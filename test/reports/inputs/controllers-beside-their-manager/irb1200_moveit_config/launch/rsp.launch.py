from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_rsp_launch


def generate_launch_description():
    moveit_config = MoveItConfigsBuilder(
        'irb1200', package_name='irb1200_moveit_config').robot_description(
            file_path='config/irb1200.urdf').to_moveit_configs()
    return generate_rsp_launch(moveit_config)
