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

"""Joints that <ros2_control> lacks, and parameters of controllers in files of the workspace."""

import os

import pytest

from urdf_tools.check.validator import validate
from urdf_tools.check.validator import validates
from urdf_tools.model.package_lookup import Trust
from urdf_tools.model.resources import ResourceResolver


def robot(names, controlled, kind='revolute', mimics=(), system='system'):
    """Return a chain of joints, of which a <ros2_control> controls some."""
    links = ''.join(f'<link name="link_{n}"/>\n' for n in range(len(names) + 1))
    joints = ''.join(
        f'<joint name="{name}" type="{kind}"><parent link="link_{n}"/>'
        f'<child link="link_{n + 1}"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
        f'{"<mimic joint=" + chr(34) + names[0] + chr(34) + "/>" if name in mimics else ""}'
        '</joint>\n' for n, name in enumerate(names))
    parts = ''.join(f'<joint name="{name}"><command_interface name="position"/>'
                    '<state_interface name="position"/></joint>\n' for name in controlled)
    return (f'<robot name="arm">\n{links}{joints}<ros2_control name="s" type="{system}">\n'
            f'<hardware><plugin>a/B</plugin></hardware>\n{parts}</ros2_control>\n</robot>\n')


def lacking(report):
    """Return the joints that <ros2_control> lacks by the findings of a report."""
    return [each.message.rpartition("joint '")[2].rstrip("'") for each in report.findings
            if each.code == 'ros2control-missing-joint']


ARM = [f'joint_{n}' for n in range(1, 7)]
LEGS = ['FL_hip', 'FR_hip', 'RL_hip', 'RR_hip']


@pytest.mark.parametrize('names, missing, expected', [
    (ARM, ['joint_3'], ['joint_3']),
    (ARM, ['joint_1'], ['joint_1']),
    (ARM, ['joint_6'], ['joint_6']),
    (ARM, ['joint_3', 'joint_4'], []),
    ([f'{side}_joint{n}' for side in ('a1', 'a2') for n in range(3)], ['a2_joint1'],
     ['a2_joint1']),
    (['wheel_1', 'wheel_2', 'wheel_3'], ['wheel_3'], []),
    (['left_wheel', 'right_wheel'], ['left_wheel'], ['left_wheel']),
    (LEGS, ['RR_hip'], ['RR_hip']),
    (LEGS, ['RL_hip', 'RR_hip'], []),
    (LEGS, ['FL_hip', 'RR_hip'], ['RR_hip', 'FL_hip']),
    (['l_caster', 'r_caster'], ['r_caster'], []),
    (['left_finger', 'right_finger'], ['right_finger'], []),
    (['shoulder', 'elbow', 'wrist'], ['elbow'], []),
    ([f'{side}_arm_{part}' for side in ('left', 'right') for part in 'abc'],
     [f'right_arm_{part}' for part in 'abc'], [])])
def test_joints_that_are_missing(names, missing, expected):
    report = validates(robot(names, [name for name in names if name not in missing]))
    assert sorted(lacking(report)) == sorted(expected)


def test_joints_that_may_be_missing():
    controlled = [name for name in ARM if name != 'joint_3']
    assert lacking(validates(robot(ARM, controlled, mimics=['joint_3']))) == []
    assert lacking(validates(robot(ARM, controlled, kind='fixed'))) == []
    assert [each.message for each in validates(robot(ARM, [])).findings
            if each.code == 'ros2control-missing-joint'] == [
                "<ros2_control> 's' has no joint, sensor or gpio"]
    sensor = '<sensor name="imu"/></ros2_control>'
    assert lacking(validates(robot(ARM, []).replace('</ros2_control>', sensor))) == []
    template = robot(ARM, controlled).replace('</robot>', '<xacro:arm/></robot>')
    assert lacking(validates(template)) == []


