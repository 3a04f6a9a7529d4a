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

"""Cases of the rules about the type and the axis of joints."""

from support.validation_cases import Case
from support.validation_cases import FIXED
from support.validation_cases import LINKS
from support.validation_cases import masses
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT

CASES = (
    Case(
        'joint-no-type', LINKS,
        '<joint name="j" typ="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' has no type"),
    Case(
        'joint-no-type', LINKS,
        '<joint name="j" type=""><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' has no type"),
    Case(
        'joint-unknown-type', LINKS,
        '<joint name="j" type="continous"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="continuous"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' has the unknown type 'continous'"),
    Case(
        'joint-unknown-type', LINKS,
        '<joint name="j" type="spherical"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' has the unknown type 'spherical'"),
    Case(
        'type-poor-support', LINKS,
        '<joint name="j" type="floating"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' is floating, which many programs do not support",
        effects={'robot_state_publisher': 'does not publish the joint'}),
    Case(
        'type-poor-support', ROBOT,
        masses(1, 1).replace('continuous', 'planar'),
        masses(1, 1),
        10, "Joint 'j' is planar, which many programs do not support",
        effects={'robot_state_publisher': 'publishes the joint as fixed',
                 'idyntree': 'refuses the description'}),
    Case(
        'axis-zero', REVOLUTE,
        '<axis xyz="0 0 0"/>',
        '<axis xyz="0 0 1"/>',
        5, "The axis of joint 'j' is zero"),
    Case(
        'axis-no-xyz', REVOLUTE,
        '<axis xzy="0 0 1"/>',
        '<axis xyz="0 0 1"/>',
        5, "The axis of joint 'j' has no xyz"),
    Case(
        'axis-not-unit', REVOLUTE,
        '<axis xyz="0 0 2"/>',
        '<axis xyz="0 0.707107 0.707107"/>',
        5, "The axis of joint 'j' has length 2, not 1"),
    Case(
        'axis-missing', REVOLUTE,
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/><axis xyz="1 0 0"/>',
        4, "Joint 'j' has no <axis>, so its axis is x"),
    Case(
        'axis-nearly-aligned', REVOLUTE,
        '<axis xyz="0.005 0 0.9999875"/>',
        '<axis xyz="0.05 0 0.998749"/>',
        5, 'The axis of joint \'j\', "0.005 0 0.9999875", is nearly a coordinate axis'),
    Case(
        'axis-on-fixed', FIXED,
        '<axis xyz="0 0 0"/>',
        '<origin xyz="0 0 0"/>',
        5, "Joint 'j' is fixed but has an <axis>"),
)
