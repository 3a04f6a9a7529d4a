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

"""
Transforms of a robot as serialized ``tf2_msgs/TFMessage``.

They are in the order of robot_state_publisher, that of the names of the joints.
"""

from __future__ import annotations

from abc import ABC
from abc import abstractmethod
from collections.abc import Callable
from collections.abc import Sequence
from functools import partial
from math import dist
from math import pi
import struct
from typing import Any

import numpy as np

from urdf_tools.cdr import COUNT
from urdf_tools.cdr import HEADER
from urdf_tools.cdr import lay_out_transforms
from urdf_tools.cdr import SECOND
from urdf_tools.cdr import STAMP
from urdf_tools.kinematics.joint_transforms import FEW
from urdf_tools.kinematics.joint_transforms import JointTransforms
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.model.messages import name_list
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.publishing.fault_log import FaultLog
from urdf_tools.publishing.joint_state_reader import all_finite
from urdf_tools.publishing.joint_state_reader import Layout
from urdf_tools.publishing.joint_state_reader import Positions

NEAR = pi
"""Angle between two positions up to which the quaternions of a joint have the same sign."""

Source = tuple[int, float, float]
"""Slot of a joint's position in the message, multiplier and offset."""

# Shared by all transforms, so that the processor has to load them once.
_PACK_INTO = {count: struct.Struct(f'<{count}d').pack_into for count in (3, 4)}


class MovingTransforms:
    """
    The transforms of moving joints.

    A mimic joint has the position in the message, or else follows the joint it mimics if that
    one is in the message.

    :param prefix: prepended to every frame ID.
    :param log: counts and logs the mimic joints whose position overflows.
    """

    def __init__(self, robot: Robot, prefix: str = '', log: FaultLog | None = None):
        self._log = FaultLog() if log is None else log
        self._joints = moving_joints(robot)
        self._prefix = prefix
        self._signs = QuaternionSigns(len(self._joints))
        rows = {joint.name: row for row, joint in enumerate(self._joints)}
        mimics = {name: robot.joints[name].mimic for name in resolve_mimic(robot)}
        self._mimics = [
            (rows[name], rows[mimic.joint], mimic)
            for name, mimic in mimics.items() if mimic is not None]

    def plan(self, layout: Layout[TransformPlan]) -> TransformPlan:
        """Return what turns the messages of a layout into transforms."""
        sources: dict[int, Source] = {row: (slot, 1.0, 0.0) for row, slot in zip(
            layout.joints.tolist(), layout.slots.tolist())}
        for row, mimicked, mimic in self._mimics:
            if row not in sources and mimicked in sources:
                slot, multiplier, offset = sources[mimicked]
                sources[row] = (
                    slot, mimic.multiplier * multiplier,
                    mimic.multiplier * offset + mimic.offset)
        # In the order of the message, whose positions need not be rearranged then.
        rows = sorted(sources, key=lambda row: sources[row][0])
        joints = [self._joints[row] for row in rows]
        kind = _ScalarPlan if len(rows) <= FEW else _ArrayPlan
        return kind(
            joints, self._prefix, [sources[row] for row in rows], self._log,
            lambda turning: TurnSigns(self._signs, np.array(rows, dtype=np.intp)[turning]))


class TransformPlan(ABC):
    """
    Computes and writes the transforms of the messages of one layout.

    :param joints: the joints that move.
    :param prefix: prepended to every frame ID.
    :param sources: where the position of each joint comes from.
    :param log: counts and logs the mimic joints whose position overflows.
    :param signs_of: returns the signs of the joints that turn, given their rows among these.
    """

    def __init__(
            self, joints: Sequence[Joint], prefix: str, sources: Sequence[Source], log: FaultLog,
            signs_of: Callable[[Indices], TurnSigns]):
        self._log = log
        self._joints = joints
        self._prefix = prefix
        self._sources = sources
        self._transforms = JointTransforms(joints)
        self._signs = signs_of(self._transforms.turning)
        self._writer = transforms_writer(joints, prefix, self._transforms.rest)
        turning, sliding = self._transforms.turning.tolist(), self._transforms.sliding.tolist()
        # Row of the transform of each joint in the message.
        self._ranks = np.argsort(_order(joints))
        self._set_translations = [
            self._writer.setter(rank, range(3)) for rank in self._ranks[sliding].tolist()]
        # Without mimic joints the positions are taken from the message as they are.
        self._has_mimics = any(source[1:] != (1.0, 0.0) for source in sources)
        indices = range(len(joints)) if self._has_mimics else [slot for slot, _, _ in sources]
        self._angles: Any = [indices[row] for row in turning]
        self._in_order = self._angles == list(range(len(self._angles)))
        self._distances = [indices[row] for row in sliding]

    @abstractmethod
    def message(self, positions: Positions, stamp: int) -> bytes:
        """
        Return a serialized ``tf2_msgs/TFMessage``.

        :param positions: all of the message, in radians and metres, finite for the joints of the
            layout.
        :param stamp: in nanoseconds.
        """

    def _finite_only(self, values: Positions, stamp: int) -> bytes:
        """Leave out the mimic joints whose position overflows."""
        values = np.asarray(values)
        finite = np.isfinite(values)
        left_out = tuple(self._joints[row].name for row in np.flatnonzero(~finite).tolist())
        self._log.add('mimic overflow', len(left_out), lambda: name_list(left_out))
        rows = np.flatnonzero(finite)
        joints = [self._joints[row] for row in rows.tolist()]
        transforms = JointTransforms(joints).evaluate(values[rows])
        return transforms_writer(joints, self._prefix, transforms).message(stamp)


