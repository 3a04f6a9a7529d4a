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

"""Any text gives a consistent robot or a DescriptionError."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import settings
from hypothesis import strategies
import numpy as np

from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.robot import Robot

VALID = b"""<?xml version="1.0" encoding="utf-8"?>
<!-- A robot with some of everything. -->
<robot name="r" version="1.2" xmlns:xacro="x">
  <material name="red"><color rgba="1 0 0 1"/><texture filename="t.png"/></material>
  <link name="a"/>
  <link name="b">
    <inertial><origin xyz="0 0 1" rpy="0 0 1"/><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual name="v"><geometry><box size="1 1 1"/></geometry><material name="red"/></visual>
    <collision><geometry><mesh filename="m.stl" scale="1 1 1"/></geometry></collision>
    <collision><geometry><capsule radius="1" length="1"/></geometry></collision>
  </link>
  <link name="c"/><link name="d"/>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <origin xyz="0 0 1" quat_xyzw="0 0 0 1"/><limit lower="-1" upper="1" effort="1" jerk="1"/>
    <safety_controller k_velocity="1"/><dynamics damping="1"/><calibration rising="0"/></joint>
  <joint name="k" type="continuous"><parent link="b"/><child link="c"/><mimic joint="j"/></joint>
  <joint name="m" type="floating"><parent link="c"/><child link="d"/></joint>
  <transmission name="t"><type>x</type><joint name="j"/></transmission>
  <gazebo reference="a"/><ros2_control/>
</robot>
"""
PARTS = (
    b'<', b'>', b'/>', b'"', b'&', b'&amp;', b'--', b'<!--', b'-->', b']]>', b'<![CDATA[', b'\0',
    b'\xff', b'\xc3', b'nan', b'inf', b'1e999', b'-', b',', b' ', b'${x}', b'0 0 0', b'', b'a',
    b'b', b'j', b'k', b'1.1', b'<link name="e"/>', b'<origin/>', b'<!DOCTYPE robot [', b'utf-16')


@strategies.composite
def mutated(draw):
    """Draw the valid description after up to six edits."""
    text = VALID
    for _ in range(draw(strategies.integers(1, 6))):
        start = draw(strategies.integers(0, len(text)))
        end = min(len(text), start + draw(strategies.sampled_from((0, 1, 2, 5, 20, 200))))
        part = draw(strategies.sampled_from(PARTS) | strategies.binary(max_size=4))
        text = text[:start] + part + text[end:]
    return text


@given(mutated())
@settings(max_examples=4 * settings().max_examples)
def test_mutated_description(text):
    check(text)


@given(strategies.text(max_size=60).map(lambda text: f'<{text}'))
@settings(max_examples=2 * settings().max_examples)
def test_any_text(text):
    check(text)


@given(strategies.dictionaries(
    strategies.sampled_from(('xyz', 'rpy', 'quat_xyzw', 'value', 'size', 'link', 'name', 'type')),
    strategies.text(max_size=12), max_size=4), strategies.sampled_from(
        ('origin', 'axis', 'limit', 'mimic', 'parent', 'visual', 'inertial', 'material')))
@settings(max_examples=2 * settings().max_examples)
def test_any_attributes(attributes, tag):
    text = ' '.join(f'{name}="{_escaped(value)}"' for name, value in attributes.items())
    check(VALID.replace(b'<parent link="b"/>', f'<parent link="b"/><{tag} {text}/>'.encode(
        'utf-8', 'surrogatepass')))


def _escaped(text):
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;')


def test_valid_description_loads_completely():
    robot = loads(VALID)
    assert robot.problems == ()
    assert len(robot.joints) == 3


def check(text):
    """Assert that a description loads to a consistent robot or raises a DescriptionError."""
    try:
        robot = loads(text)
    except DescriptionError as error:
        assert error.message
        assert len(str(error)) < 2000
        return
    assert_consistent(robot)


def assert_consistent(robot: Robot) -> None:
    """Assert what users of a robot rely on."""
    children = [joint.child for joint in robot.tree]
    assert sorted([robot.root, *children]) == sorted(robot.links)
    for joint in robot.joints.values():
        assert np.isfinite(joint.origin.matrix).all()
        length = math.hypot(*joint.axis)
        assert length == 0 or abs(length - 1) < 1e-15 * 4
        seen = set()
        while joint.mimic is not None:
            assert joint.type.dof == 1
            assert joint.name not in seen
            seen.add(joint.name)
            joint = robot.joints[joint.mimic.joint]
        assert not seen or joint.type.dof == 1
