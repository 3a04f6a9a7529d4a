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

"""The account of urdfdom, compared with what check_urdf said of the bad files of the corpus."""

import csv

import pytest
from support.corpus import CORPUS
from support.corpus import NO_CORPUS
from support.robot_text import joint
from support.robot_text import link

from urdf_tools import load
from urdf_tools import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.source import Source
from urdf_tools.programs.urdfdom import account

INDEX = CORPUS / 'BAD_INDEX.tsv'
CAPSULE = '<collision><geometry><capsule radius="1" length="1"/></geometry></collision>'


def verdicts():
    if not INDEX.is_file():
        return [pytest.param(None, None, marks=NO_CORPUS)]
    with open(INDEX, newline='') as file:
        return [(CORPUS / row['file'], row['check_urdf_4.0.1'] == 'accept')
                for row in csv.DictReader(file, delimiter='\t')]


@pytest.mark.parametrize(('path', 'loads_it'), verdicts())
def test_urdfdom_refuses_what_check_urdf_refuses(path, loads_it):
    try:
        robot = load(path)
    except DescriptionError:
        return
    assert account(Source.of_robot(robot), Context()).loads is loads_it


def test_a_capsule_takes_the_shapes_after_it_along():
    shapes = '<visual><geometry><sphere radius="1"/></geometry></visual>' + CAPSULE
    found = account(Source.of_robot(loads(f'<robot name="r">{link("a", shapes)}</robot>')), Context())
    assert found.kept.visuals == {'sphere': 1} and not found.kept.collisions
    assert [each.message for each in found.losses] == [
        "Drops a collision of link 'a': it knows no <capsule>"]


def test_robot_state_publisher_fixes_planar_joints():
    body = link('a') + link('b') + joint('j', 'a', 'b', 'planar')
    found = account(Source.of_robot(loads(f'<robot name="r">{body}</robot>')), Context())
    assert [each.message for each in found.losses] == [
        "robot_state_publisher publishes joint 'j', which is planar, as fixed"]
