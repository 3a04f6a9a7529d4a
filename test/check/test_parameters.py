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

"""Names, releases and types of the parameters of nodes and plugins in YAML files."""

import json
from pathlib import Path

import pytest
from urdf_tools.check.rules import parameters
from urdf_tools.check.validator import validate

TABLE = json.loads((Path(parameters.__file__).parents[1] / 'parameters.json').read_bytes())

URDF = '<robot name="arm"><link name="base_link"/></robot>'


def found(folder, text, readme='', launch=''):
    """Return the line, message and hint of what is found in a file of a package."""
    package = folder / 'arm'
    for name in ('urdf', 'config', 'launch'):
        (package / name).mkdir(parents=True, exist_ok=True)
    (package / 'package.xml').write_text('<package><name>arm</name></package>')
    (package / 'README.md').write_text(readme)
    (package / 'urdf' / 'arm.urdf').write_text(URDF)
    (package / 'config' / 'a.yaml').write_text(text)
    if launch:
        (package / 'launch' / 'a.launch.py').write_text(
            f'def generate_launch_description():\n    return LaunchDescription([{launch}])\n')
    return [(each.line, each.message, each.hint) for each in validate(
        package / 'urdf' / 'arm.urdf').findings if each.code in (
            'parameter-type', 'parameter-unknown') or 'plugin of Nav2' in each.message]


def of_node(node, *lines):
    return ''.join((f'{node}:\n  ros__parameters:\n', *(f'    {line}\n' for line in lines)))


REAL = 'a number with a decimal point'


@pytest.mark.parametrize(('node', 'line', 'given', 'wanted', 'write'), [
    ('amcl', 'alpha1: 1', 'an integer', REAL, '1.0'),
    ('amcl', 'alpha1: "0.2"', 'a text', REAL, '0.2'),
    ('amcl', 'max_beams: 60.0', REAL, 'an integer', '60'),
    ('amcl', 'max_beams: 1e999', REAL, 'an integer', 'an integer'),
    ('amcl', 'use_sim_time: "true"', 'a text', 'true or false', 'true or false'),
    ('amcl', 'scan_topic: [scan]', 'a list of texts', 'a text', '"scan"'),
    ('amcl', 'base_frame_id: 1', 'an integer', 'a text', '"1"'),
    ('amcl', 'do_beamskip: 0', 'an integer', 'true or false', 'true or false'),
    ('amcl', 'tf_broadcast: maybe', 'a text', 'true or false', 'true or false'),
    ('controller_server', 'controller_plugins: FollowPath', 'a text', 'a list of texts',
     '["FollowPath"]'),
    ('velocity_smoother', 'max_accel: [1, 0, 2]', 'a list of integers',
     'a list of numbers with a decimal point', '[1.0, 0.0, 2.0]'),
    ('ekf_filter_node_odom', 'odom12_queue_size: 2.0', REAL, 'an integer', '2'),
    ('slam_toolbox', 'resolution: on', 'true or false', REAL, REAL),
    ('local_costmap', 'robot_radius: 1', 'an integer', REAL, '1.0')])
def test_types(tmp_path, node, line, given, wanted, write):
    (line_number, message, hint), = found(tmp_path, of_node(node, line))
    assert line_number == 3 and hint == f'Write {write}'
    assert f' is {given}, and its type is {wanted}' in message
    assert message.startswith(f"'{line.partition(':')[0]}' of ")


@pytest.mark.parametrize(('node', 'line'), [
    ('amcl', 'alpha1: 1e-3'), ('amcl', 'alpha1: .nan'), ('amcl', 'alpha1: $(var alpha)'),
    ('amcl', 'alpha1: []'), ('amcl', 'alpha1:'), ('amcl', 'base_frame_id: "1"'),
    ('amcl', 'max_beams: 0x10'), ('amcl', 'tf_broadcast: "$(var sim)"'),
    ('amcl', 'alpha1: PLACEHOLDER'), ('own_amcl', 'alpha1: 1'), ('amcl', 'my_own: 1'),
    ('collision_monitor', 'Stop: {points: [0.1, 0.1, 0.2, 0.2]}'),
    ('collision_monitor', 'Stop: {points: "[[0.1, 0.1], [0.2, 0.2]]"}')])
def test_types_that_are_right_or_unknown(tmp_path, node, line):
    assert found(tmp_path, of_node(node, line), launch="text('PLACEHOLDER')") == []


@pytest.mark.parametrize(('launch', 'number'), [
    ("Node(package='nav2_amcl', executable='amcl', name='own', parameters=['a.yaml'])", 1),
    ("Node(package='arm', executable='amcl', name='own', parameters=['a.yaml'])", 0), ('', 0)])
def test_the_node_that_a_launch_file_starts(tmp_path, launch, number):
    assert len(found(tmp_path, of_node('own', 'alpha1: 1'), launch=launch)) == number


