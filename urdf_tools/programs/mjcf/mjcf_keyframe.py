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

"""The configuration in which a simulation begins."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element as Node

from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import JointType
from urdf_tools.programs.mjcf.mjcf_actuators import Actuator
from urdf_tools.programs.mjcf.mjcf_bodies import Bodies
from urdf_tools.programs.mjcf.mjcf_xml import add


def write_home(keyframe: Node, bodies: Bodies, actuators: list[Actuator]) -> None:
    """
    Append the configuration ``home``: all at zero, within limits, mimics and loops closed.

    Position actuators hold it.
    """
    positions = _home(bodies)
    links = [bodies.robot.root, *(joint.child for joint in bodies.robot.tree)]
    values = [value for link in links for value in _values(bodies, link, positions)]
    controls = [positions[each.joint.name] if each.kind == 'position' else 0.0
                for each in actuators]
    if values:
        add(keyframe, 'key', {'name': 'home', 'qpos': values, 'ctrl': controls or None})


def _home(bodies: Bodies) -> dict[str, float]:
    """Return the position of each variable, also of mimic joints."""
    tree = KinematicTree(bodies.robot)
    start = Mechanism(tree).start if bodies.robot.loops else tree.neutral().clip(
        tree.position_lower, tree.position_upper)
    found = dict(zip(tree.variable_names, start.tolist()))
    for name, mimic in resolve_mimic(bodies.robot).items():
        found[name] = mimic.multiplier * found.get(mimic.joint, 0.0) + mimic.offset
    return found


def _values(bodies: Bodies, link: str, positions: dict[str, float]) -> Iterator[float]:
    """Yield the positions in MuJoCo of the joints of a link."""
    joint = bodies.robot.parent_joint.get(link)
    if any(tag == 'freejoint' for tag, _ in bodies.joints_of(link)):
        origin = Pose() if joint is None else joint.origin
        x, y, z, w = origin.quaternion
        yield from (*origin.xyz, w, x, y, z)
    elif joint is not None and joint.type is JointType.FLOATING:
        yield from (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    elif joint is not None:
        yield from (positions[name] for name in variable_names(joint))
