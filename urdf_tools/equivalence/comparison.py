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
"""What two robots are compared by, and the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import math
from typing import NamedTuple

from urdf_tools.equivalence.matching import Matching
from urdf_tools.findings.message import Message
from urdf_tools.model.xml.element import Element


class Kind(NamedTuple):
    """
    A kind of difference.

    :ivar tolerance: largest effect that is none, in the unit.
    :ivar unit: of the effect; empty for what either differs or not.
    """

    tolerance: float
    unit: str
    summary: str


KINDS: Mapping[str, Kind] = {
    'joint': Kind(0.0, '', 'Joints are in both robots, and of the same type'),
    'loop': Kind(0.1, 'mm', 'Loops are closed at the same points'),
    'pose': Kind(0.1, 'mm', 'Joints move the bodies below them in the same way'),
    'limit': Kind(1.0, 'mm', 'Joints have the same range'),
    'mimic': Kind(0.1, 'mm', 'Joints follow the same joints'),
    'frame': Kind(0.1, 'mm', 'Links have the same frames'),
    'mass': Kind(0.1, '%', 'Bodies have the same mass'),
    'com': Kind(0.1, 'mm', 'Bodies have the same centre of mass'),
    'inertia': Kind(1.0, '%', 'Bodies have the same inertia about their centre of mass'),
    'effort': Kind(1.0, '%', 'Joints have the same effort limit'),
    'velocity': Kind(1.0, '%', 'Joints have the same velocity limit'),
    'damping': Kind(1.0, '%', 'Joints have the same damping'),
    'friction': Kind(1.0, '%', 'Joints have the same friction'),
    'collision': Kind(1.0, 'mm', 'Bodies have collision shapes of the same size at the same pose'),
    'motion': Kind(1.0, '%', 'Link poses and mass matrices are the same in all configurations')}
"""
What is compared.

Of poses, limits and mimics the effect is how far a point below the joint is from where it should
be, the furthest of all in all configurations.
"""


@dataclass(frozen=True)
class Disparity:
    """
    One difference of two robots.

    :param kind: one of :data:`KINDS`.
    :param effect: in the unit of the kind; infinite for what is only in one of them.
    :param tolerance: likewise.
    :param names: of the link or joint in both robots; empty in one that does not have it.
    :param elements: where it is written in each of them.
    """

    kind: str
    message: Message
    effect: float
    tolerance: float
    names: tuple[str, str] = ('', '')
    elements: tuple[Element | None, Element | None] = (None, None)

    @property
    def size(self) -> float:
        """The effect relative to the tolerance."""
        return self.effect / self.tolerance if self.tolerance else math.inf * self.effect


@dataclass(frozen=True)
class Comparison:
    """
    Two robots compared.

    :ivar differences: those beyond the tolerances, the largest first.
    :ivar matching: the counterparts.
    :ivar measured: what differs over all configurations, at the same positions of joints: the
        ``distance`` of links in m, the shares ``mass matrix`` and ``gravity torque`` of their
        largest values.
    :ivar furthest: the link that is furthest away.
    :ivar unknown: what was not compared, and why.
    """

    differences: tuple[Disparity, ...]
    matching: Matching
    measured: Mapping[str, float]
    furthest: str
    unknown: tuple[Message, ...]
