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

from collections.abc import Sequence
from functools import partial
from math import cos
from math import isfinite
from math import sin
import struct
from typing import NamedTuple

import numpy as np

from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.messages.cdr import HEADER
from urdf_tools.messages.cdr import lay_out_transforms
from urdf_tools.messages.cdr import SECOND
from urdf_tools.messages.cdr import STAMP
from urdf_tools.messages.cdr import TRANSFORM
from urdf_tools.messages.cdr import Transform
from urdf_tools.messages.cdr import write_transforms
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import all_finite
from urdf_tools.messages.joint_state_reader import Layout
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array

# Shared by all transforms, so that the processor has to load them once.
_PACK_TRANSLATION, _PACK_QUATERNION = (
    struct.Struct(f'<{count}d').pack_into for count in (3, 4))
_SIZE_OF_TRANSLATION = 3 * 8

MANY = 100
"""Number of turning joints from which their quaternions are computed as an array."""


def static_joints(robot: Robot, fix_multi_dof: bool = False) -> tuple[Joint, ...]:
    """
    Return the fixed joints of the tree, in the order of robot_state_publisher.

    :param fix_multi_dof: whether planar and floating joints count as fixed.
    """
    joints = [joint for joint in robot.tree if joint.type is JointType.FIXED
              or fix_multi_dof and joint.type.dof > 1]
    return tuple(sorted(joints, key=lambda joint: joint.name))


def static_message(joints: Sequence[Joint], prefix: str, stamp: int) -> bytes:
    """
    Return the transforms of joints at zero, a serialized ``tf2_msgs/TFMessage``.

    :param prefix: prepended to every frame ID.
    :param stamp: in nanoseconds.
    """
    return write_transforms([
        Transform(stamp, prefix + joint.parent, prefix + joint.child, _at_zero(joint))
        for joint in joints])


class Source(NamedTuple):
    """Where the position of a joint comes from: ``multiplier * message[slot] + offset``."""

    slot: int
    multiplier: float = 1.0
    offset: float = 0.0


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
        rows = {joint.name: row for row, joint in enumerate(self._joints)}
        self._mimics = [
            (rows[name], rows[mimic.joint], mimic) for name in resolve_mimic(robot)
            if (mimic := robot.joints[name].mimic) is not None]

    def plan(self, layout: Layout[TransformPlan]) -> TransformPlan:
        """Return what turns the messages of a layout into transforms."""
        sources = {row: Source(slot) for row, slot in zip(
            layout.joints.tolist(), layout.slots.tolist())}
        for row, mimicked, mimic in self._mimics:
            if row not in sources and mimicked in sources:
                slot, multiplier, offset = sources[mimicked]
                sources[row] = Source(slot, mimic.multiplier * multiplier,
                                      mimic.multiplier * offset + mimic.offset)
        # In the order of the message, whose positions need not be rearranged then.
        rows = sorted(sources, key=lambda row: sources[row].slot)
        return TransformPlan([self._joints[row] for row in rows], self._prefix,
                             [sources[row] for row in rows], self._log)


