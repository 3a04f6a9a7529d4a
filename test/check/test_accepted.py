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

"""What the rules accept although it is close to a defect."""

import pytest
from support.validation_cases import codes
from support.validation_cases import INERTIAL
from support.validation_cases import LINK
from support.validation_cases import LINKS
from support.validation_cases import masses
from support.validation_cases import ROBOT
from support.validation_cases import ROS2_CONTROL
from support.validation_cases import TRANSMISSION

INERTIA = '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>'
ZERO = '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'
SPHERE = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'


@pytest.mark.parametrize('code, template, text', [
    # Frames: links without shapes that no joint moves.
    ('inertial-missing', LINKS,
     f'<link name="a"><inertial><mass value="1"/>{INERTIA}</inertial></link>'
     '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>'
     '<joint name="k" type="continuous"><parent link="tip"/><child link="a"/></joint>'),
    ('mass-zero', INERTIAL, f'<mass value="0"/>{ZERO}'),
    ('inertia-zero', INERTIAL, f'<mass value="1e-9"/>{ZERO}'),
    # Links on fixed joints count as one body.
    ('inertial-missing', LINKS,
     '<joint name="j" type="continuous"><parent link="base_link"/><child link="tip"/></joint>'
     f'<link name="a"><inertial><mass value="1"/>{INERTIA}</inertial>{SPHERE}</link>'
     '<joint name="k" type="fixed"><parent link="tip"/><child link="a"/></joint>'),
    ('mass-zero', LINKS,
     f'<link name="m"><inertial><mass value="0"/>{ZERO}</inertial></link>'
     '<joint name="j" type="continuous"><parent link="base_link"/><child link="m"/></joint>'
     f'<link name="a"><inertial><mass value="1"/>{INERTIA}</inertial></link>'
     '<joint name="k" type="fixed"><parent link="m"/><child link="a"/></joint>'),
    ('inertia-zero', LINKS,
     f'<link name="m"><inertial><mass value="1e-9"/>{ZERO}</inertial></link>'
     '<joint name="j" type="continuous"><parent link="base_link"/><child link="m"/></joint>'
     f'<link name="a"><inertial><mass value="1"/>{INERTIA}</inertial></link>'
     '<joint name="k" type="fixed"><parent link="m"/><child link="a"/></joint>'),
    # What other programs read.
    ('number-not-parsable', ROBOT, '<origin xyz="0 0 1" rpy="0 0 3.14"/>'),
    ('number-spacing', ROBOT, '<origin xyz="0\t0\n1"/>'),
    ('gazebo-value-malformed', ROBOT, '<gazebo><kp value="0x10"/><mu1> .5e3 </mu1><kd>nan</kd>'
     '<plugin filename="p"><kp>x</kp></plugin><selfCollide>TRUE</selfCollide></gazebo>'),
    ('material-undefined', ROBOT,
     '<link name="a"><visual><material name="red"/></visual></link>'
     '<material name="red"><color rgba="1 0 0 1"/></material>'),
    ('xml-unbound-prefix', ROBOT, '<gazebo><a:b xmlns:a="http://x" xml:lang="en"/></gazebo>'),
    ('world-link-has-inertia', ROBOT,
     f'<link name="World"><inertial><mass value="1"/>{INERTIA}</inertial></link>'),
    # KDL loses nothing.
    ('root-has-inertia', LINKS,
     f'<link name="a"><inertial><mass value="0"/>{ZERO}</inertial></link>'
     '<joint name="j" type="fixed"><parent link="a"/><child link="tip"/></joint>'
     '<joint name="k" type="fixed"><parent link="tip"/><child link="base_link"/></joint>'),
    # By world-link-has-inertia.
    ('root-has-inertia', LINKS,
     f'<link name="world"><inertial><mass value="1"/>{INERTIA}</inertial></link>'
     '<joint name="j" type="fixed"><parent link="world"/><child link="tip"/></joint>'
     '<joint name="k" type="fixed"><parent link="tip"/><child link="base_link"/></joint>'),
    # The plugin of a sensor works with the link of the sensor.
    ('plugin-lost-name', ROBOT,
     f'<link name="base_link"><inertial><mass value="1"/>{INERTIA}</inertial></link>'
     '<link name="gyro"/><joint name="j" type="fixed"><parent link="base_link"/>'
     '<child link="gyro"/></joint><gazebo reference="gyro"><sensor name="imu" type="imu">'
     '<plugin filename="imu" name="imu"><body_name>gyro</body_name></plugin></sensor></gazebo>'),
    # Numbers at their limits.
    ('inertia-offdiag-too-large', INERTIAL,
     '<mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0.01" izz="0.02"/>'),
    ('inertia-triangle', INERTIAL,
     '<mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.02"/>'),
    ('inertia-near-zero', INERTIAL,
     '<mass value="1"/><inertia ixx="2e-7" ixy="0" ixz="0" iyy="2e-7" iyz="0" izz="2e-7"/>'),
    ('inertia-transcription', INERTIAL,  # One digit is equal by chance.
     '<mass value="1"/><inertia ixx="3e-2" ixy="4e-3" ixz="0" iyy="4e-3" iyz="0" izz="32e-3"/>'),
    ('duplicate-material-name', ROBOT, ''.join(
        f'<link name="{name}"><visual><geometry><sphere radius="1"/></geometry><material name="m">'
        f'<color rgba="{red} 0 0 1"/></material></visual></link>'
        for name, red in (('a', '0.3'), ('b', '0.30000000000000004')))),
    ('inertia-placeholder', ROBOT, ''.join(
        f'<link name="l{mass}"><inertial><mass value="{mass}"/>'
        '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.02"/></inertial></link>'
        for mass in (3.49823766136, 3.49823766137, 3.4982376613600003, 3.5))),
    # Shapes that only mark where a link is.
    ('com-outside-geometry', LINK,
     '<visual><geometry><box size="0.001 0.001 0.001"/></geometry></visual>'
     f'<inertial><origin xyz="0 0 0.5"/><mass value="2"/>{INERTIA}</inertial>'),
    ('total-mass-implausible', LINK,
     '<visual><geometry><cylinder radius="0.01" length="0.01"/></geometry></visual>'
     f'<inertial><mass value="200"/>{INERTIA}</inertial>'),
    # Elements of one's own that the documentation recommends.
    ('unknown-element', LINK, '<collision_checking name="a"/><verbose value="x"/>'),
    ('xacro-unexpanded', LINK, '<!-- ${x} --><visual/>'),
    ('inertia-transcription', INERTIAL,
     '<mass value="1"/><inertia ixx="3e-2" ixy="4.1e-3" ixz="0" iyy="4e-3" iyz="0" izz="32e-3"/>'),
    ('inertia-placeholder', INERTIAL,
     '<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1.1" iyz="0" izz="1"/>'),
    ('com-outside-geometry', LINK,
     f'{SPHERE}<inertial><origin xyz="0 0 0.15"/><mass value="1"/>{INERTIA}</inertial>'),
    ('mass-ratio-extreme', ROBOT, masses(0.001, 0.5)),
    ('total-mass-implausible', INERTIAL, f'<mass value="200"/>{INERTIA}'),
    ('size-not-positive', LINK, SPHERE.replace('0.1', '1e-6')),
    ('mesh-scale-zero', LINK,
     '<visual><geometry><mesh filename="a.stl" scale="1 1 1e-6"/></geometry></visual>'),
    # A passive joint.
    ('limit-zero-effort', LINKS,
     '<joint name="j" type="prismatic"><parent link="base_link"/><child link="tip"/>'
     '<limit lower="0" upper="0.1" effort="0" velocity="0"/></joint>'
     '<gazebo reference="j"><springStiffness>400</springStiffness></gazebo>'),
    ('limit-zero-effort', LINKS,
     '<joint name="j" type="revolute"><parent link="base_link"/><child link="tip"/>'
     '<limit lower="0" upper="1" effort="9" velocity="2"/></joint><link name="caster"/>'
     '<joint name="k" type="continuous"><parent link="base_link"/><child link="caster"/>'
     '<limit effort="0" velocity="3"/></joint>'),
    # A size of zero is reported by itself.
    ('internal-error', LINK,
     '<visual><geometry><box size="0 0 0"/></geometry></visual>'
     '<collision><origin rpy="1 0 0"/><geometry><box size="0 0 0"/></geometry></collision>'),
    # Of several shapes only the first is read, and geometry-multiple reports the others.
    ('vector-wrong-length', LINK,
     '<visual><geometry><mesh filename="a.stl"/><mesh filename="a.stl" scale=""/></geometry>'
     '</visual>'),
    ('collision-far-from-visual', LINK,
     '<visual><geometry><sphere radius="0.1"/></geometry></visual>'
     '<collision><origin xyz="0 0 1"/><geometry><sphere radius="0.001"/></geometry></collision>'),
    ('alpha-zero', ROBOT, '<material name="hidden"><color rgba="1 0 0 0"/></material>'),
    ('alpha-zero', ROBOT, '<material name="red"><color rgba="1 0 0 0.1"/></material>'),
    # What is optional, or belongs to another program.
    ('transmission-reduction-zero', TRANSMISSION, '<actuator><mechanicalReduction/></actuator>'),
    ('ros2control-mimic-command-interface', ROS2_CONTROL,
     '<joint name="copy" mimic="false"><command_interface name="effort"/></joint>'),
    ('ros2control-mimic-broken', ROS2_CONTROL, '<joint name="copy" mimic="false"/>'),
    ('ros2control-unread-value', ROS2_CONTROL,
     '<joint name="j"><command_interface name="position"><param name="min" value="">-1</param>'
     '</command_interface></joint>'),
    ('ros2control-duplicate-joint', ROS2_CONTROL,
     '<joint name="j"><command_interface name="effort"/></joint><joint name="j"/>'),
    ('loop-joint', LINKS, '<drake:loop_joint name="loop"/>'),
])
def test_accepted(code, template, text):
    assert code not in codes(template.format(text))


@pytest.mark.parametrize('mass, is_found', [('1', False), ('1.5', True)])
def test_estimates_of_equal_links_are_no_placeholders(mass, is_found):
    """Those of a left and a right link agree; two links of other masses share it by habit."""
    found = codes(ROBOT.format(''.join(
        f'<link name="l{kg}{side}">{SPHERE}<inertial><mass value="{kg}"/><inertia ixx="0.01" '
        'ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>'
        for side, kg in (('left', 1), ('right', mass)))))
    assert ('inertia-placeholder' in found) is is_found


def test_robot_without_inertials_is_reported_once():
    link = f'<link name="{{}}">{SPHERE}</link>'
    found = codes(ROBOT.format(''.join(map(link.format, ('base_link', 'a', 'b'))) + ''.join(
        f'<joint name="j{name}" type="fixed"><parent link="base_link"/><child link="{name}"/>'
        '</joint>' for name in 'ab')))
    assert found.count('inertial-missing') == 1
