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

"""Launch all nodes: frames, validation, answers about the model, and their diagnostics."""

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


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument(
            'joint_source', default_value='false', choices=['true', 'false'],
            description='true: publish joint_states, for a robot whose drivers do not run'),
        DeclareLaunchArgument(
            'sweep_period', default_value='0.0',
            description='seconds in which joint_source swings every joint through its range and '
                        'back; 0.0: all at rest'),
        DeclareLaunchArgument(
            'inertia', default_value='false', choices=['true', 'false'],
            description='true: publish the centre of mass, the inertia and markers of both, as '
                        'the robot stands'),
        # Declared before the included file does, so this default holds.
        DeclareLaunchArgument(
            'state_publisher_name', default_value='state_publisher',
            description="the state publisher's name as a node"),
        # Before any node, as these find wrong arguments: launch, if it fails, leaves running
        # what it started. The parameter is a double, so that 8 has to be 8.0.
        SetLaunchConfiguration('sweep_period', PythonExpression(
            ['float("', LaunchConfiguration('sweep_period'), '")'])),
        IncludeLaunchDescription(str(HERE / 'state_publisher.launch.py')),
        node('model_validator'),
        node('model_server'),
        node(
            'inertia_publisher',
            {'frame_prefix': ParameterValue(
                LaunchConfiguration('frame_prefix'), value_type=str)},
            condition=IfCondition(LaunchConfiguration('inertia'))),
        node(
            'joint_state_source',
            {'sweep_period': LaunchConfiguration('sweep_period')},
            condition=IfCondition(LaunchConfiguration('joint_source'))),
    ])


def node(executable: str, *parameters: dict, **keywords) -> Node:
    """Return a node with the settings that all share."""
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
