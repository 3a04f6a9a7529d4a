from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_demo_launch


def generate_launch_description():
    return generate_demo_launch(
        MoveItConfigsBuilder('arm', package_name='arm_moveit_config').to_moveit_configs())
