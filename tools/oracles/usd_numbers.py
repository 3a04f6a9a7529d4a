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

from collections.abc import Callable
from collections.abc import Iterator
import os
import tempfile
from typing import Any

from counts import body_of
from counts import counted
import numpy as np
from pxr import Usd
from pxr import UsdGeom
from pxr import UsdPhysics
import urdf_usd_converter
from urdf_usd_converter._impl.mesh_cache import MeshCache

VERSION = urdf_usd_converter.__version__

_STORE = MeshCache.store_mesh_cache

_MOVING = (UsdPhysics.RevoluteJoint, UsdPhysics.PrismaticJoint)


def numbers(path: str) -> dict[str, Any]:
    """
    Return how much of each thing is in the stage.

    :raises Exception: the converter refuses the description.
    """
    files: dict[str, str] = {}

    def store(cache: MeshCache, *arguments: Any) -> None:
        _STORE(cache, *arguments)
        files.update((name['safe_name'], file) for file, name in cache.mesh_names.items())

    MeshCache.store_mesh_cache = store
    with tempfile.TemporaryDirectory() as folder:
        asset = urdf_usd_converter.Converter().convert(path, folder)
        return _numbers(Usd.Stage.Open(asset.path), files)


def _numbers(stage: Usd.Stage, files: dict[str, str]) -> dict[str, Any]:
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
    return {
        'base': 'fixed' if to_world else 'free', 'links': len(bodies),
        'moving_joints': len(moving), 'fixed_joints': len(fixed) - len(roots),
        'mimic': sum('NewtonMimicAPI' in prim.GetAppliedSchemas() for prim in moving),
        **body_of(_bodies(bodies)),
        'position_limits': sum(bool(
            prim.IsA(_MOVING[0]) or prim.IsA(_MOVING[1])) and all(
                np.isfinite(prim.GetAttribute(f'physics:{name}Limit').Get())
                for name in ('lower', 'upper')) for prim in moving),
        'velocity_limits': _count(moving, 'newton:velocityLimit', np.isfinite),
        'effort_limits': sum(
            any('drive' in name.lower() for name in prim.GetAppliedSchemas()) for prim in moving),
        'damping': _count(moving, 'newton:damping', bool),
        'friction': _count(moving, 'newton:friction', bool), 'actuators': 0,
        'visuals': counted(_formats(stage, files, is_collision=False)),
        'collisions': counted(_formats(stage, files, is_collision=True))}


def _count(prims: list[Any], name: str, is_counted: Callable[[Any], bool]) -> int:
    values = [prim.GetAttribute(name) for prim in prims]
    return sum(each.HasAuthoredValue() and bool(is_counted(each.Get())) for each in values)


def _bodies(bodies: list[Any]) -> Iterator[tuple[float, Any, Any]]:
    cache = UsdGeom.XformCache()
    for prim in bodies:
        if prim.HasAPI(UsdPhysics.MassAPI):
            api = UsdPhysics.MassAPI(prim)
            com = np.array(api.GetCenterOfMassAttr().Get())
            com = com if np.isfinite(com).all() else np.zeros(3)
            matrix = np.array(cache.GetLocalToWorldTransform(prim))
            rotation, at = matrix[:3, :3].T, matrix[3, :3]
            xx, yy, zz, xy, xz, yz = prim.GetAttribute('newton:inertia').Get() or [0.0] * 6
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            yield (api.GetMassAttr().Get() or 0.0, rotation @ com + at,
                   rotation @ inertia @ rotation.T)


def _formats(stage: Usd.Stage, files: dict[str, str], is_collision: bool) -> Iterator[str]:
    """Yield the kind or suffix of each shape: those below one reference are one mesh."""
    prims = iter(Usd.PrimRange(stage.GetDefaultPrim(), Usd.TraverseInstanceProxies()))
    for prim in prims:
        references = prim.GetMetadata('references')
        is_mesh = references is not None
        gprims = [each for each in Usd.PrimRange(prim, Usd.TraverseInstanceProxies())
                  if each.IsA(UsdGeom.Gprim)] if is_mesh or prim.IsA(UsdGeom.Gprim) else []
        if not gprims:
            continue
        prims.PruneChildren()
        purpose = UsdGeom.Imageable(gprims[0]).ComputePurpose()
        if (purpose == UsdGeom.Tokens.guide) is is_collision:
            kind = prim.GetTypeName().lower()
            yield os.path.splitext(files[references.GetAddedOrExplicitItems()[0].primPath.name])[
                1].lower() if is_mesh else 'box' if kind == 'cube' else kind
