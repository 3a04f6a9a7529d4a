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

from collections.abc import Iterable
from collections.abc import Sequence

import numpy as np

from urdf_tools.kinematics.joint_transforms import FEW
from urdf_tools.kinematics.joint_transforms import JointTransforms
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.mimic import resolve_mimic
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.ros.cdr import Positions
from urdf_tools.ros.cdr import TransformsWriter
from urdf_tools.ros.joint_states import all_finite
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
        self._moves: dict[Layout, _Moves] = {}

    def message(self, layout: Layout, positions: Positions, stamp: int) -> bytes:
        """
        Return a serialized ``tf2_msgs/TFMessage``.

        :param layout: where the joints stand in the message.
        :param positions: all of the message, in radians and metres, finite where the layout has
            a joint.
        :param stamp: in nanoseconds.
        """
        moves = self._moves.get(layout)
        if moves is None:
            if len(self._moves) >= _REMEMBERED:
                self._moves.clear()
            moves = self._moves[layout] = self._new_moves(layout)
        return moves.message(positions, stamp)

    def _new_moves(self, layout):
        sources = {row: (slot, 1.0, 0.0) for row, slot in zip(
            layout.joints.tolist(), layout.slots.tolist())}
        for row, mimicked, mimic in self._mimics:
            if row not in sources and mimicked in sources:
                slot, multiplier, offset = sources[mimicked]
                sources[row] = (
                    slot, mimic.multiplier * multiplier,
                    mimic.multiplier * offset + mimic.offset)
        rows = sorted(sources)
        joints = [self._joints[row] for row in rows]
        kind = _FewMoves if len(rows) <= FEW else _ManyMoves
        return kind(joints, self._prefix, [sources[row] for row in rows])


class _Moves:
    """
    The transforms that the messages of one layout make.

    :param joints: the joints that move.
    :param sources: slot of the message, multiplier and offset of each joint.
    """

    def __init__(self, joints: Sequence[Joint], prefix, sources):
        self._joints = joints
        self._prefix = prefix
        self._sources = sources
        self._transforms = JointTransforms(joints)
        self._writer = transforms_writer(joints, prefix, self._transforms.rest)
        turning, sliding = self._transforms.turning.tolist(), self._transforms.sliding.tolist()
        self._set_translations = [self._writer.setter(row, range(3)) for row in sliding]
        # Angles and distances come from the message as it is, or from what follows it.
        self._follows = any(source[1:] != (1.0, 0.0) for source in sources)
        places = range(len(joints)) if self._follows else [slot for slot, _, _ in sources]
        self._angles = [places[row] for row in turning]
        self._distances = [places[row] for row in sliding]

    def _some(self, values, stamp):
        """Leave out the joints whose leaders ask for more than there are numbers for."""
        values = np.asarray(values)
        rows = np.flatnonzero(np.isfinite(values))
        joints = [self._joints[row] for row in rows]
        transforms = JointTransforms(joints).evaluate(values[rows])
        return transforms_writer(joints, self._prefix, transforms).message(stamp)


class _FewMoves(_Moves):
    """Those of few joints, one after the other."""

    def __init__(self, joints: Sequence[Joint], prefix, sources):
        super().__init__(joints, prefix, sources)
        self._set_quaternions = [
            self._writer.setter(row, range(3, 7)) for row in self._transforms.turning]

    def message(self, positions, stamp):
        if isinstance(positions, np.ndarray):
            positions = positions.tolist()
        if self._follows:
            positions = [positions[slot] * multiplier + offset
                         for slot, multiplier, offset in self._sources]
            if not all_finite(positions):
                return self._some(positions, stamp)
        self._transforms.turn_each(
            [positions[place] for place in self._angles], self._set_quaternions)
        if self._distances:
            self._transforms.slide_each(
                [positions[place] for place in self._distances], self._set_translations)
        return self._writer.message(stamp)


class _ManyMoves(_Moves):
    """Those of many joints, all at once."""

    def __init__(self, joints: Sequence[Joint], prefix, sources):
        super().__init__(joints, prefix, sources)
        slots, self._multipliers, self._offsets = np.array(sources).reshape(-1, 3).T
        self._slots = slots.astype(np.intp)
        self._angles = np.array(self._angles, dtype=np.intp)
        in_order = np.array_equal(self._angles, np.arange(len(self._angles)))
        self._count_in_order = len(self._angles) if in_order else None
        self._quaternions = np.ascontiguousarray(
            self._writer.places[self._transforms.turning, 3:].T)

    def message(self, positions, stamp):
        positions = np.asarray(positions)
        if self._follows:
            with np.errstate(over='ignore'):
                positions = positions[self._slots] * self._multipliers + self._offsets
            if not all_finite(positions):
                return self._some(positions, stamp)
        angles = positions
        if len(positions) != self._count_in_order:
            angles = positions[self._angles]
        self._writer.put(self._quaternions, self._transforms.turn(angles))
        if self._distances:
            self._transforms.slide_each(
                positions[self._distances].tolist(), self._set_translations)
        return self._writer.message(stamp)


def static_joints(robot: Robot, fix_multi_dof: bool = False) -> tuple[Joint, ...]:
    """
    Return the fixed joints of the tree.

    :param fix_multi_dof: whether planar and floating joints count as fixed at rest.
    """
    return tuple(joint for joint in robot.tree if joint.type is JointType.FIXED
                 or fix_multi_dof and joint.type.dof > 1)


def static_message(robots: Iterable[tuple[Sequence[Joint], str]], stamp: int) -> bytes:
    """
    Return the transforms of joints at rest, a serialized ``tf2_msgs/TFMessage``.

    :param robots: joints, and what is put before the names of their frames.
    :param stamp: in nanoseconds.
    """
    joints = [(joint, prefix) for joints, prefix in robots for joint in joints]
    writer = TransformsWriter(
        [prefix + joint.parent for joint, prefix in joints],
        [prefix + joint.child for joint, prefix in joints],
        JointTransforms([joint for joint, _ in joints]).rest)
    return writer.message(stamp)


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
