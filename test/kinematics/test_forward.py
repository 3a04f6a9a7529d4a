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

"""Forward kinematics of one and many configurations."""

import numpy as np
import pytest
from support.call_count import count_calls
from support.chains import EVERY_JOINT_TYPE
from support.chains import robot
from support.chains import text
from support.scalar_kinematics import link_poses

from urdf_tools.formats.description_files import load
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics.moving_frames import CHUNK


@pytest.mark.parametrize('configuration', ['zero', 'c1'])
def test_corpus(corpus_robot, configuration):
    model = corpus_robot.robot
    kinematics = ForwardKinematics(model)
    reference = corpus_robot.reference[configuration]
    values = {name: position for name, position in reference['q'].items()
              if name in kinematics.tree.variable_names}
    poses = kinematics(kinematics.tree.configuration(values))
    exact = link_poses(corpus_robot.path, values)
    for link, pose in zip(kinematics.link_names, poses):
        np.testing.assert_allclose(pose, exact[link], atol=1e-12)
        np.testing.assert_allclose(pose[:3], reference['links'][link], atol=1e-9)


def test_every_joint_type(tmp_path):
    path = tmp_path / 'chain.urdf'
    path.write_text(text(*EVERY_JOINT_TYPE))
    kinematics = ForwardKinematics(load(path))
    assert kinematics.tree.variable_names == (
        'a/trans_x', 'a/trans_y', 'a/trans_z', 'a/rot_x', 'a/rot_y', 'a/rot_z', 'a/rot_w', 'b',
        'd/x', 'd/y', 'd/theta', 'e', 'h')
    positions = np.random.default_rng(1).uniform(-4, 4, (50, 13))
    for row, poses in zip(positions, kinematics(positions)):
        exact = link_poses(path, {
            'a': row[:7], 'b': row[7], 'd': row[8:11], 'e': row[11]})
        for link, pose in zip(kinematics.link_names, poses):
            np.testing.assert_allclose(pose, exact[link], atol=1e-12)


@pytest.mark.parametrize('angle', [np.pi, -np.pi, 3 * np.pi, np.nextafter(np.pi, 4), 1e6])
def test_angles_where_the_tangent_of_the_half_angle_is_large(tmp_path, angle):
    path = tmp_path / 'chain.urdf'
    path.write_text(text('a continuous', 'b continuous <axis xyz="3 1 2"/>'))
    poses = ForwardKinematics(load(path))([angle, angle])
    exact = link_poses(path, {'a': angle, 'b': angle})
    for i, pose in enumerate(poses):
        np.testing.assert_allclose(pose, exact[f'l{i}'], atol=1e-12)


@pytest.mark.parametrize('kind', ['continuous', 'prismatic'])
@pytest.mark.parametrize('origin', ['', '<origin/>', '<origin xyz="0.1 0.2 -0.3"/>'])
def test_axes_of_the_link(kind, origin, tmp_path):
    path = tmp_path / 'chain.urdf'
    axes = ('1 0 0', '-1 0 0', '0 1 0', '0 -2 0', '0 0 1', '0 0 -1', '1 1 0')
    path.write_text(text(*(part for i, axis in enumerate(axes) for part in (
        f'j{i} {kind} {origin}<axis xyz="{axis}"/>', f'f{i} fixed {origin}'))))
    kinematics = ForwardKinematics(load(path))
    positions = np.random.default_rng(4).uniform(-4, 4, (3, len(axes)))
    for row, poses in zip(positions, kinematics(positions)):
        exact = link_poses(path, {f'j{i}': position for i, position in enumerate(row)})
        for link, pose, alone in zip(kinematics.link_names, poses, kinematics(row)):
            np.testing.assert_allclose(pose, exact[link], atol=1e-13)
            np.testing.assert_allclose(alone, exact[link], atol=1e-13)


