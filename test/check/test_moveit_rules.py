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

"""The rules about the files of MoveIt beside a description."""

from functools import cache
import os

import pytest

from urdf_tools.check.moveit_files import MoveItFiles
from urdf_tools.check.rule_examples import CONTEXTS
from urdf_tools.check.rules import RULES
from urdf_tools.check.validator import validate
from urdf_tools.cli import main
from urdf_tools.findings.finding import Severity

URDF = """\
<robot name="arm">
  <link name="base"/><link name="upper"/><link name="palm"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="wrist" type="continuous">
    <parent link="upper"/><child link="palm"/><axis xyz="0 0 1"/>
  </joint>
  <ros2_control name="motors" type="system"><hardware><plugin>a/B</plugin></hardware>
    <joint name="shoulder">
      <command_interface name="position"/>
      <state_interface name="position"><param name="initial_value">0.5</param></state_interface>
    </joint>
  </ros2_control>
</robot>
"""

SRDF = """\
<robot name="arm">
  <group name="all"><chain base_link="base" tip_link="palm"/></group>
  <group name="hand"><link name="palm"/></group>
  <group name="one"><joint name="shoulder"/></group>
  <group_state name="ready" group="all">
    <joint name="shoulder" value="1.5"/><joint name="wrist" value="9"/>
  </group_state>
  <end_effector name="tool" group="hand" parent_link="upper" parent_group="one"/>
  <virtual_joint name="world" type="fixed" parent_frame="world" child_link="base"/>
  <passive_joint name="wrist"/>
  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>
</robot>
"""

LIMITS = """\
joint_limits:
  shoulder:
    has_velocity_limits: true
    max_velocity: 1.0
    has_position_limits: true
    min_position: -0.5
    max_position: 1.5
    has_acceleration_limits: true
    max_acceleration: 2.0
  wrist:
    has_acceleration_limits: false
"""


def found(tmp_path, srdf=SRDF, limits=LIMITS, name='arm.srdf'):
    """Return code, file, line and message of what is found beside the description."""
    urdf = tmp_path / 'arm.urdf'
    urdf.write_text(URDF)
    data = srdf if isinstance(srdf, bytes) else srdf.encode()
    (tmp_path / name).write_bytes(data)
    (tmp_path / 'joint_limits.yaml').write_text(limits)
    findings = validate(urdf).findings
    assert 'internal-error' not in {each.code for each in findings}
    return [(each.code, each.trace.location.file.rpartition('/')[2], each.line, each.message)
            for each in findings if each.trace is not None]


def test_good_files(tmp_path):
    assert found(tmp_path) == []


@pytest.mark.parametrize('old, new, code, line, message', [
    ('<robot name="arm">', '<robot name="leg">', 'srdf-other-robot', 1,
     "The SRDF file is of robot 'leg', the description of 'arm'"),
    ('<link name="palm"/></group>', '<link name="plam"/></group>', 'srdf-unknown-name', 3,
     "<group> of the SRDF file names the link 'plam', which does not exist"),
    ('link2="upper"', 'link2="lower"', 'srdf-unknown-name', 11,
     "<disable_collisions> of the SRDF file names the link 'lower', which does not exist"),
    ('group="hand" parent', 'group="had" parent', 'srdf-unknown-name', 8,
     "<end_effector> of the SRDF file names the group 'had', which does not exist"),
    ('<passive_joint name="wrist"/>', '<passive_joint name="rist"/>', 'srdf-unknown-name', 10,
     "<passive_joint> of the SRDF file names the joint 'rist', which does not exist"),
    ('<joint name="shoulder"/>', '', 'srdf-empty-group', 4, "Group 'one' is empty"),
    ('<joint name="shoulder"/>', '<joint name="shoulder"/><group name="one"/>',
     'srdf-group-cycle', 4, "Group 'one' contains itself"),
    ('parent_link="upper"', 'parent_link="palm"', 'srdf-end-effector', 8,
     "Link 'palm', which <end_effector> 'tool' is attached to, is not in the parent group 'one'"),
    ('<disable_collisions', '<disable_collision', 'srdf-unknown-name', 11,
     'MoveIt reads no <disable_collision>'),
    ('parent_link="upper"', 'parent_link="base"', 'srdf-end-effector', 8,
     "Link 'base', which <end_effector> 'tool' is attached to, is not in the parent group 'one'"),
    ('parent_group="one"', 'parent_group="hand"', 'srdf-end-effector', 8,
     "The parent group of <end_effector> 'tool' is its own group, 'hand'"),
    ('base_link="base" tip_link="palm"', 'base_link="palm" tip_link="base"', 'srdf-chain', 2,
     "A chain of group 'all' begins at link 'palm', which is below its tip link, 'base'"),
    ('child_link="base"', 'child_link="upper"', 'srdf-virtual-joint', 9,
     "<virtual_joint> 'world' is of link 'upper', which is not the root of the robot"),
    ('"1.5"', '"2.5"', 'srdf-state', 6,
     "<group_state> 'ready' sets joint 'shoulder' to 2.5, outside of its limits -1 and 2"),
    ('"1.5"', '"much"', 'srdf-state', 6,
     "<group_state> 'ready' sets joint 'shoulder' to 'much', which is not a number"),
    ('group="all"', 'group="one"', 'srdf-state', 6,
     "<group_state> 'ready' sets joint 'wrist', which is not in group 'one'"),
    ('<joint name="wrist" value="9"/>', '', 'srdf-state', 5,
     "<group_state> 'ready' sets no value for 'wrist'"),
    ('</robot>', '', 'moveit-file-unreadable', 13,
     'The file beside the robot cannot be read: The description is not well-formed XML: no '
     'element found'),
    ('<robot name="arm">', '<!DOCTYPE r [<!ENTITY a "b">]><robot name="arm">',
     'moveit-file-unreadable', 1, None)])
