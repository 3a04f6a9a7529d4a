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

"""What rules that need a robot say of a description that a fix makes one."""

from support.validation_cases import autofixed
from support.validation_cases import check

from urdf_tools.model.xml.document import read_document


def codes(text):
    return {finding.code for finding in check(text).findings}


def test_a_fix_may_give_rules_a_robot_that_they_report():
    text = (
        '<robot name="r" version="1"><link name="base_link"/><link name="tip"/>'
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>'
        '<gazebo reference="tip"/></robot>')
    assert 'gazebo-reference-lumped' not in codes(text)
    fixed = autofixed(read_document(text), lambda document: check(document.data)).decode()
    assert fixed == text.replace('"1"', '"1.0"')
    assert 'gazebo-reference-lumped' in codes(fixed)