class TransformPlan:
    """
    Computes and writes the transforms of the messages of one layout.

    A revolute or continuous joint has the translation of its origin and the quaternion
    ``A cos(q/2) + B sin(q/2)``, where A is the quaternion of the origin and B = A * (axis, 0).
    A prismatic joint has the quaternion of its origin and the translation ``p + d q``, where d is
    the axis in the parent's frame. A joint whose axis is zero does not move. Up to :data:`MANY`
    joints are computed one by one: after a process has waited for a message, little of numpy's
    code is left in the processor's caches, and loading it again takes longer.

    :param joints: the joints that move.
    :param prefix: prepended to every frame ID.
    :param sources: where the position of each joint comes from.
    :param log: counts and logs the mimic joints whose position overflows.
    """

    def __init__(self, joints: Sequence[Joint], prefix: str, sources: Sequence[Source],
                 log: FaultLog):
        self._joints, self._prefix, self._sources, self._log = joints, prefix, sources, log
        # Without mimic joints the positions are taken from the message as they are.
        self._has_mimics = any(source[1:] != (1.0, 0.0) for source in sources)
        indices = range(len(joints)) if self._has_mimics else [source.slot for source in sources]
        sliding, turning = (
            [row for row, joint in enumerate(joints)
             if (joint.type is JointType.PRISMATIC) is slides and any(joint.axis)]
            for slides in (True, False))
        self._angles = [indices[row] for row in turning]
        self._in_order = self._angles == list(range(len(self._angles)))
        self._distances = [indices[row] for row in sliding]
        factors = [_turn_factors(joints[row]) for row in turning]
        self._turns: Array | list[list[float]] = (
            np.array(factors) if len(turning) > MANY else factors)
        self._slides = [_slide_factors(joints[row]) for row in sliding]

        order = sorted(range(len(joints)), key=lambda row: joints[row].name)
        data, stamps, numbers = lay_out_transforms(
            [prefix + joints[row].parent for row in order],
            [prefix + joints[row].child for row in order])
        for row, offset in zip(order, numbers):
            TRANSFORM.pack_into(data, offset, *_at_zero(joints[row]))
        offsets = dict(zip(order, numbers))
        # Counted from the end of the header, all numbers are aligned.
        self._numbers = np.frombuffer(data, '<f8', (len(data) - HEADER) // 8, HEADER)
        self._quaternions = np.array(
            [range(offsets[row] // 8 + 3, offsets[row] // 8 + 7) for row in turning], int)
        self._set_quaternions = [
            partial(_PACK_QUATERNION, data, offsets[row] + _SIZE_OF_TRANSLATION)
            for row in turning]
        self._set_translations = [
            partial(_PACK_TRANSLATION, data, offsets[row]) for row in sliding]
        self._between_stamps = [
            memoryview(data)[start:end]
            for start, end in zip((0, *(s + STAMP.size for s in stamps)), (*stamps, len(data)))]

    def message(self, positions: Sequence[float], stamp: int) -> bytes:
        """
        Return a serialized ``tf2_msgs/TFMessage``.

        :param positions: all of the message, in radians and metres, finite for the joints of the
            layout.
        :param stamp: in nanoseconds.
        """
        if self._has_mimics:
            positions = [positions[slot] * multiplier + offset
                         for slot, multiplier, offset in self._sources]
            if not all_finite(positions):
                return self._without_overflow(positions).message(positions, stamp)
        angles = positions
        if not self._in_order or len(positions) > len(self._angles):
            angles = [positions[index] for index in self._angles]
        if isinstance(self._turns, np.ndarray):
            halves = np.array(angles)[:, None] * 0.5
            self._numbers[self._quaternions] = (
                self._turns[:, :4] * np.cos(halves) + self._turns[:, 4:] * np.sin(halves))
        else:
            for angle, setter, (ax, ay, az, aw, bx, by, bz, bw) in zip(
                    angles, self._set_quaternions, self._turns):
                cosine, sine = cos(angle * 0.5), sin(angle * 0.5)
                setter(ax * cosine + bx * sine, ay * cosine + by * sine,
                       az * cosine + bz * sine, aw * cosine + bw * sine)
        for index, setter, (px, py, pz, dx, dy, dz) in zip(
                self._distances, self._set_translations, self._slides):
            distance = positions[index]
            setter(px + dx * distance, py + dy * distance, pz + dz * distance)
        return STAMP.pack(*divmod(stamp, SECOND)).join(self._between_stamps)

    def _without_overflow(self, positions: Sequence[float]) -> TransformPlan:
        """Return the plan, for these positions of all joints, of those whose are finite."""
        rows = [row for row, position in enumerate(positions) if isfinite(position)]
        self._log.add_names('mimic overflow', [
            joint.name for joint, position in zip(self._joints, positions)
            if not isfinite(position)])
        return TransformPlan([self._joints[row] for row in rows], self._prefix,
                             [Source(row) for row in rows], self._log)


def _at_zero(joint: Joint) -> tuple[float, ...]:
    """Return ``x y z qx qy qz qw`` of a joint at position zero."""
    return (*joint.origin.xyz, *joint.origin.quaternion)


def _turn_factors(joint: Joint) -> list[float]:
    """Return A and B of a joint that turns."""
    origin = np.array(joint.origin.quaternion)
    return [*origin.tolist(), *quaternion_product(origin, np.array([*joint.axis, 0.0])).tolist()]


def _slide_factors(joint: Joint) -> list[float]:
    """Return p and d of a joint that slides."""
    return [*joint.origin.xyz, *(joint.origin.rotation @ joint.axis).tolist()]
