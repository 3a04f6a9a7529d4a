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

"""The inertia of many links as one body."""

import numpy as np
import pytest
from support.bodies import assert_same

from urdf_tools.dynamics.composite import CompositeInertia
from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.formats.loader import loads
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import KinematicTree

LINK = """<link name="{name}"><inertial><origin xyz="{xyz}" rpy="0.3 -0.2 0.5"/>
<mass value="{mass}"/><inertia ixx="0.04" ixy="0.001" ixz="-0.002" iyy="0.05" iyz="0.003"
izz="0.06"/></inertial></link>"""

JOINT = """<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
<origin xyz="0.1 0.2 -0.3" rpy="0.4 0.5 -0.6"/><axis xyz="{axis}"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/></joint>"""

ROBOT = '<robot name="tree">{}</robot>'.format(''.join((
    LINK.format(name='base', xyz='0.1 0 0', mass=3),
    LINK.format(name='left', xyz='0 0.1 0.2', mass=2),
    LINK.format(name='hand', xyz='0.3 0.1 0', mass=1),
    LINK.format(name='right', xyz='-0.2 0 0', mass=4),
    '<link name="frame"/>',
    JOINT.format(name='a', kind='floating', parent='base', child='left', axis='1 0 0'),
    JOINT.format(name='b', kind='revolute', parent='left', child='hand', axis='1 1 0'),
    JOINT.format(name='c', kind='prismatic', parent='base', child='right', axis='0 1 0'),
    JOINT.format(name='d', kind='fixed', parent='right', child='frame', axis='1 0 0'))))


def summed(robot, positions, links, frame):
    """Return the sum of the inertias of the links, one by one."""
    kinematics = ForwardKinematics(robot)
    poses = dict(zip(kinematics.link_names, kinematics(positions)))
    total = SpatialInertia.zero()
    for name in links:
        inertia = link_inertia(robot.links[name])
        if inertia is not None:
            total += inertia.transformed(np.linalg.inv(poses[frame]) @ poses[name])
    return total


@pytest.fixture
def robot():
    return loads(ROBOT)


@pytest.fixture
def positions():
    return np.random.default_rng(5).uniform(-1, 1, (20, 9))


@pytest.mark.parametrize('configuration', ['zero', 'c1'])
def test_corpus(corpus_robot, configuration):
    composite = CompositeInertia(corpus_robot.robot)
    reference = corpus_robot.reference[configuration]
    positions = composite.tree.configuration({
        name: position for name, position in reference['q'].items()
        if name in composite.tree.variable_index})
    inertia = composite(positions)
    assert inertia.mass == pytest.approx(corpus_robot.reference['mass'], rel=1e-9)
    # The reference is printed with nine digits after the point.
    if inertia.mass:
        np.testing.assert_allclose(inertia.com, reference['com'], atol=6e-10)
        np.testing.assert_allclose(composite.center_of_mass(positions), inertia.com, atol=1e-12)
    if reference.get('centroidal_inertia_pin') is not None:
        np.testing.assert_allclose(
            inertia.rotational, reference['centroidal_inertia_pin'], atol=6e-10)


@pytest.mark.parametrize('links', [
    ('base',), ('left', 'hand'), ('right', 'frame'), ('base', 'left', 'hand', 'right', 'frame')])
@pytest.mark.parametrize('frame', ['base', 'hand', 'frame'])
def test_any_links_in_any_frame(robot, positions, links, frame):
    composite = CompositeInertia(robot, links, frame)
    batch = composite(positions)
    com = composite.center_of_mass(positions)
    for row, configuration in enumerate(positions):
        expected = summed(robot, configuration, links, frame)
        assert_same(composite(configuration), expected, 1e-12)
        assert_same(SpatialInertia(batch.mass, batch.com[row], batch.rotational[row]), expected)
        np.testing.assert_allclose(com[row], expected.com, atol=1e-12)


def test_a_dict_is_one_configuration(robot):
    given = {'b': 0.4, 'c': -0.2}
    positions = robot.kinematics.configuration(given)
    inertia, efforts = CompositeInertia(robot), InverseDynamics(robot)
    np.testing.assert_array_equal(inertia(given).com, inertia(positions).com)
    np.testing.assert_array_equal(inertia(given).rotational, inertia(positions).rotational)
    np.testing.assert_array_equal(efforts(given), efforts(positions))


def test_subtree_and_rest_add_up_to_the_robot(corpus_robot):
    robot = corpus_robot.robot
    branch = robot.tree[len(robot.tree) // 2].child
    subtree = robot.subtree(branch)
    rest = [link for link in robot.links if link not in subtree]
    positions = CompositeInertia(robot).tree.configuration(
        {name: 0.3 for name in CompositeInertia(robot).tree.variable_names})
    assert_same(
        CompositeInertia(robot, subtree)(positions) + CompositeInertia(robot, rest)(positions),
        CompositeInertia(robot)(positions))


def test_inertia_does_not_depend_on_the_pose_of_a_floating_robot(robot):
    composite = CompositeInertia(robot, ('left', 'hand'))
    near = composite(composite.tree.configuration({'b': 0.7}))
    far = composite(composite.tree.configuration({
        'a/trans_x': 1e6, 'a/trans_y': -1e6, 'a/trans_z': 1e6, 'b': 0.7}))
    np.testing.assert_allclose(far.rotational, near.rotational, atol=1e-9)


def test_inertia_of_a_link_in_its_own_frame_is_constant(robot, positions):
    composite = CompositeInertia(robot, robot.subtree('hand'), 'hand')
    expected = link_inertia(robot.links['hand'])
    for configuration in positions:
        assert_same(composite(configuration), expected, 1e-12)


def test_links_without_inertial_are_named(robot):
    composite = CompositeInertia(robot)
    assert composite.without_inertial == ('frame',)
    assert composite.mass == 10
    assert link_inertia(robot.links['frame']) is None


def test_inertias_of_links_are_computed_once_a_tree(robot, positions, monkeypatch):
    tree = KinematicTree(robot)
    CompositeInertia(tree)
    monkeypatch.delattr('urdf_tools.dynamics.composite.link_inertia')
    assert_same(
        CompositeInertia(tree, ('left',), 'hand')(positions[0]),
        summed(robot, positions[0], ('left',), 'hand'))


def test_robot_without_mass():
    composite = CompositeInertia(loads('<robot name="r"><link name="a"/></robot>'))
    inertia = composite(composite.tree.neutral())
    assert inertia.mass == 0
    assert not inertia.rotational.any()
    assert composite.center_of_mass(composite.tree.neutral()).tolist() == [0, 0, 0]
    assert composite.without_inertial == ('a',)


def test_batches_of_every_size(robot):
    composite = CompositeInertia(robot, frame='hand')
    many = np.random.default_rng(6).uniform(-1, 1, (4500, 9))
    batch = composite(many)
    for row in (0, 2047, 2048, 4499):
        assert_same(
            SpatialInertia(batch.mass, batch.com[row], batch.rotational[row]),
            composite(many[row]), 1e-12)
    assert composite(many[:0]).rotational.shape == (0, 3, 3)
    assert composite.center_of_mass(many[:0]).shape == (0, 3)


def test_unknown_links_and_wrong_shapes(robot):
    with pytest.raises(KeyError, match='nowhere'):
        CompositeInertia(robot, ['nowhere'])
    with pytest.raises(KeyError, match='nowhere'):
        CompositeInertia(robot, frame='nowhere')
    with pytest.raises(ValueError, match='expected'):
        CompositeInertia(robot)(np.zeros(3))
