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

"""Chains of links for the tests of kinematics."""

from __future__ import annotations

from urdf_tools.formats.loader import loads
from urdf_tools.model.robot import Robot

EVERY_JOINT_TYPE = (
    'a floating', 'b revolute <axis xyz="1 2 -3"/>', 'c fixed',
    'd planar <axis xyz="0.2 -1 0.4"/>', 'e prismatic <axis xyz="0 -1 0"/>',
    'f continuous <axis xyz="0 0 -1"/><mimic joint="b" multiplier="-2" offset="0.3"/>',
    'g prismatic <axis xyz="1 0 0"/><mimic joint="f" multiplier="0.1" offset="-1"/>',
    'h revolute <axis xyz="0 0 0"/>')
"""Joints of a chain with 13 variables, with mimic joints and a joint without an axis."""

ORIGIN = '<origin xyz="0.1 -0.2 0.3" rpy="0.4 -0.5 0.6"/>'


INERTIAL = (
    '<inertial><origin xyz="0.1 {0} -0.2" rpy="0.3 -0.2 {0}"/><mass value="{0}"/>'
    '<inertia ixx="0.4" ixy="0.01" ixz="-0.02" iyy="0.5" iyz="0.03" izz="0.6"/></inertial>')


def robot(*joints: str, has_mass: bool = False) -> Robot:
    """Load a chain of links l0, l1, ... from the attributes and content of its joints."""
    return loads(text(*joints, has_mass=has_mass))


def text(*joints: str, has_mass: bool = False) -> str:
    """
    Return the description of a chain of links l0, l1, ...

    :param joints: each of the form ``name type`` and elements, such as ``j1 fixed <origin/>``.
    :param has_mass: links other than l2 have inertials.
    """
    links = ''.join(
        f'<link name="l{i}">{INERTIAL.format(1 + i / 4) if has_mass and i != 2 else ""}</link>'
        for i in range(len(joints) + 1))
    parts = []
    for i, joint in enumerate(joints):
        name, kind, *content = joint.split(' ', 2)
        limit = '' if 'limit' in joint or kind not in ('revolute', 'prismatic') else (
            '<limit lower="-9" upper="9" effort="1" velocity="1"/>')
        origin = '' if 'origin' in joint else ORIGIN
        parts.append(
            f'<joint name="{name}" type="{kind}"><parent link="l{i}"/><child link="l{i + 1}"/>'
            f'{origin}{limit}{"".join(content)}</joint>')
    return f'<robot name="chain">{links}{"".join(parts)}</robot>'
