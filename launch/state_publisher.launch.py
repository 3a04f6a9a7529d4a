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

"""Launch the state publisher in the place of robot_state_publisher."""

from pathlib import Path
import shlex

from launch import LaunchContext
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import OpaqueFunction
from launch.actions import Shutdown
from launch.events.process import ProcessExited
from launch.logging import get_logger
from launch.substitutions import Command
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from urdf_tools.formats.description_files import open_document
from urdf_tools.model.loader import build_robot
from urdf_tools.ros.launching import argument
from urdf_tools.ros.launching import boolean
from urdf_tools.ros.launching import misspelt
from urdf_tools.ros.launching import parameter_file
from urdf_tools.ros.launching import readable
from urdf_tools.ros.launching import xacro_arguments
from urdf_tools.xacro.text import is_xacro
import yaml

HERE = Path(__file__).parent
NAME = 'state_publisher'


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument(
            'model', default_value='',
            description='URDF or xacro file, or package://NAME/PATH; none: use the topic '
                        'robot_description'),
        DeclareLaunchArgument(
            'xacro_args', default_value='',
            description="arguments of a xacro file, such as 'prefix:=left_ gripper:=true'"),
        DeclareLaunchArgument(
            'namespace', default_value='', description='namespace of nodes, topics and services'),
        DeclareLaunchArgument(
            'frame_prefix', default_value='',
            description='prefix prepended to every frame ID, such as left/'),
        DeclareLaunchArgument(
            'publish_tf', default_value='true',
            description='false: beside a robot_state_publisher, whose robot_description is used; '
                        'the model is ignored'),
        DeclareLaunchArgument(
            'use_sim_time', default_value='false', description='take the time from /clock'),
        DeclareLaunchArgument(
            'params_file', default_value=str(HERE.parent / 'config' / 'bringup.yaml'),
            description='YAML file of parameters; launch arguments take precedence'),
        DeclareLaunchArgument(
            'state_publisher_name', default_value='robot_state_publisher',
            description='node name of the state publisher'),
        DeclareLaunchArgument(
            'required', default_value='false',
            description='true: the launch ends when the state publisher does'),
    ]
    return LaunchDescription([
        *arguments,
        OpaqueFunction(function=state_publisher, args=[[each.name for each in arguments]]),
    ])


def state_publisher(context: LaunchContext, names: list[str]) -> list[Node]:
    """Return the node, with the description from the source that the arguments select."""
    for text in misspelt(context, names):
        get_logger('urdf_tools').warning(text)
    name = LaunchConfiguration('state_publisher_name').perform(context)
    with argument(context, 'params_file') as params_file:
        params_file = readable(params_file)
        sections = renamed(params_file, name)
    with argument(context, 'publish_tf') as publish_tf:
        publish_tf = boolean(publish_tf)
    with argument(context, 'use_sim_time') as use_sim_time:
        use_sim_time = boolean(use_sim_time)
    source = {'use_robot_description_topic': True}
    with argument(context, 'model') as model:
        model = model and publish_tf and readable(model)
    if model:
        source = {'robot_description': description(context, model)}
    return [Node(
        package='urdf_tools',
        executable=NAME,
        name=name,
        namespace=LaunchConfiguration('namespace'),
        output='screen',
        on_exit=ended,
        parameters=[
            *sections,
            params_file,
            parameter_file({'/**': {'ros__parameters': {
                **source,
                'publish_tf': publish_tf,
                'frame_prefix': context.launch_configurations['frame_prefix'],
                'use_sim_time': use_sim_time,
            }}}),
        ])]


def renamed(params_file: str, name: str) -> list[str]:
    """
    Return a file with the parameters for the node's usual name under its present one, if any.

    Files of parameters name the node as this package does, not as robot_state_publisher.
    """
    parameters = yaml.safe_load(Path(params_file).read_text()) or {}
    if not isinstance(parameters, dict):
        raise ValueError('it is no YAML file of parameters: the names of nodes are missing')
    sections = sections_of(parameters, name)
    if not sections or name == NAME:
        return []
    return [parameter_file(sections)]


def sections_of(parameters: dict, name: str) -> dict:
    """Return the sections for the node's usual name, with another name in its place."""
    sections = {}
    for key, value in parameters.items():
        namespace, slash, node = key.rpartition('/')
        if not isinstance(value, dict):
            continue
        if 'ros__parameters' in value:
            if node == NAME:
                sections[namespace + slash + name] = value
        elif inner := sections_of(value, name):
            sections[key] = inner
    return sections


def description(context: LaunchContext, file: str) -> str:
    """
    Return the URDF text of a model file, or raise RuntimeError for wrong arguments of xacro.

    Only xacro files go through xacro, so that the lines of other files are those in messages.
    """
    command = ['cat ', shlex.quote(file)]
    with argument(context, 'xacro_args') as text:
        arguments = xacro_arguments(text)
        if is_xacro(file, Path(file).read_bytes()):
            command = ['xacro ', shlex.quote(file), ' ', text]
        elif arguments:
            raise ValueError(f'{file} is not a xacro file, and takes no arguments')
    # The node gets the expanded text, so it can only name lines of that.
    with argument(context, 'xacro_args' if arguments else 'model'):
        document = open_document(file, arguments=arguments)
    try:
        build_robot(document)
    except ValueError as error:
        get_logger('urdf_tools').error(f'Launch argument model: {error}')
    return Command(command, on_stderr='warn').perform(context)


def ended(event: ProcessExited, context: LaunchContext) -> list[Shutdown]:
    """Say that the state publisher has ended, and end the launch if it is required."""
    if context.is_shutdown:
        return []
    with argument(context, 'required') as required:
        ends = boolean(required)
    text = f'The state publisher has ended with exit code {event.returncode}'
    get_logger('urdf_tools').error(text + (
        ', and so does this launch, unless required:=false' if ends else
        ', and no frames are published'))
    return [Shutdown(reason=text)] if ends else []