def test_the_system_that_lacks_a_joint():
    two = robot(ARM, ['joint_1']).replace('</robot>', '') + robot([], ARM[1:4]).partition(
        '<link name="link_0"/>')[2]
    two = two.replace('</robot>', '<ros2_control name="t" type="system"><hardware><plugin>a/B'
                                  '</plugin></hardware><joint name="joint_6"/></ros2_control>'
                                  '</robot>')
    finding, = (each for each in validates(two).findings
                if each.code == 'ros2control-missing-joint')
    assert finding.line == two[:two.index('<ros2_control')].count('\n') + 1
    assert finding.message == (
        "<ros2_control> 's' controls 'joint_1', 'joint_2', 'joint_3', 'joint_4', 'joint_6', but "
        "not joint 'joint_5'")


NAMES = ['shoulder', 'elbow', 'wrist', 'tool']

CONTROLLERS = """\
controller_manager:
  ros__parameters:
    update_rate: 100
    arm:
      type: joint_trajectory_controller/JointTrajectoryController
    base:
      type: diff_drive_controller/DiffDriveController
/robot/arm:
  ros__parameters:
    joints: [shoulder, elbow, wrist]
    command_interfaces: [position]
    constraints:
      goal_time: 1.0
      wrist:
        goal: 0.1
      stopped_velocity_tolerance: 0.2
    gains.wrist.i_clamp: 1.0
    my_own_parameter: 1
base:
  ros__parameters:
    left_wheel_names: [left]
    linear.x.max_velocity: 1.0
    linear:
      x:
        min_velocity: -1.0
    y: 0
"""


@pytest.fixture
def workspace(tmp_path):
    """Return a workspace with a description and a package with its controllers."""
    for package, folder in (('arm_description', 'urdf'), ('arm_bringup', 'config')):
        (tmp_path / 'src' / package / folder).mkdir(parents=True)
        (tmp_path / 'src' / package / 'package.xml').write_text(
            f'<package><name>{package}</name></package>')
    return tmp_path / 'src'


def misspelt(workspace, text, names=NAMES, path='arm_bringup/config/controllers.yaml', **options):
    """Return line and message of what is found in the file of the controllers, with the hint."""
    urdf = workspace / 'arm_description' / 'urdf' / 'arm.urdf'
    urdf.write_text(robot(names, names))
    (workspace / path).parent.mkdir(exist_ok=True, parents=True)
    (workspace / path).write_text(text)
    return [(each.line, each.message, each.hint) for each in validate(urdf, **options).findings
            if each.code == 'parameter-unknown']


JOINTS = 'joint_trajectory_controller/JointTrajectoryController'
DRIVE = 'diff_drive_controller/DiffDriveController'


@pytest.mark.parametrize('good, bad, line, kind, right', [
    ('update_rate', 'update_rte', 3, 'controller_manager', 'update_rate'),
    ('type', 'tpye', 5, 'controller_manager', 'type'),
    ('    joints', '    joint', 10, JOINTS, 'joints'),
    ('command_interfaces', 'comand_interfaces', 11, JOINTS, 'command_interfaces'),
    ('constraints', 'constrains', 12, JOINTS, 'constraints'),
    ('goal_time', 'goal_tme', 13, JOINTS, 'goal_time'),
    ('goal:', 'gaol:', 15, JOINTS, 'goal'),
    ('gains.wrist.i_clamp', 'gains.wrist.i_clmap', 17, JOINTS, 'gains.wrist.i_clamp'),
    ('left_wheel_names', 'left_wheels_names', 21, DRIVE, 'left_wheel_names'),
    ('linear.x.max_velocity', 'linear.x.max_velocty', 22, DRIVE, 'linear.x.max_velocity'),
    ('min_velocity', 'min_velosity', 25, DRIVE, 'min_velocity')])
def test_misspelt_parameters(workspace, good, bad, line, kind, right):
    assert misspelt(workspace, CONTROLLERS) == []
    (found_line, message, hint), = misspelt(workspace, CONTROLLERS.replace(good, bad, 1))
    assert found_line == line
    assert message == f"{kind} has no parameter '{bad.strip().rstrip(':')}'"
    assert hint == f"Did you mean '{right}'?"


def test_misspelt_tables(workspace):
    assert misspelt(workspace, CONTROLLERS.replace('ros__parameters', 'ros__parametesr', 1)) == [
        (2, "Parameters are read from ros__parameters, not 'ros__parametesr'",
         "Did you mean 'ros__parameters'?")]


