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


"""The rules about ros2_control, on records: its interfaces are not installed everywhere."""

from types import SimpleNamespace

import pytest

from urdf_tools.model.loader import loads
from urdf_tools.monitoring.graph import Graph
from urdf_tools.monitoring.graph_rules import evaluate
from urdf_tools.monitoring.observation import Controller
from urdf_tools.monitoring.observation import ControllerManager
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.observation import ObservedRobot
from urdf_tools.monitoring.rules import GRAPH_RULES

TEXT = """<robot name="arm"><link name="base"/><link name="a"/><link name="b"/><link name="c"/>
  <joint name="lift" type="prismatic"><parent link="base"/><child link="a"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="wrist_1" type="continuous"><parent link="a"/><child link="b"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="finger" type="continuous"><parent link="b"/><child link="c"/>
    <axis xyz="0 0 1"/></joint>
  <ros2_control name="arm" type="system">
    <hardware><plugin>mock_components/GenericSystem</plugin></hardware>
    <joint name="lift"><command_interface name="position"/><command_interface name="velocity"/>
      <state_interface name="position"/></joint>
    <joint name="wrist_1"><command_interface name="position"/>
      <state_interface name="position"/></joint>
  </ros2_control>
</robot>"""
ARM = Controller('arm_controller', 'active', ('lift/position', 'wrist_1/position'),
                 ('lift/position', 'wrist_1/position'), ('lift/position', 'wrist_1/position'))
INTERFACES = ('lift/position', 'lift/velocity', 'wrist_1/position')


def findings(*controllers, text=TEXT):
    robot = ObservedRobot('/robot_description', loads(text), text, ('/joint_states',), '/', '')
    manager = ControllerManager(
        '/controller_manager', controllers, INTERFACES, ('lift/position', 'wrist_1/position'))
    seen = Observation(Graph(), 5.0, 0, (robot,), managers=(manager,))
    report = evaluate(seen, 'graph', [
        code for code, rule in GRAPH_RULES.items() if rule.category != 'control'])
    return {finding.code: finding for finding in report.findings}


def test_a_joint_that_ros2_control_does_not_know():
    found = findings(ARM)
    assert list(found) == ['control-joint-left-out']
    assert found['control-joint-left-out'].message == (
        "1 joint of robot 'arm' is neither in its <ros2_control> nor in a controller of "
        '/controller_manager: finger')


def test_interfaces_that_no_active_controller_commands():
    half = Controller('lift_controller', 'active', ('lift/position',), ('lift/position',))
    wrist = Controller('wrist_controller', 'inactive', (), ('wrist_1/position',))
    assert findings(half, wrist)['control-interface-unused'].message == (
        'No active controller of /controller_manager commands wrist_1; '
        'wrist_controller is inactive')


def test_a_joint_that_mimics_needs_no_controller():
    text = TEXT.replace('<axis xyz="0 0 1"/></joint>\n  <joint name="finger"', (
        '<axis xyz="0 0 1"/><mimic joint="lift"/></joint>\n  <joint name="finger"'))
    assert text != TEXT
    lift = Controller('lift_controller', 'active', ('lift/position',), ('lift/position',))
    assert 'control-interface-unused' in findings(lift)
    assert 'control-interface-unused' not in findings(lift, text=text)


@pytest.mark.parametrize('what', ['required', 'required_states'])
def test_interfaces_that_do_not_exist(what):
    wrong = Controller('wrong', 'inactive', **{what: ('wrist/position',)})
    finding = findings(ARM, wrong)['control-interface-missing']
    assert finding.message == (
        "Controller 'wrong' of /controller_manager needs 1 interface that does not exist: "
        'wrist/position')
    assert finding.hint == "Did you mean 'wrist_1/position'?"


def test_references_of_chained_controllers_exist():
    chained = Controller('outer', 'active', (), ('arm_controller/lift/position',))
    assert 'control-interface-missing' not in findings(ARM, chained)


def test_responses_become_records():
    questions = pytest.importorskip(
        'urdf_tools.nodes.model_monitor.node_requests', reason='ROS 2 is not sourced')
    controllers = questions.to_controllers(SimpleNamespace(controller=[SimpleNamespace(
        name='arm_controller', state='active', claimed_interfaces=list(ARM.claimed),
        required_command_interfaces=list(ARM.required),
        required_state_interfaces=list(ARM.required_states))]))
    assert controllers == (ARM,)
    manager = questions.to_manager('/controller_manager', controllers, SimpleNamespace(
        command_interfaces=[SimpleNamespace(name=name) for name in INTERFACES],
        state_interfaces=[SimpleNamespace(name='lift/position')]))
    assert manager == ControllerManager(
        '/controller_manager', (ARM,), INTERFACES, ('lift/position',))