def test_srdf(tmp_path, old, new, code, line, message):
    assert old in SRDF
    finding, = (each for each in found(tmp_path, SRDF.replace(old, new)) if each[0] == code)
    assert finding[1] == 'arm.srdf'
    if message is not None:
        assert finding[2:] == (line, message)


@pytest.mark.parametrize('kind, expected', [('fixed', []), ('planar', ['srdf-virtual-joint'])])
def test_a_virtual_joint_of_a_link_that_is_fixed_to_the_world(tmp_path, kind, expected):
    """Both joints are fixed, which is accepted."""
    (tmp_path / 'arm.srdf').write_text(SRDF.replace('type="fixed"', f'type="{kind}"'))
    (tmp_path / 'arm.urdf').write_text(URDF.replace('  <ros2', """\
  <link name="world"/><joint name="mount" type="fixed"><parent link="world"/><child link="base"/>
  </joint><ros2"""))
    assert [each.code for each in validate(tmp_path / 'arm.urdf').findings
            if each.code == 'srdf-virtual-joint'] == expected


XACRO = SRDF.replace('name="arm">', 'xmlns:xacro="http://www.ros.org/wiki/xacro" name="arm">', 1)


@pytest.mark.parametrize('old, new, expected', [
    ('', '', []),
    ('link name="palm"', 'link name="${tip}"', [('moveit-file-unreadable', 3, None)]),
    ('link name="palm"', 'link name="$(arg tip)"', [(
        'moveit-file-unreadable', 3, 'The SRDF file was not compared with the robot, because its '
        'xacro arguments have no value: tip:=VALUE')]),
    ('link name="palm"', 'link name="${1 + 1}"', [(
        'srdf-unknown-name', 3,
        "<group> of the SRDF file names the link '2', which does not exist")])])
def test_srdf_in_xacro(tmp_path, old, new, expected):
    """A file whose arguments only a launch file knows is not compared, with a warning."""
    of_file = [each for each in found(tmp_path, XACRO.replace(old, new, 1), name='arm.srdf.xacro')
               if each[1] == 'arm.srdf.xacro']
    assert [(code, line) for code, _, line, _ in of_file] == [each[:2] for each in expected]
    for (*_, message), (*_, wanted) in zip(of_file, expected):
        assert wanted is None or message == wanted


def test_an_srdf_file_without_a_description(tmp_path, monkeypatch, capsys):
    """A folder with it has a note; by its name it cannot be checked."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'arm.srdf').write_text(SRDF)
    assert main(['check', '.', '--level', 'info']) == 0
    assert 'There is no description to check the SRDF file against' in capsys.readouterr().out
    assert main(['check', 'arm.srdf']) == 2
    assert 'is not found; name it with --model FILE' in capsys.readouterr().err


@pytest.mark.parametrize('old, new, code, line, message', [
    ('  wrist:', '  wirst:', 'moveit-limits-unknown-joint', 10,
     "joint_limits.yaml has limits of joint 'wirst', which does not exist"),
    ('max_velocity: 1.0', 'max_velocity: fast', 'moveit-limits-invalid', 4,
     "The max_velocity of joint 'shoulder' is 'fast', which is not a number"),
    ('    max_velocity: 1.0\n', '', 'moveit-limits-invalid', 3,
     "Joint 'shoulder' has velocity limits, but no max_velocity"),
    ('min_position: -0.5', 'min_position: 1.6', 'moveit-limits-invalid', 6,
     "The min_position of joint 'shoulder' is 1.6, above max_position 1.5"),
    ('max_position: 1.5', 'max_position: 3', 'moveit-limits-invalid', 7,
     "joint_limits.yaml lets joint 'shoulder' move to 3, beyond its upper limit 2"),
    ('joint_limits:', 'joint_limits: [', 'moveit-file-unreadable', 2, None),
    ('joint_limits:', '[\n' * 2000, 'moveit-file-unreadable', 1, None),
    ('joint_limits:', '#' * 300_000, 'moveit-file-unreadable', 1,
     'The file beside the robot cannot be read: It has more than 262144 bytes')])
def test_joint_limits(tmp_path, old, new, code, line, message):
    assert old in LIMITS
    finding, = found(tmp_path, limits=LIMITS.replace(old, new))
    assert finding[:2] == (code, 'joint_limits.yaml')
    if message is not None:
        assert finding[2:] == (line, message)


MOVEIT = {
    'kinematics.yaml': 'all:\n  kinematics_solver: pick_ik/PickIkPlugin\n',
    'moveit_controllers.yaml': """\
