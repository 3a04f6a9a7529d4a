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

"""The frames of an SDFormat model: names in scopes, poses relative to each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field
from itertools import islice
from typing import Literal

import numpy as np

from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.loop_reader import gazebo_pose
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array

_NEAR = 8
"""How many frames between two are looked at for a pose without rounding."""


@dataclass(eq=False)
class Frame:
    """
    A named frame of a model: a link, a joint, a ``<frame>``, or a model.

    :ivar kind: what it is.
    :ivar element: where it is written.
    :ivar name: its name in the robot, with those of the models that it is nested in.
    :ivar scope: where the names in it are looked up.
    :ivar pose: its ``<pose>``, or None.
    :ivar inner: the scope of a model.
    :ivar placement: the frame of a model that its pose places, or empty.
    :ivar attached: the link that it is attached to, None for the world, once it is known.
    """

    kind: Literal['link', 'joint', 'frame', 'model']
    element: Element
    name: str
    scope: Scope | None
    pose: Element | None
    inner: Scope | None = None
    placement: str = ''
    attached: tuple[Frame | None, ...] = ()


@dataclass(eq=False)
class Scope:
    """
    The frames of a model by their names.

    A model that is merged into another has the same names as that, but a frame of its own.

    :ivar model: the element of the model.
    :ivar version: the version of SDFormat that it is written in.
    :ivar folder: the folder that relative paths in it start from, empty for that of the
        description.
    :ivar prefix: what precedes the names in it in the robot.
    :ivar own: the frame of the model.
    :ivar depth: the number of models around it.
    :ivar is_merged: whether it is merged into the model around it.
    """

    model: Element
    version: tuple[int, int]
    folder: str
    prefix: str
    own: Frame
    depth: int = 0
    is_merged: bool = False
    frames: dict[str, Frame] = field(default_factory=dict)

    def find(self, name: str, element: Element) -> Frame:
        """
        Return the frame of a name.

        :param element: the element that names it, for the error.
        :raises DescriptionError: there is none.
        """
        if name == '__model__':
            return self.own
        scope, rest = self, name
        while rest not in scope.frames:
            first, separator, rest = rest.partition('::')
            frame = scope.frames.get(first)
            if not separator or frame is None or frame.inner is None:
                raise element.error(
                    f'Frame {quote(name)} does not exist in model '
                    f'{quote(self.model.get("name", ""))}', did_you_mean(name, self.frames))
            if rest == '__model__':
                return frame
            scope = frame.inner
        return scope.frames[rest]


class Poses:
    """
    Resolves the poses of frames.

    :param root: the frame of the outermost model.
    """

    def __init__(self, root: Frame):
        self._known: dict[Frame, Array] = {root: np.eye(4)}
        self._own: dict[Frame, Array] = {}

    def relative(self, frame: Frame, base: Frame) -> Array:
        """
        Return the pose of a frame in another one, a homogeneous matrix of shape (4, 4).

        :raises DescriptionError: a pose cannot be read, or is relative to itself.
        """
        for start, end, is_inverse in ((frame, base, False), (base, frame, True)):
            steps = [*islice(self._up(start), _NEAR)]
            if end in steps:
                found = np.eye(4)
                for step in steps[:steps.index(end)]:
                    found = self.own(step) @ found
                return invert(found) if is_inverse else found
        return invert(self.of(base)) @ self.of(frame)

    def of(self, frame: Frame) -> Array:
        """
        Return the pose of a frame in that of the outermost model.

        :raises DescriptionError: a pose cannot be read, or is relative to itself.
        """
        pending: dict[Frame, None] = {}
        for step in self._up(frame):
            if step in self._known:
                break
            if step in pending:
                raise step.element.error(
                    f'The pose of {step.kind} {quote(step.name)} is relative to itself')
            pending[step] = None
        for step in reversed(pending):
            self._known[step] = self._known[base_of(step)] @ self.own(step)
        return self._known[frame]

    def placed(self, element: Element | None, owner: Frame, scope: Scope) -> Array:
        """
        Return the pose of a part of a link, such as a visual, in the frame of the link.

        :param element: its ``<pose>``, or None.
        """
        if element is None:
            return np.eye(4)
        name = reference_of(element)
        raw = raw_pose(element)
        return self.relative(scope.find(name, element), owner) @ raw if name else raw

    def own(self, frame: Frame) -> Array:
        """Return the pose of a frame in the one that it is written relative to."""
        if frame not in self._own:
            self._own[frame] = self._written(frame)
        return self._own[frame]

    def _written(self, frame: Frame) -> Array:
        pose = np.eye(4) if frame.pose is None else raw_pose(frame.pose)
        if frame.placement and frame.inner is not None:
            placed = frame.inner.find(frame.placement, frame.element)
            inside = np.eye(4)
            seen = set()
            for step in self._up(placed):
                if step is frame:
                    break
                if step in seen:
                    raise step.element.error(
                        f'The pose of {step.kind} {quote(step.name)} is relative to itself')
                seen.add(step)
                inside = self.own(step) @ inside
            pose = pose @ invert(inside)
        return pose

    @staticmethod
    def _up(frame: Frame) -> Iterator[Frame]:
        """Yield a frame and those that its pose depends on, up to the outermost model."""
        while True:
            yield frame
            if frame.scope is None:
                return
            frame = base_of(frame)


def base_of(frame: Frame) -> Frame:
    """
    Return the frame that the pose of another one is written relative to.

    :raises DescriptionError: it does not exist.
    """
    scope = frame.scope
    assert scope is not None, 'the outermost model has no base'
    name = '' if frame.pose is None else reference_of(frame.pose)
    if not name:
        name = text_of(frame.element, 'child') if frame.kind == 'joint' else (
            frame.element.get('attached_to', '') if frame.kind == 'frame' else '')
    return scope.find(name or '__model__', frame.element if frame.pose is None else frame.pose)


def attached_link(scope: Scope, name: str, element: Element) -> Frame | None:
    """
    Return the link that a frame is attached to; None for the world.

    :raises DescriptionError: the frame does not exist, or is attached to no link.
    """
    seen: set[Frame] = set()
    found: Frame | None = None
    while name != 'world':
        frame = scope.find(name, element)
        if frame.kind == 'link' or frame.attached:
            found, = frame.attached or (frame,)
            break
        if frame in seen:
            raise frame.element.error(
                f'{frame.kind.capitalize()} {quote(frame.name)} is attached to itself')
        seen.add(frame)
        if frame.kind == 'model':
            assert frame.inner is not None, 'a model has frames'
            scope, element = frame.inner, frame.element
            name = canonical_link(frame.inner)
        else:
            assert frame.scope is not None, 'only the outermost model is in no other'
            scope, element = frame.scope, frame.element
            name = text_of(element, 'child') if frame.kind == 'joint' else (
                element.get('attached_to') or '__model__')
    for frame in seen:
        frame.attached = (found,)
    return found


def canonical_link(scope: Scope) -> str:
    """
    Return the name of the canonical link of a model.

    :raises DescriptionError: it has no link.
    """
    name = scope.model.get('canonical_link')
    if name:
        return name
    own = [name for name, frame in scope.frames.items()
           if frame.scope is scope or not scope.is_merged]
    for kind in ('link', 'model'):
        found = next((name for name in own if scope.frames[name].kind == kind), None)
        if found is not None:
            return found
    raise scope.model.error(f'Model {quote(scope.model.get("name", ""))} has no link')


def reference_of(pose: Element) -> str:
    """Return the frame that a ``<pose>`` names, which was called ``frame`` before SDFormat 1.7."""
    return pose.get('relative_to') or pose.get('frame') or ''


def raw_pose(pose: Element) -> Array:
    """
    Return a ``<pose>`` as a homogeneous matrix, the identity if it is empty.

    :raises DescriptionError: it cannot be read.
    """
    return gazebo_pose(pose).matrix if (pose.text or '').strip() else np.eye(4)


def text_of(element: Element, tag: str) -> str:
    """Return the text of a child without the white space around it; empty if there is none."""
    return (element.findtext(tag) or '').strip()
