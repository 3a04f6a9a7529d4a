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

from collections import Counter
from importlib.metadata import version
import os
import re

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


def numbers(path: str) -> dict:
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


def numbers_of(body: int, path: str) -> dict:
    """Return how much of each thing a body has."""
    joints = [pybullet.getJointInfo(body, index)
              for index in range(pybullet.getNumJoints(body))]
    moving = [joint for joint in joints if joint[2] != pybullet.JOINT_FIXED]
    links = [pybullet.getDynamicsInfo(body, index) for index in range(-1, len(joints))]
    endless = continuous_joints(path)
    return {
        'base': 'free' if links[0][0] else 'fixed', 'links': len(links),
        'moving_joints': len(moving), 'fixed_joints': len(joints) - len(moving), 'mimic': 0,
        **body_at_zero(body, links),
        'position_limits': sum(joint[8] <= joint[9] for joint in moving
                               if joint[2] in _ONE_DOF and joint[1].decode() not in endless),
        'velocity_limits': sum(joint[11] != 0 for joint in moving),
        'effort_limits': sum(joint[10] != 0 for joint in moving),
        'damping': sum(joint[6] != 0 for joint in moving),
        'friction': sum(joint[7] != 0 for joint in moving),
        # A motor that holds the joint still, unless its force is set to 0.
        'actuators': sum(joint[2] in (*_ONE_DOF, pybullet.JOINT_SPHERICAL) for joint in joints),
        'visuals': formats((shape[2], shape[4]) for shape in pybullet.getVisualShapeData(body)),
        'collisions': formats(
            (shape[2], shape[4]) for index in range(-1, len(joints))
            for shape in pybullet.getCollisionShapeData(body, index))}


def continuous_joints(path: str) -> set[str]:
    """Return the joints without an end, which PyBullet lists as revolute ones."""
    with open(path, encoding='utf-8', errors='replace') as file:
        joints = _JOINT.findall(file.read())
    return {name.group(1) for joint in joints
            if re.search(r'\stype\s*=\s*["\']continuous["\']', joint)
            and (name := re.search(r'\sname\s*=\s*["\']([^"\']*)', joint))}


def body_at_zero(body: int, links: list) -> dict:
    """Return mass, centre of mass and inertia about it in the frame of the root link."""
    mass = np.array([link[0] for link in links])
    unknown = {'mass': float(mass.sum()), 'centre_of_mass': None, 'inertia': None}
    if not mass.sum() or len(links) > _MAX_LINKS:
        return unknown
    poses = []
    for index, link in enumerate(links):
        if index:
            position, turn = pybullet.getLinkState(
                body, index - 1, computeForwardKinematics=True)[:2]
        else:
            position, turn = pybullet.getBasePositionAndOrientation(body)
        poses.append((np.array(position), np.array(
            pybullet.getMatrixFromQuaternion(turn)).reshape(3, 3)))
    # loadURDF puts the centre of mass of the base, not its frame, at the origin of the world.
    base = np.array(pybullet.getMatrixFromQuaternion(links[0][4])).reshape(3, 3)
    to_root = base @ poses[0][1].T
    com = mass @ np.array([pose[0] for pose in poses]) / mass.sum()
    # A joint about no axis has no pose.
    if not np.isfinite(com).all():
        return unknown
    inertia = np.zeros((3, 3))
    for link, (position, rotation) in zip(links, poses):
        arm = position - com
        inertia += rotation @ np.diag(link[2]) @ rotation.T
        inertia += link[0] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return {
        'mass': float(mass.sum()),
        'centre_of_mass': (to_root @ (com - poses[0][0]) + np.array(links[0][3])).tolist(),
        'inertia': (to_root @ inertia @ to_root.T).tolist()}


def formats(shapes) -> dict[str, int]:
    """Return the number of shapes of each kind or suffix of a mesh."""
    # The hull of 64 points that a cylinder becomes has no file.
    return dict(sorted(Counter(
        _SHAPES.get(kind) or os.path.splitext(name.decode())[1].lower() or 'cylinder'
        for kind, name in shapes).items()))
