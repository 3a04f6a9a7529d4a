# Copyright 2026 The urdf_tools authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Spawn a robot in Gazebo as the model that urdf-tools makes of it, with ros_gz_sim."""

from pathlib import Path

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import PackageNotFoundError
from launch import LaunchContext
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import OpaqueFunction
from launch.logging import get_logger
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from urdf_tools.formats.description_files import open_document
from urdf_tools.model.loader import build_robot
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo import ALIASES
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import DEFAULT_RELEASE
from urdf_tools.programs.gazebo import RELEASES
from urdf_tools.ros.launching import argument
from urdf_tools.ros.launching import parameter_file
from urdf_tools.ros.launching import readable
from urdf_tools.ros.launching import xacro_arguments

CREATE = 'ros_gz_sim'

OPTIONS = (
    ('name', '', 'name of the model in Gazebo; none: that of the robot'),
    ('world', '', 'the world; none: the first one that runs'),
    ('x', '0.0', 'position (m)'), ('y', '0.0', 'position (m)'), ('z', '0.0', 'position (m)'),
    ('R', '0.0', 'roll (rad)'), ('P', '0.0', 'pitch (rad)'), ('Y', '0.0', 'yaw (rad)'),
    ('allow_renaming', 'false', 'true: another name if the world has one like this'))
"""Arguments of the program create of ros_gz_sim: name, default and meaning."""


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('model', description='URDF or xacro file'),
        DeclareLaunchArgument(
            'xacro_args', default_value='',
            description="arguments of a xacro file, such as 'prefix:=left_ gripper:=true'"),
        DeclareLaunchArgument(
            'target', default_value=DEFAULT_RELEASE,
            description='the Gazebo that runs: fortress, harmonic, ionic or jetty'),
        *(DeclareLaunchArgument(name, default_value=default, description=description)
          for name, default, description in OPTIONS),
        OpaqueFunction(function=spawn),
    ])


def spawn(context: LaunchContext) -> list[Node]:
    """
    Return the process that spawns the model.

    :raises RuntimeError: ros_gz_sim is not installed, or Gazebo would refuse the model.
    """
    values = {name: LaunchConfiguration(name).perform(context) for name, _, _ in OPTIONS}
    with argument(context, 'target') as target:
        known = (*RELEASES, *ALIASES)
        if target not in known:
            raise ValueError(f'it is none of {", ".join(filter(str.isalpha, known))}')
    with argument(context, 'xacro_args') as text:
        arguments = xacro_arguments(text)
    try:
        get_package_prefix(CREATE)
    except PackageNotFoundError as error:
        raise RuntimeError(
            f'The package {CREATE}, which spawns robots in Gazebo, is not installed: '
            f'apt install ros-$ROS_DISTRO-{CREATE.replace("_", "-")}') from error
    # A flag without "=" is true, whatever follows.
    options = [f'-{name}={values[name]}' for name, default, _ in OPTIONS
               if values[name] != default]
    with argument(context, 'model') as model:
        file = Path(readable(model))
    with argument(context, 'xacro_args' if arguments else 'model'):
        sdf = sdf_of(file, arguments, target)
    return [Node(
        package=CREATE, executable='create', output='screen',
        parameters=[parameter_file({'/**': {'ros__parameters': {'sdf': sdf}}})],
        arguments=['-param', 'sdf', *options])]


def sdf_of(file: Path, arguments: dict[str, str], target: str) -> str:
    """
    Return the model that Gazebo loads, with absolute paths of the files beside the description.

    :raises RuntimeError: Gazebo would refuse it.
    """
    document = open_document(file, arguments=arguments)
    conversion = convert(
        build_robot(document), target, context=Context(ResourceResolver(file.parent), file))
    if conversion.load_errors or conversion.document is None:
        raise RuntimeError('; '.join(
            f'{error.message} ({error.element.position}). {error.hint}'
            for error in conversion.load_errors))
    get_logger('urdf_tools').info(conversion.headline)
    for element in conversion.document.iter():
        path = (element.text or '').strip()
        if path and (element.tag == 'uri' or element.tag.endswith('_map')):
            beside = file.parent.absolute() / path
            element.text = str(beside) if beside.is_file() else path
    return conversion.text
