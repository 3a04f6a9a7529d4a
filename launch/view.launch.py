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
"""Show a robot live in a browser, beside the nodes that run it."""

from functools import partial
from pathlib import Path

from launch import LaunchContext
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from urdf_tools.ros.launching import argument
from urdf_tools.ros.launching import boolean
from urdf_tools.ros.launching import number
from urdf_tools.ros.launching import parameter_file

HERE = Path(__file__).parent

ARGUMENTS = (
    ('host', '127.0.0.1', str, 'address of the page; another one is open to other machines'),
    ('port', '8080', partial(number, kind=int), 'first port to try'),
    ('drive', 'false', boolean,
     'true: the sliders publish joint_states, unless somebody else does'),
    ('use_sim_time', 'false', boolean, 'take the time from /clock'),
)
"""Arguments that are parameters of the node: name, default, what reads it, and meaning."""


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument(
            'namespace', default_value='', description='namespace of the node and its topics'),
        DeclareLaunchArgument(
            'params_file', default_value=str(HERE.parent / 'config' / 'bringup.yaml'),
            description='YAML file of parameters; launch arguments take precedence'),
        *(DeclareLaunchArgument(name, default_value=default, description=description)
          for name, default, _, description in ARGUMENTS),
        OpaqueFunction(function=viewer),
    ])


def viewer(context: LaunchContext) -> list[Node]:
    """Return the node, or raise RuntimeError for an argument that is not of its type."""
    values = {}
    for name, _, read, _ in ARGUMENTS:
        with argument(context, name) as text:
            values[name] = read(text)
    return [Node(
        package='urdf_tools',
        executable='viewer',
        name='viewer',
        namespace=LaunchConfiguration('namespace'),
        output='screen',
        parameters=[
            LaunchConfiguration('params_file'),
            parameter_file({'/**': {'ros__parameters': values}}),
        ])]
