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

"""Planar and floating joints: their states as messages in, their transforms out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.kinematics.mimic import in_tree
from urdf_tools.kinematics.multi_dof import joint_transform
from urdf_tools.kinematics.multi_dof import joint_values
from urdf_tools.model.messages import name_list
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.ros.conversions import from_transform
from urdf_tools.ros.tally import Tally
from urdf_tools.ros.transforms import transforms_writer


def multi_dof_joints(robot: Robot) -> tuple[Joint, ...]:
    """Return the planar and floating joints in the tree, in the order of the description."""
    return tuple(joint for joint in robot.joints.values()
                 if joint.type.dof > 1 and in_tree(robot, joint))


class MultiDofStates:
    """
    The variables of the planar and floating joints that a message moves.

    A state is the pose of the child link in the joint's frame, which is where the child stands at
    rest. What a planar joint cannot do of it, movement along its axis and tilt, is left out.

    :param tally: counts the states that are not taken, by the reasons of joint states.
    :ivar joints: the joints.
    :ivar names: their names.
    """

    def __init__(self, joints: tuple[Joint, ...], tally: Tally):
        self.joints = joints
        self.names = tuple(joint.name for joint in joints)
        self._rows = {name: row for row, name in enumerate(self.names)}
        self._tally = tally

    def take(self, message: MultiDOFJointState) -> dict[int, np.ndarray]:
        """Return row of a joint to what it moves, for the states that are taken."""
        taken = {}
        names, states = message.joint_names, message.transforms
        self._skip('no name', [''] * (len(states) - len(names)))
        self._skip('no position', names[len(states):])
        for name, state in zip(names, states):
            row = self._rows.get(name)
            if row is None:
                self._skip('not planar or floating', [name])
            elif row in taken:
                self._skip('duplicate', [name])
            else:
                with np.errstate(all='ignore'):
                    taken[row] = self._read(self.joints[row], from_transform(state))
                if not np.isfinite(taken[row]).all():
                    self._skip('non-finite', [name])
                    del taken[row]
        return taken

    def _read(self, joint, motion):
        """Return what :meth:`take` returns of a joint."""
        return joint_values(joint, motion)

    def _skip(self, fault, names):
        if names:
            self._tally.add(fault, len(names), lambda: name_list(tuple(filter(None, names))))


class MultiDofTransforms(MultiDofStates):
    """
    The transforms of the planar and floating joints that a message moves, each of shape (7,).

    :param prefix: put before the names of all frames as it is.
    """

    def __init__(self, joints: tuple[Joint, ...], prefix: str, tally: Tally):
        super().__init__(joints, tally)
        self._prefix = prefix

    def message(self, transforms: Mapping[int, np.ndarray], stamp: int) -> bytes:
        """
        Return a serialized ``tf2_msgs/TFMessage``.

        :param transforms: what :meth:`take` returned.
        :param stamp: in nanoseconds.
        """
        joints = [self.joints[row] for row in transforms]
        writer = transforms_writer(joints, self._prefix, np.array(list(transforms.values())))
        return writer.message(stamp)

    def _read(self, joint, motion):
        return joint_transform(joint, joint_values(joint, motion))
