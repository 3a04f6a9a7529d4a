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

from cases import Case
from cases import chain
from cases import FIXED
from cases import LINKS
from cases import ROBOT
from cases import WHOLE

CASES = (
    Case(
        'no-links', WHOLE,
        '<robot name="r"/>',
        '<robot name="r"><link name="base_link"/></robot>',
        1, 'The robot has no links'),
    Case(
        'no-joints', ROBOT,
        '<link name="base_link"/>',
        '<link name="base_link"/><link name="tip"/>',
        1, 'The robot is a single link without joints'),
    Case(
        'joint-no-parent', LINKS,
        '<joint name="j" type="fixed">\n'
        '<parent lnk="base_link"/>\n'
        '<child link="tip"/></joint>',
        '<joint name="j" type="fixed">\n'
        '<parent link="base_link"/>\n'
        '<child link="tip"/></joint>',
        5, "The <parent> of joint 'j' names no link"),
    Case(
        'joint-no-child', LINKS,
        '<joint name="j" type="fixed"><parent link="base_link"/><chld link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' has no <child>"),
    Case(
        'parent-link-missing', LINKS,
        '<joint name="j" type="fixed">\n'
        '<parent link="base_lnk"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed">\n'
        '<parent link="base_link"/><child link="tip"/></joint>',
        5, "The parent of joint 'j' is 'base_lnk', and there is no such link"),
    Case(
        'child-link-missing', LINKS,
        '<joint name="j" type="fixed">\n'
        '<parent link="base_link"/><child link="top"/></joint>',
        '<joint name="j" type="fixed">\n'
        '<parent link="base_link"/><child link="tip"/></joint>',
        5, "The child of joint 'j' is 'top', and there is no such link"),
    Case(
        'parent-is-child', LINKS,
        '<joint name="j" type="fixed"><parent link="tip"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' joins link 'tip' to itself"),
    Case(
        'multiple-roots', FIXED,
        '</joint><link name="a"/><link name="b"/>\n'
        '<joint name="k" type="fixed"><parent link="a"/><child link="b"/>',
        '</joint><link name="a"/><link name="b"/>\n'
        '<joint name="k" type="fixed"><parent link="a"/><child link="base_link"/></joint>\n'
        '<joint name="l" type="fixed"><parent link="a"/><child link="b"/>',
        5, "The robot falls into 2 parts, with the roots 'base_link', 'a'"),
    Case(
        'disconnected', LINKS,
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<link name="alone"/>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<link name="alone"/><joint name="k" type="fixed"><parent link="tip"/><child '
        'link="alone"/></joint>',
        5, "Link 'alone' is joined to nothing"),
    Case(
        'multiple-parents', FIXED,
        '</joint>\n'
        '<joint name="k" type="fixed"><parent link="base_link"/><child link="tip"/>',
        '</joint><link name="a"/>\n'
        '<joint name="k" type="fixed"><parent link="base_link"/><child link="a"/>',
        6, "Link 'tip' has 2 parents, by joint 'j' and joint 'k'"),
    Case(
        'cycle', FIXED,
        '</joint>\n'
        '<joint name="k" type="fixed"><parent link="tip"/><child link="base_link"/>',
        '</joint><link name="a"/>\n'
        '<joint name="k" type="fixed"><parent link="tip"/><child link="a"/>',
        6,
        'Links carry each other in a circle: base_link -> tip -> base_link, and no link is the '
        'root'),
    Case(
        'root-has-inertia', FIXED,
        '</joint><link name="root">\n'
        '<inertial><mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" '
        'izz="0.02"/></inertial></link>\n'
        '<joint name="k" type="fixed"><parent link="root"/><child link="base_link"/>',
        '</joint><link name="end">\n'
        '<inertial><mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" '
        'izz="0.02"/></inertial></link>\n'
        '<joint name="k" type="fixed"><parent link="tip"/><child link="end"/>',
        6, "The root link 'root' has an inertia, which KDL drops"),
    Case(
        'deep-chain', WHOLE,
        chain(52),
        chain(51),
        53, "Link 'l51' stands behind 51 joints"),
)
