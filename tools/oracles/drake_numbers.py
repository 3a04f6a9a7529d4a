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

"""What Drake has loaded of a description, by the names of the fields of ``Parts``."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from importlib.metadata import version
import re
from typing import Any

from counts import body_of
from counts import counted
import numpy as np
from pydrake.geometry import Convex
from pydrake.geometry import Mesh
from pydrake.geometry import Role
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
from pydrake.systems.framework import DiagramBuilder

VERSION = version('drake')

# Drake reads documents that other parsers refuse.
_COMMENT = re.compile(r'<!--.*?-->', re.DOTALL)
_LINK = re.compile(r'<link\b[^>]*?\sname\s*=\s*["\']([^"\']*)')
_CHILD = re.compile(r'<child\b[^>]*?\slink\s*=\s*["\']([^"\']*)')


def numbers(path: str, packages: Mapping[str, str] = {}) -> dict[str, Any]:
    """
    Return how much of each thing is in the plant, with a scene graph.

    :param packages: packages of URIs to their folders, which its user has to add.
    :raises RuntimeError: Drake refuses the description.
    """
    plant, scene = AddMultibodyPlantSceneGraph(DiagramBuilder(), time_step=0.001)
    parser = Parser(plant)
    known = parser.package_map()
    for name, folder in packages.items():
        if known.Contains(name):
            known.Remove(name)
        known.Add(name, folder)
    [model] = parser.AddModels(path)
    plant.Finalize()
    joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
    # Drake gives bodies without a joint, which floating joints leave as well, one of its own.
    joints = [joint for joint in joints if joint.type_name() != 'quaternion_floating']
    moving = [joint for joint in joints if joint.type_name() != 'weld']
    bodies = [plant.get_body(index) for index in plant.GetBodyIndices(model)]
    base = [body for body in bodies if body.name() == root_link(path)]
    inspector = scene.model_inspector()
    return {
        'base': 'free' if base and base[0].is_floating_base_body() else 'fixed',
        'links': len(bodies), 'moving_joints': len(moving),
        'fixed_joints': len(joints) - len(moving), 'mimic': plant.num_constraints(),
        **body_of(_bodies(plant, bodies)),
        'position_limits': sum(
            is_finite((*joint.position_lower_limits(), *joint.position_upper_limits()))
            for joint in moving),
        'velocity_limits': sum(is_finite(joint.velocity_upper_limits()) for joint in moving),
        'effort_limits': sum(is_finite(plant.get_joint_actuator(index).effort_limit())
                             for index in plant.GetJointActuatorIndices()),
        'damping': sum(bool(np.any(joint.default_damping_vector())) for joint in moving),
        'friction': 0, 'actuators': plant.num_actuators(),
        'visuals': counted(_formats(inspector, Role.kPerception)),
        'collisions': counted(_formats(inspector, Role.kProximity))}


def root_link(path: str) -> str:
    """Return the name of the link that is not the child of a joint."""
    with open(path, encoding='utf-8', errors='replace') as file:
        text = _COMMENT.sub('', file.read())
    children = set(_CHILD.findall(text))
    return next((link for link in _LINK.findall(text) if link not in children), '')


def is_finite(values: Any) -> bool:
    """Return whether there are values, and none of them is infinite."""
    return bool(np.size(values) and np.isfinite(values).all())


def _bodies(plant: Any, bodies: list[Any]) -> Iterator[tuple[float, Any, Any]]:
    context = plant.CreateDefaultContext()
    for body in bodies:
        if body.default_mass():
            pose = plant.EvalBodyPoseInWorld(context, body)
            inertia = body.default_spatial_inertia().ReExpress(pose.rotation())
            com = inertia.get_com()
            yield (inertia.get_mass(), pose.translation() + com,
                   inertia.Shift(com).CalcRotationalInertia().CopyToFullMatrix3())


def _formats(inspector: Any, role: Role) -> Iterator[str]:
    for shape in map(inspector.GetShape, inspector.GetAllGeometryIds(role)):
        is_mesh = isinstance(shape, (Mesh, Convex))
        yield shape.extension() if is_mesh else type(shape).__name__.lower()