@pytest.mark.parametrize('old, new', [
    ('my_own_parameter', 'wheel_seperation'),  # Of another controller.
    ('command_interfaces: [position]', 'command_interfaces: [position]\n    command_interface: 1'),
    ('goal_time: 1.0', 'goal_tme: {goal: 1.0}'),  # A joint of that name.
    ('command_interfaces', '$(var kind)_interfaces'),
    (JOINTS, 'my_controllers/JointTrajectoryController'), (JOINTS, '[]'),
    ('    joints:', '    a.b.c.d.joints:'), ('constraints:', 'constraints: &a [*a]\n    b:'),
    (CONTROLLERS, ''), (CONTROLLERS, 'a: [\n'), (CONTROLLERS, '- ros__parameters: [shoulder]\n')])
def test_parameters_that_are_right_or_unknown(workspace, old, new):
    assert old in CONTROLLERS
    assert misspelt(workspace, CONTROLLERS.replace(old, new, 1)) == []


def test_where_the_files_are(workspace):
    bad = CONTROLLERS.replace('    joints', '    joins')
    assert misspelt(workspace, bad, ['left', 'right'])
    assert not misspelt(workspace, bad, ['pan', 'tilt'])  # Another robot.
    (workspace / 'arm_bringup' / 'package.xml').unlink()
    assert not misspelt(workspace, bad)
    assert misspelt(workspace, bad, path='arm_description/config/controllers.yaml')


@pytest.mark.parametrize('package, launch, is_found', [
    ('arm_bringup', "FindPackageShare('arm_description'), 'arm.urdf', 'controllers.yaml'", True),
    ('arm_bringup', "FindPackageShare('arm_bringup'), 'arm.urdf', 'controllers.yaml'", False),
    ('arm_bringup', "'arm_description2', 'arm.urdf', 'controllers.yaml'", False),
    ('arm_description', "'arm.urdf', 'controllers.yaml'", True)])
def test_a_launch_file_elsewhere_names_the_package(workspace, package, launch, is_found):
    """Another package may have a description with the same file name, and its controllers."""
    urdf = workspace / 'arm_description' / 'urdf' / 'arm.urdf'
    urdf.write_text(robot(NAMES, NAMES))
    (workspace / package / 'launch').mkdir()
    (workspace / package / 'launch' / 'a.launch.py').write_text(f'LaunchDescription({launch})')
    (workspace / package / 'config').mkdir(exist_ok=True)
    (workspace / package / 'config' / 'controllers.yaml').write_text(
        CONTROLLERS.replace('joints: [shoulder', 'joints: [pan'))
    errors = [each.message for each in validate(urdf).findings if each.severity.name == 'ERROR'
              and each.code == 'moveit-controller-unknown-joint']
    assert errors == is_found * [
        "Controller '/robot/arm' in controllers.yaml has joint 'pan', which does not exist"]


@pytest.mark.parametrize('others, is_found', [(['Shoulder', 'Wrist'], False), (['Wrist'], True)])
def test_controllers_of_another_robot_of_the_package(workspace, others, is_found):
    urdf = workspace / 'arm_description' / 'urdf' / 'arm.urdf'
    urdf.write_text(robot(NAMES, NAMES))
    other = workspace / 'arm_bringup' / 'urdf' / 'other.urdf'
    other.parent.mkdir()
    other.write_text(robot(others, others))
    (urdf.parent / 'arm.srdf').write_text(
        '<robot name="arm"><group name="all"><joint name="wrist"/></group></robot>')
    (urdf.parent / 'ros2_controllers.yaml').write_text(
        'arm:\n  ros__parameters:\n    joints: [Shoulder, Wrist]\n')
    codes = {each.code for each in validate(urdf).findings}
    assert ('moveit-controller-unknown-joint' in codes) == is_found


