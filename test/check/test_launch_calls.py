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

"""The rule about what launch files in Python call; what it says was tried with launch_ros."""

import json
from pathlib import Path

import pytest

from urdf_tools.check import validator
from urdf_tools.check.validator import validate
from urdf_tools.findings.finding import Severity

API = json.loads((Path(validator.__file__).parent / 'launch_api.json').read_bytes())

LAUNCH = Path(__file__).parents[1].joinpath('support', 'launch_calls.txt').read_text()

NODE = "Node(package='arm', executable='a', {})"


def found(folder, text, manifest=''):
    """Return what the rule finds in a launch file: line, severity and texts."""
    for name, content in {
            'urdf/arm.urdf': '<robot name="arm"><link name="base"/></robot>',
            'package.xml': f'<package><name>arm</name>{manifest}</package>',
            'launch/a.launch.py': text}.items():
        (folder / 'arm' / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / 'arm' / name).write_text(text if content is text else content)
    report = validate(folder / 'arm' / 'urdf' / 'arm.urdf')
    assert not [each for each in report.findings if each.code == 'internal-error']
    return [(each.line, each.severity, f'{each.message}. {each.hint}')
            for each in report.findings if each.code == 'launch-call-refused']


@pytest.mark.parametrize(('call', 'said'), [
    (NODE.format("parameters={'a': 1}"), "'parameters' of 'Node' is no list"),
    (NODE.format("parameters=[{'a': 1, 'b': [1, 2.0], 'c': a}, {'d': {'e': True}}, a]"), ''),
    (NODE.format("parameters=[{'a': []}]"), 'is none of a parameter'),
    (NODE.format("parameters=[{'a': None}]"), 'is none of a parameter'),
    (NODE.format("parameters=[{'a': [1, 'b']}]"), 'is none of a parameter'),
    (NODE.format("parameters=[{'a', True}]"), 'with a colon'),
    (NODE.format("parameters=[{'a': DeclareLaunchArgument('a')}]"), 'is none of a parameter'),
    (NODE.format("parameters=[[{'a': 1}]]"), 'a list in its list'),
    (NODE.format("parameters=[[a, '.yaml']]"), ''),
    (NODE.format("remappings=['a', 'b']"), "[('FROM', 'TO')]"),
    (NODE.format("remappings=('a', 'b')"), "[('FROM', 'TO')]"),
    (NODE.format("remappings=[('a', 'b', 'c')]"), "[('FROM', 'TO')]"),
    (NODE.format("remappings={('a', 'b'), (a, [a, 'b'])}"), ''),
    (NODE.format("arguments=['-x', 0.5]"), 'holds what is no text'),
    (NODE.format("arguments='-x 1'"), 'is no list'),
    (NODE.format("arguments=['-x', a, [a, 'b']], respawn=True, output={'both': 'log'}"), ''),
    (NODE.format('condition=a'), 'IfCondition(...)'),
    (NODE.format("condition=IfCondition(a == 'b')"), 'equal to nothing'),
    (NODE.format("condition=IfCondition(PythonExpression(['not ', a]))"), ''),
    (NODE.format("respawn='true'"), 'Write True or False'),
    (NODE.format("args=['a']"), "'args' is no argument of 'Node'. Write arguments="),
    (NODE.format('remapping=[]'), 'Write remappings='),
    (NODE.format("node_name='a'"), 'Write name='),
    (NODE.format('**a'), ''),
    ("Node(package='arm')", "'executable', which it requires"),
    ("Node(package='arm', node_executable='a')", "'node_executable' is no argument of 'Node'"),
    ("Node('arm', 'a')", 'takes 0 arguments by position'),
    ("LifecycleNode(package='arm', executable='a', name='b')", "'namespace', which it requires"),
    ("LifecycleNode(package='arm', executable='a', name='b', namespace='')", ''),
    ('ExecuteProcess(cmd="ros2 bag")', ''),
    ("ExecuteProcess(cmd=['a', 1])", 'holds what is no text'),
    ("DeclareLaunchArgument('b', default_value=True)", 'is no text'),
    ("DeclareLaunchArgument('b', default_value=[a, '.yaml'], choices=['c'])", ''),
    ("DeclareLaunchArgument('b', default='c')", 'Write default_value='),
    ("LaunchConfiguration('b', default=True)", "LaunchConfiguration', 'initial_entities"),
    ('TimerAction(period=5, actions=[])', 'Write it with a point'),
    ('TimerAction(period=5.0, actions=[])', ''),
    ("TimerAction(period=5.0, actions=Node(package='arm', executable='a'))", 'is no list'),
    ("GroupAction([[SetParameter('a', 1)]])", 'holds what is no action'),
    ("IncludeLaunchDescription('a.py', launch_arguments={'b': 'c'})", 'Write {...}.items()'),
    ("IncludeLaunchDescription('a.py', launch_arguments={'b': 'c'}.items())", ''),
    ("RegisterEventHandler(OnProcessExit(target_action=LogInfo(msg='a'), on_exit=[]))",
     'Write a Node'),
    ("OpaqueFunction(function='setup')", 'is no function'),
    ("SetEnvironmentVariable('b', 1)", 'is no text'),
    ("SetParameter('b')", "'value', which it requires"),
    ("PushRosNamespace(ns='b')", 'Write namespace='),
    ("LogInfo(msg=PathJoinSubstitution(a, 'b'))", 'takes 1 arguments by position'),
    ("LogInfo(msg=PathJoinSubstitution([a, ['b', 2]]))", 'holds what is no text'),
    ("LogInfo(msg=PathJoinSubstitution([a, ['b', a]]))", ''),
    ("LogInfo(msg=TextSubstitution('b'))", 'takes 0 arguments by position'),
    ("LogInfo(msg=FindPackageShare('arm', 'urdf'))", 'takes 1 arguments by position'),
    ("LogInfo(msg=FindPackageShare('arm').find('arm') + '/urdf')", ''),
    ("LogInfo(msg=os.path.join(a, 'b'))", 'PathJoinSubstitution'),
    ("LogInfo(msg=f'{a}/b')", 'a list of the parts'),
    ("LogInfo(msg=a + '/b')", 'a list of the parts'),
    ('LogInfo(msg=a.lower())', 'perform(context)'),
    ("LogInfo(msg=a.perform(context) + '/b')", "'context' is used"),
    ("LogInfo(msg='b' if a else 'c')", 'is always true'),
    ('LogInfo(msg=str(a))', 'perform(context)'), ("LogInfo(msg=[a, '/b'])", ''),
    ("launch_ros.actions.Node(package='arm', exec='a')", 'Write executable='),
    ("launch_ros.actions.DeclareLaunchArgument('b')", ''),
    ("Node(package='arm', executable='a', parameters=[MoveItConfigsBuilder('arm')."
     "robot_description(path='a').to_moveit_configs().to_dict()])", 'Write file_path=')])
