from launch.actions import DeclareLaunchArgument
from pmb2_description.pmb2_launch_utils import get_laser_model_argument


def get_tiago_arguments():
    return [
        get_laser_model_argument(default='sick-571'),
        DeclareLaunchArgument('arm', default_value='no-arm'),
    ]
