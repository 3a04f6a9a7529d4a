from launch.actions import DeclareLaunchArgument


def base_type():
    return DeclareLaunchArgument('base_type', default_value='pmb2', choices=['pmb2'])
