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

"""What the launch files would start, by their arguments."""

import atexit
import os
from pathlib import Path
import re
import runpy
import sys
import tempfile
from types import SimpleNamespace

import pytest

LAUNCH_FILES = Path(__file__).resolve().parents[2] / 'launch'

URDF = """\
<?xml version="1.0"?>
<!-- A comment: with a colon, "quotes" and $(what is no substitution here). -->
<robot name="plain"><link name="base_link"/></robot>
"""

XACRO = """\
<?xml version="1.0"?>
<robot name="expanded" xmlns:xacro="http://ros.org/xacro">
  <xacro:arg name="prefix" default=""/>
  <link name="$(arg prefix)base_link"/>
</robot>
"""


@pytest.fixture
def model(tmp_path):
    """Return a function that writes a model file, in a folder that needs quoting."""
    def write(name, text):
        folder = tmp_path / "a robot's folder"
        folder.mkdir()
        (folder / name).write_text(text)
        return str(folder / name)

    return write


def test_state_publisher_takes_the_place_of_robot_state_publisher(plan, model):
    nodes = plan('state_publisher.launch.py', model=model('robot.urdf', URDF)).nodes

    assert list(nodes) == ['/robot_state_publisher']
    node = nodes['/robot_state_publisher']
    assert node.executable == 'state_publisher'
    assert node.parameters['publish_tf'] is True
    assert node.parameters['frame_prefix'] == ''
    assert node.parameters['use_sim_time'] is False


def test_urdf_reaches_the_node_unchanged(plan, model):
    nodes = plan('state_publisher.launch.py', model=model('robot.urdf', URDF)).nodes

    assert nodes['/robot_state_publisher'].parameters['robot_description'] == URDF


def test_xacro_is_expanded_with_its_arguments(plan, model):
    nodes = plan(
        'state_publisher.launch.py',
        model=model('robot.urdf.xacro', XACRO), xacro_args="prefix:='left arm/'").nodes

    description = nodes['/robot_state_publisher'].parameters['robot_description']
    assert '<link name="left arm/base_link"/>' in description
    assert 'xacro:arg' not in description


def test_a_urdf_file_may_be_xacro(plan, model):
    nodes = plan('state_publisher.launch.py',
                 model=model('robot.urdf', XACRO), xacro_args='prefix:=a_').nodes

    description = nodes['/robot_state_publisher'].parameters['robot_description']
    assert '<link name="a_base_link"/>' in description


def test_arguments_of_plain_urdf_are_refused(plan, model):
    found = plan(
        'state_publisher.launch.py', model=model('robot.urdf', URDF), xacro_args='prefix:=a_')

    assert found.exit_code == 1
    assert not found.nodes


def test_without_a_model_the_description_comes_from_the_topic(plan):
    parameters = plan('state_publisher.launch.py').nodes['/robot_state_publisher'].parameters

    assert parameters['use_robot_description_topic'] is True
    assert 'robot_description' not in parameters


def test_beside_a_robot_state_publisher_nothing_is_published_twice(plan, model):
    nodes = plan('bringup.launch.py', model=model('robot.urdf', URDF), publish_tf='false').nodes

    parameters = nodes['/state_publisher'].parameters
    assert parameters['publish_tf'] is False
    assert parameters['use_robot_description_topic'] is True
    assert 'robot_description' not in parameters


def test_bringup_starts_all_nodes(plan):
    nodes = plan('bringup.launch.py', joint_source='true', companion='false').nodes

    assert sorted(nodes) == [
        '/joint_state_source', '/model_server', '/model_validator', '/state_publisher']
    assert all(name == f'/{node.executable}' for name, node in nodes.items())


def test_companion_runs_all_nodes_but_the_state_publisher(plan):
    nodes = plan('bringup.launch.py', joint_source='true', inertia='true').nodes

    assert {name: node.executable for name, node in nodes.items()} == {
        '/state_publisher': 'state_publisher', **dict.fromkeys(
            ('/companion', '/inertia_publisher', '/joint_state_source', '/model_server',
             '/model_validator'), 'companion')}


@pytest.mark.parametrize('companion, executable', [
    ('true', 'companion'), ('false', 'model_monitor')])
