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

"""Cases of the rules about joints that mimic other joints."""

from support.validation_cases import Case
from support.validation_cases import DRIVEN
from support.validation_cases import FIXED
from support.validation_cases import FOLLOWER
from support.validation_cases import LINKS
from support.validation_cases import mimics

from urdf_tools.findings.finding import Severity

WARN = Severity.WARN

CASES = (
    Case(
        'mimic-no-joint', FOLLOWER,
        '<mimic multiplier="1"/>',
        '<mimic joint="leader"/>',
        7, "The <mimic> of joint 'follower' names no joint"),
    Case(
        'mimic-no-joint', FOLLOWER,
        '<mimic joint=""/>',
        '<mimic joint="leader"/>',
        7, "The <mimic> of joint 'follower' names no joint"),
    Case(
        'mimic-unknown-joint', FOLLOWER,
        '<mimic joint="laeder"/>',
        '<mimic joint="leader"/>',
        7, "Joint 'follower' mimics joint 'laeder', which does not exist",
        effects={'robot_state_publisher': 'never publishes the joint'},
        unaffected=('ros2_control',)),
    Case(
        'mimic-unknown-joint', FOLLOWER.replace(
            '</robot>', '<ros2_control name="s" type="system"><joint name="follower"/>'
                        '</ros2_control>\n</robot>'),
        '<mimic joint="nobody"/>',
        '<mimic joint="leader"/>',
        7, "Joint 'follower' mimics joint 'nobody', which does not exist",
        effects={'ros2_control': 'refuses the description'}),
    Case(
        'mimic-self', FOLLOWER,
        '<mimic joint="follower"/>',
        '<mimic joint="leader"/>',
        7, "Joint 'follower' mimics itself",
        effects={'joint_state_publisher': 'exits with an error'}),
    Case(
        'mimic-self', FIXED,
        '<mimic joint="j"/>',
        '<origin xyz="0 0 0"/>',
        5, "Joint 'j' mimics itself", effects={}, unaffected=('joint_state_publisher',)),
    Case(
        'mimic-cycle', LINKS,
        mimics(a='b', b='a', c='a'),
        mimics(a='b', c='a'),
        6, 'Joints mimic each other in a cycle: a -> b -> a'),
    Case(
        'mimic-dof-mismatch', FOLLOWER,
        '<mimic joint="rigid"/>',
        '<mimic joint="leader"/>',
        7, "Joint 'follower' mimics joint 'rigid', which is fixed and has 0 degrees of "
           'freedom, not 1'),
    Case(
        'mimic-dof-mismatch', FOLLOWER.replace('name="follower" type="revolute"',
                                               'name="follower" type="floating"'),
        '<mimic joint="leader"/>',
        '<origin xyz="0 0 0"/>',
        7, "Joint 'follower' is floating and cannot mimic another joint",
        WARN, effects={'moveit': 'ignores the mimic'}),
    Case(
        'mimic-on-fixed', LINKS,
        '<joint name="j" type="fixed">\n'
        '  <parent link="base_link"/><child link="tip"/><mimic joint="k"/>\n'
        '</joint>',
        '<joint name="j" type="fixed">\n'
        '  <parent link="base_link"/><child link="tip"/>\n'
        '</joint>',
        5, "Joint 'j' is fixed and cannot mimic another joint",
        effects={}, unaffected=('ros2_control',)),
    Case(
        'mimic-on-fixed', DRIVEN,
        '<link name="d"/>\n'
        '<joint name="k" type="fixed">\n'
        '  <parent link="c"/><child link="d"/><mimic joint="rigid"/>\n'
        '</joint>\n'
        '<ros2_control name="s" type="system"><joint name="k"/></ros2_control>',
        '',
        9, "Joint 'k' is fixed and cannot mimic another joint",
        effects={'ros2_control': 'refuses the description'}),
    Case(
        'mimic-chain', LINKS,
        mimics(a='b', b='c'),
        mimics(a='c', b='c'),
        6, "Joint 'a' mimics joint 'b', which mimics joint 'c'"),
    Case(
        'mimic-range-exceeds-limits', FOLLOWER,
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>\n'
        '<mimic joint="leader" multiplier="2"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>\n'
        '<mimic joint="leader" multiplier="-1"/>',
        8, "Joint 'follower' follows joint 'leader' from -2 to 2, but its limits are -1 and 1"),
    Case(
        'mimic-zero-multiplier', FOLLOWER,
        '<mimic joint="leader" multiplier="0"/>',
        '<mimic joint="leader" multiplier="1"/>',
        7, "Joint 'follower' mimics with multiplier 0, so it never moves"),
)
