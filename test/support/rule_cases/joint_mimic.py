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
from support.validation_cases import example
from support.validation_cases import FIXED
from support.validation_cases import FOLLOWER
from support.validation_cases import LINKS
from support.validation_cases import mimics
from support.validation_cases import ROBOT

from urdf_tools.findings.finding import Severity

WARN = Severity.WARN

TURNS = """\
<link name="base_link"/><link name="a"/><link name="b"/>
<joint name="slider" type="prismatic"><parent link="base_link"/><child link="a"/>
<limit lower="0" upper="0.04" effort="1" velocity="1"/></joint>
<joint name="follower" type="revolute"><parent link="base_link"/><child link="b"/>
<limit lower="0" upper="1.5" effort="1" velocity="1"/>
<mimic joint="slider" multiplier="{}"/></joint>"""

CASES = (
    example('mimic-no-joint', 7, "The <mimic> of joint 'follower' names no joint"),
    Case(
        'mimic-no-joint', FOLLOWER,
        '<mimic joint=""/>',
        '<mimic joint="leader"/>',
        7, "The <mimic> of joint 'follower' names no joint"),
    example(
        'mimic-unknown-joint', 7,
        "Joint 'follower' mimics joint 'laeder', which does not exist",
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
    example(
        'mimic-self', 7,
        "Joint 'follower' mimics itself",
        effects={'joint_state_publisher': 'exits with an error'}),
    Case(
        'mimic-self', FIXED,
        '<mimic joint="j"/>',
        '<origin xyz="0 0 0"/>',
        5, "Joint 'j' mimics itself", effects={}, unaffected=('joint_state_publisher',)),
    example(
        'mimic-cycle', 5, 'Joints mimic each other in a cycle: follower -> leader -> follower'),
    Case(
        'mimic-cycle', LINKS, mimics(a='b', b='a', c='a'), mimics(a='b', c='a'), 6,
        'Joints mimic each other in a cycle: a -> b -> a'),
    example(
        'mimic-dof-mismatch', 7,
        "Joint 'follower' mimics joint 'rigid', which is fixed and has 0 degrees of freedom, not "
        '1'),
    Case(
        'mimic-dof-mismatch', FOLLOWER.replace('name="follower" type="revolute"',
                                               'name="follower" type="floating"'),
        '<mimic joint="leader"/>',
        '<origin xyz="0 0 0"/>',
        7, "Joint 'follower' is floating and cannot mimic another joint",
        WARN, effects={'moveit': 'ignores the mimic'}),
    example(
        'mimic-on-fixed', 5,
        "Joint 'j' is fixed and cannot mimic another joint", effects={},
        unaffected=('ros2_control',)),
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
    example(
        'mimic-chain', 5,
        "Joint 'follower' mimics joint 'leader', which mimics joint 'other'"),
    example(
        'mimic-units-suspect', 8, "Joint 'follower' is revolute and follows joint 'leader', which "
        'is revolute, from -0.01 to 0.01 only, with the limits -1 and 1'),
    Case(
        'mimic-units-suspect', ROBOT, TURNS.format(1), TURNS.format(30), 7,
        "Joint 'follower' is revolute and follows joint 'slider', which is prismatic, from 0 to "
        '0.04 only, with the limits 0 and 1.5', WARN),
    example(
        'mimic-range-exceeds-limits', 8,
        "Joint 'follower' follows joint 'leader' from -2 to 2, but its limits are -1 and 1"),
    example(
        'mimic-same-direction', 6,
        "Joint 'right_finger' moves to the same side as joint 'left_finger'"),
    example(
        'mimic-zero-multiplier', 7,
        "Joint 'follower' mimics with multiplier 0, so it never moves"),
)
