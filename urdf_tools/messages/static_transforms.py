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

"""The transforms of fixed joints, as they are published on ``/tf_static``."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence

from urdf_tools.messages.cdr import lay_out_transforms
from urdf_tools.messages.cdr import SECOND
from urdf_tools.messages.cdr import STAMP
from urdf_tools.messages.cdr import TRANSFORM
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot


def static_joints(robot: Robot, fix_multi_dof: bool = False) -> tuple[Joint, ...]:
    """
    Return the fixed joints of the tree, in the order of robot_state_publisher.

    :param fix_multi_dof: whether planar and floating joints count as fixed.
    """
    joints = [joint for joint in robot.tree if joint.type is JointType.FIXED
              or fix_multi_dof and joint.type.dof > 1]
    return tuple(sorted(joints, key=lambda joint: joint.name))


def static_message(robots: Iterable[tuple[Sequence[Joint], str]], stamp: int) -> bytes:
    """
    Return the transforms of joints at zero, a serialized ``tf2_msgs/TFMessage``.

    :param robots: joints, and the prefix of their frame IDs.
    :param stamp: in nanoseconds.
    """
    joints = [(joint, prefix) for joints, prefix in robots for joint in joints]
    data, stamps, numbers = lay_out_transforms(
        [prefix + joint.parent for joint, prefix in joints],
        [prefix + joint.child for joint, prefix in joints])
    for (joint, _), time, offset in zip(joints, stamps, numbers):
        STAMP.pack_into(data, time, *divmod(stamp, SECOND))
        TRANSFORM.pack_into(data, offset, *joint.origin.xyz, *joint.origin.quaternion)
    return bytes(data)
