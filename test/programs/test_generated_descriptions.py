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

"""The accounts of generated descriptions are what the programs load of them."""

from __future__ import annotations

import os
from random import Random
from xml.etree.ElementTree import fromstring
from xml.etree.ElementTree import tostring

import pytest
from support.generated_cases import GENERATED_CASES
from support.generated_cases import LEFT
from support.generated_descriptions import generated_description
from support.generated_extensions import parsed
from support.generated_meshes import write_package
from support.program_cases import source_of
from support.program_comparison import Comparer
from support.program_comparison import description
from support.program_comparison import PROGRAMS
from support.program_oracles import differences
from support.program_oracles import NEEDS_PROGRAMS
from support.reduction import reduced

from urdf_tools.check.schema import ROBOT

COUNT = int(os.environ.get('URDF_TOOLS_GENERATED', '60'))
"""Number of descriptions; ``python -m benchmarks.program_models`` compares more, of any seed."""


def test_a_seed_makes_the_same_descriptions():
    assert [tostring(description('a', number)) for number in range(20)] == [
        tostring(description('a', number)) for number in range(20)]


def test_all_of_urdf_is_generated():
    found = set()
    for number in range(800):
        for element in generated_description(Random(number)).iter():
            found.update((element.tag, name) for name in (*element.attrib, ''))
    pending, missing = [('robot', ROBOT)], []
    while pending:
        tag, definition = pending.pop()
        missing += {(tag, name) for name in (*definition.attributes, '')} - found
        pending += [item for item in definition.children.items() if item[1] is not None]
    assert missing == []


def test_a_description_is_reduced_to_what_makes_the_difference():
    robot = fromstring(
        '<robot name="r"><link name="a"/><link name="b"><visual/></link><link name="c"><inertial>'
        '<mass value="7"/></inertial></link><joint name="j"><parent link="a"/><child link="b"/>'
        '</joint><joint name="k"><parent link="b"/><child link="c"/></joint></robot>')
    smallest = reduced(robot, lambda tree: tree.find('.//mass') is not None)
    assert tostring(smallest) == b'<robot><link><inertial><mass /></inertial></link></robot>'


@pytest.mark.parametrize(('name', 'theirs', 'is_equal'), [
    ('links', 1, True), ('links', 2, False), ('base', 'fixed', False), ('mass', 1e-9, False),
    ('centre_of_mass', None, True), ('collisions', {'box': 1}, False), ('loads', False, False)])
def test_numbers_that_differ(tmp_path, name, theirs, is_equal):
    source = source_of('<robot name="r"><link name="a"/></robot>')
    numbers = {'loads': True, name: theirs}
    assert is_equal is not any(differences('urdfdom', source, tmp_path / 'r.urdf', numbers))


@pytest.fixture
def comparer(program, tmp_path):
    """Return the comparison of a program with its account, beside meshes of all kinds."""
    try:
        comparer = Comparer(program, write_package(tmp_path))
    except ValueError:  # It has not said which release it is.
        pytest.skip(f'{program} is not installed; make oracle does that')
    yield comparer
    comparer.close()


@NEEDS_PROGRAMS
@pytest.mark.slow
@pytest.mark.parametrize('program', PROGRAMS)
def test_what_was_once_different_is_equal(comparer, program):
    found = {name: comparer.compare(parsed(text)).found
             for name, text in GENERATED_CASES.items() if (program, name) not in LEFT}
    assert {name: texts for name, texts in found.items() if texts} == {}


@NEEDS_PROGRAMS
@pytest.mark.slow
@pytest.mark.parametrize('program', PROGRAMS)
def test_accounts_are_what_programs_load(comparer, program):
    comparisons = [comparer.compare(description('tests', number)) for number in range(COUNT)]
    assert any(each.loads for each in comparisons)
    assert {number: each.found for number, each in enumerate(comparisons)
            if each.found and (program, number) not in LEFT} == {}
