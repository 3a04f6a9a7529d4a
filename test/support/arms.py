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

"""An arm that feels gravity, and joint states of one that differs from it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support.graph_records import GraphRecords
from urdf_tools.dynamics import InverseDynamics
from urdf_tools.formats.loader import loads
from urdf_tools.kinematics import KinematicTree

JOINTS = {'pan': ('z', 0.1), 'lift': ('y', 0.2), 'elbow': ('y', 0.4), 'wrist': ('y', 0.35)}
"""Joint to its axis, and how far it is from the one before it."""

MASSES = {'column': 4.0, 'upper': 8.0, 'lower': 4.0, 'hand': 3.0}

POSTURE = {'pan': 0.3, 'lift': 0.4, 'elbow': 0.7, 'wrist': -0.5}


def arm(payload: float = 0.0, name: str = 'arm', **masses: float) -> str:
    """
    Return the description of an arm with a tool.

    :param payload: mass at the tool in kg.
    :param masses: masses of other links than :data:`MASSES` says.
    """
    text, parent = f'<robot name="{name}"><link name="base"/>', 'base'
    for (joint, (axis, distance)), (link, mass) in zip(
            JOINTS.items(), {**MASSES, **masses}.items()):
        offset = f'{distance} 0 0' if axis == 'y' and joint != 'lift' else f'0 0 {distance}'
        text += _link(link, mass, '0.15 0 0.02') + (
            f'<joint name="{joint}" type="revolute"><parent link="{parent}"/>'
            f'<child link="{link}"/><origin xyz="{offset}"/>'
            f'<axis xyz="{"0 1 0" if axis == "y" else "0 0 1"}"/>'
            '<limit lower="-3" upper="3" effort="300" velocity="2"/></joint>')
        parent = link
    text += '<joint name="flange" type="fixed"><parent link="hand"/><child link="tool"/>'
    text += '<origin xyz="0.12 0 0"/></joint>'
    return text + (_link('tool', payload, '0 0 0') if payload else '<link name="tool"/>') + (
        '</robot>')


def _link(name: str, mass: float, com: str) -> str:
    return (f'<link name="{name}"><inertial><origin xyz="{com}"/><mass value="{mass}"/>'
            '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>'
            '</link>')


def held(text: str, gravity: tuple[float, float, float] = (0, 0, -9.81)) -> dict[str, float]:
    """Return the efforts that hold an arm in its posture."""
    inverse = InverseDynamics(KinematicTree(loads(text)))
    positions = inverse.tree.configuration(POSTURE)
    return dict(zip(inverse.tree.velocity_names, inverse(positions, gravity=gravity).tolist()))


def records(
        efforts: dict[str, float], *, moves: bool = False,
        noise: Callable[[np.ndarray], np.ndarray | float] = lambda seconds: 0.0) -> GraphRecords:
    """Return a robot with the arm's description whose driver reports efforts."""
    def positions(seconds: np.ndarray) -> dict[str, np.ndarray]:
        swing = 0.2 * np.sin(seconds) if moves else 0 * seconds
        return {name: position + swing for name, position in POSTURE.items()}

    return GraphRecords().description('/state_publisher', arm()).joint_states(
        '/driver', positions, names=tuple(JOINTS),
        efforts=lambda seconds: {
            name: effort + noise(seconds) for name, effort in efforts.items()})