@pytest.mark.parametrize('joints', ['[<prefix>pan, <prefix>tilt]', '[<prefix>pan, shoulder]'])
def test_names_that_a_launch_file_replaces(workspace, joints):
    urdf = workspace / 'arm_description' / 'urdf' / 'arm.urdf'
    urdf.write_text(robot(NAMES, NAMES))
    (urdf.parent / 'arm.srdf').write_text(
        '<robot name="arm"><group name="all"><joint name="wrist"/></group></robot>')
    for name, text in {
            'ros2_controllers.yaml': f'<namespace>/arm: {{ros__parameters: {{joints: {joints}}}}}',
            'moveit_controllers.yaml': 'moveit_simple_controller_manager: '
                                       f'{{arm: {{type: a, joints: {joints}}}}}',
            'joint_limits.yaml': 'joint_limits: {<prefix>pan: {max_velocity: 1.0}}'}.items():
        (urdf.parent / name).write_text(text)
    codes = {each.code for each in validate(urdf).findings}
    assert not codes & {'moveit-controller-unknown-joint', 'moveit-limits-unknown-joint',
                        'moveit-file-unreadable'}
    for file in urdf.parent.glob('*.yaml'):
        file.write_text(file.read_text().replace('<prefix>', '').replace('<namespace>/', ''))
    codes = {each.code for each in validate(urdf).findings}
    assert codes >= {'moveit-controller-unknown-joint', 'moveit-limits-unknown-joint'}


def test_a_link_out_of_the_workspace(workspace, tmp_path):
    bad = CONTROLLERS.replace('    joints', '    joins')
    (tmp_path / 'secret.yaml').write_text(bad)
    (workspace / 'arm_bringup' / 'config' / 'link.yaml').symlink_to(tmp_path / 'secret.yaml')
    assert misspelt(workspace, CONTROLLERS, resources=ResourceResolver(
        workspace / 'arm_description' / 'urdf', trust=Trust(False))) == []


def test_a_description_without_ros2_control(workspace):
    bad = CONTROLLERS.replace('    joints', '    joins')
    assert misspelt(workspace, bad)
    urdf = workspace / 'arm_description' / 'urdf' / 'other.urdf'
    urdf.write_text((urdf.parent / 'arm.urdf').read_text().partition('<ros2_control')[0] + (
        '</robot>'))
    codes = [each.code for each in validate(urdf).findings]
    assert 'parameter-unknown' not in codes
    assert misspelt(workspace, bad, path='arm_description/config/controllers.yaml')
    codes = [each.code for each in validate(urdf).findings]
    assert 'parameter-unknown' in codes


def test_long_and_deep_files(workspace):
    many = ''.join(f'    my_parameter_number_{n}: 1\n' for n in range(9000))
    assert misspelt(workspace, CONTROLLERS.replace('    y: 0\n', many)) == []
    for depth in (50, 150, 300, 3000):
        deep = '{a: ' * depth + '1' + '}' * depth
        misspelt(workspace, CONTROLLERS.replace('my_own_parameter: 1', f'constraints: {deep}'))
        codes = {each.code for each in validate(
            workspace / 'arm_description' / 'urdf' / 'arm.urdf').findings}
        assert 'internal-error' not in codes


def test_the_type_in_another_file(workspace):
    manager, arm = CONTROLLERS.split('/robot/arm:')
    manager = manager.replace('update_rate', 'udpate_rate')
    (workspace / 'arm_bringup' / 'config' / 'manager.yaml').write_text(manager)
    assert [line for line, *_ in misspelt(
        workspace, 'arm:' + arm.replace('joints', 'jonits'))] == [3, 3]
    own = manager.replace(JOINTS, 'position_controllers/GripperActionController')
    assert [line for line, *_ in misspelt(
        workspace, own + 'arm:' + arm.replace('    joints:', '    joint:'))] == [3, 3]


def test_the_file_that_a_plugin_names(workspace):
    path = workspace / 'else.yaml'
    path.write_text(CONTROLLERS.replace('joints', 'jonits'))
    urdf = workspace / 'arm.urdf'
    urdf.write_text(robot(NAMES, NAMES).replace('</robot>', (
        '<gazebo><plugin name="p" filename="f"><parameters>{0}</parameters>\n<parameters>{0}'
        '</parameters></plugin></gazebo></robot>').format(path)))
    assert [each.line for each in validate(urdf).findings
            if each.code == 'parameter-unknown'] == [10]


