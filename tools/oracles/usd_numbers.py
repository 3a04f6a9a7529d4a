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

"""What urdf-usd-converter has written of a description, by the names of the fields of Parts."""

from __future__ import annotations

from collections import Counter
import os
import tempfile

import numpy as np
from pxr import Usd
from pxr import UsdGeom
from pxr import UsdPhysics
import urdf_usd_converter
from urdf_usd_converter._impl import convert
from urdf_usd_converter._impl.mesh_cache import MeshCache

VERSION = urdf_usd_converter.__version__

_MOVING = (UsdPhysics.RevoluteJoint, UsdPhysics.PrismaticJoint)


def numbers(path: str) -> dict:
    """
    Return how much of each thing is in the stage.

    :raises Exception: the converter refuses the description.
    """
    files: dict[str, str] = {}

    class Names(MeshCache):
        def store_mesh_cache(self, *arguments) -> None:
            super().store_mesh_cache(*arguments)
            files.update((name['safe_name'], file) for file, name in self.mesh_names.items())

    convert.MeshCache = Names
    with tempfile.TemporaryDirectory() as folder:
        asset = urdf_usd_converter.Converter().convert(path, folder)
        return _numbers(Usd.Stage.Open(asset.path), files)


def _numbers(stage: Usd.Stage, files: dict[str, str]) -> dict:
    prims = [prim for prim in stage.Traverse(Usd.TraverseInstanceProxies())]
    bodies = [prim for prim in prims if prim.HasAPI(UsdPhysics.RigidBodyAPI)]
    joints = [prim for prim in prims if prim.IsA(UsdPhysics.Joint)]
    fixed = [prim for prim in joints if prim.IsA(UsdPhysics.FixedJoint)]
    moving = [prim for prim in joints if prim not in fixed]
    to_world = [prim for prim in joints if not any(
        path.pathElementCount > 1 for path in UsdPhysics.Joint(prim).GetBody0Rel().GetTargets())]
    # The joint that holds the root link to the world, which lies directly in the geometry.
    roots = [prim for prim in to_world if prim in fixed and UsdPhysics.Joint(
        prim).GetBody1Rel().GetTargets()[0].pathElementCount == 3]
    shapes = [_shapes(stage, files, is_collision) for is_collision in (False, True)]
    return {
        'base': 'fixed' if to_world else 'free', 'links': len(bodies),
        'moving_joints': len(moving), 'fixed_joints': len(fixed) - len(roots),
        'mimic': sum('NewtonMimicAPI' in prim.GetAppliedSchemas() for prim in moving),
        **_body(stage, bodies),
        'position_limits': sum(bool(
            prim.IsA(_MOVING[0]) or prim.IsA(_MOVING[1])) and all(
                np.isfinite(prim.GetAttribute(f'physics:{name}Limit').Get())
                for name in ('lower', 'upper')) for prim in moving),
        'velocity_limits': _count(moving, 'newton:velocityLimit', lambda value: True),
        'effort_limits': sum(
            any('drive' in name.lower() for name in prim.GetAppliedSchemas()) for prim in moving),
        'damping': _count(moving, 'newton:damping', bool),
        'friction': _count(moving, 'newton:friction', bool), 'actuators': 0,
        'visuals': shapes[0], 'collisions': shapes[1]}


def _count(prims: list, name: str, is_counted) -> int:
    values = [prim.GetAttribute(name) for prim in prims]
    return sum(each.HasAuthoredValue() and bool(is_counted(each.Get())) for each in values)


def _body(stage: Usd.Stage, bodies: list) -> dict:
    cache = UsdGeom.XformCache()
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    parts = []
    for prim in bodies:
        api = UsdPhysics.MassAPI(prim)
        own = api.GetMassAttr().Get() or 0.0
        if not prim.HasAPI(UsdPhysics.MassAPI):
            continue
        com = np.array(api.GetCenterOfMassAttr().Get())
        com = com if np.isfinite(com).all() else np.zeros(3)
        matrix = np.array(cache.GetLocalToWorldTransform(prim))
        rotation, at = matrix[:3, :3].T, matrix[3, :3]
        values = prim.GetAttribute('newton:inertia').Get()
        inertia = np.zeros((3, 3)) if values is None else np.array([
            [values[0], values[3], values[4]], [values[3], values[1], values[5]],
            [values[4], values[5], values[2]]])
        parts.append((own, rotation @ com + at, rotation @ inertia @ rotation.T))
        mass += own
        first += own * parts[-1][1]
    if not mass:
        return {'mass': 0.0, 'centre_of_mass': None, 'inertia': None}
    com = first / mass
    for own, at, inertia in parts:
        arm = at - com
        second += inertia + own * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return {'mass': float(mass), 'centre_of_mass': com.tolist(), 'inertia': second.tolist()}


def _shapes(stage: Usd.Stage, files: dict[str, str], is_collision: bool) -> dict[str, int]:
    """Return the number of shapes by format: those below one reference are one mesh."""
    found: Counter[str] = Counter()
    prims = iter(Usd.PrimRange(stage.GetDefaultPrim(), Usd.TraverseInstanceProxies()))
    for prim in prims:
        references = prim.GetMetadata('references')
        is_mesh = references is not None
        gprims = [each for each in Usd.PrimRange(prim, Usd.TraverseInstanceProxies())
                  if each.IsA(UsdGeom.Gprim)] if is_mesh or prim.IsA(UsdGeom.Gprim) else []
        if gprims:
            prims.PruneChildren()
            is_guide = UsdGeom.Imageable(gprims[0]).ComputePurpose() == UsdGeom.Tokens.guide
            if is_guide is is_collision:
                name = references.GetAddedOrExplicitItems()[0].primPath.name if is_mesh else ''
                found[os.path.splitext(files[name])[1].lower() if is_mesh else
                      {'cube': 'box'}.get(prim.GetTypeName().lower(),
                                          prim.GetTypeName().lower())] += 1
    return dict(sorted(found.items()))
