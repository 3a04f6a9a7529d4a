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

"""Attributes as PyBullet reads them: ``UrdfParser.cpp`` and ``urdfLexicalCast.h`` (C's atof)."""

from __future__ import annotations

from functools import lru_cache
import re

from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.importers import pose_from

_NUMBER = re.compile(r'\s*([+-]?(?:(0x[\da-f]{1,250})|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|'
                     r'infinity|inf|nan))', re.IGNORECASE | re.ASCII)


@lru_cache(maxsize=4096)
def number(text: str) -> float:
    """Return the number at the start of a text; 0 if there is none."""
    match = _NUMBER.match(text)
    if match is None:
        return 0.0
    return float.fromhex(match[1]) if match[2] else float(match[1])


@lru_cache(maxsize=4096)
def vector(text: str) -> Vector3 | None:
    """Return the first three numbers of a text; None if it has fewer."""
    words = text.split(' ')
    values = [number(word) for word in words if word]
    return (values[0], values[1], values[2]) if len(values) >= 3 else None


_NO_POSE = Pose()


def pose(parent: Element | None) -> Pose:
    """Return the ``<origin>`` of an element; what cannot be read is zero."""
    origin = None if parent is None else parent.find_tag('origin')
    if origin is None:
        return _NO_POSE
    xyz, rpy = (vector(origin.get(name, '')) or (0.0, 0.0, 0.0) for name in ('xyz', 'rpy'))
    return pose_from(xyz, rpy)
