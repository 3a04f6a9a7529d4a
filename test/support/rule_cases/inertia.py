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

"""Cases of the rules about masses and inertias."""

from support.validation_cases import body
from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import INERTIAL
from support.validation_cases import LINK
from support.validation_cases import masses
from support.validation_cases import ROBOT

from urdf_tools.findings.finding import Severity

INFO = Severity.INFO

REFUSES = 'refuses the description'

FIXED_TO_TIP = (
    '\n<link name="cover">{}</link>\n'
    '<joint name="k" type="fixed"><parent link="tip"/><child link="cover"/></joint>')

BALL = '<visual><geometry><sphere radius="0.1"/></geometry></visual>'

MARK = '<visual><geometry><box size="0.01 0.01 0.01"/></geometry></visual>'

BRACKET = '<visual><geometry><box size="0.035 0.027 0.006"/></geometry></visual>'

LINK_WITH_INERTIA = """\
<link name="base_link"><inertial>
  <mass value="1"/>
  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
</inertial></link>"""

MASS = """\
<inertial>
  <mass value="1"/>
  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
</inertial>"""

INCONSISTENT = """\
<inertial>
  <mass value="1"/>
  <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.03"/>
</inertial>"""

SPHERE = """\
<collision><geometry><sphere radius="0.1"/></geometry></collision>
<inertial>
  {origin}<mass value="1"/>
  <inertia ixx="{moment}" ixy="0" ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/>
</inertial>"""

HEAD = SPHERE.replace('{origin}<mass value="1"/>', '<mass value="2"/>')

BOX = """\
<collision><geometry><box size="{size}"/></geometry></collision>
<inertial>
  <mass value="{mass}"/>
  <inertia ixx="0.3" ixy="0" ixz="0" iyy="0.3" iyz="0" izz="0.3"/>
</inertial>"""


def _cart(size):
    """Return a wheel, and a body of a size."""
    return ''.join(
        f'<link name="{name}">\n' + BOX.format(size=size, mass=1) + '\n</link>\n'
        for name, size in (('wheel', '0.1 0.1 0.1'), ('body', size))) + (
        '<joint name="j" type="continuous"><parent link="body"/><child link="wheel"/></joint>')


HIGH_SPHERE = """\
<collision>
  <origin xyz="0 0 0.2"/><geometry><sphere radius="0.1"/></geometry>
</collision>
<inertial>
  <origin xyz="0 0 0.2"/><mass value="1"/>
  <inertia ixx="{moment}" ixy="0" ixz="0" iyy="{moment}" iyz="0" izz="0.004"/>
</inertial>"""

ON_ARM = (
    '<joint name="k" type="continuous"><parent link="arm"/><child link="base_link"/></joint>')

