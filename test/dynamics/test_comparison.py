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
"""What tells robots apart, whatever their text."""

from dataclasses import replace

import pytest

from urdf_tools import compare
from urdf_tools import Inertial
from urdf_tools import Joint
from urdf_tools import Limits
from urdf_tools import Link
from urdf_tools import loads
from urdf_tools import Material
from urdf_tools import Mesh
from urdf_tools import Mimic
from urdf_tools import Pose
from urdf_tools import Sphere

ARM = loads("""<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><mass value="2"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="3"/></inertial>
    <visual><geometry><box size="1 1 1"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material></visual>
  </link>
  <link name="tool"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="upper"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="tool"/>
    <origin xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <gazebo reference="upper"><mu1>0.5</mu1></gazebo>
</robot>""")

TURN, SLIDE, UPPER = ARM.joints['turn'], ARM.joints['slide'], ARM.links['upper']
VISUAL, = UPPER.visuals


def found(robot, first=ARM):
    return [(each.part, each.name, each.what, each.before, each.after)
            for each in compare(first, robot)]


def test_same(corpus_robot):
    robot = corpus_robot.robot
    assert compare(robot, loads(robot.document.data)) == ()


def test_inertia_in_another_frame_is_the_same():
    quarter = Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.5 ** 0.5, 0.5 ** 0.5))
    turned = Inertial(2.0, 2.0, 0.0, 0.0, 1.0, 0.0, 3.0, origin=quarter)
    assert compare(ARM, ARM.replace(replace(UPPER, inertial=turned))) == ()


def test_values_of_joints():
    assert found(ARM.replace(replace(TURN, limits=Limits(-1.0, 2.0, 1.0, 5.0)))) == [
        ('joint', 'turn', 'limits.upper', 1.0, 2.0),
        ('joint', 'turn', 'limits.velocity', 1.0, 5.0)]
    mimic = Mimic('turn', 2.0)
    assert found(ARM.replace(replace(SLIDE, mimic=mimic))) == [
        ('joint', 'slide', 'mimic', None, mimic)]
    assert found(ARM.replace(replace(TURN, axis=(0.0, 1.0, 0.0)))) == [
        ('joint', 'turn', 'axis', (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))]


def test_moved_frames():
    joint, upper, tool = compare(ARM, ARM.replace(replace(
        TURN, origin=Pose((0.0, 0.0, 0.003), (0.0, 0.0, 0.001, (1 - 1e-6) ** 0.5)))))
    assert (joint.part, joint.name, joint.what) == ('joint', 'turn', 'moved')
    assert joint.after == pytest.approx((0.003, 0.002), rel=1e-5)
    assert (upper.part, upper.name) == ('frame', 'upper')
    assert upper.after == pytest.approx((0.003, 0.002), rel=1e-5)
    assert tool.after == pytest.approx(((0.003 ** 2 + 0.002 ** 2) ** 0.5, 0.002), rel=1e-5)


def test_links():
    assert found(ARM.replace(replace(UPPER, inertial=replace(UPPER.inertial, mass=3.0)))) == [
        ('link', 'upper', 'mass', 2.0, 3.0)]
    assert found(ARM.replace(replace(UPPER, inertial=None))) == [
        ('link', 'upper', 'inertial', UPPER.inertial, None)]
    mesh = Mesh('a.stl')
    assert found(ARM.replace(replace(UPPER, visuals=(replace(VISUAL, geometry=mesh),)))) == [
        ('link', 'upper', 'visuals[0].geometry', VISUAL.geometry, mesh)]
    assert found(ARM.replace(replace(UPPER, visuals=(
        VISUAL, replace(VISUAL, geometry=Sphere(1.0)))))) == [
            ('link', 'upper', 'visuals[1]', None, Sphere(1.0))]


def test_materials_come_last():
    robot = ARM.replace(Material('red', (0.5, 0.0, 0.0, 1.0)), replace(TURN, axis=(0, 1, 0)))
    assert [each.part for each in compare(ARM, robot)] == ['joint', 'material']


def test_added_removed_and_renamed():
    added = ARM.replace(Link('hand'), Joint('hold', 'fixed', 'tool', 'hand'))
    assert found(added) == [
        ('link', 'hand', 'added', None, None), ('joint', 'hold', 'added', None, None)]
    assert found(ARM, added) == [
        ('link', 'hand', 'removed', None, None), ('joint', 'hold', 'removed', None, None)]
    text = ARM.document.data.decode()
    for old, new in (('base', 'l_base'), ('tool', 'l_tool'), ('turn', 'l_turn')):
        text = text.replace(f'"{old}"', f'"{new}"')
    assert found(loads(text)) == [
        ('link', 'l_base', 'renamed', 'base', 'l_base'),
        ('link', 'l_tool', 'renamed', 'tool', 'l_tool'),
        ('joint', 'l_turn', 'renamed', 'turn', 'l_turn')]


def test_elements_of_other_programs():
    text = ARM.document.data.decode()
    assert found(loads(text.replace('<mu1>0.5</mu1>', '<mu1> 0.5 </mu1>'))) == []
    assert found(loads(text.replace('0.5</mu1>', '0.6</mu1>'))) == [
        ('element', 'gazebo', 'removed', 1, None), ('element', 'gazebo', 'added', None, 1)]
