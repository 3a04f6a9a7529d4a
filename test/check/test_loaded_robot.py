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

"""Which rules need a robot, and what they say where the loader refuses the description."""

import pytest
from support.rule_cases import CASES
from support.validation_cases import autofixed
from support.validation_cases import check

from urdf_tools.check.loaded_robot import NEEDS_ROBOT
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.xml.document import read_document

OF_PROGRAMS = {'program-changes', 'program-refuses'}


def codes(text):
    return {finding.code for finding in check(text).findings}


def test_only_these_rules_say_less_of_a_description_without_a_robot():
    silent = set()
    for case in CASES:
        text = case.template.format(case.bad)
        without_robot = text.replace('<robot name="r"', '<robot', 1)
        if case.code in codes(text) - codes(without_robot):
            silent.add(case.code)
            with pytest.raises(DescriptionError, match='The robot has no name'):
                build_robot(read_document(without_robot))
    assert silent == NEEDS_ROBOT - OF_PROGRAMS


def test_a_fix_may_give_rules_a_robot_that_they_report():
    text = (
        '<robot name="r" version="1"><link name="base_link"/><link name="tip"/>'
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>'
        '<gazebo reference="tip"/></robot>')
    assert not (NEEDS_ROBOT - OF_PROGRAMS) & codes(text)
    fixed = autofixed(read_document(text), lambda document: check(document.data)).decode()
    assert fixed == text.replace('"1"', '"1.0"')
    assert (NEEDS_ROBOT - OF_PROGRAMS) & codes(fixed)
