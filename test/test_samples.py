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

"""The sample robots that come with the package."""

from pathlib import Path

import numpy as np
import pytest

from urdf_tools import ForwardKinematics
from urdf_tools import load
from urdf_tools import Severity
from urdf_tools import SpatialInertia
from urdf_tools import validate
from urdf_tools.dynamics import solid

SAMPLES = Path(__file__).parents[1] / 'urdf'
ARM = SAMPLES / 'arm.urdf.xacro'
MOBILE = SAMPLES / 'mobile_manipulator.urdf.xacro'


@pytest.fixture(params=[ARM, MOBILE, SAMPLES / 'arm.urdf'], ids=lambda path: path.name)
def path(request):
    """Return each sample in turn."""
    return request.param


def test_nothing_is_wrong_with_it(path):
    assert validate(path).at_least(Severity.WARN) == ()
    assert load(path).problems == ()


def test_every_inertia_is_that_of_the_link_s_solid(path):
    for link in load(path).links.values():
        if link.inertial is None:
            assert link.visuals == link.collisions == ()
            continue
        [visual] = link.visuals
        [collision] = link.collisions
        assert collision.geometry == visual.geometry
        expected = solid(visual.geometry).with_mass(link.inertial.mass).transformed(
            visual.origin.matrix)
        read = SpatialInertia.from_inertial(link.inertial)
        np.testing.assert_allclose(read.matrix, expected.matrix, rtol=1e-12, atol=1e-15)


def test_the_arm_for_those_without_xacro_is_the_arm():
    assert load(SAMPLES / 'arm.urdf') == load(ARM)


def test_the_arm_takes_a_prefix():
    plain = load(ARM)
    prefixed = load(ARM, arguments={'prefix': 'left_'})
    assert list(prefixed.joints) == [f'left_{name}' for name in plain.joints]
    assert prefixed.joints['left_right_finger_joint'].mimic.joint == 'left_left_finger_joint'


def test_the_base_carries_the_arm():
    arm = load(ARM)
    mobile = load(MOBILE)
    assert mobile.root == 'base_footprint'
    assert mobile.subtree('arm_base_link') == tuple(
        f'arm_{name}' for name in arm.subtree('base_link'))


def test_the_gripper_closes_at_zero_and_opens_on_both_sides():
    kinematics = ForwardKinematics(load(ARM))
    opened = kinematics(kinematics.tree.configuration({'left_finger_joint': 0.045}))
    left, right = (kinematics.link_names.index(f'{side}_finger_link')
                   for side in ('left', 'right'))
    closed = kinematics(kinematics.tree.neutral())
    np.testing.assert_allclose(closed[left], closed[right])
    np.testing.assert_allclose(opened[left][:3, 3] - opened[right][:3, 3], [0, 0.09, 0])


def test_all_wheels_stand_on_the_floor():
    robot = load(MOBILE)
    kinematics = ForwardKinematics(robot)
    poses = dict(zip(kinematics.link_names, kinematics(kinematics.tree.neutral())))
    wheels = [link for link in robot.links.values() if link.name.endswith('wheel_link')]
    assert len(wheels) == 4
    for wheel in wheels:
        assert poses[wheel.name][2, 3] == pytest.approx(wheel.visuals[0].geometry.radius)
        np.testing.assert_allclose(
            (poses[wheel.name] @ wheel.visuals[0].origin.matrix)[:3, 2], [0, -1, 0], atol=1e-15)
