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

"""Launch all nodes: frames, validation, services about the model, and diagnostics."""

from pathlib import Path

from launch import LaunchContext
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import IncludeLaunchDescription
from launch.actions import OpaqueFunction
from launch.conditions import IfCondition
from launch.logging import get_logger
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from urdf_tools.ros.launching import argument
from urdf_tools.ros.launching import boolean
from urdf_tools.ros.launching import misspelt
from urdf_tools.ros.launching import number
from urdf_tools.ros.launching import parameter_file

HERE = Path(__file__).parent


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument(
            'joint_source', default_value='false', choices=['true', 'false'],
            description='true: publish joint_states where no driver does'),
        DeclareLaunchArgument(
            'sweep_period', default_value='0.0',
            description='period (s) in which joint_source sweeps every joint through its range '
                        'and back; 0.0: no motion'),
        DeclareLaunchArgument(
            'inertia', default_value='false', choices=['true', 'false'],
            description='true: publish the centre of mass and inertia at the current '
                        'configuration, and markers of both'),
        DeclareLaunchArgument(
            'monitor', default_value='false', choices=['true', 'false'],
            description='true: report what in the running graph disagrees with the model'),
        DeclareLaunchArgument(
            'view', default_value='false', choices=['true', 'false'],
            description='true: show the robot live in a browser, in a process of its own'),
        DeclareLaunchArgument(
            'companion', default_value='true', choices=['true', 'false'],
            description='true: all nodes but the state publisher in one process, which takes half '
                        'the memory; false: each in its own'),
        # Declared before the included file declares it, so that this default applies.
        DeclareLaunchArgument(
            'state_publisher_name', default_value='state_publisher',
            description='node name of the state publisher'),
        DeclareLaunchArgument(
            'required', default_value='true', choices=['true', 'false'],
            description='false: the other nodes go on when the state publisher ends'),
    ]
    return LaunchDescription([
        *arguments,
        # Before any node, because this finds a wrong argument, and launch leaves running what it
        # started before a failure.
        OpaqueFunction(function=check, args=[[each.name for each in arguments]]),
        IncludeLaunchDescription(str(HERE / 'state_publisher.launch.py')),
        OpaqueFunction(function=other_nodes),
    ])


def check(context: LaunchContext, names: list[str]) -> None:
    """Warn of misspelt arguments, and raise RuntimeError for a wrong period."""
    for text in misspelt(context, names):
        get_logger('urdf_tools').warning(text)
    with argument(context, 'sweep_period') as period:
        # The parameter is a double, so 8 must become 8.0.
        context.launch_configurations['sweep_period'] = str(number(period))


def other_nodes(context: LaunchContext) -> list[Node]:
    """Return the nodes beside the state publisher, in one process or in one each."""
    values = context.launch_configurations

    def wanted(name: str) -> bool:
        return IfCondition(LaunchConfiguration(name)).evaluate(context)

    frame_prefix = {'frame_prefix': values['frame_prefix']}
    parameters = {'model_validator': {}, 'model_server': frame_prefix}
    if wanted('inertia'):
        parameters['inertia_publisher'] = frame_prefix
    if wanted('joint_source'):
        parameters['joint_state_source'] = {'sweep_period': float(values['sweep_period'])}
    if wanted('monitor'):
        parameters['model_monitor'] = {}
    alone = ['viewer'] if wanted('view') else []
    if not wanted('companion'):
        return [node(context, name, parameters, name=name) for name in [*alone, *parameters]]
    return [*(node(context, name, {}, name=name) for name in alone),
            node(context, 'companion', {**parameters, 'companion': {'nodes': list(parameters)}})]


def node(
        context: LaunchContext, executable: str, parameters: dict[str, dict], **keywords) -> Node:
    """
    Return a node with the settings shared by all.

    :param parameters: those of each node. Without names they would reach all nodes of a process.
    """
    with argument(context, 'use_sim_time') as use_sim_time:
        sections = {'/**': {'use_sim_time': boolean(use_sim_time)}}
    sections |= {f'/**/{name}': values for name, values in parameters.items() if values}
    return Node(
        package='urdf_tools',
        executable=executable,
        namespace=LaunchConfiguration('namespace'),
        output='screen',
        parameters=[
            LaunchConfiguration('params_file'),
            parameter_file({
                name: {'ros__parameters': values} for name, values in sections.items()}),
        ],
        **keywords)
