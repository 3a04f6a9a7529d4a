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

"""Moving joints, and resolved mimic chains."""

from __future__ import annotations

from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot


def in_tree(robot: Robot, joint: Joint) -> bool:
    """Return whether a joint is in the tree, not an additional parent of its child."""
    return robot.parent_joint[joint.child] is joint


def resolve_mimic(robot: Robot) -> dict[str, Mimic]:
    """
    Return the joint that each mimic joint follows in the end, with chains collapsed.

    The ``<mimic>`` of a joint is ignored unless the joint has one degree of freedom and the
    joint that it names is in the tree.

    :return: name of the mimic joint to the joint that leads it, which is not a mimic joint, and
        the multiplier and offset of the whole chain.
    """
    resolved: dict[str, Mimic] = {}
    for joint in robot.joints.values():
        chain = []
        while joint.name not in resolved and (mimic := _followed(robot, joint)):
            chain.append((joint.name, mimic))
            joint = robot.joints[mimic.joint]
        for name, mimic in reversed(chain):
            leader = resolved.get(mimic.joint, Mimic(mimic.joint))
            resolved[name] = Mimic(leader.joint, mimic.multiplier * leader.multiplier,
                                   mimic.multiplier * leader.offset + mimic.offset)
    return resolved


def _followed(robot: Robot, joint: Joint) -> Mimic | None:
    """Return the mimic of a joint unless it is to be ignored."""
    is_followed = joint.mimic is not None and joint.type.dof == 1 and in_tree(
        robot, robot.joints[joint.mimic.joint])
    return joint.mimic if is_followed else None


def moving_joints(robot: Robot) -> tuple[Joint, ...]:
    """Return the joints of one degree of freedom in the tree, in the order of the description."""
    return tuple(joint for joint in robot.joints.values()
                 if joint.type.dof == 1 and in_tree(robot, joint))