def test_the_monitor_runs_where_it_is_asked_for(plan, companion, executable):
    assert '/model_monitor' not in plan('bringup.launch.py', companion=companion).nodes

    nodes = plan('bringup.launch.py', companion=companion, monitor='true').nodes
    assert nodes['/model_monitor'].executable == executable


def test_inertia_is_published_where_it_is_asked_for(plan):
    assert '/inertia_publisher' not in plan('bringup.launch.py').nodes

    nodes = plan('bringup.launch.py', inertia='true', frame_prefix='1').nodes

    assert nodes['/inertia_publisher'].parameters['frame_prefix'] == '1'


@pytest.mark.parametrize('companion', ['true', 'false'])
def test_the_view_is_a_process_of_its_own(plan, companion):
    assert '/viewer' not in plan('bringup.launch.py', companion=companion).nodes

    nodes = plan('bringup.launch.py', view='true', companion=companion).nodes

    assert nodes['/viewer'].executable == 'viewer'


def test_the_view_alone(plan):
    nodes = plan('view.launch.py', port='8123', namespace='left').nodes

    assert list(nodes) == ['/left/viewer']
    parameters = nodes['/left/viewer'].parameters
    assert parameters['port'] == 8123
    assert (parameters['host'], parameters['drive']) == ('127.0.0.1', False)


def test_bringup_leaves_joint_states_to_the_robot(plan):
    nodes = plan('bringup.launch.py').nodes

    assert '/joint_state_source' not in nodes


@pytest.mark.parametrize('companion', ['true', 'false'])
def test_bringup_hands_on_its_arguments(plan, companion):
    nodes = plan(
        'bringup.launch.py', namespace='left', frame_prefix='1', use_sim_time='true',
        joint_source='true', sweep_period='3', companion=companion).nodes

    assert all(name.startswith('/left/') for name in nodes)
    assert all(node.parameters['use_sim_time'] is True for node in nodes.values())
    assert nodes['/left/state_publisher'].parameters['frame_prefix'] == '1'
    assert nodes['/left/model_server'].parameters['frame_prefix'] == '1'
    assert repr(nodes['/left/joint_state_source'].parameters['sweep_period']) == '3.0'


def test_parameters_come_from_the_file(plan, tmp_path):
    file = tmp_path / 'parameters.yaml'
    file.write_text("""\
/**/state_publisher:
  ros__parameters:
    publish_frequency: 77.0
    frame_prefix: from_file/
""")

    nodes = plan('bringup.launch.py', params_file=str(file), frame_prefix='argument/').nodes

    assert nodes['/state_publisher'].parameters['publish_frequency'] == 77.0
    assert nodes['/state_publisher'].parameters['frame_prefix'] == 'argument/'
    assert 'publish_frequency' not in nodes['/model_validator'].parameters


@pytest.mark.parametrize('section', ['/**/state_publisher', '/left/state_publisher'])
def test_parameters_reach_the_node_under_the_name_of_robot_state_publisher(
        plan, tmp_path, section):
    file = tmp_path / 'parameters.yaml'
    own = '/**/robot_state_publisher: {ros__parameters: {joint_timeout: 1.0}}'
    file.write_text(
        f'{own}\n'
        f'{section}: {{ros__parameters: {{publish_frequency: 77.0, joint_timeout: 2.0}}}}\n'
        'right: {state_publisher: {ros__parameters: {publish_frequency: 99.0}}}\n')

    node = plan('state_publisher.launch.py', params_file=str(file), namespace='left').nodes[
        '/left/robot_state_publisher']

    assert node.parameters['publish_frequency'] == 77.0
    assert node.parameters['joint_timeout'] == 1.0


def test_parameters_in_nested_sections_reach_the_node(plan, tmp_path):
    file = tmp_path / 'parameters.yaml'
    file.write_text('left: {state_publisher: {ros__parameters: {publish_frequency: 77.0}}}\n')

    planned = plan('state_publisher.launch.py', params_file=str(file), namespace='left')

    [files] = planned.files
    assert {'left': {'robot_state_publisher': {
        'ros__parameters': {'publish_frequency': 77.0}}}} in files


@pytest.mark.parametrize('file, arguments', [
    ('bringup.launch.py', {'view': 'true'}), ('bringup.launch.py', {'companion': 'false'}),
    ('display.launch.py', {'rviz': 'false'}), ('view.launch.py', {})])
