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

"""The states of planar and floating joints, and their transforms."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from itertools import compress

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.joint_transforms import in_tree
from urdf_tools.kinematics.multi_dof import joint_transform
from urdf_tools.kinematics.multi_dof import joint_values
from urdf_tools.messages.cdr import Transform
from urdf_tools.messages.cdr import write_transforms
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array


def multi_dof_joints(robot: Robot) -> tuple[Joint, ...]:
    """Return the planar and floating joints of the tree, in the order of the description."""
    return tuple(joint for joint in robot.joints.values()
                 if joint.type.dof > 1 and in_tree(robot, joint))


class MultiDofStates:
    """
    Reads the variables of planar and floating joints from messages.

    A state is the pose of the child link in the joint's frame, which is the pose of the child
    link at rest. What a planar joint cannot do, translation along its axis and tilt, is dropped.

    :param log: counts and logs what is skipped, by the kinds of faults of joint states.
    :ivar joints: the joints.
    :ivar names: their names.
    """

    def __init__(self, joints: tuple[Joint, ...], log: FaultLog):
        self.joints = joints
        self.names = tuple(joint.name for joint in joints)
        self._rows = {name: row for row, name in enumerate(self.names)}
        self._log = log

    def read(self, names: Sequence[str], states: Sequence[Array]) -> dict[int, Array]:
        """
        Return row of a joint to its variables, for each valid state of a message.

        :param states: ``x y z qx qy qz qw`` of each joint.
        """
        values: dict[int, Array] = {}
        self._log.add_names('no name', [''] * (len(states) - len(names)))
        self._log.add_names('no position', names[len(states):])
        for name, state in zip(names, states):
            row = self._rows.get(name)
            if row is None:
                self._log.add_names('not planar or floating', [name])
            elif row in values:
                self._log.add_names('duplicate', [name])
            else:
                with np.errstate(all='ignore'):
                    value = joint_values(self.joints[row], state)
                if np.isfinite(value).all():
                    values[row] = value
                else:
                    self._log.add_names('non-finite', [name])
        return values


class MultiDofTransforms:
    """
    The transforms of planar and floating joints.

    :param joints: the joints.
    :param prefix: prepended to every frame ID.
    """

    def __init__(self, joints: Sequence[Joint], prefix: str):
        self._joints = joints
        self._prefix = prefix

    def message(self, values: Mapping[int, Array], stamp: int,
                part: npt.NDArray[np.bool_] | None = None) -> bytes:
        """
        Return a serialized ``tf2_msgs/TFMessage``.

        :param values: row of a joint to its variables, as in :func:`joint_transform`.
        :param stamp: in nanoseconds.
        :param part: mask of the joints that the message has, None for all.
        """
        rows = values if part is None else compress(values, part)
        moved = sorted(((self._joints[row], values[row]) for row in rows),
                       key=lambda each: each[0].name)
        return write_transforms([
            Transform(stamp, self._prefix + joint.parent, self._prefix + joint.child,
                      joint_transform(joint, variables)) for joint, variables in moved])
