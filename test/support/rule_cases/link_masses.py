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

"""Cases of the rules that compare the mass and the inertia of a link with its shapes."""

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import LINK
from support.validation_cases import ROBOT

from urdf_tools.findings.finding import Severity

FRAME = """\
<visual><geometry><sphere radius="0.1"/></geometry></visual>
<inertial>
  <mass value="{mass}"/>
  <inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/>
</inertial>"""

LIDAR = """\
<collision><geometry><cylinder radius="0.04" length="0.05"/></geometry></collision>
<inertial>
  <mass value="{mass}"/>
  <inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/>
</inertial>"""

WHEEL = """\
<collision>
  <origin rpy="1.5708 0 0"/><geometry><cylinder radius="0.09" length="0.04"/></geometry>
</collision>
<inertial>
  <mass value="0.5"/>
  <inertia ixx="0.0012" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/>
</inertial>"""

ARM = """\
<collision><geometry><cylinder radius="0.04" length="0.1"/></geometry></collision>
<visual><geometry><box size="0.1 0.12 0.3"/></geometry></visual>
<inertial><mass value="1"/>
<inertia ixx="0.0087" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/></inertial>"""

BLOCK = """\
<collision><geometry><box size="0.199 0.2154 0.3156"/></geometry></collision>
<inertial><mass value="3"/>
<inertia ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/></inertial>"""

ROD = """\
<collision><origin rpy="0 1.5708 0"/><geometry><cylinder radius="0.05" length="0.8"/></geometry>
</collision><inertial><mass value="10"/>
<inertia ixx="{xx}" ixy="0" ixz="0" iyy="0.55" iyz="0" izz="{zz}"/></inertial>"""

BALL = '<collision><geometry><sphere radius="0.09"/></geometry></collision>\n'

WITH_TOOL = ROBOT.format("""{}
<link name="tool"><inertial>
  <mass value="1"/>
  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.02"/>
</inertial></link>
<joint name="k" type="fixed"><parent link="tip"/><child link="tool"/></joint>""")


def feet(mass, moment):
    """Return a left and a right foot; mass and moments of inertia of the right one."""
    return '<link name="base_link"/>' + ''.join(
        f'\n<link name="{side}Foot"><inertial><mass value="{kg}"/><inertia ixx="{xx}" ixy="0" '
        f'ixz="0" iyy="{xx}" iyz="0" izz="{xx}"/></inertial></link><joint name="{side}" '
        f'type="continuous"><parent link="base_link"/><child link="{side}Foot"/>'
        f'<origin xyz="0 {y} 0"/></joint>'
        for side, kg, xx, y in (('L', '1', '0.01', '0.2'), ('R', mass, moment, '-0.2')))


ROUND = feet('1', '0.01').replace(
    '<inertial>', '<collision><geometry><sphere radius="0.158"/></geometry></collision><inertial>')


def limbs(across):
    """Return three links of a left and a right leg; where the mass of the right hip is in y."""
    def limb(side, name, y, mass):
        return (
            f'<link name="{side}_{name}"><inertial><origin xyz="0 {mass} 0"/><mass value="1"/>'
            '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>'
            f'<joint name="{side}_{name}" type="revolute"><parent link="base_link"/>'
            f'<child link="{side}_{name}"/><origin xyz="0 {y} 0"/><limit effort="1" velocity="1" '
            'lower="-1" upper="1"/></joint>')
    return '<link name="base_link"/>' + ''.join(
        limb('l', name, '0.2', '0.03') for name in ('hip', 'knee', 'foot')) + '\n' + limb(
            'r', 'hip', '-0.2', across) + ''.join(
                limb('r', name, '-0.2', '-0.03') for name in ('knee', 'foot'))


TAIL = (
    '\n<link name="tail"><inertial><mass value="2"/>'
    '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" '
    'iyz="0" izz="0.01"/></inertial></link><joint name="t" type="fixed">'
    '<parent link="base_link"/><child link="tail"/></joint>')


