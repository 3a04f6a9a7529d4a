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
"""Robots as values: read-only, comparable, copied, and their queries."""

import copy
import pickle

import pytest
from support.descriptions import joint
from support.descriptions import links
from support.descriptions import one_joint
from support.descriptions import robot

from urdf_tools.formats.description_files import load
from urdf_tools.formats.loader import loads
from urdf_tools.model.robot import Robot

TREE = robot(
    joint('to_c', 'b', 'c', '<mimic joint="to_d"/>', 'continuous') + joint('to_b', 'a', 'b')
    + joint('to_d', 'a', 'd', '', 'continuous') + joint('to_e', 'd', 'e', '', 'floating')
    + links('d', 'c', 'b', 'a', 'e'))


def names(joints):
    return [joint.name for joint in joints]


def test_tree():
    model = loads(TREE)
    assert model.root == 'a'
    assert names(model.tree) == ['to_b', 'to_c', 'to_d', 'to_e']
    assert names(model.actuated_joints) == ['to_d', 'to_e']
    assert list(model.links) == ['d', 'c', 'b', 'a', 'e']
    assert model.subtree('b') == ('b', 'c')
    assert model.parent_joint['d'].name == 'to_d'
    assert names(model.child_joints['a']) == ['to_b', 'to_d']


@pytest.mark.parametrize('from_link, to_link, joints', [
    ('a', 'c', ['to_b', 'to_c']),
    ('c', 'a', ['to_c', 'to_b']),
    ('c', 'e', ['to_c', 'to_b', 'to_d', 'to_e']),
    ('b', 'c', ['to_c']),
    ('c', 'c', [])])
def test_path(from_link, to_link, joints):
    assert names(loads(TREE).path(from_link, to_link)) == joints


@pytest.mark.parametrize('from_link, to_link', [('a', 'x'), ('x', 'a'), ('x', 'x')])
def test_path_of_an_unknown_link(from_link, to_link):
    with pytest.raises(KeyError, match='x'):
        loads(TREE).path(from_link, to_link)


def test_records_are_read_only():
    model = loads(one_joint(''))
    with pytest.raises(TypeError):
        model.links['c'] = None
    with pytest.raises(AttributeError):
        model.joints['j'].axis = (0.0, 0.0, 1.0)
    with pytest.raises(ValueError):
        model.joints['j'].origin.matrix[0, 3] = 1


def test_robots_are_equal_if_their_records_are():
    assert loads(TREE) == loads(TREE.replace('\n', '\n\n'))
    for old, new in (('"e"', '"f"'), ('floating', 'planar'), ('name="r"', 'name="s"')):
        assert loads(TREE) != loads(TREE.replace(old, new))


def with_all_protocols(model: Robot) -> list[Robot]:
    return [pickle.loads(pickle.dumps(model, protocol))
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]


def test_copies(corpus_robot):
    model = load(corpus_robot.path)
    tree = model.tree
    for twin in (copy.deepcopy(model), *with_all_protocols(model)):
        assert twin == model
        assert twin.tree == tree
        assert twin.element.tag == 'robot'
        for name, link in twin.links.items():
            assert link.element is not model.links[name].element
            assert link.element.parent is twin.element
            assert link.element.line == model.links[name].element.line
        with pytest.raises(TypeError):
            twin.links['x'] = None


def test_copy_shares_the_records():
    model = loads(TREE)
    assert copy.copy(model) == model
    assert copy.copy(model).links['a'] is model.links['a']
