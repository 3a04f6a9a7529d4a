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

"""Show a robot in RViz, with all nodes and its joints sweeping through their ranges."""

from pathlib import Path

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import IncludeLaunchDescription
from launch.actions import SetLaunchConfiguration
from launch.actions import Shutdown
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.substitutions import ExecutableInPackage

HERE = Path(__file__).parent


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument(
            'rviz', default_value='true', description='false: everything except RViz'),
        DeclareLaunchArgument(
            'rviz_config', default_value=str(HERE.parent / 'rviz' / 'display.rviz'),
            description='RViz file'),
        DeclareLaunchArgument(
            'fixed_frame', default_value='base_link',
            description='fixed frame of RViz, including the prefix'),
        # Declared before the included file declares them, so that these defaults apply.
        DeclareLaunchArgument(
            'joint_source', default_value='true',
            description='false: something else publishes joint_states'),
        DeclareLaunchArgument(
            'sweep_period', default_value='8.0',
            description='period (s) in which joint_source sweeps every joint through its range '
                        'and back; 0.0: no motion'),
        DeclareLaunchArgument(
            'inertia', default_value='true',
            description='false: no markers of masses and inertias'),
        # First, because RViz may be missing, and launch leaves running what it started before.
        SetLaunchConfiguration(
            'rviz_executable', ExecutableInPackage(package='rviz2', executable='rviz2'),
            condition=IfCondition(LaunchConfiguration('rviz'))),
        IncludeLaunchDescription(str(HERE / 'bringup.launch.py')),
        Node(
            executable=LaunchConfiguration('rviz_executable'),
            namespace=LaunchConfiguration('namespace'),
            arguments=[
                '-d', LaunchConfiguration('rviz_config'),
                '-f', LaunchConfiguration('fixed_frame')],
            # A dictionary would leave a temporary file behind.
            ros_arguments=['-p', ['use_sim_time:=', LaunchConfiguration('use_sim_time')]],
            condition=IfCondition(LaunchConfiguration('rviz')),
            on_exit=Shutdown()),
    ])
