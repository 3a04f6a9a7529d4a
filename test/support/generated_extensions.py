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

"""What programs read in a description beside URDF itself, for generated descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import fromstring

_IN_ROBOT = (
    '<transmission name="t"><type>transmission_interface/SimpleTransmission</type>'
    '<joint name="{joint}"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>'
    '<actuator name="m"><mechanicalReduction>5</mechanicalReduction></actuator></transmission>',
    '<transmission name="t"><type>SimpleTransmission</type><joint name="{joint}"/>'
    '<actuator name="m"/></transmission>',
    '<transmission name="t" type="pr2_mechanism_model/SimpleTransmission">'
    '<joint name="{joint}"/><actuator name="m"/></transmission>',
    '<transmission><type>SimpleTransmission</type><joint name="{joint}"/></transmission>',
    '<ros2_control name="c" type="system"><hardware><plugin>p</plugin></hardware>'
    '<joint name="{joint}"><command_interface name="position"/>'
    '<state_interface name="position"/></joint></ros2_control>',
    '<gazebo/>',
    '<gazebo reference="{link}"><mu1>0.5</mu1><material>Gazebo/Red</material></gazebo>',
    '<gazebo reference="{joint}"><preserveFixedJoint>true</preserveFixedJoint></gazebo>',
    '<gazebo reference="{joint}"><disableFixedJointLumping>true</disableFixedJointLumping>'
    '</gazebo>',
    '<gazebo reference="{link}"><sensor name="imu" type="imu"><update_rate>9</update_rate>'
    '</sensor></gazebo>',
    '<gazebo reference="{link}"><selfCollide>true</selfCollide><kp>1e5</kp></gazebo>',
    '<gazebo reference="{joint}"><provideFeedback>1</provideFeedback></gazebo>',
    '<gazebo reference="absent"><mu1>1</mu1></gazebo>', '<gazebo><static>true</static></gazebo>',
    '<gazebo><plugin name="p" filename="libp.so"><a b="c">1</a></plugin></gazebo>',
    '<gazebo reference="{link}"><turnGravityOff>true</turnGravityOff></gazebo>',
    '<mujoco><compiler/></mujoco>', '<mujoco><compiler strippath="false"/></mujoco>',
    '<mujoco><compiler strippath="false" discardvisual="false"/></mujoco>',
    '<mujoco><compiler fusestatic="false"/></mujoco>',
    '<mujoco><compiler meshdir="meshes" balanceinertia="true"/></mujoco>',
    '<mujoco><compiler boundmass="0.01" boundinertia="0.01"/></mujoco>',
    '<mujoco><compiler inertiafromgeom="true"/></mujoco>',
    '<mujoco><compiler settotalmass="3" autolimits="false" angle="degree"/></mujoco>',
    '<mujoco><option timestep="0.01"/></mujoco>',
    '<mujoco><compiler inertiafromgeom="x"/></mujoco>',
    '<sensor name="s" type="camera" update_rate="20"><parent link="{link}"/><origin xyz="0 0 1"/>'
    '<camera><image width="64" height="48" hfov="1" near="0.1" far="9"/></camera></sensor>',
    '<drake:joint name="{joint}_s" type="ball"><parent link="{link}"/><child link="absent"/>'
    '</drake:joint>',
    '<frame name="f" link="{link}" xyz="0 0 1" rpy="0 0 0"/>',
    '<frame link="{link}"/>', '<origin xyz="0 0 1" rpy="0 0 0"/>',
    '<loop_joint name="loop" type="spherical"><link1 link="{link}" xyz="0 0 0" rpy="0 0 0"/>'
    '<link2 link="{other}" xyz="0 0 0" rpy="0 0 0"/></loop_joint>',
    '<group_state name="home" group="g"><joint name="{joint}" value="0"/></group_state>',
    '<fixed_frame name="f"><parent link="{link}"/></fixed_frame>',
    '<force_element name="g"/>', '<actuator name="a"/>', '<collision_filter_group name="g">'
    '<member link="{link}"/></collision_filter_group>',
    '<drake:collision_filter_group name="g"><drake:member link="{link}"/>'
    '<drake:ignored_collision_filter_group name="g"/></drake:collision_filter_group>',
    '<drake:linear_spring_damper name="s"/>', '<bushing/>', '<model name="m"/>', '<a/>',
    '<xacro:include filename="absent.xacro"/>', '<xacro:property name="a" value="1"/>',
    '<deformable name="d"><inertial><mass value="1"/></inertial></deformable>',
    '<robot name="inner"><link name="l0"/></robot>')

_IN_LINK = (
    '<contact><lateral_friction value="1"/><rolling_friction value="0"/></contact>',
    '<contact><contact_cfm value="0"/><contact_erp value="1"/></contact>',
    '<audio_source><filename value="a.wav"/></audio_source>', '<drake_ignore/>',
    '<collision_group name="a"/>', '<self_collision_checking/>', '<sensor name="s"/>',
    '<gazebo/>', '<kinematic/>', '<inertia_from_geometry/>',
    '<contact_coefficients mu="1" kp="9"/>')

_IN_JOINT = (
    '<drake:dynamics rotor_inertia="0.1" gear_ratio="10"/>',
    '<hardwareInterface>x</hardwareInterface>',
    '<drake:rotor_inertia value="0.1"/>', '<drake:gear_ratio value="9"/>',
    '<drake:mimic joint="j1"/>', '<dont_collapse/>', '<gazebo/>', '<transmission name="x"/>',
    '<property name="a" value="b"/>', '<thread_pitch value="0.1"/>',
    '<drake:screw_thread_pitch value="0.1"/>', '<drake:controller_gains p="1" d="1"/>')

_NAMESPACE = ' xmlns:drake="urn:drake" xmlns:xacro="urn:xacro"'


def add_extension(random: Random, robot: Element, links: Sequence[str],
                  joints: Sequence[str]) -> None:
    """Add an element to a robot that one of the programs reads."""
    text = random.choice(_IN_ROBOT).format(
        joint=random.choice(joints or ['absent']), link=random.choice(links),
        other=random.choice(links))
    robot.insert(random.randrange(len(robot) + 1), parsed(text))


def add_link_dialect(random: Random, link: Element) -> None:
    """Add an element to a link that one of the programs reads."""
    link.append(parsed(random.choice(_IN_LINK)))


def add_joint_dialect(random: Random, joint: Element) -> None:
    """Add an element to a joint that one of the programs reads."""
    joint.append(parsed(random.choice(_IN_JOINT)))


def parsed(text: str) -> Element:
    """Return an element whose tags keep their prefixes."""
    element = fromstring(_declared(text))
    for each in element.iter():
        if '}' in each.tag:
            uri, _, name = each.tag[1:].partition('}')
            each.tag = f'{uri[4:]}:{name}'
    return element


def _declared(text: str) -> str:
    tag = text[1:].split()[0].rstrip('/>').split('>')[0].rstrip('/')
    return f'<{tag}{_NAMESPACE}{text[1 + len(tag):]}'
