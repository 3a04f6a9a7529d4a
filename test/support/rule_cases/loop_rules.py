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

"""Cases of the rules about loops."""

from support.validation_cases import example

_FOUR_BAR = """<robot name="r">
<link name="base"/><link name="crank"/><link name="coupler"/><link name="rocker"/>
<joint name="motor" type="continuous"><parent link="base"/><child link="crank"/>
<origin rpy="0 0 1"/><axis xyz="0 0 1"/></joint>
<joint name="elbow" type="continuous"><parent link="crank"/><child link="coupler"/>
<origin xyz="0.1 0 0" rpy="0 0 -1"/><axis xyz="0 0 1"/>%s</joint>
<joint name="pivot" type="continuous"><parent link="base"/><child link="rocker"/>
<origin xyz="0.3 0 0" rpy="0 0 1"/><axis xyz="0 0 1"/></joint>
{}
%s</robot>"""

_CLOSED = _FOUR_BAR % ('', '')

_PIN = """<constraint name="pin" type="revolute">
<parent link="coupler"/><child link="rocker"/>
<parent_origin xyz="0.3 0 0"/><child_origin xyz="0.1 0 0"/>
<parent_axis xyz="0 0 1"/><child_axis xyz="{}"/></constraint>"""

_GOOD = _PIN.format('0 0 1')

_CONTROL = """<ros2_control name="s" type="system">
<joint name="motor"><command_interface name="position"/></joint>
{}</ros2_control>
"""

_DRIVEN = '<joint name="pivot"><command_interface name="position"/></joint>'

_MEASURED = """<ros2_control name="s" type="system">
<joint name="motor"><state_interface name="position"/></joint>
{}</ros2_control>"""

_FLAT = """<robot name="r">
<link name="base"/><link name="crank"/><link name="coupler"/><link name="rocker"/>
<joint name="motor" type="continuous"><parent link="base"/><child link="crank"/>
<axis xyz="0 0 1"/></joint>
<joint name="elbow" type="continuous"><parent link="crank"/><child link="coupler"/>
<origin xyz="0.1 0 0"/><axis xyz="0 0 1"/></joint>
<joint name="pivot" type="continuous"><parent link="base"/><child link="rocker"/>
{}<axis xyz="0 0 1"/></joint>
<constraint name="pin" type="revolute"><parent link="coupler"/><child link="rocker"/>
<parent_origin xyz="0.3 0 0"/><child_origin xyz="0.1 0 0"/>
<parent_axis xyz="0 0 1"/><child_axis xyz="0 0 1"/></constraint>
</robot>"""

_FIVE_BAR = (_FOUR_BAR % ('', '@')).replace('{}', (
    '<link name="tip"/><joint name="wrist" type="continuous"><parent link="coupler"/>'
    '<child link="tip"/>\n<origin xyz="0.2 0 0" rpy="0 0 -0.5"/><axis xyz="0 0 1"/></joint>\n'
    + _GOOD.replace('coupler', 'tip').replace('0.3 0 0', '0.0877583 0.0479426 0'))).replace(
    '@', '\n{}\n')

_MIMIC = (_FOUR_BAR % ('\n@', _GOOD)).replace('{}', '').replace('@', '{}')

CASES = (
    example('loop-unreadable', 9, "Loop 'pin' stays open: link 'cuopler' does not exist"),
    example('loop-open', 9, "Loop 'pin' is open by 20 mm and 0 mrad where all positions are zero"),
    example(
        'loop-axes-not-parallel', 9,
        "The axes of hinge 'pin' are 1.15 degrees apart wherever its joints are"),
    example(
        'loop-undecided', 10,
        "Loop 'pin' can be assembled in several ways near position zero"),
    example(
        'loop-immovable', 9,
        "The loops of 'pin' leave joints 'motor', 'elbow', 'pivot' no mobility"),
    example(
        'loop-passive-driven', 12,
        "Joints 'motor', 'pivot' have command interfaces, but loop 'pin' leaves them a mobility "
        'of 1'),
    example(
        'loop-underdetermined', 19,
        "Loop 'pin' has a mobility of 2, but only 'motor' of its joints are in <ros2_control>"),
    example(
        'loop-faked-by-mimic', 8,
        "Joint 'elbow' mimics 'motor', which opens loop 'pin' by up to 559 mm over its range"))