class _ScalarPlan(TransformPlan):
    """Computes few joints one by one, which is faster than numpy for them."""

    def __init__(self, joints: Sequence[Joint], *more: Any):
        super().__init__(joints, *more)
        ranks = self._ranks[self._transforms.turning]
        self._set_quaternions = [
            self._writer.setter(rank, range(3, 7)) for rank in ranks.tolist()]

    def message(self, positions: Positions, stamp: int) -> bytes:
        if isinstance(positions, np.ndarray):
            positions = positions.tolist()
        if self._has_mimics:
            positions = [positions[slot] * multiplier + offset
                         for slot, multiplier, offset in self._sources]
            if not all_finite(positions):
                return self._finite_only(positions, stamp)
        angles = positions
        if not self._in_order or len(positions) > len(self._angles):
            angles = [positions[index] for index in self._angles]
        last: Any = self._signs.last
        if last is None or dist(angles, last) > NEAR:
            self._transforms.negate(self._signs.changes(angles))
        self._signs.last = angles
        self._transforms.turn_each(angles, self._set_quaternions)
        if self._distances:
            self._transforms.slide_each(
                [positions[index] for index in self._distances], self._set_translations)
        return self._writer.message(stamp)


class _ArrayPlan(TransformPlan):
    """Computes many joints at once."""

    def __init__(
            self, joints: Sequence[Joint], prefix: str, sources: Sequence[Source], *more: Any):
        super().__init__(joints, prefix, sources, *more)
        slots, self._multipliers, self._offsets = np.array(sources).reshape(-1, 3).T
        self._slots = slots.astype(np.intp)
        self._angles = np.array(self._angles, dtype=np.intp)
        self._quaternions = np.ascontiguousarray(
            self._writer.indices[self._ranks[self._transforms.turning], 3:].T)

    def message(self, positions: Positions, stamp: int) -> bytes:
        values: Array = np.asarray(positions)
        if self._has_mimics:
            with np.errstate(over='ignore'):
                values = values[self._slots] * self._multipliers + self._offsets
            if not all_finite(values):
                return self._finite_only(values, stamp)
        angles = values
        if not self._in_order or len(values) > len(self._angles):
            angles = values[self._angles]
        last: Any = self._signs.last
        if last is None or (steps := angles - last) @ steps > NEAR**2:
            self._transforms.negate(self._signs.changes(angles))
        self._signs.last = angles
        self._writer.put(self._quaternions, self._transforms.turn(angles))
        if self._distances:
            self._transforms.slide_each(
                values[self._distances].tolist(), self._set_translations)
        return self._writer.message(stamp)


class QuaternionSigns:
    """
    Signs of the quaternions of joints that turn, continuous from one message to the next.

    A quaternion and its opposite are the same rotation, but not to those who plot, filter or
    interpolate its numbers. That of a joint is a continuous function of its position, of twice
    the period, so the sign jumps only where the position does: a wheel reported from -pi to pi
    jumps by a whole turn each time around.

    This is what the messages of different layouts have to know of each other. Layouts usually
    have different joints, such as those of two drivers, and nothing to share.

    :param count: number of joints of the robot.
    :ivar angles: the last position of each joint that turns (rad), shape (n,), NaN if unknown.
    :ivar negative: whether its quaternion was the opposite one, shape (n,).
    :ivar shared: whether a joint is in several layouts, so that the two arrays are kept.
    :ivar current: the layout of the last message, if they are.
    """

    def __init__(self, count: int):
        self.angles = np.full(count, np.nan)
        self.negative = np.zeros(count, dtype=bool)
        self.shared = False
        self.current: TurnSigns | None = None
        self._apart: list[TurnSigns] = []
        self._used = np.zeros(count, dtype=bool)

    def add(self, layout: TurnSigns) -> None:
        """Add a layout."""
        if self.shared:
            return
        if self._used[layout.rows].any():
            self.shared = True
            for other in self._apart:
                other.hand_over()
            self._apart.clear()
        elif len(layout.rows):
            self._used[layout.rows] = True
            self._apart.append(layout)


