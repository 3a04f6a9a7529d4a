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

"""Planar and floating joints."""

import numpy as np
import pytest
from support.chains import robot
from support.scalar_kinematics import turn

from urdf_tools.kinematics import joint_transform
from urdf_tools.kinematics import joint_values
from urdf_tools.kinematics import variable_names
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.kinematics.transforms import quaternion_to_matrix


def joint_of(text):
    return robot(f'j {text}').joints['j']


def motion_of(joint, values):
    """Return translation and rotation of the child link in the joint's frame."""
    transform = joint_transform(joint, values)
    rotation = joint.origin.rotation.T
    return (rotation @ (transform[:3] - joint.origin.xyz),
            rotation @ quaternion_to_matrix(transform[3:]))


def test_names():
    assert variable_names(joint_of('revolute')) == ('j',)
    assert variable_names(joint_of('fixed')) == ()
    assert variable_names(joint_of('planar')) == ('j/x', 'j/y', 'j/theta')
    assert variable_names(joint_of('floating')) == (
        'j/trans_x', 'j/trans_y', 'j/trans_z', 'j/rot_x', 'j/rot_y', 'j/rot_z', 'j/rot_w')


@pytest.mark.parametrize('axis, x, y', [
    ('0 0 1', [1, 0, 0], [0, 1, 0]),
    ('0 0 -1', [1, 0, 0], [0, -1, 0]),
    ('1 0 0', [0, 0, -1], [0, 1, 0]),
    ('0 1 0', [1, 0, 0], [0, 0, -1]),
    ('0 -2 0', [1, 0, 0], [0, 0, 1])])
def test_directions_in_the_plane(axis, x, y):
    joint = joint_of(f'planar <axis xyz="{axis}"/>')
    assert motion_of(joint, [1, 0, 0])[0] == pytest.approx(x, abs=1e-15)
    assert motion_of(joint, [0, 1, 0])[0] == pytest.approx(y, abs=1e-15)


def test_planar_joint_translates_then_rotates():
    joint = joint_of('planar <axis xyz="1 -2 3"/>')
    translation, rotation = motion_of(joint, [0.3, -0.4, 2.0])
    assert translation @ joint.axis == pytest.approx(0.0, abs=1e-15)
    assert np.linalg.norm(translation) == pytest.approx(0.5)
    np.testing.assert_allclose(rotation, turn(joint.axis, 2.0), atol=1e-15)


def test_planar_joint_without_axis_does_not_move():
    joint = joint_of('planar <axis xyz="0 0 0"/>')
    translation, rotation = motion_of(joint, [1.0, 2.0, np.pi])
    np.testing.assert_allclose(translation, 0.0, atol=1e-15)
    np.testing.assert_allclose(rotation, np.eye(3), atol=1e-15)


def test_floating_joint_takes_quaternions_of_any_length():
    joint = joint_of('floating')
    translation, rotation = motion_of(joint, [1.0, 2.0, 3.0, 0.0, 0.0, 5.0, 5.0])
    np.testing.assert_allclose(translation, [1, 2, 3], atol=1e-15)
    np.testing.assert_allclose(rotation, turn([0, 0, 1], np.pi / 2), atol=1e-15)


@pytest.mark.parametrize('text, values', [
    ('planar <axis xyz="1 -2 3"/>', [0.3, -0.4, 2.0]),
    ('planar <axis xyz="0 0 -1"/>', [0.3, -0.4, -3.1]),
    ('floating', [1.0, 2.0, 3.0, 0.5, -0.5, 0.5, 0.5])])
def test_values_of_a_motion(text, values):
    joint = joint_of(text)
    transform = joint_transform(joint, values)
    inverse = np.array(joint.origin.quaternion) * [-1, -1, -1, 1]
    motion = np.append(
        joint.origin.rotation.T @ (transform[:3] - joint.origin.xyz),
        quaternion_product(inverse, transform[3:]))
    assert joint_values(joint, motion) == pytest.approx(values)


def test_planar_joint_ignores_tilt_and_translation_along_its_axis():
    joint = joint_of('planar <axis xyz="0 0 1"/>')
    tilted = quaternion_product(
        [0, 0, np.sin(0.35), np.cos(0.35)], [np.sin(0.1), 0, 0, np.cos(0.1)])
    assert joint_values(joint, [1, 2, 3, *tilted]) == pytest.approx([1, 2, 0.7])


@pytest.mark.parametrize('quaternion', [
    [1e200, 1e200, 0, 0], [0, 0, 0, 1e-200], [5e-324, 0, 0, 0], [-1e308, 1e308, 1e308, 1e308]])
def test_quaternions_whose_squares_are_no_numbers(quaternion):
    joint = joint_of('floating')
    values = joint_values(joint, [1, 2, 3, *quaternion])
    assert np.linalg.norm(values[3:]) == pytest.approx(1)
    assert np.isfinite(joint_transform(joint, values)).all()


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('quaternion', [[0, 0, 0, 0], [np.inf, 0, 0, 1], [np.nan, 0, 0, 1]])
def test_quaternions_without_a_direction(quaternion):
    assert np.isnan(joint_values(joint_of('floating'), [1, 2, 3, *quaternion])[3:]).any()
