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

from cases import Case
from cases import FIXED
from cases import INERTIAL
from cases import LINK
from cases import masses
from cases import ROBOT
from cases import WHOLE

CASES = (
    Case(
        'inertial-missing', FIXED,
        '</joint><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="0.02" '
        'ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>\n'
        '<joint name="k" type="continuous"><parent link="tip"/><child link="a"/></joint><joint '
        'name="l" type="fixed"><parent link="a"/><child link="b"/>',
        '</joint><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="0.02" '
        'ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>\n'
        '<joint name="k" type="fixed"><parent link="tip"/><child link="a"/></joint><joint '
        'name="l" type="continuous"><parent link="a"/><child link="b"/>',
        5, "Link 'a' has no <inertial>"),
    Case(
        'mass-missing', INERTIAL,
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>',
        '<mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>',
        3, "The <inertial> of link 'base_link' has no <mass>"),
    Case(
        'inertia-missing', INERTIAL,
        '<mass value="1"/>',
        '<mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>',
        3, "The <inertial> of link 'base_link' has no <inertia>"),
    Case(
        'inertia-attr-missing', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" iyy="0.02" izz="0.02"/>',
        '<mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>',
        5, "The <inertia> of link 'base_link' has no ixy, ixz, iyz"),
    Case(
        'mass-negative', INERTIAL,
        '<mass value="-1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>',
        '<mass value="0"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>',
        4, "The <mass> of link 'base_link' is negative (-1)"),
    Case(
        'mass-zero', INERTIAL,
        '<mass value="0"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>',
        '<mass value="0"/>\n'
        '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>',
        4, "Link 'base_link' has no mass, but an inertia"),
    Case(
        'inertia-diagonal-not-positive', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.001"/>',
        5, "The <inertia> of link 'base_link' cannot be: izz is 0"),
    Case(
        'inertia-offdiag-too-large', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0.011" izz="0.02"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0.01" izz="0.02"/>',
        5,
        "The <inertia> of link 'base_link' cannot be: twice the size of iyz (0.011) is more than "
        'ixx (0.02)'),
    Case(
        'inertia-not-pd', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0.008" iyy="0.02" iyz="0" izz="0.002"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="0.02" ixy="0" ixz="0.001" iyy="0.02" iyz="0" izz="0.002"/>',
        5,
        "The <inertia> of link 'base_link' cannot be: one of its principal moments -0.001042, "
        '0.02, 0.02304 is negative'),
    Case(
        'inertia-triangle', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.03"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.02"/>',
        5,
        "The <inertia> of link 'base_link' cannot be: of its principal moments 0.01, 0.01, 0.03 "
        'the two smaller ones add up to less than the largest'),
    Case(
        'inertia-zero', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>',
        '<mass value="1e-9"/>\n'
        '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>',
        5, "The <inertia> of link 'base_link' is zero, but there is a mass of 1 kg"),
    Case(
        'inertia-near-zero', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="2e-9" ixy="0" ixz="0" iyy="2e-9" iyz="0" izz="2e-9"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="2e-7" ixy="0" ixz="0" iyy="2e-7" iyz="0" izz="2e-7"/>',
        5, "The <inertia> of link 'base_link' is that of 1 kg within 0.045 mm"),
    Case(
        'inertia-transcription', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="0.03" ixy="0.004" ixz="0" iyy="0.004" iyz="0" izz="0.032"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="0.03" ixy="0.0041" ixz="0" iyy="0.004" iyz="0" izz="0.032"/>',
        5, "In the <inertia> of link 'base_link' ixy equals iyy"),
    Case(
        'inertia-placeholder', INERTIAL,
        '<mass value="1"/>\n'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>',
        '<mass value="1"/>\n'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1.1" iyz="0" izz="1"/>',
        5, "The <inertia> of link 'base_link' is 1 about every axis, as a placeholder is"),
    Case(
        'inertia-vs-geometry', LINK,
        '<collision><geometry><sphere radius="0.1"/></geometry></collision><inertial>\n'
        '<mass value="1"/>\n'
        '<inertia ixx="4" ixy="0" ixz="0" iyy="4" iyz="0" izz="4"/></inertial>',
        '<collision><geometry><sphere radius="0.1"/></geometry></collision><inertial>\n'
        '<mass value="1"/>\n'
        '<inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>',
        5, "The <inertia> of link 'base_link' is 1e+03 times that of its shapes with its mass"),
    Case(
        'com-outside-geometry', LINK,
        '<collision><geometry><sphere radius="0.1"/></geometry></collision><inertial>\n'
        '<origin xyz="0 0 0.2"/>\n'
        '<mass value="1"/>\n'
        '<inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>',
        '<collision><geometry><sphere radius="0.1"/></geometry></collision><inertial>\n'
        '<origin xyz="0 0 0.15"/>\n'
        '<mass value="1"/>\n'
        '<inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>',
        4, "The centre of mass of link 'base_link' is far outside its shapes"),
    Case(
        'inertia-about-origin-suspect', LINK,
        '<collision><origin xyz="0 0 0.2"/><geometry><sphere radius="0.1"/></geometry></collision>'
        '<inertial><origin xyz="0 0 0.2"/>\n'
        '<mass value="1"/>\n'
        '<inertia ixx="0.044" ixy="0" ixz="0" iyy="0.044" iyz="0" izz="0.004"/></inertial>',
        '<collision><origin xyz="0 0 0.2"/><geometry><sphere radius="0.1"/></geometry></collision>'
        '<inertial><origin xyz="0 0 0.2"/>\n'
        '<mass value="1"/>\n'
        '<inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>',
        5, "The <inertia> of link 'base_link' looks as if it were about the origin of the link"),
    Case(
        'mass-ratio-extreme', WHOLE,
        masses(0.001, 2),
        masses(0.001, 0.5),
        4, "Joint 'j' moves 2 kg on a link of 0.001 kg"),
    Case(
        'total-mass-implausible', INERTIAL,
        '<mass value="2000"/>\n'
        '<inertia ixx="9" ixy="0" ixz="0" iyy="9" iyz="0" izz="8"/>',
        '<mass value="200"/>\n'
        '<inertia ixx="9" ixy="0" ixz="0" iyy="9" iyz="0" izz="8"/>',
        1, 'The robot has a mass of 2000 kg'),
    Case(
        'world-link-has-inertia', ROBOT,
        '<link name="world">\n'
        '<inertial><mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" '
        'izz="0.02"/></inertial></link>',
        '<link name="World">\n'
        '<inertial><mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" '
        'izz="0.02"/></inertial></link>',
        3, "Link 'world' has an inertia, but stands for the world itself"),
)
