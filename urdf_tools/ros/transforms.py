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

"""A robot's transforms as messages: of the joints that moved, and of those that never do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from urdf_tools.kinematics.joint_transforms import JointTransforms
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.mimic import resolve_mimic
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.ros.cdr import TransformsWriter
from urdf_tools.ros.joint_states import Layout

_REMEMBERED = 64


class MovingTransforms:
    """
    The transforms of the joints that a message moves, and of the joints that mimic those.

    A mimic joint stands where the message says, or else where the joint that it mimics does, if
    the message moves that.

    :param prefix: put before the names of all frames as it is.
    """

    def __init__(self, robot: Robot, prefix: str = ''):
        self._joints = moving_joints(robot)
        self._prefix = prefix
        rows = {joint.name: row for row, joint in enumerate(self._joints)}
        self._mimics = [
            (rows[name], rows[mimic.joint], mimic)
            for name, mimic in ((name, robot.joints[name].mimic) for name in resolve_mimic(robot))]
        self._moves: dict[Layout, _Move] = {}

    def message(self, layout: Layout, positions: np.ndarray, stamp: int) -> bytes:
        """
        Return a serialized ``tf2_msgs/TFMessage``.

        :param layout: where the joints stand in the message.
        :param positions: all of the message, in radians and metres, finite where the layout has
            a joint, shape (m,).
        :param stamp: in nanoseconds.
        """
        move = self._moves.get(layout)
        if move is None:
            if len(self._moves) >= _REMEMBERED:
                self._moves.clear()
            move = self._moves[layout] = self._move(layout, len(positions))
        return move.message(positions, stamp)

    def _move(self, layout, count):
        sources = {row: (slot, 1.0, 0.0) for row, slot in zip(
            layout.joints.tolist(), layout.slots.tolist())}
        for row, mimicked, mimic in self._mimics:
            if row not in sources and mimicked in sources:
                slot, multiplier, offset = sources[mimicked]
                sources[row] = (
                    slot, mimic.multiplier * multiplier,
                    mimic.multiplier * offset + mimic.offset)
        rows = sorted(sources)
        table = np.array([sources[row] for row in rows]).reshape(len(rows), 3)
        return _Move([self._joints[row] for row in rows], self._prefix, table, count)


class _Move:
    """
    The transforms that the messages of one layout make.

    :param joints: the joints that move.
    :param sources: slot of the message, multiplier and offset of each joint, shape (n, 3).
    :param count: number of positions of the messages.
    """

    def __init__(self, joints: Sequence[Joint], prefix, sources, count):
        self._joints = joints
        self._prefix = prefix
        self._slots = _unless_all(sources[:, 0].astype(np.intp), count)
        self._multipliers, self._offsets = sources[:, 1:].T
        self._follows = bool((sources[:, 1:] != (1.0, 0.0)).any())
        self._transforms = JointTransforms(joints)
        turning, sliding = self._transforms.turning, self._transforms.sliding
        self._turning = _unless_all(turning, len(joints))
        self._sliding = sliding
        self._writer = transforms_writer(joints, prefix, self._transforms.rest)
        self._quaternions = np.ascontiguousarray(self._writer.places[turning, 3:].T)
        self._translations = np.ascontiguousarray(self._writer.places[sliding, :3].T)

    def message(self, positions, stamp):
        values = positions if self._slots is None else positions[self._slots]
        if self._follows:
            with np.errstate(over='ignore'):
                values = values * self._multipliers + self._offsets
            finite = np.isfinite(values)
            if not finite.all():
                return self._some(values, np.flatnonzero(finite), stamp)
        transforms, writer = self._transforms, self._writer
        writer.put(self._quaternions, transforms.turn(
            values if self._turning is None else values[self._turning]))
        if len(self._sliding):
            writer.put(self._translations, transforms.slide(values[self._sliding]))
        return writer.message(stamp)

    def _some(self, values, rows, stamp):
        """Leave out the joints whose leaders ask for more than there are numbers for."""
        with np.errstate(invalid='ignore'):
            transforms = self._transforms.evaluate(values)[rows]
        joints = [self._joints[row] for row in rows]
        return transforms_writer(joints, self._prefix, transforms).message(stamp)


def _unless_all(places, count):
    """Return the places, or None where they are all there are, in order."""
    return None if np.array_equal(places, np.arange(count)) else places


def static_joints(robot: Robot, fix_multi_dof: bool = False) -> tuple[Joint, ...]:
    """
    Return the fixed joints of the tree.

    :param fix_multi_dof: whether planar and floating joints count as fixed at rest.
    """
    return tuple(joint for joint in robot.tree if joint.type is JointType.FIXED
                 or fix_multi_dof and joint.type.dof > 1)


def static_message(joints: Sequence[Joint], prefix: str, stamp: int) -> bytes:
    """
    Return the transforms of joints at rest, a serialized ``tf2_msgs/TFMessage``.

    :param stamp: in nanoseconds.
    """
    return transforms_writer(joints, prefix, JointTransforms(joints).rest).message(stamp)


def transforms_writer(
        joints: Sequence[Joint], prefix: str, transforms: np.ndarray) -> TransformsWriter:
    """
    Return what writes the transforms of joints.

    :param prefix: put before the names of all frames as it is.
    :param transforms: from parent to child link, shape (n, 7).
    """
    return TransformsWriter(
        [prefix + joint.parent for joint in joints], [prefix + joint.child for joint in joints],
        transforms)
