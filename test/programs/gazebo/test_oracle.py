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

"""The conversion to SDFormat is that of libsdformat 12.3, element by element."""

import pytest
from support.corpus import CORPUS
from support.corpus import corpus_robots
from support.corpus import NO_CORPUS
from support.sdf_difference import differences
from support.sdf_oracle import NEEDS_ORACLE
from support.sdf_oracle import oracle_document
from support.sdf_oracle import oracle_loads

from urdf_tools import load
from urdf_tools import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.programs.gazebo import convert

pytestmark = [NEEDS_ORACLE, pytest.mark.slow]

NOT_TREES = {
    'drake__BodyNameBroken', 'tesseract__urdf_unit_01', 'urdfdom__parse_joint_doubles_two_parents'}
"""Descriptions without a tree of named links: libsdformat makes an empty model of them."""

BAD = [pytest.param(path, id=path.stem) for path in sorted(CORPUS.glob('bad/*.urdf'))] or [
    pytest.param(None, marks=NO_CORPUS)]


def test_robots_convert_as_in_libsdformat(corpus_robot, tmp_path):
    ours = convert(load(corpus_robot.path), '12').document
    assert list(differences(ours, oracle_document(corpus_robot.path, tmp_path))) == []


@pytest.mark.parametrize('path', BAD)
def test_bad_descriptions_convert_as_in_libsdformat(path, tmp_path):
    try:
        # Gazebo does not expand xacro.
        conversion = convert(loads(path.read_bytes()), '12')
    except DescriptionError:
        conversion = None
    theirs = oracle_document(path, tmp_path)
    if conversion is None or conversion.document is None:
        assert theirs is None or path.stem in NOT_TREES and len(theirs[0]) == 0
    else:
        assert list(differences(conversion.document, theirs)) == []


@pytest.mark.parametrize('robot', [
    param for param in corpus_robots()
    if param.id in ('no-corpus', 'panda', 'pr2', 'fetch', 'nao_v40', 'skydio_x2', 'ur5')])
def test_gazebo_loads_what_we_say_it_loads(robot, tmp_path):
    has_errors = bool(convert(load(robot.path), '12').load_errors)
    assert oracle_loads(robot.path, tmp_path) is not has_errors
