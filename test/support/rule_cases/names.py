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

"""Cases of the rules about names."""

from support.validation_cases import body
from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import LINKS
from support.validation_cases import ROBOT

from urdf_tools.findings.finding import Severity

WARN, INFO = Severity.WARN, Severity.INFO

MASS = """\
<inertial>
  <mass value="1"/>
  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
</inertial>"""

HEAVY_BASE = body('1', '0.02').replace(
    '"base_link"/>', f'"base_link">{MASS}</link>', 1)

CASES = (
    example('link-no-name', 2, 'A link has no name'),
    Case(
        'link-no-name', ROBOT,
        '<link name=""/>',
        '<link name="base_link"/>',
        2, 'A link has no name', effects={}, unaffected=('urdf_parser_py',)),
    example('joint-no-name', 4, 'A joint has no name'),
    Case(
        'joint-no-name', LINKS,
        '<joint name="" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, 'A joint has no name', effects={}, unaffected=('urdf_parser_py',)),
    example('duplicate-link-name', 4, "Link 'tip' is already defined on line 3"),
    example('duplicate-joint-name', 6, "Joint 'j' is already defined on line 5"),
    example('duplicate-material-name', 3, "Material 'm' is already defined on line 2"),
    Case(
        'duplicate-material-name', ROBOT,
        '<link name="base_link">\n'
        '  <visual><material name="m"><color rgba="1 0 0 1"/></material></visual>\n'
        '  <visual><material name="m"><color rgba="0 0 1 1"/></material></visual>\n'
        '</link>',
        '<link name="base_link">\n'
        '  <visual><material name="m"><color rgba="1 0 0 1"/></material></visual>\n'
        '  <visual><material name="n"><color rgba="0 0 1 1"/></material></visual>\n'
        '</link>',
        4, "Material 'm' of link 'base_link' differs from its definition on line 3", WARN),
    example(
        'reserved-name', 6,
        "Link 'world' is the child of a joint, but simulators treat this name as the world "
        'itself'),
    Case(
        'reserved-name', ROBOT,
        body('1', '0.02').replace('tip', 'world').replace('continuous', 'fixed'),
        body('1', '0.02'),
        3, "Link 'world' is the child of a joint, but simulators treat this name as the world "
           'itself'),
    example(
        'name-bad-characters', 2,
        "The name of link 'left wheel' contains white space", effects={}, unaffected=('rviz',)),
    Case(
        'name-bad-characters', ROBOT,
        '<link name="/wheel"/>',
        '<link name="wheel"/>',
        2, 'The name of link \'/wheel\' begins with "/" or contains "//", which tf2 does not '
           'accept', effects={'rviz': 'cannot use the frame'}),
    Case(
        'name-bad-characters', ROBOT,
        f'<link name="left::wheel">\n{MASS}\n</link>',
        f'<link name="left_wheel">\n{MASS}\n</link>',
        2, 'The name of link \'left::wheel\' contains "::", which separates scopes in SDF',
        effects={}, unaffected=('rviz',)),
    Case(
        'name-bad-characters', ROBOT,
        '<link name="left;wheel"/>',
        '<link name="left_wheel"/>',
        2, "The name of link 'left;wheel' contains ';', which other formats reserve"),
    Case(
        'name-bad-characters', ROBOT,
        '<link name="left/wheel"/>',
        '<link name="left_wheel"/>',
        2, 'The name of link \'left/wheel\' contains "/", which separates namespaces',
        INFO, effects={}, unaffected=('rviz',)),
    example('no-conventional-root', 2, "The name of the root link, 'link0', is not conventional"),
)
