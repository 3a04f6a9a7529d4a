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

"""A robot without a link, and without all that refers to it."""

import pytest

from urdf_tools import KinematicTree
from urdf_tools import load
from urdf_tools import loads
from urdf_tools import save
from urdf_tools import validates
from urdf_tools.model.errors import DescriptionError

ARM = """<robot name="arm">
  <!-- kept -->
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"/>
  <link name="tool"/>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="tool"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <link name="hand"/>
  <joint name="mount" type="fixed"><parent link="tool"/><child link="hand"/></joint>
  <link name="left"/>
  <joint name="grip" type="prismatic">
    <parent link="hand"/><child link="left"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="1" velocity="1"/>
  </joint>
  <link name="lamp"/>
  <joint name="glow" type="prismatic">
    <parent link="base"/><child link="lamp"/><mimic joint="grip"/>
    <limit lower="0" upper="0.04" effort="1" velocity="1"/>
  </joint>
  <transmission name="turn_drive"><joint name="turn"/><actuator name="a"/></transmission>
  <transmission name="grip_drive"><joint name="turn"/><joint name="grip"/></transmission>
  <ros2_control name="hand" type="system">
    <hardware><plugin>mock</plugin></hardware>
    <joint name="turn"><command_interface name="position"/></joint>
    <joint name="glow"><param name="mimic">grip</param><param name="left">1</param></joint>
    <joint name="grip"><command_interface name="position"/></joint>
    <sensor name="force"><param name="frame_id">hand</param></sensor>
  </ros2_control>
  <ros2_control name="fingers" type="system">
    <hardware><plugin>mock</plugin></hardware><joint name="grip"/>
  </ros2_control>
  <sensor name="hand"><parent link="base"/></sensor>
  <sensor name="touch"><parent link="left"/></sensor>
  <gazebo reference="tool"><mu1>1</mu1></gazebo>
  <gazebo reference="hand"><mu1>1</mu1></gazebo>
  <gazebo reference="grip"><implicitSpringDamper>1</implicitSpringDamper></gazebo>
  <gazebo>
    <plugin name="states"><joint_name>turn</joint_name><joint_name>grip</joint_name></plugin>
    <plugin name="grasp"><arm><palm_link>hand</palm_link></arm></plugin>
  </gazebo>
  <gazebo><plugin name="only"><frame>left</frame></plugin></gazebo>
</robot>
"""


def test_what_refers_to_a_link_goes_with_it():
    robot = loads(ARM)
    made = robot.without('hand')
    assert [*made.links] == ['base', 'tool', 'lamp']
    assert [*made.joints] == ['turn', 'glow']
    assert made.joints['glow'].mimic is None
    assert KinematicTree(made).variable_names == ('turn', 'glow')
    assert [each.name for each in made.transmissions] == ['turn_drive']
    assert [str(each).replace('/robot/', '') for each in made.removed] == [
        "link[@name='hand'] of 'hand'", "link[@name='left'] of 'left'",
        "joint[@name='mount'] of 'mount'", "joint[@name='grip'] of 'grip'",
        "joint[@name='glow']/mimic of 'grip'",
        "transmission[@name='grip_drive'] of 'grip'",
        "ros2_control[@name='hand']/joint[@name='glow']/param[@name='mimic'] of 'grip'",
        "ros2_control[@name='hand']/joint[@name='grip'] of 'grip'",
        "ros2_control[@name='hand']/sensor of 'hand'",
        "ros2_control[@name='fingers'] of 'grip'", "sensor[@name='touch'] of 'left'",
        "gazebo[2] of 'hand'", "gazebo[3] of 'grip'",
        "gazebo[4]/plugin[@name='states']/joint_name[2] of 'grip'",
        "gazebo[4]/plugin[@name='grasp'] of 'hand'", "gazebo[5] of 'left'"]
    assert made.document.data.decode().split('\n')[:9] == ARM.split('\n')[:9]
    assert not {each.code for each in validates(made.document.data).findings} - {
        each.code for each in validates(ARM).findings}
    assert robot.links['hand'].name == 'hand'


def test_a_link_that_nothing_refers_to(tmp_path):
    robot = loads(ARM)
    made = robot.without('lamp')
    assert [each.of for each in made.removed] == ['lamp', 'glow', 'glow']
    save(made, tmp_path / 'made.urdf')
    assert load(tmp_path / 'made.urdf') == made


@pytest.mark.parametrize('link, error, message', [
    ('hnd', KeyError, "Did you mean 'hand'"), ('base', DescriptionError, 'Nothing is left')])
def test_links_that_cannot_go(link, error, message):
    with pytest.raises(error, match=message):
        loads(ARM).without(link)


def test_several_links_go_together():
    robot = loads(ARM)
    made = robot.without('left', 'hand', 'lamp')
    assert [*made.links] == ['base', 'tool']
    assert {each.of for each in made.removed} >= {'left', 'hand', 'lamp'}
    assert not robot.removed and made == robot.without('lamp').without('hand')


def test_replace_takes_a_subtree():
    robot = loads(ARM.replace('<mimic joint="grip"/>', ''))
    assert [*robot.replace(remove_links=robot.subtree('hand')).joints] == ['turn', 'glow']
    left = robot.replace(remove_links=robot.subtree('hand'), remove_joints=['mount', 'grip'])
    assert [*left.joints] == ['turn', 'glow']
    with pytest.raises(DescriptionError, match="parent link 'hand' of joint 'grip'"):
        robot.replace(remove_links=['hand'])


@pytest.mark.slow
def test_every_link_of_real_robots(corpus_robot):
    robot = corpus_robot.robot
    for link in [*robot.links][1:][::max(1, len(robot.links) // 3)]:
        made = robot.without(link) if link != robot.root else robot
        assert loads(made.document.data) == made
        assert link == robot.root or {*made.links} == {*robot.links} - {*robot.subtree(link)}
