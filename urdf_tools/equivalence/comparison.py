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
import json
import math
from pathlib import Path
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
    name: Kind(*each) for name, each in json.loads(
        Path(__file__).with_name('kinds.json').read_bytes()).items()}
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
