from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_demo_launch


def generate_launch_description():
    builder = MoveItConfigsBuilder('hexa', package_name='hexa_moveit_config')
    moveit_config = builder.to_moveit_configs()
    return generate_demo_launch(moveit_config)
