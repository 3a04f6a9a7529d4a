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

"""Differences between two SDFormat documents, element by element."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
import math
from xml.etree import ElementTree

from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.pose import quaternion_from_rpy

TOLERANCE = 1e-9

SCHEMA_DEFAULTS = {
    'lower': '-1e16', 'upper': '1e16', 'spring_reference': '0', 'spring_stiffness': '0',
    'cfm': '0.0', 'erp': '0.2', 'type': 'gaussian', 'topic': '__default_topic__',
    'xyz': '0 0 1', 'direction': '0 0 -1', 'horizontal_fov': '1.047', 'width': '320',
    'height': '240', 'near': '.1', 'far': '100', 'texture': '__default__',
    'output': 'depths'}
"""Required elements that ``ign sdf -p`` adds where they are missing, and their defaults."""

WITHOUT_ATTRIBUTES = ('sdf', 'grasp_check')
"""Elements whose attributes ``ign sdf -p`` changes or leaves out when it reads the document."""


def differences(ours: ElementTree.Element, theirs: ElementTree.Element) -> Iterator[str]:
    """
    Yield what differs between two documents.

    Numbers may differ by 1e-9, as a share of those above 1. Rotations are compared as matrices,
    since roll and yaw are not unique at a right angle. Siblings are compared in any order.
    """
    pending = [(ours, theirs, ours.tag)]
    while pending:
        mine, other, path = pending.pop()
        if mine.attrib != other.attrib and mine.tag not in WITHOUT_ATTRIBUTES:
            yield f'{path}: {mine.attrib}, not {other.attrib}'
        if not _same_text(mine, other):
            yield f'{path}: {mine.text!r}, not {other.text!r}'
        left, right = _children(mine), _children(other)
        for tag, name in sorted(left.keys() | right.keys()):
            step = f'{path}/{tag}[{name}]' if name else f'{path}/{tag}'
            for a, b in zip_longest(left.get((tag, name), []), right.get((tag, name), [])):
                if a is not None and b is not None:
                    pending.append((a, b, step))
                elif b is None:
                    yield f'{step}: too many'
                elif not is_default(b):
                    yield f'{step}: missing {b.text}'


def is_default(element: ElementTree.Element) -> bool:
    """Return whether an element has only values that stand for a missing one."""
    if len(element):
        return all(map(is_default, element))
    return (element.text or '').strip() == SCHEMA_DEFAULTS.get(element.tag)


def _children(parent: ElementTree.Element) -> dict:
    groups: dict = {}
    for child in parent:
        groups.setdefault((child.tag, child.get('name', '')), []).append(child)
    return groups


def _same_text(mine: ElementTree.Element, other: ElementTree.Element) -> bool:
    left, right = (
        (element.text or ('0 0 0 0 0 0' if element.tag == 'pose' else '')).split()
        for element in (mine, other))
    try:
        a, b = [*map(float, left)], [*map(float, right)]
    except ValueError:
        return left == right
    if mine.tag == 'pose' and len(a) == len(b) == 6:
        turned = [quaternion_to_matrix(quaternion_from_rpy(*values[3:])).ravel()
                  for values in (a, b)]
        a, b = [*a[:3], *turned[0]], [*b[:3], *turned[1]]
    return len(a) == len(b) and all(map(close, a, b))


def close(a: float, b: float) -> bool:
    """Return whether two numbers are equal up to rounding; NaN equals NaN."""
    return (math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
            or math.isnan(a) and math.isnan(b))
