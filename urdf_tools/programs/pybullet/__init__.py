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
How PyBullet loads a robot with ``loadURDF(path)`` and no other argument.

A description is read (pybullet_values, pybullet_meshes, pybullet_model) as
``examples/Importers/ImportURDFDemo/UrdfParser.cpp`` does, and becomes a body as in
``BulletUrdfImporter.cpp`` and ``URDF2Bullet.cpp`` beside it; pybullet_shapes has the inertia.
"""

from __future__ import annotations

from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.pybullet.losses import losses
from urdf_tools.programs.pybullet.model import BulletModel
from urdf_tools.programs.source import Source

VERSION = '3.2.7'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in PyBullet."""
    model = BulletModel(source.root, context)
    has_base = model.root is not None and bool(model.masses[model.root])
    return Account('pybullet', VERSION, source.parts, model.parts, tuple(model.refusals),
                   'free' if has_base else 'fixed', losses=tuple(losses(model)),
                   options=options_of('pybullet'))