CASES = (
    example('inertial-missing', 2, "Link 'base_link' has no <inertial>"),
    Case(
        'inertial-missing', ROBOT,
        f'{LINK_WITH_INERTIA}\n'
        '<link name="arm"/>\n'
        '<joint name="j" type="continuous">\n'
        '  <parent link="base_link"/><child link="arm"/>\n'
        '</joint>',
        f'{LINK_WITH_INERTIA}\n'
        '<link name="arm"/>\n'
        '<joint name="j" type="fixed">\n'
        '  <parent link="base_link"/><child link="arm"/>\n'
        '</joint>',
        6, "Link 'arm' has no <inertial>"),
    Case(
        'inertial-missing', ROBOT,
        f'{LINK_WITH_INERTIA}\n'
        '<link name="arm">\n'
        '  <collision><geometry><sphere radius="0.1"/></geometry></collision>\n'
        '</link>\n'
        '<joint name="j" type="continuous">\n'
        '  <parent link="base_link"/><child link="arm"/>\n'
        '</joint>',
        f'{LINK_WITH_INERTIA}\n'
        '<link name="arm"/>',
        6, "Link 'arm' has no <inertial>"),
    Case(
        'inertial-missing', ROBOT,
        f'<link name="base_link">{BALL}</link>',
        '<link name="base_link"/>',
        2, "Link 'base_link' has no <inertial>"),
    Case(
        'inertial-missing', ROBOT,
        body('1', '0.02', FIXED_TO_TIP.format(
            '<visual><geometry><sphere radius="0.1"/></geometry></visual>')),
        body('1', '0.02', FIXED_TO_TIP.format('')),
        10, "Link 'cover' has no <inertial>", INFO, ()),
    Case(
        'inertial-missing', ROBOT,
        f'{LINK_WITH_INERTIA}\n'
        '<link name="arm"/>\n'
        '<link name="cover">\n'
        '  <visual><geometry><sphere radius="0.1"/></geometry></visual>\n'
        '</link>\n'
        '<joint name="j" type="fixed"><parent link="arm"/><child link="cover"/></joint>\n'
        + ON_ARM,
        f'{LINK_WITH_INERTIA}\n'
        '<link name="arm"/>\n'
        '<link name="cover"/>\n'
        '<joint name="j" type="fixed"><parent link="arm"/><child link="cover"/></joint>\n'
        + ON_ARM,
        7, "Link 'cover' has no <inertial>", INFO, ('idyntree',)),
    Case(
        'inertial-missing', ROBOT,
        f'{LINK_WITH_INERTIA}\n'
        '<link name="wrist"/>\n'
        '<link name="tool"/>\n'
        '<joint name="j" type="fixed"><parent link="wrist"/><child link="tool"/></joint>\n'
        '<joint name="k" type="continuous">\n'
        '  <parent link="base_link"/><child link="wrist"/>\n'
        '</joint>',
        f'{LINK_WITH_INERTIA}\n'
        '<link name="wrist"/>\n'
        '<link name="tool"/>\n'
        '<joint name="j" type="fixed"><parent link="wrist"/><child link="tool"/></joint>\n'
        '<joint name="k" type="fixed">\n'
        '  <parent link="base_link"/><child link="wrist"/>\n'
        '</joint>',
        6, "Link 'wrist' has no <inertial>"),
    Case(
        'inertial-missing', ROBOT,
        f'{LINK_WITH_INERTIA}\n'
        f'<link name="target">{MARK}</link>\n'
        '<joint name="j" type="continuous">\n'
        '  <parent link="base_link"/><child link="target"/>\n'
        '</joint>',
        f'{LINK_WITH_INERTIA}\n'
        f'<link name="target">{MARK}</link>\n'
        '<joint name="j" type="fixed">\n'
        '  <parent link="base_link"/><child link="target"/>\n'
        '</joint>',
        6, "Link 'target' has no <inertial>", INFO, ('idyntree',)),
    Case(
        'inertial-missing', ROBOT,
        f'{LINK_WITH_INERTIA}\n'
        f'<link name="bracket">{BRACKET}</link>\n'
        '<joint name="j" type="continuous">\n'
        '  <parent link="base_link"/><child link="bracket"/>\n'
        '</joint>',
        f'{LINK_WITH_INERTIA}\n'
        f'<link name="target">{MARK}</link>\n'
        '<joint name="j" type="fixed">\n'
        '  <parent link="base_link"/><child link="target"/>\n'
        '</joint>',
        6, "Link 'bracket' has no <inertial>"),
    example('mass-missing', 4, "The <inertial> of link 'base_link' has no <mass>"),
    example('inertia-missing', 3, "The <inertial> of link 'base_link' has no <inertia>"),
    example('inertia-attr-missing', 5, "The <inertia> of link 'base_link' has no ixy, ixz, iyz"),
    Case(
        'inertia-attr-missing', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyz="0" izz="0.02"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>',
        5, "The <inertia> of link 'base_link' has no iyy"),
    example(
        'mass-negative', 4,
        "The <mass> of link 'base_link' is negative (-1 kg)",
        effects={'idyntree': f'{REFUSES} for parameter estimation'}),
    Case(
        'mass-negative', ROBOT,
        body('-1', '0.02'),
        body('1', '0.02'),
        4, "The <mass> of link 'tip' is negative (-1 kg)"),
    Case(
        'mass-negative', ROBOT,
        body('-0.5', '0.02', FIXED_TO_TIP.format(MASS)),
        body('0.5', '0.02', FIXED_TO_TIP.format(MASS)),
        4, "The <mass> of link 'tip' is negative (-0.5 kg)"),
    example(
        'mass-zero', 4, "The mass of link 'base_link' is zero, but its inertia is 0.02 kg m^2"),
    Case(
        'mass-zero', INERTIAL,
        '<mass value="0"/>\n'
        '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.05"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>',
        4, "The mass of link 'base_link' is zero, but its inertia is 0.05 kg m^2"),
    Case(
        'mass-zero', ROBOT,
        body('0', '0.02', FIXED_TO_TIP.format(MASS)),
        body('1', '0.02', FIXED_TO_TIP.format(MASS)),
        4, "The mass of link 'tip' is zero, but its inertia is 0.02 kg m^2"),
    Case(
        'mass-zero', ROBOT,
        body('0', '0'),
        body('0', '0', FIXED_TO_TIP.format(f'\n{MASS}')),
        4, "The mass of link 'tip' is zero, but it is moved by joint 'j'"),
    example(
        'inertia-diagonal-not-positive', 5,
        "The <inertia> of link 'base_link' is physically inconsistent: izz is 0"),
    Case(
        'inertia-diagonal-not-positive', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="-1"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.001"/>',
        5, "The <inertia> of link 'base_link' is physically inconsistent: izz is -1"),
    example(
        'inertia-offdiag-too-large', 5,
        "The <inertia> of link 'base_link' is physically inconsistent: 2 |iyz| = 0.022 exceeds "
        'ixx = 0.02'),
    example(
        'inertia-not-pd', 5,
        "The <inertia> of link 'base_link' is physically inconsistent: one of its principal "
        'moments (-0.001042, 0.02, 0.02304) is negative'),
    example(
        'inertia-triangle', 5,
        "The <inertia> of link 'base_link' is physically inconsistent: its principal moments "
        '(0.01, 0.01, 0.03) violate the triangle inequality',
        effects={'idyntree': f'{REFUSES} for parameter estimation'}),
    Case(
        'inertia-triangle', ROBOT,
        body('1', '0.02', FIXED_TO_TIP.format(INCONSISTENT)),
        body('1', '0.02', FIXED_TO_TIP.format(MASS)),
        12,
        "The <inertia> of link 'cover' is physically inconsistent: its principal moments "
        '(0.01, 0.01, 0.03) violate the triangle inequality'),
    Case(
        'inertia-triangle', ROBOT,
        f'<link name="world">\n{INCONSISTENT}\n</link>',
        f'<link name="world">\n{MASS}\n</link>',
        5,
        "The <inertia> of link 'world' is physically inconsistent: its principal moments "
        '(0.01, 0.01, 0.03) violate the triangle inequality'),
    example('inertia-zero', 10, "The <inertia> of link 'tip' is zero, but the mass is 1 kg"),
    Case(
        'inertia-zero', ROBOT,
        body('1', '0', FIXED_TO_TIP.format(
            '<collision><geometry><sphere radius="1"/></geometry></collision>')),
        body('1', '0.02', FIXED_TO_TIP.format('')),
        5, "The <inertia> of link 'tip' is zero, but the mass is 1 kg"),
    Case(
        'inertia-zero', ROBOT,
        body('1e-9', '0'),
        body('1e-9', '1e-12'),
        5, "The <inertia> of link 'tip' is zero, but the mass is 1e-09 kg"),
    Case(
        'inertia-zero', ROBOT,
        body('1e-5', '0'),
        body('1e-5', '0').replace('continuous', 'fixed'),
        5, "The <inertia> of link 'tip' is zero, but the mass is 1e-05 kg"),
    Case(
        'inertia-zero', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/>',
        5, "The <inertia> of link 'base_link' is zero, but the mass is 1 kg", INFO, ()),
    example(
        'inertia-near-zero', 5,
        "The <inertia> of link 'base_link' gives 1 kg a radius of gyration of 0.045 mm", None, ()),
    example(
        'inertia-transcription', 5,
        "In the <inertia> of link 'base_link', ixy equals iyy (0.0042)"),
    example(
        'inertia-placeholder', 5,
        "The <inertia> of link 'base_link' is a placeholder: 1 kg m^2 about every axis"),
    Case(
        'inertia-placeholder', LINK,
        HEAD.format(moment='0.001'), HEAD.format(moment='0.01'),
        6, "The <inertia> of link 'base_link' is a placeholder: 0.001 kg m^2 about every axis"),
    example(
        'inertia-vs-geometry', 5,
        "The largest principal moment of the <inertia> of link 'base_link' is 4 kg m^2, but "
        '0.004 kg m^2 for solid shapes of the same mass, and impossible inside of them: its mass '
        'would be 2.45 m (root mean square) away from the centre of mass, and no point of them '
        'is farther than 0.173 m'),
    example(
        'com-outside-geometry', 4,
        "The centre of mass of link 'base_link' is 0.1 m outside the bounding box of its shapes, "
        'which is 0.346 m across'),
    example(
        'inertia-about-origin-suspect', 5,
        "The <inertia> of link 'base_link' is 7.67 times that of its shapes, but 1 times if it is "
        'about the origin of the link, not about the centre of mass', severity=Severity.WARN),
    example('mass-ratio-extreme', 6, "Joint 'j' moves 3000 kg on a parent link of 2 kg"),
    example(
        'total-mass-implausible', 1,
        'The robot has a mass of 15 kg, and its shapes a density of 15000 kg/m^3, not '
        'between 5 and 12000'),
    Case(
        'total-mass-implausible', INERTIAL,
        '<mass value="2000"/>\n'
        '<inertia ixx="9" ixy="0" ixz="0" iyy="9" iyz="0" izz="8"/>',
        '<mass value="2"/>\n'
        '<inertia ixx="0.009" ixy="0" ixz="0" iyy="0.009" iyz="0" izz="0.008"/>',
        1, 'The robot has a mass of 2000 kg, not between 0.001 and 1000 kg', INFO),
    Case(
        'total-mass-implausible', INERTIAL,
        '<mass value="6000"/>\n'
        '<inertia ixx="9" ixy="0" ixz="0" iyy="9" iyz="0" izz="8"/>',
        '<mass value="600"/>\n'
        '<inertia ixx="9" ixy="0" ixz="0" iyy="9" iyz="0" izz="8"/>',
        1, 'The robot has a mass of 6000 kg, not between 0.001 and 1000 kg'),
    Case(
        'total-mass-implausible', ROBOT,
        masses(2, 6000),
        masses(2, 600),
        7, "The robot has a mass of 6002 kg, of which link 'tip' has 6000 kg, not between "
        '0.001 and 1000 kg'),
    Case(
        'total-mass-implausible', LINK,
        BOX.format(size='1 1 1', mass='0.5'),
        BOX.format(size='0.1 0.1 0.1', mass='0.5'),
        1, 'The robot has a mass of 0.5 kg, and its shapes a density of 0.5 kg/m^3, not '
        'between 5 and 12000'),
    Case(
        'total-mass-implausible', ROBOT,
        _cart('445 0.2 0.1'), _cart('0.445 0.2 0.1'),
        10, 'The robot has a mass of 2 kg, and its shapes a density of 0.225 kg/m^3, not '
        'between 5 and 12000; the largest '
            "is that of link 'body', with 8.9 m^3"),
    example(
        'world-link-has-inertia', 2,
        "Link 'world' has an <inertial>, but represents the fixed world"),
)
