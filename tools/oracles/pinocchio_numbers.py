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

"""What Pinocchio has loaded of a description, by the names of the fields of ``Parts``."""

from __future__ import annotations

import sys
from typing import Any

from counts import body_of
import numpy as np
import pinocchio

VERSION = pinocchio.__version__

_MAX = sys.float_info.max
"""The limit of a joint that has none."""


def numbers(path: str) -> dict[str, Any]:
    """
    Return how much of each thing is in the model.

    :raises Exception: Pinocchio refuses the description.
    """
    model = pinocchio.buildModelFromUrdf(path)
    data = model.createData()
    joints = range(1, model.njoints)
    one = [index for index in joints if model.nvs[index] == 1]
    limited = [index for index in one if model.nqs[index] == 1 and all(
        np.isfinite(limit[model.idx_qs[index]]) and abs(limit[model.idx_qs[index]]) < _MAX
        for limit in (model.lowerPositionLimit, model.upperPositionLimit))]
    pinocchio.forwardKinematics(model, data, pinocchio.neutral(model))
    # Its own sum has no centre of mass where masses are negative.
    placed = [data.oMi[index].act(model.inertias[index]) for index in joints]
    return {
        'base': 'fixed', 'links': model.njoints - 1, 'moving_joints': model.njoints - 1,
        'fixed_joints': 0, 'mimic': 0,
        **body_of((each.mass, each.lever, each.inertia) for each in placed),
        'position_limits': len(limited),
        'velocity_limits': _finite(model, one, model.velocityLimit),
        'effort_limits': _finite(model, one, model.effortLimit),
        'damping': _nonzero(model, joints, model.damping),
        'friction': _nonzero(model, joints, model.friction)}


def _finite(model: pinocchio.Model, joints: list[int], values: Any) -> int:
    found = [float(values[model.idx_vs[each]]) for each in joints]
    return sum(abs(value) < _MAX for value in found)


def _nonzero(model: pinocchio.Model, joints: range, values: Any) -> int:
    return sum(bool(np.any(values[model.idx_vs[each]:model.idx_vs[each] + model.nvs[each]]))
               for each in joints)