def test_a_node_of_another_package_with_a_usual_name(tmp_path):
    text = of_node('amcl', 'alpha1: 1')
    launch = "Node(package='arm', executable='localization', name='amcl')"
    assert found(tmp_path, text, launch=launch) == []
    assert len(found(tmp_path, text, launch=launch.replace("'amcl'", "'other'"))) == 1


DWB = 'FollowPath: {plugin: "dwb_core::DWBLocalPlanner", %s}'


@pytest.mark.parametrize(('node', 'line', 'message', 'near'), [
    ('amcl', 'alpa1: 0.1', "nav2_amcl/amcl has no parameter 'alpa1'", 'alpha1'),
    ('robot_ekf', 'odom3_confg: [true]', 'robot_localization/ekf_node has no parameter '
     "'odom3_confg'", 'odom3_config'),
    ('controller_server', DWB % 'max_vel_xx: 0.2', 'dwb_core/DWBLocalPlanner has no parameter '
     "'max_vel_xx'", 'max_vel_x'),
    ('controller_server', DWB % 'controller_plugins: [a]', 'dwb_core/DWBLocalPlanner does not '
     "read 'FollowPath.controller_plugins' at this level", 'controller_plugins'),
    ('controller_server', (DWB % 'max_vel_x: 0.2') + '\n    sim_time: 1.7',
     "nav2_controller/controller_server does not read 'sim_time' at this level",
     'FollowPath.sim_time'),
    ('controller_server', 'a: {plugin: nav2_controller/SimpleGoalChecker}',
     "'nav2_controller/SimpleGoalChecker' is no plugin of Nav2",
     'nav2_controller::SimpleGoalChecker'),
    ('local_costmap', 'b: {plugin: "nav2_costmap_2d::ObstaclesLayer"}',
     "'nav2_costmap_2d::ObstaclesLayer' is no plugin of Nav2", 'nav2_costmap_2d::ObstacleLayer')])
def test_names(tmp_path, node, line, message, near):
    (_, told, hint), = found(tmp_path, of_node(node, line))
    assert (told, hint) == (message, f"Did you mean '{near}'?")


@pytest.mark.parametrize(('node', 'line'), [
    ('controller_server', 'a: {plugin: "own::Controller", max_vel_xx: 1}'),
    ('controller_server', 'a: {max_vel_xx: 1}'),
    ('controller_server', DWB % 'max_vel_xx: 0.2, max_vel_x: 0.1'),
    ('controller_server', DWB % 'BaseObstacle.scale: 0.2'),
    ('controller_server', 'a: {plugin: "nav2_rotation_shim_controller::RotationShimController", '
     'primary_controller: "dwb_core::DWBLocalPlanner", max_vel_x: 0.2, '
     'angular_dist_threshold: 0.7}'),
    ('amcl', 'totally_else: 0.1')])
def test_names_that_are_right_or_unknown(tmp_path, node, line):
    assert found(tmp_path, of_node(node, line)) == []


def test_the_primary_controller(tmp_path):
    shim = ('a: {plugin: "nav2_rotation_shim_controller::RotationShimController", '
            'primary_controller: "dwb_core::DWBLocalPlanner", max_vel_x: 1}')
    (_, message, _), = found(tmp_path, of_node('controller_server', shim))
    assert message.startswith("'a.max_vel_x' of dwb_core/DWBLocalPlanner is an integer")


@pytest.mark.parametrize(('readme', 'number'), [
    ('', 1), ('Humble', 0), ('Jazzy', 1), ('Foxy and Humble', 0)])
def test_parameters_that_are_gone(tmp_path, readme, number):
    old = 'progress_checker_plugin: a'
    told = found(tmp_path, of_node('controller_server', old), readme)
    assert told == [(3, 'From Jazzy on, nav2_controller/controller_server has no parameter '
                     "'progress_checker_plugin'", 'Write progress_checker_plugins')] * number
    both = of_node('controller_server', old, 'progress_checker_plugins: [a]')
    assert found(tmp_path, both, readme) == []


def test_parameters_that_are_gone_without_another(tmp_path):
    text = of_node('planner_server', 'action_server_result_timeout: 9.0')
    assert found(tmp_path, text) == found(tmp_path, text, 'Jazzy') == []
    assert [hint for *_, hint in found(tmp_path, text, 'Kilted')] == ['Leave it out']


def test_the_table():
    kinds = TABLE['kinds']
    fields = {'is', 'gone', 'instead', 'program', *TABLE['types']}
    for name, kind in kinds.items():
        assert kind.keys() <= fields and {*kind.get('is', ())} <= kinds.keys(), name
        reads = parameters._kind(name)
        assert {*reads.gone} <= {*reads.types} and {*reads.instead} <= {*reads.gone}, name
        words = [word for field in TABLE['types'] for line in kind.get(field, ())
                 for word in line.split()]
        assert len(words) == len({*words}), name
    assert {*TABLE['nodes'].values()} <= kinds.keys()
