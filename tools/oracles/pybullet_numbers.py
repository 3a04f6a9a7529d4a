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

"""What PyBullet has loaded of a description, by the names of the fields of ``Parts``."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from importlib.metadata import version
import os
import re
from typing import Any

from counts import body_of
from counts import counted
import numpy as np
import pybullet

VERSION = version('pybullet')

_SHAPES = {
    pybullet.GEOM_SPHERE: 'sphere', pybullet.GEOM_BOX: 'box', pybullet.GEOM_CYLINDER: 'cylinder',
    pybullet.GEOM_PLANE: 'plane', pybullet.GEOM_CAPSULE: 'capsule'}

# PyBullet reads documents that other parsers refuse.
_JOINT = re.compile(r'<joint\s[^>]*>')

_MAX_LINKS = 128

_ONE_DOF = (pybullet.JOINT_REVOLUTE, pybullet.JOINT_PRISMATIC)


def numbers(path: str) -> dict[str, Any]:
    """
    Return how much of each thing is in the body that PyBullet makes.

    :raises pybullet.error: PyBullet refuses the description.
    """
    client = pybullet.connect(pybullet.DIRECT)
    try:
        # Else a file that has changed is not read again.
        pybullet.setPhysicsEngineParameter(enableFileCaching=0)
        # Meshes are also looked for in the working directory.
        os.chdir(os.path.dirname(path))
        return numbers_of(pybullet.loadURDF(path), path)
    finally:
        pybullet.disconnect(client)


def numbers_of(body: int, path: str) -> dict[str, Any]:
    """Return how much of each thing a body has."""
    joints = [pybullet.getJointInfo(body, index)
              for index in range(pybullet.getNumJoints(body))]
    moving = [joint for joint in joints if joint[2] != pybullet.JOINT_FIXED]
    links = [pybullet.getDynamicsInfo(body, index) for index in range(-1, len(joints))]
    endless = continuous_joints(path)
    return {
        'base': 'free' if links[0][0] else 'fixed', 'links': len(links),
        'moving_joints': len(moving), 'fixed_joints': len(joints) - len(moving), 'mimic': 0,
        **_body_at_zero(body, links),
        'position_limits': sum(joint[8] <= joint[9] for joint in moving
                               if joint[2] in _ONE_DOF and joint[1].decode() not in endless),
        'velocity_limits': sum(joint[11] != 0 for joint in moving),
        'effort_limits': sum(joint[10] != 0 for joint in moving),
        'damping': sum(joint[6] != 0 for joint in moving),
        'friction': sum(joint[7] != 0 for joint in moving),
        # A motor that holds the joint still, unless its force is set to 0.
        'actuators': sum(joint[2] in (*_ONE_DOF, pybullet.JOINT_SPHERICAL) for joint in joints),
        'visuals': counted(_formats(pybullet.getVisualShapeData(body))),
        'collisions': counted(_formats(
            shape for index in range(-1, len(joints))
            for shape in pybullet.getCollisionShapeData(body, index)))}


def continuous_joints(path: str) -> set[str]:
    """Return the joints without an end, which PyBullet lists as revolute ones."""
    with open(path, encoding='utf-8', errors='replace') as file:
        joints = _JOINT.findall(file.read())
    return {name.group(1) for joint in joints
            if re.search(r'\stype\s*=\s*["\']continuous["\']', joint)
            and (name := re.search(r'\sname\s*=\s*["\']([^"\']*)', joint))}


def _body_at_zero(body: int, links: list[Any]) -> dict[str, Any]:
    """Return mass, centre of mass and inertia about it in the frame of the root link."""
    if len(links) > _MAX_LINKS:
        return {**body_of((link[0], np.zeros(3), np.zeros((3, 3))) for link in links),
                'centre_of_mass': None, 'inertia': None}
    poses = [pybullet.getBasePositionAndOrientation(body), *(
        pybullet.getLinkState(body, index, computeForwardKinematics=True)[:2]
        for index in range(len(links) - 1))]
    # loadURDF puts the centre of mass of the base, not its frame, at the origin of the world.
    base = np.array(poses[0][0])
    to_root = _matrix(links[0][4]) @ _matrix(poses[0][1]).T
    rotations = [to_root @ _matrix(turn) for _, turn in poses]
    return body_of(
        (link[0], to_root @ (np.array(position) - base) + links[0][3],
         rotation @ np.diag(link[2]) @ rotation.T)
        for link, (position, _), rotation in zip(links, poses, rotations))


def _matrix(quaternion: Any) -> Any:
    return np.array(pybullet.getMatrixFromQuaternion(quaternion)).reshape(3, 3)


def _formats(shapes: Iterable[Any]) -> Iterator[str]:
    # The hull of 64 points that a cylinder becomes has no file.
    for shape in shapes:
        suffix = os.path.splitext(shape[4].decode())[1].lower()
        yield _SHAPES.get(shape[2]) or suffix or 'cylinder'
