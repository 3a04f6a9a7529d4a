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

"""Elements of MJCF, their numbers and their names."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from itertools import chain
from itertools import count
from typing import Any
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import SubElement

from urdf_tools.model.pose import Pose


_NOISE = 1e-13
"""Numbers of quaternions up to this are written as zero."""


Attributes = dict[str, Any]
"""Texts, numbers, or None for those that are left out."""


def add(parent: Node, tag: str, attributes: Attributes) -> Node:
    """Append an element; numbers are written as text, and attributes of None are left out."""
    return SubElement(parent, tag, {
        name: value if isinstance(value, str) else numbers(value)
        for name, value in attributes.items() if value is not None})


def rounded(value: float) -> float:
    """Return a number with twelve digits, three more than the proof needs."""
    return float(f'{value:.12g}') + 0.0  # Adding zero removes -0.0.


def numbers(values: Iterable[float]) -> str:
    """Return numbers as text, with twelve digits."""
    return ' '.join(repr(rounded(value)).removesuffix('.0') for value in values)


def pose(origin: Pose) -> Attributes:
    """Return the attributes of a pose; what is zero is left out."""
    sign = -1 if origin.quaternion[3] < 0 else 1
    x, y, z, w = (sign * each if abs(each) > _NOISE else 0.0 for each in origin.quaternion)
    return {'pos': origin.xyz if any(origin.xyz) else None,
            'quat': (w, x, y, z) if any((x, y, z)) else None}


def unique(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken, whatever its case: itself, or with a number after it."""
    names = {each.casefold() for each in taken}
    return next(each for each in chain([name], (f'{name}_{n}' for n in count(2)))
                if each.casefold() not in names)
