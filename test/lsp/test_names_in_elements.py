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

"""Names in a description: what defines one, and what refers to one."""

import pytest

from urdf_tools.lsp.specification import parameter_defaults
from urdf_tools.lsp.specification import parameters
from urdf_tools.lsp.specification import substitution_at
from urdf_tools.lsp.symbol_uses import Names
from urdf_tools.model.xml.syntax_tree import SyntaxTree


def roles(text: str) -> dict[str, tuple[str, bool]]:
    """Return the kind of each name in a text, and whether it is defined there."""
    return {use.name: (use.kind, use.defines) for use in Names(SyntaxTree(text)).all}


def test_roles():
    assert roles(
        '<robot name="r"><link name="l"><visual><material name="used"/></visual></link>'
        '<joint name="j"><parent link="p"/><mimic joint="m"/></joint><material name="defined"/>'
        '<transmission><joint name="t"/></transmission><gazebo reference="g"><link name="no"/>'
        '</gazebo><xacro:if value="1"><link name="inner"/></xacro:if>'
        '<xacro:macro name="macro"/><xacro:property name="p1"/></robot>') == {
        'l': ('link', True), 'used': ('material', False), 'j': ('joint', True),
        'p': ('link', False), 'm': ('joint', False), 'defined': ('material', True),
        't': ('joint', False), 'g': ('link or joint', False), 'inner': ('link', True),
        'macro': ('macro', True), 'p1': ('property', True)}


def test_roles_of_srdf():
    assert roles(
        '<robot name="r"><virtual_joint name="v" child_link="a"/><passive_joint name="b"/>'
        '<group name="g"><chain base_link="c" tip_link="d"/><joint name="e"/></group>'
        '<end_effector name="h" parent_link="f" group="g"/>'
        '<disable_collisions link1="i" link2="k" reason="Never"/></robot>') == {
        **{name: ('link', False) for name in 'acdfik'},
        **{name: ('joint', False) for name in 'be'}}


def test_parameters_of_a_macro():
    macro = SyntaxTree(
        '<xacro:macro params="a b:=2 *origin **blocks c:=\'x y\' d:=^|1"/>').root
    assert parameters(macro) == [
        ('', 'a'), ('', 'b'), ('*', 'origin'), ('**', 'blocks'), ('', 'c'), ('', 'd')]
    params = macro.get('params')
    assert {name: params[start:start + len(default)]
            for name, default, start in parameter_defaults(macro)} == {
        'b': '2', 'c': 'x y', 'd': '1'}


@pytest.mark.parametrize('value, offset, expected', [
    ('${radius * 2}', 4, ('${', 'radius * 2', 2)),
    ('$(find pkg)/x', 5, ('$(', 'find pkg', 2)),
    ('$(find pkg)/x', 12, ('', '', 12)),
    ('a ${b', 5, ('${', 'b', 4)),
    ('$${b}', 4, ('', '', 4)),
    ('plain', 2, ('', '', 2)),
])
def test_substitution_at_an_offset(value, offset, expected):
    assert substitution_at(value, offset) == expected
