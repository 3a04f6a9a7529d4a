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
"""The descriptions around the examples of rules, and how programs load failing examples."""

from __future__ import annotations

from collections.abc import Mapping

from urdf_tools.check.validator import validates
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.rules import AnyRule

_ROBOT = '<robot name="r">\n{}\n</robot>'

_TWO_LINKS = '<robot name="r">\n<link name="base_link"/>\n<link name="tip"/>\n{}\n</robot>'

_JOINT = ('<joint name="j" type="%s"><parent link="base_link"/><child link="tip"/>\n{}\n'
          '</joint>')

_LINK = '<robot name="r">\n<link name="base_link">\n{}\n</link>\n</robot>'

_FOLLOWER = """\
<robot name="r">
<link name="base_link"/><link name="a"/><link name="b"/><link name="c"/>
<joint name="rigid" type="fixed"><parent link="base_link"/><child link="a"/></joint>
<joint name="leader" type="revolute"><parent link="base_link"/><child link="b"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="follower" type="revolute"><parent link="base_link"/><child link="c"/>
{}
</joint>
</robot>"""

_DRIVEN = """\
<robot name="r">
<link name="base_link"/><link name="a"/><link name="b"/><link name="c"/>
<joint name="rigid" type="fixed"><parent link="base_link"/><child link="a"/></joint>
<joint name="j" type="continuous"><parent link="base_link"/><child link="b"/></joint>
<joint name="copy" type="continuous"><parent link="base_link"/><child link="c"/>
<mimic joint="j"/></joint>
{}
</robot>"""

_FOUR_BAR = """\
<robot name="r">
<link name="base"/><link name="crank"/><link name="coupler"/><link name="rocker"/>
<joint name="motor" type="continuous"><parent link="base"/><child link="crank"/>
<origin rpy="0 0 1"/><axis xyz="0 0 1"/></joint>
<joint name="elbow" type="continuous"><parent link="crank"/><child link="coupler"/>
<origin xyz="0.1 0 0" rpy="0 0 -1"/><axis xyz="0 0 1"/></joint>
<joint name="pivot" type="continuous"><parent link="base"/><child link="rocker"/>
<origin xyz="0.3 0 0" rpy="0 0 1"/><axis xyz="0 0 1"/></joint>
{}
</robot>"""

PLACES: Mapping[str, str] = {
    'a file': '{}',
    'a robot': _ROBOT,
    'a robot with two links': _TWO_LINKS,
    'a fixed joint': _TWO_LINKS.format(_JOINT % 'fixed'),
    'a revolute joint': _TWO_LINKS.format(_JOINT % 'revolute'),
    'a continuous joint': _TWO_LINKS.format(_JOINT % 'continuous'),
    'the joint that follows another': _FOLLOWER,
    'a robot with joints': _DRIVEN,
    'a transmission': _DRIVEN.format('<transmission name="t">\n{}\n</transmission>'),
    'a ros2_control system': _DRIVEN.format(
        '<ros2_control name="s" type="system"><hardware><plugin>a/B</plugin></hardware>\n{}\n'
        '</ros2_control>'),
    'a four-bar linkage': _FOUR_BAR,
    'a link': _LINK,
    'a visual': _LINK.format('<visual>\n{}\n</visual>'),
    'a collision geometry': _LINK.format('<collision><geometry>\n{}\n</geometry></collision>'),
    'an inertial': _LINK.format('<inertial>\n{}\n</inertial>'),
    'the file arm.srdf': '{}',
    'arm.srdf': '<robot name="arm">\n{}\n</robot>',
    **dict.fromkeys(('joint_limits.yaml', 'kinematics.yaml', 'moveit_controllers.yaml',
                     'ros2_controllers.yaml', 'initial_positions.yaml'), '{}')}
"""What an example stands in, as the docstring of its rule says, to the text around it."""


def finding_of_example(rule: AnyRule) -> Finding | None:
    """
    Return the finding about the example that fails, or None if it needs files.

    Its consequences are those of programs with a model, and what the rule states of this example.
    """
    if not rule.text.fails:
        return None
    findings = validates(PLACES[rule.text.place].format(rule.text.fails)).findings
    return next((finding for finding in findings if finding.code == rule.code), None)


def consequences_of(rule: AnyRule) -> Consequences:
    """Return what programs do with the example that fails, and what the rule states at all."""
    finding = finding_of_example(rule)
    stated = {each.program for each in rule.consequences}
    return (*rule.consequences, *(
        each for each in (() if finding is None else finding.consequences)
        if each.program not in stated))
