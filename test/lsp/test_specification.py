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

"""The texts about elements and attributes cover the grammar that the rules use."""

from urdf_tools.check.schema import ROBOT
from urdf_tools.lsp.specification import attribute_text
from urdf_tools.lsp.specification import definition
from urdf_tools.lsp.specification import element_text
from urdf_tools.lsp.specification import JOINT_TYPES
from urdf_tools.lsp.specification import type_text
from urdf_tools.model.robot import JointType
from urdf_tools.model.xml.syntax_tree import SyntaxTree


def test_every_element_and_attribute_has_a_text():
    pending = [('robot', '', ROBOT)]
    while pending:
        name, parent, tag = pending.pop()
        assert element_text(name, parent), name
        if tag is not None:
            for attribute in tag.attributes:
                assert attribute_text(name, attribute), (name, attribute)
            pending += [(child, name, inner) for child, inner in tag.children.items()]


def test_every_joint_type_has_a_text():
    assert set(JOINT_TYPES) == {kind.value for kind in JointType}


def test_definitions_by_place():
    def found(text):
        return definition(SyntaxTree(text).nodes[-1])

    link = ROBOT.children['link']
    assert found('<robot><link><inertial>') is link.children['inertial']
    assert found('<robot><xacro:macro><xacro:if><link><inertial>') is link.children['inertial']
    assert found('<robot><xacro:macro><inertial>') is link.children['inertial']
    assert found('<robot><gazebo><inertial>') is None
    assert found('<robot><link><nonsense><mass>') is None
    assert type_text(ROBOT.children['joint'].children['limit'], 'jerk') == (
        'number, since URDF 1.2')
    assert type_text(link.children['inertial'].children['mass'], 'value') == 'number, required'