moveit_simple_controller_manager:
  controller_names: [arm]
  arm:
    action_ns: follow_joint_trajectory
    joints:
      - shoulder
      - wrist
      - $(var prefix)elbow
""",
    'ros2_controllers.yaml': """\
arm:
  ros__parameters:
    joints: [shoulder]
    command_interfaces: [position]
    state_interfaces: [position]
""",
    'initial_positions.yaml': 'initial_positions:\n  shoulder: 0.5\n  wrist: 9\n'}


def beside(tmp_path, limits=LIMITS, **changes):
    """Return what is found with the YAML files of MoveIt beside the description."""
    for name, text in MOVEIT.items():
        old, new = changes.get(name.split('.')[0], ('', ''))
        assert old in text
        (tmp_path / name).write_text(text.replace(old, new, 1) if old else text)
    return found(tmp_path, limits=limits)


@pytest.mark.parametrize('file, old, new, code, line, message', [
    ('kinematics', 'all', 'al', 'moveit-solver-unknown-group', 1,
     "kinematics.yaml has a solver for group 'al', which does not exist"),
    ('kinematics', 'PickIkP', 'PickIKP', 'moveit-solver-unknown-group', 2,
     "The solver 'pick_ik/PickIKPlugin' of group 'all' is unknown"),
    ('moveit_controllers', 'action_ns:', 'ns:', 'moveit-controller-unlisted', 3,
     "MoveIt skips controller 'arm', which has no action_ns"),
    ('moveit_controllers', '- wrist', '- wirst', 'moveit-controller-unknown-joint', 7,
     "Controller 'arm' in moveit_controllers.yaml has joint 'wirst', which does not exist"),
    ('moveit_controllers', '[arm]', '[ram]', 'moveit-controller-unlisted', 2,
     "MoveIt has no settings of controller 'ram'"),
    ('ros2_controllers', '[shoulder]', '[shulder]', 'moveit-controller-unknown-joint', 3,
     "Controller 'arm' in ros2_controllers.yaml has joint 'shulder', which does not exist"),
    ('ros2_controllers', '[shoulder]', 'shoulder', 'moveit-controller-unknown-joint', 3,
     "The joints of controller 'arm' in ros2_controllers.yaml are a text, not a list"),
    ('ros2_controllers', '_interfaces: [position]', '_interfaces: [velocity]',
     'controller-interface-missing', 4, "Controller 'arm' uses the command interface 'velocity', "
     "which <ros2_control> has not for 'shoulder'"),
    ('initial_positions', '0.5', '2.5', 'initial-position-invalid', 2,
     "The initial position of joint 'shoulder' is 2.5, outside of its limits -1 and 2"),
    ('initial_positions', '0.5', 'up', 'initial-position-invalid', 2,
     "The initial position of joint 'shoulder' is 'up', which is not a number"),
    ('initial_positions', 'wrist', 'elbow', 'initial-position-invalid', 3,
     "initial_positions.yaml names joint 'elbow', which does not exist"),
    ('kinematics', 'all:', 'all: [', 'moveit-file-unreadable', 2, None),
    ('initial_positions', 'shoulder: 0.5', 'wrist: &a [*a]', 'moveit-file-unreadable', 1, None)])
def test_files_of_moveit(tmp_path, file, old, new, code, line, message):
    assert beside(tmp_path) == []
    finding, = beside(tmp_path, **{file: (old, new)})
    assert finding[:2] == (code, f'{file}.yaml')
    if message is not None:
        assert finding[2:] == (line, message)


def test_a_controller_with_a_joint_outside_of_ros2_control(tmp_path):
    (one,) = beside(tmp_path, ros2_controllers=('[shoulder]', '[shoulder, wrist]'))
    assert one == ('controller-interface-missing', 'ros2_controllers.yaml', 3,
                   "No <ros2_control> has 'wrist' of controller 'arm'")
    assert beside(tmp_path, ros2_controllers=('[shoulder]', '[wrist]')) == []  # Another variant.


def test_whole_numbers_are_for_moveit_1(tmp_path):
    limits = LIMITS.replace('max_velocity: 1.0', 'max_velocity: 1')
    assert [each[:3] for each in beside(tmp_path, limits=limits)] == [
        ('moveit-limits-invalid', 'joint_limits.yaml', 4)]
    (tmp_path / 'moveit_controllers.yaml').unlink()
    assert found(tmp_path, limits=limits) == []


def test_aliases_that_repeat_each_other(tmp_path):
    lines = ['a0: &a0 [x, x]', *(f'a{n}: &a{n} [*a{n - 1}, *a{n - 1}]' for n in range(1, 40))]
    finding, = beside(tmp_path, kinematics=(MOVEIT['kinematics.yaml'], '\n'.join(lines)))
    assert finding[0] == 'moveit-file-unreadable'
    assert finding[3].endswith('It has more than 20000 entries')


def test_controllers_of_another_variant_are_a_warning(tmp_path):
    (tmp_path / 'ros2_controllers.yaml').write_text('hand:\n  joints: [left_tip, right_tip]\n')
    found(tmp_path)
    severities = {each.severity for each in validate(tmp_path / 'arm.urdf').findings
                  if each.code == 'moveit-controller-unknown-joint'}
    assert severities == {Severity.WARN}


def test_the_file_of_the_robot(tmp_path):
    """A file of another name is not the robot's, and limits alone are not MoveIt's."""
    assert found(tmp_path, '<robot', 'joint_limits: [', 'other.srdf') == []


@pytest.mark.parametrize('data', [
    b'', b'\0', b'<a/>', '<robot name="arm"/>'.encode('utf-16'), b'<robot>' * 200,
    b'<robot name="arm"><group name="all"><group name="all"/></group></robot>',
    b'<robot name="arm"><group/><group_state/><end_effector/><disable_collisions/></robot>'])
def test_hostile_files(tmp_path, data):
    assert {file for _, file, *_ in found(tmp_path, data)} <= {'arm.srdf', 'joint_limits.yaml'}


def test_a_pipe_is_not_waited_for(tmp_path):
    (tmp_path / 'arm.urdf').write_text(URDF)
    os.mkfifo(tmp_path / 'arm.srdf')
    codes = [each.code for each in validate(tmp_path / 'arm.urdf').findings]
    assert 'internal-error' not in codes


def test_the_parts_of_groups_are_collected_once(tmp_path, monkeypatch):
    """A chain of groups takes seconds where each rule does so anew."""
    calls = []
    collect = MoveItFiles._contained
    monkeypatch.setattr(MoveItFiles, '_contained', lambda files, name: (
        calls.append(name), collect(files, name))[1])
    chain = ''.join(f'<group name="g{number}"><group name="g{number + 1}"/></group>'
                    for number in range(20))
    found(tmp_path, f'<robot name="arm">{chain}<group name="g20"/></robot>')
    assert sorted(calls) == sorted({*calls}) and len(calls) == 21


@pytest.mark.parametrize('number', [500, 1000])
def test_a_chain_of_groups_takes_time_in_proportion(tmp_path, monkeypatch, number):
    looked_at = []
    groups = MoveItFiles.groups.func

    class Groups(dict):
        def __getitem__(self, name):
            looked_at.append(name)
            return super().__getitem__(name)
    counting = property(cache(lambda files: Groups(groups(files))))
    monkeypatch.setattr(MoveItFiles, 'groups', counting)
    chain = ''.join(f'<group name="g{each}"><group name="g{each + 1}"/></group>'
                    for each in range(number))
    found(tmp_path, f'<robot name="arm">{chain}<group name="g{number}"/></robot>')
    assert len(looked_at) < 300 * number


@pytest.mark.parametrize('code', [
    code for code, rule in RULES.items() if rule.text.context.endswith(('.srdf', '.yaml'))])
def test_examples_of_rules(code, tmp_path):
    of_rule = RULES[code].text
    for text, fails in ((of_rule.fails, True), (of_rule.passes, False)):
        (tmp_path / 'arm.urdf').write_text(URDF)
        (tmp_path / 'arm.srdf').write_text(SRDF)
        (tmp_path / of_rule.context.split()[-1]).write_text(CONTEXTS[of_rule.context].format(text))
        found = [each.code for each in validate(tmp_path / 'arm.urdf').findings]
        assert (code in found) == fails, text
