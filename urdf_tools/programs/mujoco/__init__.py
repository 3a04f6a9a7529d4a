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

"""
How MuJoCo loads a robot when it compiles its URDF.

A description is read (mujoco_attributes, mujoco_bodies_of_urdf) as ``src/xml/xml_urdf.cc`` does,
with the options of ``<mujoco><compiler>`` (mujoco_compiler), and compiled (mujoco_model,
mujoco_meshes) as ``src/user/user_model.cc``, ``user_objects.cc`` and ``user_mesh.cc`` do.
mujoco_losses compares the model with the description.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.mujoco.compiler import RELEASES
from urdf_tools.programs.mujoco.losses import losses
from urdf_tools.programs.mujoco.model import MujocoModel
from urdf_tools.programs.source import Source


@np.errstate(all='ignore')  # Numbers may be infinite.
def account(source: Source, context: Context, version: str = '4.0') -> Account:
    """Return what becomes of a robot in MuJoCo."""
    if source.root.tag.lower() == 'mujoco':  # MJCF
        return Account('mujoco', version, None)
    model = MujocoModel(source.root, RELEASES[version], context)
    floats = any(joint.type == 'floating' for joint in model.joints)
    merged = {name for name, owner in model.owners.items() if model.compiler.fusestatic and (
        owner != name or name == WORLD)}
    return Account('mujoco', version, source.parts, model.parts, model.causes,
                   'free' if floats else 'fixed', merged,
                   tuple(losses(model, source.root, source.robot)),
                   options_of('mujoco'))


account_of_3_8 = partial(account, version='3.8')
"""Return what becomes of a robot in MuJoCo 3.8."""

account_of_3_3 = partial(account, version='3.3')
"""Return what becomes of a robot in MuJoCo 3.3."""
