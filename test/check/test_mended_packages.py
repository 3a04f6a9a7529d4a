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

"""Mistakes of whole packages that reports have, and the same packages where they are mended."""

import shutil

import pytest
from reports.log import cases
from reports.log import INPUTS
from reports.log import run

pytestmark = pytest.mark.slow

CASES = {case.input: case for case in cases()}


@pytest.mark.parametrize(('name', 'said', 'old', 'new'), [
    ('filter-in-gazebo-by-wall-clock', 'without use_sim_time', 'frequency:',
     'use_sim_time: true\n    frequency:'),
    ('filter-in-gazebo-by-wall-clock', 'without use_sim_time', "FindPackageShare('gazebo_ros')",
     "FindPackageShare('other')"),
    ('description-launch-without-simulation', 'without use_sim_time',
     "parameters=[{'robot_description'", "parameters=[{'use_sim_time': True, 'robot_description'"),
    ('slam-settings-by-former-argument', 'is no argument', "'params_file'", "'slam_params_file'"),
    ('slam-settings-by-former-argument', 'is no argument', "'slam_toolbox'", "'other'"),
    ('slam-parameters-without-namespace', 'gets none of them', 'slam_toolbox:\n',
     '/**/slam_toolbox:\n'),
    ('slam-parameters-without-namespace', 'gets none of them', "namespace='robot1'",
     'namespace=name'),
    ('footprint-of-monitor-outside-namespace', 'begins with a slash', ' /local_', ' local_'),
    ('viewer-of-hand-asks-outside-its-namespace', 'is read by RViz', ' /robot_', ' robot_'),
    ('viewer-of-hand-asks-outside-its-namespace', 'is read by RViz',
     "namespace='hand_0', parameters", 'parameters'),
    ('map-display-is-volatile', 'durability Volatile', 'Volatile', 'Transient Local'),
    ('map-display-is-volatile', 'durability Volatile', "'map_server'", "'other'"),
    ('velocity-of-navigation-not-muxed', 'listens to it', 'topic: cmd_vel', 'topic: cmd_vel_nav'),
    ('controller-server-reads-other-odometry', 'has no odom_topic', 'controller_frequency',
     'odom_topic: /base_controller/odom\n    controller_frequency'),
    ('servo-sends-to-controller-of-example', 'no controller receives', '/joint_group_position',
     '/x6/x6_traj'),
    ('servo-of-former-release', 'is no longer a parameter', 'ee_frame_name', 'ee_frame'),
    ('two-spawners-of-one-name', 'which roslaunch refuses', 'name="controller_spawner" pkg="'
     'controller_manager" type="controller_manager" output="screen"\n          args="spawn j',
     'name="other" pkg="controller_manager" type="controller_manager" args="spawn j'),
    ('two-spawners-of-one-name', 'which roslaunch refuses', '<include file="$(find loco_gazebo)',
     '<include ns="a" file="$(find loco_gazebo)'),
    ('static-transforms-remapped-to-tf', 'remapped to tf', '"/tf"', '"/a/tf_static"'),
    ('frame-prefix-in-noetic', 'of ROS 2', 'frame_prefix', 'tf_prefix'),
    ('velocity-controller-of-forearm-misnamed', 'is no joint', '_roll_velocity\n',
     '_roll_joint\n')])
def test_it_is_not_found_where_it_is_mended(tmp_path, monkeypatch, name, said, old, new):
    assert said in run(CASES[name])
    shutil.copytree(INPUTS / name, tmp_path / name)
    for path in (tmp_path / name).rglob('*.*'):
        if path.suffix in ('.py', '.yaml', '.launch', '.rviz'):
            path.write_text(path.read_text().replace(old, new))
    monkeypatch.setattr('reports.log.INPUTS', tmp_path)
    assert said not in run(CASES[name])


@pytest.mark.parametrize(('package', 'file', 'argument', 'meant'), [
    ('slam_toolbox', 'online_sync_launch.py', 'autostrt', 'autostart'),
    ('ros_gz_sim', 'gz_sim.launch.py', 'gz_arg', 'gz_args'),
    ('nav2_bringup', 'bringup_launch.py', 'param_file', 'params_file'),
    ('gazebo_ros', 'gazebo.launch.py', 'verbos', 'verbose')])
def test_argument_of_others(tmp_path, monkeypatch, package, file, argument, meant):
    name = 'slam-settings-by-former-argument'
    shutil.copytree(INPUTS / name, tmp_path / name)
    path = next((tmp_path / name).rglob('robot.launch.py'))
    text = path.read_text().replace("'slam_toolbox'", f"'{package}'").replace(
        'online_async_launch.py', file)
    monkeypatch.setattr('reports.log.INPUTS', tmp_path)
    for given in (argument, meant, 'of_no_likeness'):
        path.write_text(text.replace('params_file', given))
        told = f"Did you mean '{meant}'?" in run(CASES[name])
        assert told == (given == argument)