def test_lists_of_controllers(workspace):
    (workspace / 'arm_bringup' / 'config' / 'controllers.yaml').write_text(CONTROLLERS)
    urdf = workspace / 'arm_description' / 'urdf' / 'arm.urdf'
    urdf.write_text(robot(NAMES, [name for name in NAMES if name != 'elbow']))
    report = validate(urdf)
    assert lacking(report) == []
    assert [each.message for each in report.findings if each.code == (
        'controller-interface-missing')] == ["No <ros2_control> has 'elbow' of controller 'arm'"]


def test_a_group_of_the_srdf_file(tmp_path):
    (tmp_path / 'arm.urdf').write_text(robot(NAMES, ['shoulder', 'elbow', 'tool']))
    assert lacking(validate(tmp_path / 'arm.urdf')) == []
    (tmp_path / 'arm.srdf').write_text(
        '<robot name="arm"><group name="all"><chain base_link="link_0" tip_link="link_4"/>'
        '</group></robot>')
    assert lacking(validate(tmp_path / 'arm.urdf')) == ['wrist']


def test_a_passive_joint(tmp_path):
    (tmp_path / 'arm.urdf').write_text(robot(ARM, ARM[:3] + ARM[4:]))
    assert lacking(validate(tmp_path / 'arm.urdf')) == ['joint_4']
    (tmp_path / 'arm.srdf').write_text(
        '<robot name="arm"><passive_joint name="joint_4"/></robot>')
    assert lacking(validate(tmp_path / 'arm.urdf')) == []
    (tmp_path / 'arm.srdf').write_text('<robot name="arm"/>')
    (tmp_path / 'ros2_controllers.yaml').write_text(
        'arm:\n  ros__parameters:\n    joints: [joint_3, joint_4]\n'
        '    command_interfaces: [position]\n')
    report = validate(tmp_path / 'arm.urdf')
    assert lacking(report) == []
    assert 'controller-interface-missing' in {each.code for each in report.findings}


WHEELS = """\
controller_manager:
  ros__parameters: {update_rate: 9}
drive:
  ros__parameters:
    left_wheel_names: [left]
    right_wheel_names: [right]
    wheel_separation: %s
    wheel_radius: %s
"""


def wheeled(workspace, separation='0.4', radius='0.1', hub='',
            launch="'arm_description', 'arm.urdf', 'drive.yaml'"):
    """Return the messages about wheels without <collision> and the file of a package beside."""
    urdf = workspace / 'arm_description' / 'urdf' / 'arm.urdf'
    urdf.write_text('<robot name="arm"><link name="base"/>' + ''.join(
        f'<link name="{name}_wheel"><visual><geometry><cylinder radius="0.1" length="0.02"/>'
        f'</geometry></visual>{hub}</link><joint name="{name}" type="continuous"><origin '
        f'xyz="0 {y} 0"/><parent link="base"/><child link="{name}_wheel"/><axis xyz="0 1 0"/>'
        '</joint>' for name, y in (('left', 0.2), ('right', -0.2)))
        + '<ros2_control name="s" type="system"/></robot>')
    bringup = workspace / 'arm_bringup'
    (bringup / 'config/drive.yaml').write_text(WHEELS % (separation, radius))
    (bringup / 'launch').mkdir()
    (bringup / 'launch/a.launch.py').write_text(f'def generate_launch_description(): {launch}')
    return [each.message for each in validate(urdf).findings if each.code == 'diff-drive-wheels']


def test_wheels_of_a_file_that_a_launch_file_beside_loads(workspace):
    assert wheeled(workspace, '0.6', '0.2') == [
        "<wheel_separation> of controller 'drive' is '0.6', but joints 'left', 'right' move "
        'wheels that are 0.4 m apart',
        "<wheel_radius> of controller 'drive' is '0.2', but joints 'left', 'right' move wheels "
        'that have a radius of 0.1 m in <visual>']


