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

"""Parameters that a node does not have are named when it starts."""

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(('node', 'given', 'warning'), [
    ('state_publisher', 'publish_frequncy', 'publish_frequency'),
    ('inertia_publisher', 'shap', 'shape'),
    ('joint_state_source', 'sweep_perod', 'sweep_period'),
    ('model_validator', 'diagnostic_updater.peroid', 'diagnostic_updater.period'),
    ('model_server', 'joint_timout', 'joint_timeout'),
    ('viewer', 'drvie', 'drive')])
def test_misspelt_parameter_is_a_warning(nodes, node, given, warning):
    if node == 'model_server':
        pytest.importorskip('urdf_tools_interfaces')
    if node == 'viewer':
        pytest.importorskip('viser', reason='viser is not installed')
    values = {given: 1.0, 'use_sim_time': False, 'gazebo_plugin': 'x', 'evil\n\x1b[31mname': 1}
    if node == 'state_publisher':
        values['use_robot_description_topic'] = True
    if node == 'joint_state_source':
        values['zeros.elbow'] = 1.0
    process = nodes.start(node, values)
    process.wait_for_line(
        f"WARN.*There is no parameter '{given}'. Did you mean '{warning}'")
    process.wait_for_line(
        r'INFO.*Parameters that this node does not have: gazebo_plugin, '
        r'evil\\n\\x1b\[31mname$')
    if node in ('state_publisher', 'joint_state_source'):
        process.wait_for_line(f'WARN.*/{node} waits for a robot description on ')
    assert process.output.count('There is no parameter') == 1


def test_a_dump_of_robot_state_publisher_is_taken(nodes):
    """What ``ros2 param dump`` prints of it; only its earlier name of a parameter is listed."""
    process = nodes.start('robot_state_publisher', {
        'robot_description': '<robot name="r"><link name="a"/></robot>', 'frame_prefix': '',
        'ignore_timestamp': False, 'publish_frequency': 20.0, 'use_sim_time': False,
        'start_type_description_service': True, 'description_from_topic': False,
        'qos_overrides./tf.publisher.depth': 100,
        **{f'qos_overrides./parameter_events.publisher.{name}': value for name, value in (
            ('depth', 1000), ('durability', 'volatile'), ('history', 'keep_last'),
            ('reliability', 'reliable'))}})
    process.wait_for_line(
        'INFO.*Parameters that this node does not have: description_from_topic$')
    assert 'WARN' not in process.output
