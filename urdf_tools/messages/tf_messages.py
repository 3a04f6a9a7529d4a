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
from collections.abc import Iterable
from collections.abc import Sequence
from functools import partial
from itertools import compress
from math import cos
from math import dist
from math import sin
import struct
from typing import Any

import numpy as np

from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.messages.cdr import COUNT
from urdf_tools.messages.cdr import HEADER
from urdf_tools.messages.cdr import lay_out_transforms
from urdf_tools.messages.cdr import SECOND
from urdf_tools.messages.cdr import STAMP
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import all_finite
from urdf_tools.messages.joint_state_reader import FEW
from urdf_tools.messages.joint_state_reader import Layout
from urdf_tools.messages.joint_state_reader import Positions
from urdf_tools.messages.quaternion_signs import NEAR
from urdf_tools.messages.quaternion_signs import QuaternionSigns
from urdf_tools.messages.quaternion_signs import TurnSigns
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.types import Indices

Source = tuple[int, float, float]
"""Slot of a joint's position in the message, multiplier and offset."""

Setter = Callable[..., object]

_HALF = np.array(0.5)

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
        self._mimics = [
            (rows[name], rows[mimic.joint], mimic) for name in resolve_mimic(robot)
            if (mimic := robot.joints[name].mimic) is not None]

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
        self._writer = TransformsWriter(joints, prefix, self._transforms.rest)
        turning, sliding = self._transforms.turning.tolist(), self._transforms.sliding.tolist()
        self._set_translations = [self._writer.setter(row, range(3)) for row in sliding]
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
        joints = list(compress(self._joints, finite))
        self._log.add_names(
            'mimic overflow', [joint.name for joint in compress(self._joints, ~finite)])
        transforms = JointTransforms(joints).evaluate(values[finite])
        return TransformsWriter(joints, self._prefix, transforms).message(stamp)


class _ScalarPlan(TransformPlan):
    """Computes few joints one by one, which is faster than numpy for them."""

    def __init__(self, joints: Sequence[Joint], *more: Any):
        super().__init__(joints, *more)
        self._set_quaternions = [
            self._writer.setter(row, range(3, 7)) for row in self._transforms.turning.tolist()]

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
            self._writer.indices[self._transforms.turning, 3:].T)

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
            self._transforms.slide_each(values[self._distances].tolist(), self._set_translations)
        return self._writer.message(stamp)