CASES = (
    example(
        'density-of-cad-default', 3, '4 of the 4 links whose volume is known have 7850 kg/m^3, '
        '23.55 kg in all; CAD programs take 7850 kg/m^3, that of steel, without a material'),
    example(
        'robot-scale', 3, 'The robot has 5 kg in 4750000 m^3, a density of 1.1e-06 kg/m^3; its '
        'lengths seem to be in mm, with which it has 1050 kg/m^3'),
    example(
        'link-too-dense', 4,
        "Link 'base_link' has a mass of 100 kg in 0.251 litres, a density of 398000 kg/m^3, "
        'more than any material'),
    example('link-too-heavy', 9, "Link 'tip' has a mass of 500 kg, all others together have 3 kg"),
    example(
        'inertia-radius-implausible', 5,
        "The <inertia> of link 'base_link' gives 1e-06 kg a radius of gyration of 12.2 m, "
        'more than 5 m'),
    Case(
        'inertia-radius-implausible', LINK,
        FRAME.format(mass='1e-6'),
        FRAME.format(mass='1e-3'),
        6, "The <inertia> of link 'base_link' gives 1e-06 kg a radius of gyration of 12.2 m, "
        'more than 1.73 m'),
    example(
        'inertia-axes-swapped', 6,
        "The <inertia> of link 'base_link' fits the shapes only with its axes swapped: about x, "
        'y and z it has 0.0012, 0.0012 and 0.002 kg m^2, solid shapes of the same mass 0.00108, '
        '0.00202 and 0.00108'),
    Case(
        'inertia-axes-swapped', LINK,
        BALL + WHEEL.format(yy='0.0012', zz='0.002').replace('collision', 'visual'),
        BALL + WHEEL.format(yy='0.002', zz='0.0012').replace('collision', 'visual'),
        9, "The <inertia> of link 'base_link' fits the shapes only with its axes swapped: about "
           'x, y and z it has 0.0012, 0.0012 and 0.002 kg m^2, solid shapes of the same mass '
           '0.00108, 0.00202 and 0.00108'),
    Case(
        'inertia-axes-swapped', LINK,
        ARM.format(yy='0.002', zz='0.0083'), ARM.format(yy='0.0083', zz='0.002'),
        6, "The <inertia> of link 'base_link' fits the shapes only with its axes swapped: about "
           'x, y and z it has 0.0087, 0.002 and 0.0083 kg m^2, solid shapes of the same mass '
           '0.0087, 0.00833 and 0.00203'),
    Case(
        'inertia-axes-swapped', LINK,
        ROD.format(xx='0.55', zz='0.0102'), ROD.format(xx='0.0102', zz='0.55'),
        5, "The <inertia> of link 'base_link' fits the shapes only with its axes swapped: about "
           'x, y and z it has 0.55, 0.55 and 0.0102 kg m^2, solid shapes of the same mass '
           '0.0125, 0.54 and 0.54'),
    Case(
        'inertia-axes-swapped', LINK,
        BLOCK.format(xx='0.0165', yy='0.0225', zz='0.0256'),  # Within 10 percent, and 19 percent.
        BLOCK.format(xx='0.0180', yy='0.0201', zz='0.0265'),
        5, "The <inertia> of link 'base_link' fits the shapes only with its axes swapped: about "
           'x, y and z it has 0.0165, 0.0225 and 0.0256 kg m^2, solid shapes of the same mass '
           '0.0365, 0.0348 and 0.0215'),
    example(
        'mirrored-inertia-differs', 11, "Link 'r_wheel' has a mass of 1.3 kg, but its mirror "
        "image, link 'l_wheel', has 1 kg"),
    Case(
        'mirrored-inertia-differs', ROBOT, feet('1.3', '0.02'), feet('1', '0.01'),
        4, "Link 'RFoot' has a mass of 1.3 kg, but its mirror image, link 'LFoot', has 1 kg",
        Severity.INFO),
    Case(
        'mirrored-inertia-differs', ROBOT, feet('1', '0.02'), feet('1', '0.011'),
        4, "Link 'RFoot' has a principal moment of inertia of 0.02 kg m^2, but its mirror image, "
        "link 'LFoot', has 0.01 kg m^2"),
    Case(
        'mirrored-inertia-differs', ROBOT, feet('2', '0.01') + TAIL, feet('1', '0.01') + TAIL,
        3, "Link 'LFoot' has a mass of 1 kg, but its mirror image, link 'RFoot', has 2 kg"),
    Case(
        'mirrored-inertia-differs', ROBOT, ROUND.replace('mass value="1"', 'mass value="4"', 1),
        ROUND,
        3, "Link 'LFoot' has a mass of 4 kg, but its mirror image, link 'RFoot', has 1 kg"),
    Case(
        'mirrored-inertia-differs', ROBOT, limbs('0.03'), limbs('-0.03'), 3,
        "Link 'r_hip' has its centre of mass where link 'l_hip' has it, not at its mirror image, "
        'as 2 other pairs have'),
)
