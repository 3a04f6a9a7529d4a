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

"""A hostile name in every output of every node: log, diagnostics, reports, answers."""

from importlib.util import find_spec
import re
from xml.sax.saxutils import quoteattr

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.srv import SelfTest
import pytest
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from urdf_tools.ros.topics import LATCHED

EVIL = 'x\n[FATAL] [1.0] [x]: forged<img src=x>\n::error::forged\x9b31m\u202e\u2028'
EVIL_BYTES = f'{EVIL}\x1b[31m\r\x07'
"""What XML cannot hold, but names in messages and parameters can."""

PARAMETER = EVIL_BYTES.replace('\x9b', '').replace('\u2028', '')
"""What a YAML file can hold, too."""

NAME = quoteattr(EVIL, {'\n': '&#10;'})
UNKNOWN = quoteattr(f'{EVIL} unknown', {'\n': '&#10;'})
ROBOT = f"""
<robot name={NAME}>
  <link name="base"/>
  <link name={NAME}><visual><geometry><mesh filename={NAME}/></geometry></visual>
    <inertial><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/></inertial></link>
  <link name="hand"/>
  <joint name={NAME} type="revolute"><parent link="base"/><child link={NAME}/>
    <limit lower="1" upper="-1" effort="1" velocity="1"/></joint>
  <joint name="wrist" type="continuous"><parent link={NAME}/><child link="hand"/>
    <mimic joint={UNKNOWN}/></joint>
</robot>"""
REFUSED = ROBOT.replace('child link="hand"', f'child link={NAME}')

PARAMETERS = {
    'state_publisher': {'use_robot_description_topic': True},
    'model_validator': {},
    'model_server': {},
    'inertia_publisher': {},
    'joint_state_source': {
        'source_list': ['other_states'], f'zeros.{PARAMETER}': 1.0,
        f'dependent_joints.{PARAMETER}.parent': 'x'}}
if find_spec('viser') is not None:
    PARAMETERS['viewer'] = {'port': 8570}


def texts(array):
    for status in array.status:
        yield from (status.name, status.message, status.hardware_id)
        for value in status.values:
            yield from (value.key, value.value)


def check_page(url):
    """Check that a page shows hostile names, but neither as markup nor on lines of their own."""
    from support.viser_page import received
    shown = ''
    for message in received(url):
        parts = {**message.get('props', {}), **message.get('updates', {})}
        if 'Html' in message['type'] or 'Update' in message['type']:
            shown += str(parts.get('content', ''))
        label = parts.get('label', message.get('label')) or ''
        assert label.isprintable(), label
        # The node sends it when it has shown the robot and its findings.
        if message['type'] == 'SetGuiPanelLabelMessage' and re.search('forged.*: .*error', label):
            break
    assert 'forged&lt;img' in shown
    assert '<img' not in shown
    # Lines of ours end in the table of programs. An attribute, not shown, has names whole.
    for line in re.sub(r' data-link="[^"]*"', '', shown).split('\n'):
        assert line.isprintable() and not re.match(r'\s*(\[FATAL|::error)', line), line


@pytest.mark.slow
def test_no_name_forges_a_line_or_steers_a_terminal(own_nodes, own_client):
    server = pytest.importorskip('urdf_tools_interfaces.srv')
    started = {
        name: own_nodes.start(name, {**parameters, PARAMETER: 1.0})
        for name, parameters in PARAMETERS.items()}
    diagnostics = own_client.subscribe(DiagnosticArray, '/diagnostics', 100)
    reports = own_client.subscribe(DiagnosticArray, '/model_validator/report', LATCHED)
    states = own_client.node.create_publisher(JointState, 'joint_states', qos_profile_sensor_data)
    others = own_client.node.create_publisher(JointState, 'other_states', qos_profile_sensor_data)
    own_client.describe(ROBOT)
    if 'viewer' in started:
        check_page(started['viewer'].wait_for_line(r'The robot is shown at (http://\S+)')[1])
    answers = [own_client.call(
        getattr(server, kind), f'model_server/{name}', **fields)
        for kind, name, fields in (
            ('GetInertia', 'get_inertia', {'link': EVIL_BYTES}),
            ('GetLinkTransforms', 'get_link_transforms', {'frame_id': EVIL}),
            ('GetLinkTransforms', 'get_link_transforms', {}),
            ('GetLinkTransforms', 'get_link_transforms',
             {'joint_state': JointState(name=[EVIL_BYTES], position=[1.0])}),
            ('GetJacobian', 'get_jacobian', {'link': EVIL_BYTES}),
            ('ComputeInertia', 'compute_inertia',
             {'mesh_resource': EVIL_BYTES, 'density': 1.0}),
            ('ValidateModel', 'validate', {'ignore': [EVIL_BYTES]}),
            ('ConvertToSdf', 'convert_to_sdf', {'target': EVIL_BYTES}),
            ('ConvertToSdf', 'convert_to_sdf', {}))]

    def bad_states():
        for publisher in (states, others):
            publisher.publish(JointState(name=[EVIL_BYTES, EVIL], position=[0.0, float('nan')]))
            publisher.publish(JointState(name=[EVIL_BYTES, EVIL, EVIL], position=[0.0]))

    def seen(task, key):
        return any(
            status.name == task and any(value.key == key for value in status.values)
            for array in diagnostics for status in array.status)

    own_client.wait_for(
        lambda: bad_states() or seen('state_publisher: Joint states', 'Values skipped: non-finite')
        and seen('joint_state_source: Joint sources', 'Skipped: non-finite')
        and seen('model_server: Joint states', 'Values skipped: no position'), 'faults')
    own_client.wait_for(lambda: reports, 'a report')
    own_client.describe(REFUSED)
    for name, node in started.items():
        if name != 'model_validator':
            node.wait_for_line('refused')
    own_client.wait_for(lambda: len(reports) > 1, 'another report')
    test = own_client.call(SelfTest, 'model_validator/validate')
    own_client.wait_for(lambda: seen('model_server: Model', 'Refused because'), 'the refusal')

    for name, node in started.items():
        assert node.stop() == 0
        for line in node.lines:
            assert re.match(r'\[(INFO|WARN|ERROR)\] \[\d+\.\d+\] \[', line), (name, line)
            assert line.isprintable(), (name, line)
        assert 'forged' in node.output, f'{name} showed no hostile name'
    shown = [text for array in (*diagnostics, *reports) for text in texts(array)]
    shown += [text for status in test.status for text in (status.message, status.hardware_id)]
    shown += [test.id, *(answer.message for answer in answers)]
    assert any('forged' in text for text in shown)
    assert [text for text in shown if not text.isprintable()] == []