def test_no_temporary_file_stays(plan, monkeypatch, tmp_path, file, arguments):
    monkeypatch.setattr(tempfile, 'tempdir', str(tmp_path))
    kept = []
    monkeypatch.setattr(atexit, 'register', lambda *each: kept.append(each))
    planned = plan(file, **arguments)
    files = {str(each) for each in tmp_path.iterdir()}
    assert files == {str(path) for _, path in kept} != set()
    assert {option for command in planned.commands for option in command} >= files
    for remove, path in kept:
        remove(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize('text', ['1e3', 'true', '0x10', 'größe 🤖\u2028/\x7f', "it's: {a}\n- b"])
def test_any_text_reaches_the_node_as_a_text(plan, text):
    nodes = plan('bringup.launch.py', frame_prefix=text).nodes
    assert nodes['/state_publisher'].parameters['frame_prefix'] == text
    assert nodes['/model_server'].parameters['frame_prefix'] == text


def test_display_sweeps_the_joints(plan):
    nodes = plan('display.launch.py', rviz='false').nodes

    assert nodes['/joint_state_source'].parameters['sweep_period'] > 0.0
    assert '/state_publisher' in nodes


@pytest.mark.parametrize(
    'argument', ['companion', 'inertia', 'joint_source', 'model', 'params_file', 'publish_tf',
                 'sweep_period', 'use_sim_time'])
def test_wrong_argument_starts_nothing(plan, argument, caplog):
    planned = plan('bringup.launch.py', **{argument: 'nonsense'})
    if argument in ('model', 'params_file', 'publish_tf', 'sweep_period', 'use_sim_time'):
        assert f'Launch argument {argument}:=nonsense: ' in caplog.text

    assert planned.exit_code == 1
    assert planned.nodes == {}


@pytest.mark.parametrize('text, reason', [
    ('prefx:=a_', "Did you mean 'prefix'?"), ('prefix=a_', 'is not of the form NAME:=VALUE'),
    ("prefix:='a_", 'No closing quotation')])
def test_wrong_arguments_of_xacro_start_nothing(plan, model, caplog, text, reason):
    planned = plan('bringup.launch.py', model=model('robot.xacro', XACRO), xacro_args=text)
    line, = [each for each in caplog.text.splitlines() if 'Launch argument' in each]
    assert f'Launch argument xacro_args:={text}: ' in line and reason in line
    assert (planned.exit_code, planned.nodes) == (1, {})


@pytest.mark.parametrize('argument, value', [('port', 'http'), ('drive', 'perhaps')])
def test_wrong_argument_of_the_view_starts_nothing(plan, caplog, argument, value):
    planned = plan('view.launch.py', **{argument: value})
    assert (planned.exit_code, planned.nodes) == (1, {})
    assert f'Launch argument {argument}:={value}: it is n' in caplog.text


def test_a_model_in_a_package(plan, model, monkeypatch):
    folder = Path(model('robot.urdf', URDF)).parent
    (folder / 'package.xml').write_text('<package><name>arm_description</name></package>')
    monkeypatch.setenv('ROS_PACKAGE_PATH', str(folder))
    nodes = plan('bringup.launch.py', model='package://arm_description/robot.urdf').nodes
    assert nodes['/state_publisher'].parameters['robot_description'] == URDF


@pytest.mark.parametrize('command, is_warned', [
    (['urdf_tools', 'bringup.launch.py'], True), ([str(LAUNCH_FILES / 'bringup.launch.py')], True),
    (['my_robot', 'bringup.launch.py'], False), (['my_robot', 'start.launch.xml'], False)])
def test_a_misspelt_argument_is_warned_of(plan, monkeypatch, command, is_warned):
    import launch
    monkeypatch.setattr(sys, 'argv', ['ros2', 'launch', *command, 'vew:=true'])
    said = []
    monkeypatch.setattr(launch.logging.get_logger('urdf_tools'), 'warning', said.append)
    assert plan('bringup.launch.py', modell='robot.urdf', vew='true').exit_code == 0
    assert said == is_warned * [
        "Launch argument 'vew' has no effect. Did you mean 'view'?",
        "Launch argument 'modell' has no effect. Did you mean 'model'?"]


@pytest.mark.parametrize('required', ['true', 'false'])
def test_the_end_of_the_state_publisher_is_said(launch_system, monkeypatch, required):
    import launch
    from launch import LaunchContext
    said = []
    monkeypatch.setattr(launch.logging.get_logger('urdf_tools'), 'error', said.append)
    ended = runpy.run_path(str(LAUNCH_FILES / 'state_publisher.launch.py'))['ended']
    context = LaunchContext()
    context.launch_configurations['required'] = required
    actions = ended(SimpleNamespace(returncode=1), context)
    assert len(actions) == (required == 'true')
    assert said == ['The state publisher has ended with exit code 1, and ' + (
        'so does this launch, unless required:=false' if actions else 'no frames are published')]


def test_display_without_rviz_starts_nothing(plan):
    from ament_index_python import has_resource
    if has_resource('packages', 'rviz2'):
        pytest.skip('RViz is installed')

    planned = plan('display.launch.py')

    assert planned.exit_code == 1
    assert planned.nodes == {}


@pytest.fixture
def ros_gz_sim(tmp_path, monkeypatch):
    """Return a prefix with a package like ros_gz_sim."""
    prefix = tmp_path / 'gazebo'
    marker = prefix / 'share' / 'ament_index' / 'resource_index' / 'packages' / 'ros_gz_sim'
    create = prefix / 'lib' / 'ros_gz_sim' / 'create'
    for file in (marker, create):
        file.parent.mkdir(parents=True)
        file.touch(mode=0o755)
    monkeypatch.setenv(
        'AMENT_PREFIX_PATH', f'{prefix}{os.pathsep}{os.environ["AMENT_PREFIX_PATH"]}')


BOX = """<robot name="box"><link name="base"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>
"""


def test_spawn_sends_the_converted_model(plan, model, ros_gz_sim):
    found = plan('spawn.launch.py', model=model('box.urdf', BOX), name='one', z='-0.5')

    [command] = found.commands
    assert Path(command[0]).parts[-2:] == ('ros_gz_sim', 'create')
    assert command[1:5] == ['-param', 'sdf', '-name=one', '-z=-0.5']
    assert not any(option.startswith(('-world', '-allow_renaming')) for option in command)
    assert '<model name="box">' in sent(found)


@pytest.mark.parametrize('value', ['true', 'False'])
def test_spawn_gives_the_flag_its_value(plan, model, ros_gz_sim, value):
    found = plan('spawn.launch.py', model=model('box.urdf', BOX), allow_renaming=value)
    assert f'-allow_renaming={value}' in found.commands[0]


def test_spawn_sends_where_the_files_beside_the_description_are(plan, model, ros_gz_sim):
    files = ('box.stl', 'absent.stl', 'package://a/box.stl')
    path = model('box.urdf', BOX.replace('</link>', ''.join(
        f'<visual><geometry><mesh filename="{file}"/></geometry></visual>'
        for file in files) + '</link>'))
    beside = Path(path).with_name('box.stl')
    beside.touch()

    uris = re.findall('<uri>(.*)</uri>', sent(plan('spawn.launch.py', model=path)))

    assert uris == [str(beside), 'absent.stl', 'model://a/box.stl']


def sent(found):
    """Return the model that is sent to Gazebo."""
    [[file]] = found.files
    return file['/**']['ros__parameters']['sdf']


def test_spawn_starts_nothing_that_gazebo_refuses(plan, model, ros_gz_sim, caplog):
    found = plan('spawn.launch.py', model=model('plain.urdf', URDF))

    assert (found.exit_code, found.commands) == (1, [])
    assert "Link 'base_link' has no mass" in caplog.text


def test_spawn_names_the_releases(plan, model, caplog):
    found = plan('spawn.launch.py', model=model('box.urdf', BOX), target='gazebo11')

    assert (found.exit_code, found.commands) == (1, [])
    assert 'Launch argument target:=gazebo11: it is none of fortress, ' in caplog.text


def test_spawn_says_that_ros_gz_sim_is_missing(plan, model, caplog):
    found = plan('spawn.launch.py', model=model('box.urdf', BOX))

    assert (found.exit_code, found.commands) == (1, [])
    assert 'ros_gz_sim, which spawns robots in Gazebo, is not installed' in caplog.text
