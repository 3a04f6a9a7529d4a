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

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import IncludeLaunchDescription
from launch.actions import SetLaunchConfiguration
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PythonExpression
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

HERE = Path(__file__).parent

FRAME_PREFIX = {
    'frame_prefix': ParameterValue(LaunchConfiguration('frame_prefix'), value_type=str)}


def generate_launch_description():
    return LaunchDescription([
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
        # Declared before the included file declares it, so that this default applies.
        DeclareLaunchArgument(
            'state_publisher_name', default_value='state_publisher',
            description='node name of the state publisher'),
        # Before any node, because this finds a wrong argument, and launch leaves running what it
        # started before a failure. The parameter is a double, so 8 must become 8.0.
        SetLaunchConfiguration('sweep_period', PythonExpression(
            ['float("', LaunchConfiguration('sweep_period'), '")'])),
        IncludeLaunchDescription(str(HERE / 'state_publisher.launch.py')),
        node('model_validator'),
        node('model_server', FRAME_PREFIX),
        node(
            'inertia_publisher',
            FRAME_PREFIX,
            condition=IfCondition(LaunchConfiguration('inertia'))),
        node(
            'joint_state_source',
            {'sweep_period': LaunchConfiguration('sweep_period')},
            condition=IfCondition(LaunchConfiguration('joint_source'))),
    ])


def node(executable: str, *parameters: dict, **keywords) -> Node:
    """Return a node with the settings shared by all."""
    return Node(
        package='urdf_tools',
        executable=executable,
        name=executable,
        namespace=LaunchConfiguration('namespace'),
        output='screen',
        parameters=[
            LaunchConfiguration('params_file'),
            {'use_sim_time': ParameterValue(
                LaunchConfiguration('use_sim_time'), value_type=bool)},
            *parameters,
        ],
        **keywords)
