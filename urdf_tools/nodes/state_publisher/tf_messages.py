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
from collections.abc import Mapping
from collections.abc import Sequence
from math import dist
from typing import Any

import numpy as np

from urdf_tools.kinematics.joint_transforms import FEW
from urdf_tools.kinematics.joint_transforms import JointTransforms
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.mimic import resolve_mimic
from urdf_tools.kinematics.multi_dof import joint_transform
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.model.messages import name_list
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.nodes.state_publisher.quaternion_signs import NEAR
from urdf_tools.nodes.state_publisher.quaternion_signs import QuaternionSigns
from urdf_tools.nodes.state_publisher.quaternion_signs import TurnSigns
from urdf_tools.ros.fault_log import FaultLog
from urdf_tools.ros.robot_state.joint_states import all_finite
from urdf_tools.ros.robot_state.joint_states import Layout
from urdf_tools.ros.wire.joint_state_reader import Positions
from urdf_tools.ros.wire.transforms_writer import TransformsWriter

Source = tuple[int, float, float]
"""Slot of a joint's position in the message, multiplier and offset."""


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
        self._writer = _writer(joints, prefix, self._transforms.rest)
        turning, sliding = self._transforms.turning.tolist(), self._transforms.sliding.tolist()
        # Where the transform of each joint is in the message.
        self._places = np.argsort(_order(joints))
        self._set_translations = [
            self._writer.setter(place, range(3)) for place in self._places[sliding].tolist()]
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
        return _writer(joints, self._prefix, transforms).message(stamp)


class _ScalarPlan(TransformPlan):
    """Computes few joints one by one, which is faster than numpy for them."""

    def __init__(self, joints: Sequence[Joint], *more: Any):
        super().__init__(joints, *more)
        places = self._places[self._transforms.turning]
        self._set_quaternions = [
            self._writer.setter(place, range(3, 7)) for place in places.tolist()]

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
            self._writer.indices[self._places[self._transforms.turning], 3:].T)

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


class MultiDofTransforms:
    """
    The transforms of planar and floating joints.

    :param joints: the joints.
    :param prefix: prepended to every frame ID.
    """

    def __init__(self, joints: Sequence[Joint], prefix: str):
        self._joints = joints
        self._prefix = prefix
        self._last: dict[int, Array] = {}

    def message(self, values: Mapping[int, Array], stamp: int) -> bytes:
        """
        Return a serialized ``tf2_msgs/TFMessage``.

        :param values: row of a joint to its variables, as in :func:`joint_transform`.
        :param stamp: in nanoseconds.
        """
        joints = [self._joints[row] for row in values]
        transforms = [joint_transform(self._joints[row], values[row]) for row in values]
        for row, transform in zip(values, transforms):
            quaternion = transform[3:]
            if quaternion @ self._last.get(row, quaternion) < 0:
                np.negative(quaternion, out=quaternion)
            self._last[row] = quaternion
        return _writer(joints, self._prefix, np.array(transforms)).message(stamp)


def _writer(
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
