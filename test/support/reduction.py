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

"""Reduction of a description to the least that still has a property."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from copy import deepcopy
from xml.etree.ElementTree import Element

_PLAIN = ('1', '0 0 1', '1 2 3', 'cube.stl', 'fixed', 'continuous', 'a', 'b', 'r')
"""Values to write for others, the plainest first."""


def reduced(robot: Element, holds: Callable[[Element], bool]) -> Element:
    """
    Return the description without all that can be removed while the property holds.

    Elements are removed, from the largest, links with the joint above them, elements replaced by
    their children, then attributes removed and values made plain, until none of it does.
    """
    best = robot
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(best):
            if holds(smaller):
                best, progress = smaller, True
                break
    return best


def _smaller(robot: Element) -> Iterator[Element]:
    elements = list(robot.iter())
    for joint in robot.findall('joint'):
        yield from _without_link(robot, joint)
    sizes = [sum(1 for _ in each.iter()) for each in elements]
    for index in sorted(range(1, len(elements)), key=lambda index: -sizes[index]):
        yield _without(robot, index)
    for index, element in enumerate(elements):
        for name in element.attrib:
            copy, twin = _copy(robot, index)
            del twin.attrib[name]
            yield copy
        if element.text:
            copy, twin = _copy(robot, index)
            twin.text = None
            yield copy
    for index, element in enumerate(elements):
        for name, value in element.attrib.items():
            # Only values that are not plain yet, so that it ends.
            for plain in _PLAIN if value not in _PLAIN and name not in ('link', 'joint') else ():
                copy, twin = _copy(robot, index)
                twin.set(name, plain)
                yield copy


def _copy(robot: Element, index: int) -> tuple[Element, Element]:
    copy = deepcopy(robot)
    return copy, list(copy.iter())[index]


def _without(robot: Element, index: int) -> Element:
    copy, removed = _copy(robot, index)
    next(parent for parent in copy.iter() if removed in list(parent)).remove(removed)
    return copy


def _without_link(robot: Element, joint: Element) -> Iterator[Element]:
    """Yield a robot without a joint and the link below, whose children go to the parent."""
    parent, child = joint.find('parent'), joint.find('child')
    if parent is None or child is None:
        return
    copy = deepcopy(robot)
    for each in list(copy):
        ends = [(end.get('link') if (end := each.find(tag)) is not None else None)
                for tag in ('parent', 'child')]
        if each.tag == 'joint' and each.get('name') == joint.get('name') or (
                each.tag == 'link' and each.get('name') == child.get('link')):
            copy.remove(each)
        elif each.tag == 'joint' and ends[0] == child.get('link'):
            each.find('parent').set('link', parent.get('link', ''))
    yield copy
