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

"""What MuJoCo has loaded of a description, by the names of the fields of ``Parts``."""

from __future__ import annotations

from collections import Counter
import os

import mujoco
import numpy as np

VERSION = mujoco.__version__

_FREE = mujoco.mjtJoint.mjJNT_FREE


def numbers(path: str) -> dict:
    """
    Return how much of each thing is in the model that MuJoCo compiles.

    :raises ValueError: MuJoCo refuses the description.
    """
    model = mujoco.MjModel.from_xml_path(path)
    joints = {model.joint(index).name.removesuffix('_TX'): index for index in range(model.njnt)
              if not model.joint(index).name.endswith(('_TY', '_RZ'))}
    of_world = [body for body in range(1, model.nbody) if model.body_parentid[body] == 0]
    still = [body for body in range(1, model.nbody) if model.body_jntnum[body] == 0]
    free = [body for body in of_world if model.body_jntnum[body]
            and model.jnt_type[model.body_jntadr[body]] == _FREE]
    adr = [model.jnt_dofadr[index] for index in joints.values()]
    is_visual = (model.geom_contype == 0) & (model.geom_conaffinity == 0)
    return {
        'base': 'free' if free else 'fixed', 'links': model.nbody - 1,
        'moving_joints': len(joints), 'fixed_joints': len(set(still) - set(of_world)),
        'mimic': int(sum(model.eq_type == mujoco.mjtEq.mjEQ_JOINT)),
        **body_at_zero(model),
        'position_limits': int(sum(model.jnt_limited)),
        'effort_limits': int(sum(model.jnt_actfrclimited)), 'velocity_limits': 0,
        'damping': int(sum(model.dof_damping[adr] != 0)),
        'friction': int(sum(model.dof_frictionloss[adr] != 0)), 'actuators': model.nu,
        'visuals': formats(model, is_visual), 'collisions': formats(model, ~is_visual)}


def body_at_zero(model: mujoco.MjModel) -> dict:
    """Return mass, centre of mass and inertia about it in the frame of the world."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    mass = model.body_mass[1:]
    if not mass.sum():
        return {'mass': 0.0, 'centre_of_mass': None, 'inertia': None}
    com = mass @ data.xipos[1:] / mass.sum()
    inertia = np.zeros((3, 3))
    for body in range(1, model.nbody):
        rotation = data.ximat[body].reshape(3, 3)
        arm = data.xipos[body] - com
        inertia += rotation @ np.diag(model.body_inertia[body]) @ rotation.T
        inertia += model.body_mass[body] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return {'mass': float(mass.sum()), 'centre_of_mass': com.tolist(),
            'inertia': inertia.tolist()}


def formats(model: mujoco.MjModel, chosen: np.ndarray) -> dict[str, int]:
    """Return the number of geoms of each shape or suffix of a mesh."""
    paths = bytes(model.paths)
    found: Counter[str] = Counter()
    for geom in np.flatnonzero(chosen):
        mesh = model.geom_dataid[geom]
        if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
            start = model.mesh_pathadr[mesh]
            path = paths[start:paths.index(b'\0', start)].decode()
            found[os.path.splitext(path)[1].lower()] += 1
        else:
            found[mujoco.mjtGeom(model.geom_type[geom]).name[7:].lower()] += 1
    return dict(sorted(found.items()))
