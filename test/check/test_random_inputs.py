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

"""
Random inputs with a fixed seed, and each change to each part of the grammar.

``python -m benchmarks.fuzz`` takes new random inputs, and more.
"""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from xml.etree import ElementTree

import pytest
from support.fuzz_inputs import check_use
from support.fuzz_inputs import Input
from support.fuzz_inputs import KINDS
from support.spliced_robots import complete_robot

from urdf_tools import DescriptionError
from urdf_tools import loads
from urdf_tools import validates


@pytest.mark.parametrize('kind, numbers', [
    ('bytes', range(10)), ('trees', range(2)), ('meshes', range(20)), ('robots', range(25)),
    ('recordings', range(10)), ('sdf', range(10)), ('mjcf', range(5)),
    pytest.param('bytes', range(10, 250), marks=pytest.mark.slow),
    pytest.param('trees', range(2, 40), marks=pytest.mark.slow),
    pytest.param('meshes', range(20, 120), marks=pytest.mark.slow),
    pytest.param('robots', range(25, 1500), marks=pytest.mark.slow),
    pytest.param('recordings', range(10, 500), marks=pytest.mark.slow),
    pytest.param('sdf', range(10, 160), marks=pytest.mark.slow),
    pytest.param('mjcf', range(5, 80), marks=pytest.mark.slow)])
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_random_inputs(kind, numbers, tmp_path):
    if kind == 'recordings':
        pytest.importorskip('mcap', reason='mcap is not installed')
    for number in numbers:
        given = KINDS[kind].make(Random(f'1 {kind} {number}'))
        try:
            KINDS[kind].check(given, tmp_path)
        except Exception as error:
            raise AssertionError(f'Input {number} of {kind}: {given.data!r}') from error


@pytest.mark.parametrize('radius', ['0', '-1', '1e-200', '1e200'])
def test_a_visual_and_a_collision_without_a_size_that_can_be_used(radius):
    shape = f'<geometry><sphere radius="{radius}"/></geometry>'
    report = validates(
        f'<robot name="r"><link name="a"><visual><origin rpy="1 0 0"/>{shape}</visual>'
        f'<collision>{shape}</collision></link></robot>')
    assert 'internal-error' not in {finding.code for finding in report.findings}
    assert report.findings


@pytest.mark.parametrize('joint', [
    '<x:joint name="j" type="fixed"/>',
    '<x:joint name="j" type="fixed"><parent link="a"/><child link="b"/></x:joint>',
    '<joint name="j" type="fixed"><x:parent link="a"/><child link="b"/></joint>',
    '<joint name="j" type="fixed"><parent x:link="a"/><child link="b"/></joint>',
    '<joint x:name="j" type="fixed"><parent link="a"/><child link="b"/></joint>',
    '<gazebo><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></gazebo>'])
def test_what_is_no_joint_connects_nothing(joint):
    """The validator and the loader have one idea of a joint."""
    text = f'<robot name="r" xmlns:x="u"><link name="a"/><link name="b"/>{joint}</robot>'
    with pytest.raises(DescriptionError):
        loads(text)
    assert not validates(text).valid


def test_the_complete_robot_is_valid():
    text = ElementTree.tostring(complete_robot())
    assert validates(text).valid
    assert loads(text).problems == ()


@pytest.mark.parametrize('change', [
    '0', 'drop', 'drop attribute', 'double', 'prefix', 'x', 'prefix attribute', '', 'nan'])
@pytest.mark.slow
def test_each_change_to_each_part_of_the_grammar(change, tmp_path):
    """The loader refuses nothing that is valid, and leaves out no part without a finding."""
    texts = set(changed(complete_robot(), change))
    assert len(texts) > 30
    for text in texts:
        try:
            check_use(Input('.urdf', text), tmp_path)
        except Exception as error:
            raise AssertionError(f'After the change: {text!r}') from error


def changed(robot: ElementTree.Element, change: str) -> Iterator[bytes]:
    """Yield the robot with one change to one part, once for parts that are alike."""
    seen = set()
    parents = {child: parent for parent in robot.iter() for child in parent}
    for number, element in enumerate(robot.iter()):
        path, place = [element.tag], element
        while place in parents:
            place = parents[place]
            path.append(place.tag)
        if tuple(path) in seen or element is robot:
            continue
        seen.add(tuple(path))
        of_attributes = change not in ('drop', 'double', 'prefix')
        for name in element.attrib if of_attributes else [None]:
            copy = deepcopy(robot)
            of_copy = list(copy.iter())
            part = of_copy[number]
            home = of_copy[list(robot.iter()).index(parents[element])]
            if change == 'drop':
                home.remove(part)
            elif change == 'double':
                home.append(deepcopy(part))
            elif change == 'prefix':
                part.tag = f'x:{part.tag}'
            elif change == 'drop attribute':
                del part.attrib[name]
            elif change == 'prefix attribute':
                part.set(f'x:{name}', part.attrib.pop(name))
            else:
                part.set(name, change)
            yield ElementTree.tostring(copy)