class TurnSigns:
    """
    The signs of the joints of one layout.

    :param signs: of all joints of the robot.
    :param rows: of the joints that turn, shape (t,).
    :ivar last: their positions in the last message (rad), to be set after each; None if the last
        message with any of the joints was not of this layout.
    """

    def __init__(self, signs: QuaternionSigns, rows: Indices):
        self.last: list[float] | Array | None = None
        self.rows = rows
        self._signs = signs
        self._negative = np.zeros(len(rows), dtype=bool)
        signs.add(self)

    def changes(self, angles: list[float] | Array) -> Indices:
        """
        Return the joints whose quaternion is the opposite one from now on.

        There are none if :attr:`last` is known and no joint is further from it than
        :data:`NEAR`.
        """
        before, now = self._negative, np.asarray(angles)
        last = self._take_over(now) if self.last is None else np.asarray(self.last)
        # The scalar product of the quaternions before and after.
        opposite = np.cos(now / 2) * np.cos(last / 2) + np.sin(now / 2) * np.sin(last / 2) < 0
        self._negative = self._negative ^ opposite
        return np.flatnonzero(self._negative ^ before)

    def hand_over(self) -> None:
        """Let the layouts that share joints with this one continue from its last message."""
        if self.last is not None:
            self._signs.angles[self.rows] = self.last
            self._signs.negative[self.rows] = self._negative
            self.last = None

    def _take_over(self, angles: Array) -> Array:
        """Continue from the last message of another layout, and return the positions in it."""
        signs = self._signs
        if signs.shared:
            if signs.current is not None:
                signs.current.hand_over()
            signs.current = self
            self._negative = signs.negative[self.rows]
        known = signs.angles[self.rows]
        return np.where(np.isnan(known), angles, known)


class TransformsWriter:
    """
    Writes ``tf2_msgs/TFMessage`` of transforms between the same frames.

    Few transforms are written fastest with :meth:`setter`, many with :meth:`put`.

    :param parents: parent frame of each transform.
    :param children: child frame of each transform.
    :param transforms: ``x y z qx qy qz qw``, shape (n, 7).
    :ivar indices: index of each of these numbers for :meth:`put`, shape (n, 7).
    :ivar few: whether there are at most :data:`FEW` transforms.
    """

    _FIRST_STAMP = HEADER + COUNT.size

    def __init__(
            self, parents: Sequence[str], children: Sequence[str],
            transforms: Array):
        data, stamps, numbers = lay_out_transforms(parents, children)
        self.few = len(stamps) <= FEW
        self._data = data
        # Counted from the end of the header, all numbers are aligned, and so is every stamp but
        # the first, because it follows the numbers of the transform before.
        body = memoryview(data)[HEADER:len(data) - (len(data) - HEADER) % 8]
        self._numbers = np.frombuffer(body, '<f8')
        self._stamps = np.frombuffer(body, '<u8')
        self._other_stamps = (np.array(stamps[1:], dtype=np.intp) - HEADER) // 8
        self._between_stamps = [
            memoryview(data)[start:end]
            for start, end in zip((0, *(s + STAMP.size for s in stamps)), (*stamps, len(data)))]
        self.indices = (
            (np.array(numbers, dtype=np.intp)[:, None] - HEADER) // 8 + np.arange(7))
        self.put(self.indices, transforms)

    def put(self, indices: Indices, numbers: Array) -> None:
        """Change numbers, of any shape, at some of :attr:`indices`, of the same shape."""
        self._numbers.put(indices, numbers)

    def setter(self, row: int, columns: range) -> Callable[..., None]:
        """Return a function that changes adjacent numbers of a transform to its arguments."""
        offset = HEADER + 8 * int(self.indices[row, columns[0]])
        return partial(_PACK_INTO[len(columns)], self._data, offset)

    def message(self, stamp: int) -> bytes:
        """
        Return the serialized message.

        :param stamp: stamp of every transform in nanoseconds.
        """
        seconds, nanoseconds = divmod(stamp, SECOND)
        if self.few:
            return STAMP.pack(seconds, nanoseconds).join(self._between_stamps)
        STAMP.pack_into(self._data, self._FIRST_STAMP, seconds, nanoseconds)
        self._stamps.put(self._other_stamps, nanoseconds << 32 | seconds & 0xffffffff)
        return bytes(self._data)


def transforms_writer(
        joints: Sequence[Joint], prefix: str,
        transforms: Array) -> TransformsWriter:
    order = _order(joints)
    ordered = [joints[row] for row in order]
    return TransformsWriter(
        [prefix + joint.parent for joint in ordered],
        [prefix + joint.child for joint in ordered], transforms[order])


def _order(joints: Sequence[Joint]) -> list[int]:
    """Return the rows of joints in the order of their transforms."""
    return sorted(range(len(joints)), key=lambda row: joints[row].name)