class JointTransforms:
    """
    The transforms from parent to child link of joints of one degree of freedom.

    A revolute or continuous joint has the translation of its origin and the quaternion
    ``A cos(q/2) + B sin(q/2)``, where A is the quaternion of the origin and B = A * (axis, 0).
    A prismatic joint has the quaternion of its origin and the translation ``p + d q``, where d is
    the axis in the parent's frame. A joint whose axis is zero does not move.

    An instance keeps scratch memory: use it from one thread at a time, and use what it returns
    before the next call. Results of :meth:`turn` and :meth:`turn_each` may differ by rounding.

    :param joints: the joints, one a row.
    :ivar rest: ``x y z`` and the unit quaternion ``x y z w`` at position zero, shape (n, 7).
    :ivar turning: rows of the joints that rotate, shape (t,).
    :ivar sliding: rows of the joints that translate, shape (s,).
    """

    def __init__(self, joints: Sequence[Joint]):
        count = len(joints)
        self.rest = np.array([
            (*joint.origin.xyz, *joint.origin.quaternion) for joint in joints]).reshape(count, 7)
        axes = np.array([joint.axis for joint in joints]).reshape(count, 3)
        slides = np.array([joint.type is JointType.PRISMATIC for joint in joints], dtype=bool)
        moves = axes.any(axis=1)
        self.turning = np.flatnonzero(~slides & moves)
        self.sliding = np.flatnonzero(slides & moves)

        origins = self.rest[self.turning, 3:]
        axes_of_turns = np.pad(axes[self.turning], ((0, 0), (0, 1)))
        # Numpy is fastest, which matters for small arrays, where the joints are the last axis and
        # each factor is contiguous.
        self._cosine_factors = np.ascontiguousarray(origins.T)
        self._sine_factors = np.ascontiguousarray(quaternion_product(origins, axes_of_turns).T)
        self._turns = np.vstack((self._cosine_factors, self._sine_factors)).T.tolist()
        self._half_angles, self._cosines, self._sines = np.empty((3, len(self.turning)))
        self._cosine_terms, self._sine_terms = np.empty((2, 4, len(self.turning)))

        rotations = np.array([joints[row].origin.rotation for row in self.sliding.tolist()])
        directions = np.einsum('nij,nj->ni', rotations.reshape(-1, 3, 3), axes[self.sliding])
        self._slides = np.hstack((self.rest[self.sliding, :3], directions)).tolist()

    def negate(self, turns: Indices) -> None:
        """
        Negate the quaternions, which are the same rotations, from now on.

        :param turns: indices into :attr:`turning`.
        """
        for factors in (self._cosine_factors, self._sine_factors):
            factors[:, turns] *= -1
        for turn in turns.tolist():
            self._turns[turn] = [-factor for factor in self._turns[turn]]

    def turn(self, angles: Array) -> Array:
        """
        Return the quaternions of the joints that rotate, shape (4, t).

        :param angles: their positions in radians, finite, shape (t,).
        """
        np.multiply(angles, _HALF, self._half_angles)
        np.cos(self._half_angles, self._cosines)
        np.sin(self._half_angles, self._sines)
        np.multiply(self._cosine_factors, self._cosines, self._cosine_terms)
        np.multiply(self._sine_factors, self._sines, self._sine_terms)
        return np.add(self._cosine_terms, self._sine_terms, self._cosine_terms)

    def turn_each(self, angles: Iterable[float], setters: Iterable[Setter]) -> None:
        """
        Pass the quaternion of each joint that rotates to a setter.

        :param angles: their positions in radians, finite, shape (t,).
        :param setters: one a joint, called with the four numbers of its quaternion.
        """
        for angle, setter, (ax, ay, az, aw, bx, by, bz, bw) in zip(angles, setters, self._turns):
            cosine, sine = cos(angle * 0.5), sin(angle * 0.5)
            setter(ax * cosine + bx * sine, ay * cosine + by * sine,
                   az * cosine + bz * sine, aw * cosine + bw * sine)

    def slide_each(self, distances: Iterable[float], setters: Iterable[Setter]) -> None:
        """
        Pass the translation of each joint that translates to a setter.

        :param distances: their positions in metres, shape (s,).
        :param setters: one a joint, called with the three numbers of its translation.
        """
        for distance, setter, (px, py, pz, dx, dy, dz) in zip(distances, setters, self._slides):
            setter(px + dx * distance, py + dy * distance, pz + dz * distance)

    def evaluate(self, positions: Array) -> Array:
        """
        Return the transforms of all joints, ``x y z`` and the unit quaternion, shape (n, 7).

        :param positions: in radians and metres, finite, shape (n,).
        """
        transforms = self.rest.copy()
        transforms[self.turning, 3:] = self.turn(positions[self.turning]).T
        slides = np.reshape(self._slides, (-1, 6))
        transforms[self.sliding, :3] = (
            slides[:, :3] + slides[:, 3:] * positions[self.sliding, None])
        return transforms


class TransformsWriter:
    """
    Writes ``tf2_msgs/TFMessage`` of the transforms of some joints, in the order of their names.

    Few transforms are written fastest with :meth:`setter`, many with :meth:`put`.

    :param joints: the joints, one a row.
    :param prefix: prepended to every frame ID.
    :param transforms: ``x y z qx qy qz qw`` of each, shape (n, 7).
    :ivar indices: index of each of these numbers for :meth:`put`, shape (n, 7).
    :ivar few: whether there are at most :data:`FEW` transforms.
    """

    _FIRST_STAMP = HEADER + COUNT.size

    def __init__(self, joints: Sequence[Joint], prefix: str, transforms: Array):
        order = sorted(range(len(joints)), key=lambda row: joints[row].name)
        data, stamps, numbers = lay_out_transforms(
            [prefix + joints[row].parent for row in order],
            [prefix + joints[row].child for row in order])
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
        self.indices = np.empty((len(joints), 7), dtype=np.intp)
        self.indices[order] = (
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
