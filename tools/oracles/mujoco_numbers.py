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

from collections.abc import Iterator
import os
from typing import Any

os.environ['MUJOCO_GL'] = 'off'  # Else its import starts programs that look for OpenGL.

from counts import body_of  # noqa: E402
from counts import counted  # noqa: E402
import mujoco  # noqa: E402
import numpy as np  # noqa: E402

VERSION = mujoco.__version__

_FREE = mujoco.mjtJoint.mjJNT_FREE


def numbers(path: str) -> dict[str, Any]:
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
        **body_of(_bodies(model)),
        'position_limits': int(sum(model.jnt_limited)),
        'effort_limits': int(sum(model.jnt_actfrclimited)), 'velocity_limits': 0,
        'damping': int(sum(model.dof_damping[adr] != 0)),
        'friction': int(sum(model.dof_frictionloss[adr] != 0)), 'actuators': model.nu,
        'visuals': counted(_formats(model, is_visual)),
        'collisions': counted(_formats(model, ~is_visual))}


def _bodies(model: mujoco.MjModel) -> Iterator[tuple[float, Any, Any]]:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for body in range(1, model.nbody):
        rotation = data.ximat[body].reshape(3, 3)
        yield (model.body_mass[body], data.xipos[body],
               rotation @ np.diag(model.body_inertia[body]) @ rotation.T)


def _formats(model: mujoco.MjModel, chosen: Any) -> Iterator[str]:
    paths = bytes(model.paths)
    for geom in np.flatnonzero(chosen):
        if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
            start = model.mesh_pathadr[model.geom_dataid[geom]]
            path = paths[start:paths.index(b'\0', start)].decode()
            yield os.path.splitext(path)[1].lower()
        else:
            yield mujoco.mjtGeom(model.geom_type[geom]).name[7:].lower()
