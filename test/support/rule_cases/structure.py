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

"""Cases of the rules about how joints join links."""

from support.validation_cases import Case
from support.validation_cases import chain
from support.validation_cases import example
from support.validation_cases import LINKS
from support.validation_cases import ROBOT
from support.validation_cases import WHOLE

CASES = (
    example('no-links', 1, 'The robot has no links'),
    Case('no-links', '<robot name="r">{}</robot>', '<gazebo/>', '<webots/>', 1,
         'The robot has no links'),
    example('no-joints', 1, 'The robot has a single link and no joints'),
    example('joint-no-parent', 5, "The <parent> of joint 'j' names no link"),
    example('joint-no-child', 5, "Joint 'j' has no <child>"),
    example('parent-link-missing', 5, "The parent link 'base_lnk' of joint 'j' does not exist"),
    example('child-link-missing', 5, "The child link 'top' of joint 'j' does not exist"),
    example('parent-is-child', 4, "Joint 'j' connects link 'tip' to itself"),
    Case(
        'parent-is-child', LINKS,
        '<joint name="i" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<joint name="j" type="fixed"><parent link="tip"/><child link="tip"/></joint>',
        '<joint name="i" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        5, "Joint 'j' connects link 'tip' to itself"),
    example('multiple-roots', 9, "The robot has 2 root links: 'base_link', 'a'"),
    Case(
        'multiple-roots', ROBOT,
        '<link name="arm"/><link name="hand"/><link name="a"/><link name="base_link"/>\n'
        '<joint name="j" type="fixed"><parent link="arm"/><child link="hand"/></joint>\n'
        '<joint name="k" type="fixed"><parent link="base_link"/><child link="a"/></joint>',
        '<link name="arm"/><link name="hand"/><link name="a"/><link name="base_link"/>\n'
        '<joint name="j" type="fixed"><parent link="arm"/><child link="hand"/></joint>\n'
        '<joint name="k" type="fixed"><parent link="base_link"/><child link="a"/></joint>\n'
        '<joint name="l" type="fixed"><parent link="a"/><child link="arm"/></joint>',
        2, "The robot has 2 root links: 'arm', 'base_link'"),
    example('disconnected', 9, "Link 'alone' is not connected to any joint"),
    example('multiple-parents', 11, "Link 'tip' is the child of 2 joints: joint 'j', joint 'k'"),
    example(
        'cycle', 9,
        'Links form a cycle: base_link -> tip -> base_link, and the robot has no root link'),
    Case(
        'cycle', LINKS,
        '<link name="a"/><link name="b"/>\n'
        '<joint name="i" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>\n'
        '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>',
        '<joint name="i" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        7, 'Links form a cycle: a -> b -> a'),
    Case(
        'cycle', LINKS,
        '<link name="a"/>\n'
        '<joint name="i" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<joint name="j" type="fixed"><parent link="tip"/><child link="a"/></joint>\n'
        '<joint name="k" type="fixed"><parent link="a"/><child link="tip"/></joint>',
        '<joint name="i" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        7, 'Links form a cycle: tip -> a -> tip'),
    example('root-has-inertia', 2, "The root link 'base_link' has an inertia, which KDL drops"),
    Case(
        'deep-chain', WHOLE,
        chain(52),
        chain(51),
        53, "Link 'l51' is 51 joints away from its root"),
)