@pytest.mark.parametrize('given', [
    {}, {'separation': '0.6', 'launch': "'arm_description', 'other.urdf', 'drive.yaml'"},
    {'separation': '0.6', 'launch': "'arm_description', 'arm.urdf', 'b.urdf', 'drive.yaml'"},
    {'radius': '0.3', 'hub': '<visual><geometry><mesh filename="a.stl"/></geometry></visual>'}])
def test_wheels_that_may_be_right(workspace, given):
    assert wheeled(workspace, **given) == []


def test_a_file_of_the_same_name_is_that_of_another_robot(workspace):
    """Report what is in it only where it is loaded."""
    text = WHEELS % ('0.4', '0.1')
    own = workspace / 'arm_description' / 'config' / 'drive.yaml'
    own.parent.mkdir()
    own.write_text(text)
    urdf = workspace / 'arm_description' / 'urdf' / 'arm.urdf'
    (workspace / 'arm_bringup/config/drive.yaml').write_text(
        'controller_manager:\n  ros__parameters:\n    hand:\n'
        '      type: position_controllers/GripperActionController\n')
    urdf.write_text(robot(['left', 'right'], ['left', 'right']).replace(
        '</robot>', '<gazebo><plugin filename="gz_ros2_control-system" name="gz_ros2_control::'
        f'GazeboSimROS2ControlPlugin"><parameters>{own}</parameters></plugin></gazebo></robot>'))
    assert [each for each in validate(urdf).findings if 'hand.type' in each.message] == []
    own.write_text(text.replace('{update_rate: 9}', (
        '{hand: {type: position_controllers/GripperActionController}}')))
    assert [each.code for each in validate(urdf).findings if 'hand.type' in each.message] == [
        'known-mistake']


@pytest.mark.parametrize('srdf', [False, True])
def test_moveit_is_named_only_beside_a_file_of_it(workspace, srdf):
    urdf = workspace / 'arm_description' / 'urdf' / 'arm.urdf'
    urdf.write_text(robot(NAMES, NAMES))
    if srdf:
        (urdf.parent / 'arm.srdf').write_text(
            '<robot name="arm"><group name="all"><joint name="wrist"/></group></robot>')
    (urdf.parent / 'ros2_controllers.yaml').write_text(
        'arm:\n  ros__parameters:\n    joints: [shoulder, wirst]\n')
    finding, = [each for each in validate(urdf).findings
                if each.code == 'moveit-controller-unknown-joint']
    assert ('moveit' in {each.program for each in finding.consequences}) == srdf


@pytest.mark.parametrize('path, text, is_found', [
    ('arm/launch/a.launch.py', '', True), ('arm/launch/a.launch.py', "prefix = 'left_'", True),
    ('bringup/launch/lib/params.py', 'def add_prefix(prefix): yaml.dump(renamed, file)', False),
    ('arm/urdf/one.urdf', '<robot name="one"><joint name="pan"/><joint name="tilt"/></robot>',
     False)])
def test_joints_without_a_prefix(tmp_path, path, text, is_found):
    """As in xarm_ros2, where the file of one arm is rewritten for each of two."""
    for name in ('arm/urdf', 'arm/config', os.path.dirname(path), 'bringup'):
        (tmp_path / name).mkdir(exist_ok=True, parents=True)
    for name in ('arm', 'bringup'):
        (tmp_path / name / 'package.xml').write_text(f'<package><name>{name}</name></package>')
    (tmp_path / path).write_text(text)
    (tmp_path / 'arm' / 'config' / 'ros2_controllers.yaml').write_text(
        'controller_manager:\n  ros__parameters:\n    arm: {type: %s}\n'
        'arm:\n  ros__parameters:\n    joints: [pan, tilt]\n' % JOINTS)
    urdf = tmp_path / 'arm' / 'urdf' / 'arm.urdf'
    urdf.write_text(robot(['left_pan', 'left_tilt'], ['left_pan', 'left_tilt']))
    found = [each.message for each in validate(urdf).findings
             if each.code == 'moveit-controller-unknown-joint']
    assert bool(found) == is_found, found
    assert all("has 'pan', 'tilt', in the description 'left_pan'" in each for each in found)
