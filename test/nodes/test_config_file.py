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

"""The parameters in ``config/``: all that the nodes have, with their defaults."""

from pathlib import Path

import pytest
from rcl_interfaces.srv import GetParameters
from rcl_interfaces.srv import ListParameters
from rclpy.parameter import parameter_value_to_python
import yaml

pytestmark = pytest.mark.slow

CONFIG = Path(__file__).resolve().parents[2] / 'config' / 'bringup.yaml'

SET_BY_LAUNCH = {
    'frame_prefix', 'publish_tf', 'robot_description', 'sweep_period',
    'use_robot_description_topic', 'use_sim_time'}

SET_BY_HOST = {'allow_control'}
"""Parameters whose default depends on others, which a value in the file would hide."""

SET_BY_ROS = {'start_type_description_service'}

OF_A_NAMESPACE = {
    f'qos_overrides./joint_states.subscription.{policy}'
    for policy in ('depth', 'history', 'reliability')}
"""Parameters whose names depend on the namespace, so that the file cannot give them."""


def flat(section: dict, prefix: str = '') -> dict:
    """Return parameters by their names with dots."""
    names = {}
    for key, value in section.items():
        names.update(
            flat(value, f'{prefix}{key}.') if isinstance(value, dict) else {prefix + key: value})
    return names


@pytest.mark.parametrize(
    'name', ['companion', 'inertia_publisher', 'joint_state_source', 'model_monitor',
             'model_server', 'model_validator', 'state_publisher', 'viewer'])
def test_configuration_holds_all_parameters_with_their_defaults(nodes, client, name):
    if name == 'model_server':
        pytest.importorskip('urdf_tools_interfaces', reason='its interfaces are not built')
    if name == 'viewer':
        pytest.importorskip('viser', reason='viser is not installed')
    nodes.start(name, {'use_robot_description_topic': True} if name == 'state_publisher' else {})

    declared = client.call(ListParameters, f'/{name}/list_parameters').result.names
    names = sorted(
        set(declared) - SET_BY_LAUNCH - SET_BY_HOST - SET_BY_ROS - OF_A_NAMESPACE)
    values = client.call(GetParameters, f'/{name}/get_parameters', names=names).values

    config = yaml.safe_load(CONFIG.read_text())
    of_all, own = (config.get(pattern, {'ros__parameters': {}})['ros__parameters']
                   for pattern in ('/**', f'/**/{name}'))
    defaults = dict(zip(names, map(parameter_value_to_python, values)))
    assert {**flat(of_all), **flat(own)} == defaults


def test_configuration_causes_no_warning_in_a_namespace(nodes, client):
    node = nodes.start(
        'state_publisher',
        {'robot_description': '<robot name="tested"><link name="a"/></robot>'},
        ['-r', '__ns:=/left', '--params-file', str(CONFIG)])
    # Answered once the node has started.
    client.call(ListParameters, '/left/state_publisher/list_parameters')
    assert 'WARN' not in node.output
