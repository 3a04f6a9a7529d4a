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

"""Read loop closures written for Gazebo, Isaac, URDF+ and urdfdom's draft."""

from __future__ import annotations

from collections.abc import Container
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from urdf_tools.model.element_reader import ElementReader
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.loops import MAX_LOOPS
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import normalized
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.pose import Vector3
from urdf_tools.model.records import Joint
from urdf_tools.model.records import Link
from urdf_tools.model.records import Problem
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.model.values import numbers_in
from urdf_tools.model.values import read_attributes
from urdf_tools.model.values import read_number
from urdf_tools.model.values import read_text
from urdf_tools.model.values import read_vector
from urdf_tools.model.xml.element import Element

_TYPES = {
    'revolute': LoopType.HINGE, 'continuous': LoopType.HINGE, 'hinge': LoopType.HINGE,
    'ball': LoopType.BALL, 'spherical': LoopType.BALL, 'universal': LoopType.UNIVERSAL,
    'prismatic': LoopType.SLIDER, 'slider': LoopType.SLIDER, 'fixed': LoopType.FIXED}
"""Joint types of the formats to loop types."""


class LoopReader:
    """
    Reads the loops of one description.

    :param reader: reads origins, and gets the problems.
    :param root: name of the root link.
    """

    def __init__(self, reader: ElementReader, links: Mapping[str, Link],
                 joints: Mapping[str, Joint], root: str):
        self._reader = reader
        self._links = links
        self._root = root
        self._poses: dict[str, NDArray[np.float64]] = {root: np.eye(4)}
        self._joint_above = {joint.child: joint for joint in joints.values()}

    def loops(self, elements: Iterable[Element]) -> Iterator[Loop]:
        """Yield the loops of elements; note unreadable ones as problems."""
        for number, element in enumerate(elements):
            if element.findtext('parent', '').strip() == 'world' and 'world' not in self._links:
                continue  # It fixes the model in a world of Gazebo.
            read = {'joint': self._of_gazebo, 'loop_joint': self._of_isaac,
                    'constraint': self._of_draft, 'loop': self._of_urdf_plus,
                    'coupling': self._coupling}[element.tag]
            try:
                if number >= MAX_LOOPS:
                    raise element.error(f'only {MAX_LOOPS} loops of a robot are closed')
                yield replace(read(element), name=element.get('name', ''), element=element)
            except DescriptionError as error:
                self._reader.problems.append(Problem(
                    f'Loop {quote(element.get("name", ""))} stays open: {error.message}',
                    error.element, error.line, error.source, ErrorKind.LOOP))

    def _type(self, element: Element) -> LoopType:
        text = element.get('type', '')
        if element.tag == 'constraint':
            text = text.removesuffix('_joint')  # As the programs of its author write it.
        if text not in _TYPES:
            raise element.error(f'its type {quote(text)} is none of {", ".join(_TYPES)}')
        return _TYPES[text]

    def _link(self, element: Element, name: str) -> str:
        if name not in self._links:
            raise element.error(
                f'link {quote(name)} does not exist', did_you_mean(name, self._links))
        return name

    def _of_isaac(self, element: Element) -> Loop:
        kind = self._type(element)
        if kind not in (LoopType.BALL, LoopType.FIXED):
            raise element.error(
                f'a <loop_joint> of type {quote(element.get("type", ""))} has no axis')
        ends = self._ends(element, 'link1', 'link2')
        return _loop(kind, ends, *map(_inline_pose, ends))

    def _of_draft(self, element: Element) -> Loop:
        kind = self._type(element)
        ends = self._ends(element, 'parent', 'child')
        origins = [element.find_tag(f'{side}_origin') for side in ('parent', 'child')]
        poses = [Pose() if origin is None else _inline_pose(origin) for origin in origins]
        axes = [_urdf_axis(element.find_tag(f'{side}_axis')) for side in ('parent', 'child')]
        return _loop(kind, ends, *poses, *axes)

    def _of_urdf_plus(self, element: Element) -> Loop:
        """Read a loop of URDF+ (arXiv 2411.19753), whose frames have one axis in common."""
        kind = self._type(element)
        ends = self._ends(element, 'predecessor', 'successor')
        vector = _urdf_axis(element.find_tag('axis'))
        if kind in (LoopType.BALL, LoopType.UNIVERSAL):
            raise element.error(f'URDF+ has no type {quote(element.get("type", ""))}')
        return _loop(kind, ends, *map(self._reader.origin, ends), vector, vector)

    def _ends(self, element: Element, *tags: str) -> list[Element]:
        """Return the children that name the links of a loop."""
        ends = [element.child(tag) for tag in tags]
        for end in ends:
            self._link(end, read_text(end, 'link'))
        return ends

    def _coupling(self, element: Element) -> Loop:
        """Read a coupling of URDF+, of the joints below the nearest common ancestor of links."""
        first, second = (
            end.attrib['link'] for end in self._ends(element, 'predecessor', 'successor'))
        above = [self._ascend(link, (self._root,)) for link in (first, second)]
        ancestor = self._root
        while all(above) and above[0][-1] is above[1][-1]:
            ancestor = [joints.pop() for joints in above][0].child
        for link, joints in zip((first, second), above):
            if {joint.type.dof for joint in joints} - {0} != {1}:
                raise element.error(f'from {quote(ancestor)} to {quote(link)} lead no joints, or '
                                    'some of more than one degree of freedom')
        return Loop('', LoopType.GEAR, first, second,
                    ratio=read_number(element.child('ratio'), 'value'), ancestor=ancestor)

    def _of_gazebo(self, element: Element) -> Loop:
        """
        Read a joint of an SDFormat model, placed with its links at position zero.

        The pose is in the frame of the child, the axes are in the frame of the joint (SDFormat
        1.7 and later).
        """
        kind = self._type(element)
        parent, child = (
            self._link(element.child(tag), (element.child(tag).text or '').strip())
            for tag in ('parent', 'child'))
        pose = element.find_tag('pose')
        placed = Pose() if pose is None else gazebo_pose(pose)
        base = child if pose is None else pose.get('relative_to', child)
        at_zero = self._at_zero(self._link(element, base)) @ placed.matrix
        first = self._axis(element, 'axis', at_zero)
        second = self._axis(element, 'axis2', at_zero) if kind is LoopType.UNIVERSAL else first
        return Loop('', kind, parent, child, _relative_to(self._at_zero(parent), at_zero),
                    _relative_to(self._at_zero(child), at_zero), first, second)

    def _axis(self, joint: Element, tag: str, frame: NDArray[np.float64]) -> Vector3:
        """Return an axis in the frame of the joint."""
        axis = joint.find_tag(tag)
        xyz = None if axis is None else axis.find_tag('xyz')
        if axis is None or xyz is None:
            return (0.0, 0.0, 1.0)
        vector = _direction(xyz, numbers_in(xyz, 3))
        of_model = (axis.findtext('use_parent_model_frame') or '').strip() in ('1', 'true')
        seen_from = self._root if of_model else xyz.get('expressed_in')
        if not seen_from:
            return vector
        link = self._root if seen_from == '__model__' else self._link(joint, seen_from)
        x, y, z = (frame[:3, :3].T @ self._at_zero(link)[:3, :3] @ vector).tolist()
        return (x, y, z)

    def _ascend(self, link: str, ends: Container[str]) -> list[Joint]:
        """Return the joints from a link up to the first of some links that include the root."""
        path: list[Joint] = []
        while link not in ends:
            path.append(self._joint_above[link])
            link = path[-1].parent
        return path

    def _at_zero(self, link: str) -> NDArray[np.float64]:
        """Return the pose of a link in the frame of the root link at position zero."""
        for joint in reversed(self._ascend(link, self._poses)):
            self._poses[joint.child] = self._poses[joint.parent] @ joint.origin.matrix
        return self._poses[link]


