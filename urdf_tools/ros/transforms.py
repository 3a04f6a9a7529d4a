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

from dataclasses import dataclass

import numpy as np
from tf2_msgs.msg import TFMessage

from urdf_tools.kinematics.joint_transforms import JointTransforms
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.ros.cdr import TransformsWriter
from urdf_tools.ros.conversions import to_transform_stamped

_REMEMBERED = 64


class MovingTransforms:
    """
    The transforms of the joints that a message moves, and of the joints that mimic those.

    A mimic joint stands where the message says, or else where the joint that it mimics does, if
    the message moves that. What is not finite is left out.

    :param prefix: put before the names of all frames as it is.
    """

    def __init__(self, robot: Robot, prefix: str = ''):
        self._joints = JointTransforms(robot)
        self._prefix = prefix
        self._mimics = [
            (self._joints.index[name], self._joints.index[mimic.joint], mimic)
            for name, mimic in ((name, robot.joints[name].mimic) for name in self._joints.mimic)]
        self._positions = np.empty(len(self._joints))
        self._transforms = np.empty((len(self._joints), 7))
        self._moves: dict[bytes, _Move] = {}

    def message(self, positions: np.ndarray, joints: np.ndarray, stamp: int) -> bytes:
        """
        Return a serialized ``tf2_msgs/TFMessage``.

        :param positions: of all joints, in radians and metres, shape (n,).
        :param joints: rows of those that moved, in the order of :class:`JointTransforms`.
        :param stamp: in nanoseconds.
        """
        key = joints.tobytes()
        move = self._moves.get(key)
        if move is None:
            move = self._remember(key, joints)
        with np.errstate(all='ignore'):
            if move.mimics:
                positions = move.mimics.follow(positions, self._positions)
            transforms = self._joints.evaluate(positions, self._transforms)[move.rows]
            if np.isfinite(transforms.sum()):
                return move.writer.write(stamp, transforms)
        finite = np.isfinite(transforms).all(axis=1)
        return self._writer(move.rows[finite]).write(stamp, transforms[finite])

    def _remember(self, key, joints):
        if len(self._moves) >= _REMEMBERED:
            self._moves.clear()
        mimics = _Mimics(joints, self._mimics)
        rows = np.sort(np.append(joints, mimics.followers))
        move = self._moves[key] = _Move(rows, mimics, self._writer(rows))
        return move

    def _writer(self, rows):
        return TransformsWriter(
            [self._prefix + self._joints.parents[row] for row in rows],
            [self._prefix + self._joints.children[row] for row in rows])


class _Mimics:
    """
    The mimic joints that follow where certain joints move.

    :param joints: rows of the joints that move, mimic joints or not.
    :param mimics: row, row of the mimicked joint and :class:`Mimic` of all mimic joints, each
        after what it mimics.
    """

    def __init__(self, joints, mimics):
        leads = {row: (row, 1.0, 0.0) for row in joints.tolist()}
        followers = []
        for row, mimicked, mimic in mimics:
            if row not in leads and mimicked in leads:
                leader, multiplier, offset = leads[mimicked]
                leads[row] = (leader, mimic.multiplier * multiplier,
                              mimic.multiplier * offset + mimic.offset)
                followers.append((row, *leads[row]))
        table = np.array(followers).reshape(len(followers), 4)
        self.followers, self._leaders = table[:, :2].T.astype(np.intp)
        self._multipliers, self._offsets = table[:, 2:].T

    def __len__(self):
        return len(self.followers)

    def follow(self, positions, out):
        """Copy positions, with those of the mimic joints that follow."""
        np.copyto(out, positions)
        out[self.followers] = positions[self._leaders] * self._multipliers + self._offsets
        return out


@dataclass(frozen=True)
class _Move:
    """What messages with certain joints move: all rows, the mimic joints, how it is written."""

    rows: np.ndarray
    mimics: _Mimics
    writer: TransformsWriter


def static_transforms(robot: Robot, prefix: str, stamp, fix_multi_dof: bool = False) -> TFMessage:
    """
    Return the transforms of all fixed joints.

    :param prefix: put before the names of all frames as it is.
    :param stamp: a ``builtin_interfaces/Time``.
    :param fix_multi_dof: whether planar and floating joints count as fixed at rest.
    """
    fixed = [joint for joint in robot.tree
             if joint.type is JointType.FIXED or fix_multi_dof and joint.type.dof > 1]
    return TFMessage(transforms=[
        to_transform_stamped(
            (*joint.origin.xyz, *joint.origin.quaternion),
            prefix + joint.parent, prefix + joint.child, stamp)
        for joint in fixed])
