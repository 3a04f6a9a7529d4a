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
from support.validation_cases import LINK
from support.validation_cases import LINKS
from support.validation_cases import ROBOT

from urdf_tools.findings.finding import Severity

WARN, INFO = Severity.WARN, Severity.INFO

REFUSES = 'refuses the description'

MASS = """\
<inertial>
  <mass value="1"/>
  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
</inertial>"""

HEAVY_BASE = body('1', '0.02').replace(
    '"base_link"/>', f'"base_link">{MASS}</link>', 1)

CASES = (
    Case(
        'link-no-name', ROBOT,
        '<link nme="base_link"/>',
        '<link name="base_link"/>',
        2, 'A link has no name',
        effects={'urdfdom': f'{REFUSES} in new releases, takes an empty name in old releases',
                 'mujoco': REFUSES, 'pybullet': REFUSES}),
    Case(
        'link-no-name', ROBOT,
        '<link name=""/>',
        '<link name="base_link"/>',
        2, 'A link has no name',
        effects={'urdfdom': 'takes an empty name in old releases', 'drake': REFUSES},
        unaffected=('mujoco', 'pybullet', 'urdf_parser_py')),
    Case(
        'joint-no-name', LINKS,
        '<joint type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, 'A joint has no name',
        effects={'urdfdom': REFUSES, 'drake': REFUSES, 'mujoco': REFUSES}),
    Case(
        'joint-no-name', LINKS,
        '<joint name="" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, 'A joint has no name',
        effects={'isaac': REFUSES}, unaffected=('urdfdom', 'drake', 'mujoco', 'urdf_parser_py')),
    Case(
        'duplicate-link-name', LINKS,
        '<link name="tip"/>',
        '<link name="Tip"/>',
        4, "Link 'tip' is already defined on line 3"),
    Case(
        'duplicate-joint-name', LINKS,
        '<link name="a"/>\n'
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<joint name="j" type="fixed"><parent link="tip"/><child link="a"/></joint>',
        '<link name="a"/>\n'
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<joint name="k" type="fixed"><parent link="tip"/><child link="a"/></joint>',
        6, "Joint 'j' is already defined on line 5"),
    Case(
        'duplicate-material-name', ROBOT,
        '<material name="m"><color rgba="1 0 0 1"/></material>\n'
        '<material name="m"><color rgba="1 0 0 1"/></material>',
        '<material name="m"><color rgba="1 0 0 1"/></material>\n'
        '<link name="base_link"><visual>\n'
        '  <material name="m"><color rgba="1 0 0 1"/></material>\n'
        '</visual></link>',
        3, "Material 'm' is already defined on line 2",
        effects={'urdfdom': REFUSES, 'isaac': REFUSES, 'pybullet': 'warns'}),
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
        4, "Material 'm' of link 'base_link' differs from its definition on line 3", WARN,
        effects={'urdfdom': 'shows the colour of either definition', 'drake': REFUSES},
        unaffected=('isaac', 'pybullet')),
    Case(
        'duplicate-geometry-name', LINK,
        '<visual name="v"/>\n'
        '<visual name="v"/>',
        '<visual name="v"/>\n'
        '<collision name="v"/>',
        4, "Visual 'v' is already defined on line 3",
        effects={'drake': 'renames the second'}, unaffected=('mujoco',)),
    Case(
        'duplicate-geometry-name', LINK,
        '<collision name="c"/>\n'
        '<collision name="c"/>',
        '<collision name="c"/>\n'
        '<visual name="c"/>',
        4, "Collision 'c' is already defined on line 3",
        effects={'mujoco': 'drops the second name'}),
    Case(
        'reserved-name', ROBOT,
        f'<link name="__model__">\n{MASS}\n</link>',
        f'<link name="__model">\n{MASS}\n</link>',
        2, 'The name of link \'__model__\' begins and ends with "__", which Gazebo reserves',
        effects={'gazebo': REFUSES}, unaffected=('drake', 'mujoco')),
    Case(
        'reserved-name', ROBOT,
        '<link name="__model__"/>',
        '<link name="__model"/>',
        2, 'The name of link \'__model__\' begins and ends with "__", which Gazebo reserves',
        effects={}, unaffected=('gazebo',)),
    Case(
        'reserved-name', ROBOT,
        HEAVY_BASE.replace('tip', 'world'),
        HEAVY_BASE,
        6, "Link 'world' is the child of a joint, but simulators treat this name as the world "
           'itself',
        effects={'gazebo': REFUSES, 'drake': 'attaches it to the world without its inertia',
                 'mujoco': REFUSES}),
    Case(
        'reserved-name', ROBOT,
        body('1', '0.02').replace('tip', 'world').replace('continuous', 'fixed'),
        body('1', '0.02'),
        3, "Link 'world' is the child of a joint, but simulators treat this name as the world "
           'itself',
        effects={'drake': 'attaches it to the world without its inertia'},
        unaffected=('mujoco',)),
    Case(
        'name-bad-characters', ROBOT,
        '<link name="left wheel"/>',
        '<link name="left_wheel-1.2"/>',
        2, "The name of link 'left wheel' contains white space",
        effects={}, unaffected=('rviz', 'gazebo', 'mujoco')),
    Case(
        'name-bad-characters', ROBOT,
        '<link name="/wheel"/>',
        '<link name="wheel"/>',
        2, 'The name of link \'/wheel\' begins with "/" or contains "//", which tf2 does not '
           'accept',
        effects={'rviz': 'cannot use the frame',
                 'mujoco': 'treats "/" as a namespace where models are attached'}),
    Case(
        'name-bad-characters', ROBOT,
        f'<link name="left::wheel">\n{MASS}\n</link>',
        f'<link name="left_wheel">\n{MASS}\n</link>',
        2, 'The name of link \'left::wheel\' contains "::", which separates scopes in SDF',
        effects={'gazebo': REFUSES}, unaffected=('rviz', 'mujoco')),
    Case(
        'name-bad-characters', ROBOT,
        '<link name="left;wheel"/>',
        '<link name="left_wheel"/>',
        2, "The name of link 'left;wheel' contains ';', which other formats reserve"),
    Case(
        'name-bad-characters', ROBOT,
        '<link name="left/wheel"/>',
        '<link name="left_wheel"/>',
        2, 'The name of link \'left/wheel\' contains "/", which separates namespaces', INFO,
        effects={'mujoco': 'treats "/" as a namespace where models are attached'},
        unaffected=('rviz', 'gazebo')),
    Case(
        'link-joint-same-name', ROBOT,
        body('1', '0.02').replace('"base_link"', '"world"').replace('"j"', '"tip"'),
        body('1', '0.02').replace('"base_link"', '"world"').replace('"j"', '"tip_joint"'),
        7, "Joint 'tip' has the same name as a link",
        effects={'gazebo': REFUSES}),
    Case(
        'link-joint-same-name', LINKS,
        '<joint name="tip" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="tip_joint" type="fixed"><parent link="base_link"/><child link="tip"/>'
        '</joint>',
        4, "Joint 'tip' has the same name as a link", INFO,
        effects={}, unaffected=('gazebo',)),
    Case(
        'no-conventional-root', ROBOT,
        '<link name="link0"/>',
        '<link name="left_base_link"/>',
        2, "The name of the root link, 'link0', is not conventional"),
)
