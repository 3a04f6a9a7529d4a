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

"""Real robots and real defects."""

import csv
import math

import numpy as np
import pytest

from urdf_tools.formats.description_files import load
from urdf_tools.model.errors import DescriptionError

NOT_AS_URDFDOM = {
    'bad/drake__BodyNameBroken.urdf': 'A link has no name',
}
"""Errors of files that check_urdf accepts: the name of the link is empty."""


@pytest.mark.parametrize('configuration', ['zero', 'c1'])
def test_link_poses_are_those_of_the_reference(corpus_robot, configuration):
    robot = corpus_robot.robot
    reference = corpus_robot.reference[configuration]
    poses = link_poses(robot, reference['q'])
    assert poses.keys() == reference['links'].keys()
    for link, pose in reference['links'].items():
        np.testing.assert_allclose(poses[link][:3], pose, rtol=0, atol=1e-9)


def test_root_and_mass_are_those_of_the_reference(corpus_robot):
    robot = corpus_robot.robot
    assert robot.root == corpus_robot.reference['root']
    mass = sum(link.inertial.mass for link in robot.links.values() if link.inertial)
    assert mass == pytest.approx(corpus_robot.reference['mass'], rel=0, abs=1e-9)


def test_robots_load_completely(corpus_robot):
    robot = corpus_robot.robot
    assert robot.problems == ()
    assert len(robot.tree) == len(robot.joints) == len(robot.links) - 1
    assert sum(len(link.visuals) for link in robot.links.values()) == len(
        robot.element.findall('link/visual'))
    assert sum(len(link.collisions) for link in robot.links.values()) == len(
        robot.element.findall('link/collision'))


def test_bad_files_load_if_urdfdom_loads_them_and_raise_nothing_else(corpus):
    errors = {}
    for row in bad_files(corpus):
        try:
            load(corpus / row['file'])
        except DescriptionError as error:
            if row['check_urdf_4.0.1'] == 'accept':
                errors[row['file']] = error.message
    assert errors == NOT_AS_URDFDOM


def test_errors_of_bad_files_have_a_source_location(corpus):
    errors = 0
    for row in bad_files(corpus):
        try:
            load(corpus / row['file'])
        except DescriptionError as error:
            errors += 1
            assert error.source == str(corpus / row['file'])
            assert error.line >= 1
            assert error.column >= 1
    assert errors > 40


def bad_files(corpus):
    """Return the rows of the index of bad files."""
    with open(corpus / 'BAD_INDEX.tsv', newline='') as file:
        return list(csv.DictReader(file, delimiter='\t'))


def link_poses(robot, positions):
    """Return link poses in the root frame, one joint after the other."""
    poses = {robot.root: np.eye(4)}
    for joint in robot.tree:
        motion = np.eye(4)
        axis = np.array(joint.axis)
        position = positions.get(joint.name, 0.0)
        if joint.type in ('revolute', 'continuous'):
            motion[:3, :3] = rotation(axis, position)
        elif joint.type == 'prismatic':
            motion[:3, 3] = axis * position
        poses[joint.child] = poses[joint.parent] @ joint.origin.matrix @ motion
    return poses


def rotation(axis, angle):
    """Return the matrix of a rotation about a unit axis, by Rodrigues' formula."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