def _loop(kind: LoopType, ends: Sequence[Element], *frames: Any) -> Loop:
    """Return a loop between the links that elements name; frames are two origins and axes."""
    first, second = ends
    return Loop('', kind, first.attrib['link'], second.attrib['link'], *frames)


def _inline_pose(element: Element) -> Pose:
    """Return the pose in the attributes of an element."""
    pose = read_attributes(element, {}, {'xyz': 3, 'rpy': 3})
    return Pose(pose.get('xyz', Pose.xyz), quaternion_from_rpy(*pose.get('rpy', Pose.xyz)))


def _urdf_axis(element: Element | None) -> Vector3:
    """Return the axis in an element, by default as in URDF."""
    return Loop.parent_axis if element is None else _direction(
        element, read_vector(element, 'xyz', 3))


def gazebo_pose(element: Element) -> Pose:
    """
    Return the pose in the text of a ``<pose>`` of SDFormat.

    :raises DescriptionError: it is not one.
    """
    if element.get('rotation_format') == 'quat_xyzw':
        x, y, z, qx, qy, qz, qw = numbers_in(element, 7)
        if not any((qx, qy, qz, qw)):
            raise element.error('the quaternion of <pose> is zero')
        return Pose((x, y, z), normalized((qx, qy, qz, qw)))
    x, y, z, *angles = numbers_in(element, 6)
    if element.get('degrees', '').strip() in ('1', 'true'):
        angles = [math.radians(angle) for angle in angles]
    return Pose((x, y, z), quaternion_from_rpy(*angles))


def _direction(element: Element, vector: Sequence[float]) -> Vector3:
    if not any(vector):
        raise element.error(f'<{element.tag}> is zero')
    x, y, z = vector
    return normalized((x, y, z))


def _relative_to(frame: NDArray[np.float64], pose: NDArray[np.float64]) -> Pose:
    """Return a pose relative to a frame, both homogeneous matrices."""
    back = frame[:3, :3].T
    x, y, z = (back @ (pose[:3, 3] - frame[:3, 3])).tolist()
    return Pose((x, y, z), quaternion_from_rpy(*rpy_of(back @ pose[:3, :3])))