def test_calls(tmp_path, call, said):
    text = LAUNCH.replace('launch.actions import *', 'launch.actions import ' + ', '.join(
        name for name in API['modules']['launch.actions'] if name not in ('LogDebug',)))
    told = found(tmp_path, text.replace('{}', call))
    if said.startswith('LaunchConfiguration'):
        said = 'holds what is no action'
    assert len(told) == bool(said)
    assert all(said in each[2] and each[0] == 18 for each in told), told


@pytest.mark.parametrize(('old', 'new', 'line', 'said'), [
    ('launch.conditions import IfCondition', 'launch_ros.conditions import IfCondition', 5,
     'Write from launch.conditions import IfCondition'),
    ('launch_ros.substitutions import', 'launch.substitutions import', 12,
     "'launch.substitutions' has no 'FindPackageShare'. Write from launch_ros.substitutions"),
    ('import LifecycleNode', 'import DeclareLaunchArgument, LifecycleNode', 10,
     'Write from launch.actions import DeclareLaunchArgument'),
    ('import os', 'from launch.actions.execute_process import ExecuteProcess as os', 0, None),
    ('import LifecycleNode', 'import LifecyclNode', 10, 'import LifecycleNode'),
    ('Command, LaunchConfiguration, ', 'Command, ', 17, 'import LaunchConfiguration'),
    ("    a = LaunchConfiguration('a')", '    b = a', 17, "'a' is used, and neither"),
    ("    a = LaunchConfiguration('a')", "    a = Node(package='arm', executable='a')", 17,
     "'a' is not in the LaunchDescription"),
    ("    a = LaunchConfiguration('a')", "    # a,\n    a = Node(package='b', executable='a')", 0,
     None), ('{}', "Node(package='b', executable=a)", 0, None)])
def test_names(tmp_path, old, new, line, said):
    text = LAUNCH.replace('import *', 'import TimerAction').replace(old, new, 1).replace(
        ', {}', '')
    told = found(tmp_path, text)
    assert [each[0] for each in told] == ([line] if said else [])
    assert all(said in each[2] for each in told)


def test_names_that_may_be_anything_are_not_reported(tmp_path):
    assert not found(tmp_path, LAUNCH.replace('{}', 'anything'))


@pytest.mark.parametrize(('manifest', 'number'), [
    ('<buildtool_depend>catkin</buildtool_depend>', 0),
    ('<buildtool_depend>catkin</buildtool_depend><build_depend>ament_cmake</build_depend>', 1)])
def test_packages_of_ros_1_are_left_out(tmp_path, manifest, number):
    text = LAUNCH.replace('{}', 'Node()').replace('import *', 'import LogInfo')
    assert len(found(tmp_path, text, manifest)) == number


def test_comparisons_are_warnings(tmp_path):
    text = LAUNCH.replace('{}', "LogInfo(msg='b' if a else 'c'), LogInfo(msg=str(a))")
    assert {each[1] for each in found(tmp_path, text)} == {Severity.WARN, Severity.ERROR}


def test_table():
    assert {*API['form'].values()} - {None} <= API['forms'].keys()
    for form in API['forms'].values():
        assert {form.get('elements', 'text'), form.get('values', 'text')} <= API['forms'].keys()
    for names in API['modules'].values():
        for entry in filter(None, names.values()):
            assert {*entry['requires']} <= {*entry['takes']}
