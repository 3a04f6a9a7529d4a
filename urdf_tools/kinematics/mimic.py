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

"""Which joint follows which."""

from __future__ import annotations

from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot


def in_tree(robot: Robot, joint: Joint) -> bool:
    """Tell whether a joint is part of the tree, and not a second parent of its child."""
    return robot.parent_joint[joint.child] is joint


def resolve_mimic(robot: Robot) -> dict[str, Mimic]:
    """
    Return what each mimic joint follows, with chains of mimic joints collapsed.

    Only joints of one degree of freedom follow; one whose leader is not in the tree follows
    nothing.

    :return: name of the mimic joint to the joint that leads it, which itself follows nothing,
        and the multiplier and offset of the whole chain.
    """
    resolved = {}
    for joint in robot.joints.values():
        chain = []
        while joint.name not in resolved and _follows(robot, joint):
            chain.append(joint)
            joint = robot.joints[joint.mimic.joint]
        for follower in reversed(chain):
            mimic = follower.mimic
            leader = resolved.get(mimic.joint, Mimic(mimic.joint))
            resolved[follower.name] = Mimic(
                leader.joint, mimic.multiplier * leader.multiplier,
                mimic.multiplier * leader.offset + mimic.offset)
    return resolved


def _follows(robot, joint):
    return (joint.mimic is not None and joint.type.dof == 1
            and in_tree(robot, robot.joints[joint.mimic.joint]))
