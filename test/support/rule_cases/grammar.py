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

"""Cases of the rules about the grammar of URDF."""

from support.validation_cases import Case
from support.validation_cases import DRIVEN
from support.validation_cases import example
from support.validation_cases import FIXED
from support.validation_cases import INERTIAL
from support.validation_cases import LINK
from support.validation_cases import LINKS
from support.validation_cases import masses
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT
from support.validation_cases import TRANSMISSION
from support.validation_cases import VISUAL
from support.validation_cases import WHOLE

from urdf_tools.findings.finding import Severity

INFO = Severity.INFO

CASES = (
    example('unknown-element', 3, 'URDF does not define <friction> in <link>'),
    example('stray-text', 3, "The text '-->' in <visual> of link 'base_link' has no effect"),
    Case(
        'stray-text', LINKS,
        '<joint name="j" type="fixed">\n'
        '  <parent link="base_link"/>robot\n'
        '  <child link="tip"/>\n'
        '</joint>',
        '<joint name="j" type="fixed">\n'
        '  <parent link="base_link"/><!-- robot -->\n'
        '  <child link="tip"/>\n'
        '</joint>',
        5, "The text 'robot' after <parent> of joint 'j' has no effect"),
    Case(
        'unknown-element', LINK,
        '<colision><geometry><sphere radius="1"/></geometry></colision>',
        '<collision><geometry><sphere radius="1"/></geometry></collision>',
        3, 'URDF does not define <colision> in <link>'),
    Case(
        'unknown-element', LINK,
        '<controller_gains kp="1"/>',
        '<my:controller_gains kp="1" xmlns:my="http://example.org"/>',
        3, 'URDF does not define <controller_gains> in <link>', INFO),
    Case(
        'unknown-element', LINK,
        '<contact><lateral_friction value="1"/></contact>',
        '<bullet:contact xmlns:bullet="http://example.org"/>',
        3, 'Only PyBullet reads <contact> in <link>', INFO),
    Case(
        'unknown-element', TRANSMISSION,
        '<type>SimpleTransmission</type><joint name="j"/>\n'
        '<actuator name="a"><mechanicalReducton>1</mechanicalReducton></actuator>',
        '<type>SimpleTransmission</type><joint name="j"/>\n'
        '<actuator name="a"><mechanicalReduction>1</mechanicalReduction></actuator>',
        9, "<mechanicalReducton> of actuator 'a' is unknown"),
    example('unknown-attribute', 5, "URDF does not define attribute 'stiffness' of <limit>"),
    Case(
        'unknown-attribute', LINKS,
        '<joint name="j" type="fixed" dont_collapse="true">\n'
        '  <parent link="base_link"/><child link="tip"/>\n'
        '</joint>',
        '<joint name="j" type="fixed">\n'
        '  <parent link="base_link"/><child link="tip"/>\n'
        '</joint>',
        4, "Only Isaac reads attribute 'dont_collapse' of <joint>", INFO),
    Case(
        'unknown-attribute', VISUAL,
        '<geometry name="ball"><sphere radius="1"/></geometry>',
        '<geometry><sphere radius="1"/></geometry>',
        4, "URDF does not define attribute 'name' of <geometry>", INFO),
    Case(
        'unknown-attribute', DRIVEN,
        '<transmission name="t" tpe="SimpleTransmission">\n'
        '  <type>SimpleTransmission</type><joint name="j"/><actuator name="a"/>\n'
        '</transmission>',
        '<transmission name="t" type="SimpleTransmission">\n'
        '  <joint name="j"/><actuator name="a"/>\n'
        '</transmission>',
        7, "URDF does not define attribute 'tpe' of <transmission>"),
    example('reserved-tag-misplaced', 3, '<geometry> has no effect in <link>'),
    Case(
        'reserved-tag-misplaced', LINK,
        '<collision>\n'
        '  <geometry><sphere radius="1"/></geometry>\n'
        '  <material name="red"/>\n'
        '</collision>',
        '<collision>\n'
        '  <geometry><sphere radius="1"/></geometry>\n'
        '</collision>',
        5, '<material> has no effect in <collision>', INFO),
    example('robot-origin', 2, 'Only Gazebo reads <origin> in <robot>'),
    Case(
        'number-not-parsable', WHOLE,
        '<robot name="r"><origin xyz="0 0 x"/><link name="base_link"/></robot>',
        '<robot name="r"><origin xyz="0 0 1"/><link name="base_link"/></robot>',
        1, "xyz of <origin>: 'x' is not a number", consumers=()),
    example('dialect-2009', 5, "Attribute 'rgb' of <color> is obsolete"),
    Case(
        'dialect-2009', INERTIAL,
        '<com xyz="0 0 1"/><mass value="1"/>\n'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>',
        '<origin xyz="0 0 1"/><mass value="1"/>\n'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>',
        4, '<com> in <inertial> is obsolete'),
    example('deprecated-tag', 5, 'Only the software of the PR2 uses <calibration>'),
    Case(
        'deprecated-tag', REVOLUTE,
        '<safety_controller k_velocity="10" soft_lower_limit="-1" soft_upper_limit="1"/>',
        '<dynamics damping="1"/>',
        5, 'ros2_control, MoveIt and joint_state_publisher read <safety_controller>, simulators '
           'ignore it'),
    Case(
        'deprecated-tag', DRIVEN,
        '<transmission name="t" type="pr2_mechanism_model/SimpleTransmission">\n'
        '  <actuator name="a"/><joint name="j"/>\n'
        '</transmission>',
        '<transmission name="t" type="transmission_interface/SimpleTransmission">\n'
        '  <actuator name="a"/><joint name="j"/>\n'
        '</transmission>',
        7, 'Only the software of the PR2 uses a pr2_mechanism_model transmission'),
    example('duplicate-element', 6, "Joint 'j' has a second <origin>; the first is on line 5"),
    Case(
        'duplicate-element', VISUAL,
        '<geometry><sphere radius="1"/></geometry><origin xyz="0 0 1"/>\n'
        '<origin xyz="0 0 2"/>',
        '<geometry><sphere radius="1"/></geometry><origin xyz="0 0 1"/>',
        5, "<visual> of link 'base_link' has a second <origin>; the first is on line 4",
        effects={'urdf_parser_py': 'uses the first, and prints a message'}),
    Case(
        'number-not-parsable', REVOLUTE,
        '<origin xyz="0 0 1m"/>',
        '<origin xyz="0 0 1e0"/>',
        5, "xyz of <origin> of joint 'j': '1m' is not a number"),
    Case(
        'number-not-parsable', VISUAL,
        '<geometry><sphere radius="x"/></geometry>',
        '<geometry><sphere radius="1"/></geometry>',
        4, "radius of <sphere> of link 'base_link': 'x' is not a number"),
    Case(
        'number-not-parsable', VISUAL,
        '<geometry><sphere radius="1"/></geometry>\n'
        '<material name="m"><color rgba="1 0 0 x"/></material>',
        '<geometry><sphere radius="1"/></geometry>\n'
        '<material name="m"><color rgba="1 0 0 1"/></material>',
        5, "rgba of <color> of link 'base_link': 'x' is not a number"),
    Case(
        'number-not-parsable', FIXED,
        '<axis xyz="0 0 x"/>',
        '<origin xyz="0 0 1"/>',
        5, "xyz of <axis> of joint 'j': 'x' is not a number"),
    Case(
        'number-not-parsable', REVOLUTE,
        '<safety_controller k_velocity="x"/>',
        '<safety_controller k_velocity="1"/>',
        5, "k_velocity of <safety_controller> of joint 'j': 'x' is not a number"),
    Case(
        'number-not-parsable', REVOLUTE,
        '<calibration rising="1" reference_position="x"/>',
        '<calibration rising="1" reference_position="1"/>',
        5, "reference_position of <calibration> of joint 'j': 'x' is not a number", consumers=()),
    Case(
        'vector-wrong-length', REVOLUTE,
        '<origin xyz="0 0 1" rpy="0 0"/>',
        '<origin xyz="0 0 1" rpy="0 0 0"/>',
        5, "rpy of <origin> of joint 'j': '0 0' has 2 numbers, 3 expected"),
    Case(
        'number-not-finite', REVOLUTE,
        '<dynamics damping="nan"/>',
        '<dynamics damping="0"/>',
        5, "damping of <dynamics> of joint 'j': 'nan' is not finite",
        effects={}, unaffected=('urdf_parser_py',)),
    Case(
        'number-not-finite', REVOLUTE,
        '<dynamics damping="1e999"/>',
        '<dynamics damping="1e9"/>',
        5, "damping of <dynamics> of joint 'j': '1e999' is too large for a number"),
    Case(
        'number-not-finite', ROBOT,
        masses(1, 'nan'),
        masses(1, 1),
        7, "value of <mass> of link 'tip': 'nan' is not finite"),
    Case(
        'number-locale-comma', REVOLUTE,
        '<dynamics damping="0,5"/>',
        '<dynamics damping="0.5"/>',
        5, "damping of <dynamics> of joint 'j': '0,5' has a decimal comma"),
    example(
        'number-spacing', 5,
        "damping of <dynamics> of joint 'j' has white space that urdfdom does not accept"),
    Case(
        'number-spacing', REVOLUTE,
        '<origin xyz="0&#9;0 1"/>',
        '<origin xyz="0 0 1"/>',
        5, "xyz of <origin> of joint 'j' has white space that urdfdom does not accept"),
    example(
        'feature-needs-version', 5,
        "quat_xyzw in <origin> of joint 'j' needs URDF 1.1, not 1.0",
        effects={'urdf_parser_py': 'ignores the attribute'}),
    Case(
        'feature-needs-version', VISUAL,
        '<geometry><capsule radius="1" length="1"/></geometry>',
        '<geometry><cylinder radius="1" length="1"/></geometry>',
        4, "<capsule> in <geometry> of link 'base_link' needs URDF 1.1, not 1.0",
        effects={'urdf_parser_py': 'refuses the description'}),
    example('origin-empty', 5, "<origin> of joint 'j' is empty"),
    example('rpy-in-degrees', 5, "The rpy of <origin> of joint 'j', -90 0 45, looks like degrees"),
    Case(
        'rpy-in-degrees', VISUAL,
        '<geometry><sphere radius="1"/></geometry>\n<origin rpy="0 22.5 1.57"/>',
        '<geometry><sphere radius="1"/></geometry>\n<origin rpy="0 0.3927 1.57"/>',
        5, "The rpy of <origin> of link 'base_link', 0 22.5 1.57, looks like degrees"),
    example('rpy-and-quat', 5, "<origin> of joint 'j' has both rpy and quat_xyzw"),
    Case(
        'rpy-and-quat', REVOLUTE.replace('<robot', '<robot version="1.1"'),
        '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>',
        '<origin quat_xyzw="0 0 0 1"/>',
        5, "<origin> of joint 'j' has both rpy and quat_xyzw"),
    Case(
        'rpy-and-quat', VISUAL.replace('<robot', '<robot version="1.1"'),
        '<geometry><sphere radius="1"/></geometry>\n'
        '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>',
        '<geometry><sphere radius="1"/></geometry>\n'
        '<origin quat_xyzw="0 0 0 1"/>',
        5, "<origin> of link 'base_link' has both rpy and quat_xyzw"),
    example(
        'quat-not-normalised', 5,
        "quat_xyzw of <origin> of joint 'j' has length 1.41421, not 1"),
    Case(
        'quat-not-normalised', REVOLUTE.replace('<robot', '<robot version="1.1"'),
        '<origin quat_xyzw="0 0 1 1"/>',
        '<origin quat_xyzw="0 0 0.707107 0.707107"/>',
        5, "quat_xyzw of <origin> of joint 'j' has length 1.41421, not 1"),
)