def test_batches_of_every_size_agree_with_single_configurations():
    kinematics = ForwardKinematics(robot(*EVERY_JOINT_TYPE))
    positions = np.random.default_rng(2).uniform(-1, 1, (5000, 13))
    poses = kinematics(positions)
    assert poses.shape == (5000, 9, 4, 4)
    for row in (0, 1, CHUNK - 1, CHUNK, 4999):
        np.testing.assert_allclose(poses[row], kinematics(positions[row]), atol=1e-14)
    assert kinematics(positions[:0]).shape == (0, 9, 4, 4)
    np.testing.assert_array_equal(kinematics(np.asfortranarray(positions)), poses)


def test_result_in_a_given_array():
    kinematics = ForwardKinematics(robot(*EVERY_JOINT_TYPE))
    positions = np.random.default_rng(2).uniform(-1, 1, (3000, 13))
    poses = kinematics(positions)
    for out in (kinematics(positions[::-1]), np.full((3000, 9, 4, 4), np.nan)):
        assert kinematics(positions, out=out) is out
        np.testing.assert_array_equal(out, poses)
    single = np.full((9, 4, 4), np.nan)
    kinematics(positions[7], out=single)
    np.testing.assert_allclose(single, poses[7], atol=1e-14)
    with pytest.raises(ValueError, match='out has the shape'):
        kinematics(positions[:5], out=poses)


def test_numpy_keeps_its_buffers():
    size = np.getbufsize()
    ForwardKinematics(robot('a revolute'))(np.zeros((3, 1)))
    assert np.getbufsize() == size


def test_only_some_links():
    model = robot(*EVERY_JOINT_TYPE)
    positions = np.random.default_rng(3).uniform(-1, 1, (3, 13))
    poses = ForwardKinematics(model)(positions)
    some = ForwardKinematics(model, ('l5', 'l0', 'l3'))
    assert some.link_names == ('l5', 'l0', 'l3')
    np.testing.assert_array_equal(some(positions), poses[:, [5, 0, 3]])
    with pytest.raises(KeyError, match='nowhere'):
        ForwardKinematics(model, ('nowhere',))


def test_numbers_that_are_not_finite_affect_their_own_configuration_only():
    kinematics = ForwardKinematics(robot(*EVERY_JOINT_TYPE))
    positions = np.random.default_rng(4).uniform(-1, 1, (6, 13))
    good = kinematics(positions)
    positions[2] = np.nan
    positions[4] = np.inf
    with np.errstate(invalid='ignore'):
        poses = kinematics(positions)
    np.testing.assert_array_equal(poses[[0, 1, 3, 5]], good[[0, 1, 3, 5]])
    assert not np.isfinite(poses[[2, 4], -1]).all(axis=(1, 2)).any()


def test_wrong_shapes_are_refused():
    kinematics = ForwardKinematics(robot('a revolute', 'b revolute'))
    for shape in ((), (3,), (4, 3), (1, 4, 2)):
        with pytest.raises(ValueError, match='expected'):
            kinematics(np.zeros(shape))


def test_single_configuration_takes_as_many_calls_for_any_number_of_joints():
    calls = []
    for joints in (8, 128):
        kinematics = ForwardKinematics(robot(*(f'j{i} revolute' for i in range(joints))))
        positions = kinematics.tree.neutral()
        kinematics(positions)
        calls.append(count_calls(lambda: kinematics(positions))[1])
    assert calls[1] <= calls[0] + 4


def test_transform_between_two_links():
    model = robot(*EVERY_JOINT_TYPE)
    kinematics = ForwardKinematics(model, ('l2',))
    positions = np.random.default_rng(5).uniform(-1, 1, (4, 13))
    poses = ForwardKinematics(model)(positions)
    expected = np.linalg.inv(poses[:, 6]) @ poses[:, 3]
    np.testing.assert_allclose(kinematics.transform('l3', 'l6', positions), expected, atol=1e-12)
    np.testing.assert_allclose(
        kinematics.transform('l3', 'l6', positions[1]), expected[1], atol=1e-12)
    with pytest.raises(KeyError, match='nowhere'):
        kinematics.transform('l3', 'nowhere', positions)
