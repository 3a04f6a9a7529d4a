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

"""Write the records of a robot as URDF elements."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
import math
from typing import Any

from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.records import INERTIA
from urdf_tools.model.records import Inertial
from urdf_tools.model.records import Joint
from urdf_tools.model.records import JointType
from urdf_tools.model.records import Link
from urdf_tools.model.records import RobotRecord
from urdf_tools.model.records import Transmission
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Geometry
from urdf_tools.model.shape_records import Material
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Visual
from urdf_tools.model.xml.editing import Tag

_NOISE = 1e-15
"""Angles up to this are written as zero, in rad."""


def link_tag(link: Link) -> Tag:
    """Return a link; named materials are references unless they are defined inline."""
    return Tag('link', {'name': link.name}, (
        *_optional(_inertial_tag, link.inertial),
        *(_visual_tag(visual) for visual in link.visuals),
        *(_shape_tag('collision', collision) for collision in link.collisions)))


def joint_tag(joint: Joint) -> Tag:
    """Return the element of a joint."""
    turns = joint.type not in (JointType.FIXED, JointType.FLOATING)
    return Tag('joint', {'name': joint.name, 'type': joint.type.value}, (
        *_origin_tag(joint.origin),
        Tag('parent', {'link': joint.parent}),
        Tag('child', {'link': joint.child}),
        *([Tag('axis', {'xyz': _numbers(joint.axis)})] if turns else []),
        *(Tag(tag, _given(record)) for tag, record in (
            ('limit', joint.limits), ('mimic', joint.mimic), ('dynamics', joint.dynamics),
            ('safety_controller', joint.safety), ('calibration', joint.calibration))
          if record is not None)))


def material_tag(material: Material) -> Tag:
    """Return the definition of a material."""
    return Tag('material', {'name': material.name} if material.name else {}, (
        *_optional(lambda rgba: Tag('color', {'rgba': _numbers(rgba)}), material.rgba),
        *_optional(lambda texture: Tag('texture', {'filename': texture}), material.texture)))


def robot_tag(robot: RobotRecord) -> Tag:
    """Return a robot without extensions for other programs."""
    version = {} if robot.version == '1.0' else {'version': robot.version}
    return Tag('robot', {'name': robot.name, **version}, (
        *map(material_tag, robot.materials.values()),
        *map(link_tag, robot.links.values()),
        *map(joint_tag, robot.joints.values()),
        *map(_transmission_tag, robot.transmissions)))


def number(value: float) -> str:
    """Return a number as the shortest text that is read as the same number."""
    return repr(float(value) + 0.0).removesuffix('.0')


def _inertial_tag(inertial: Inertial) -> Tag:
    return Tag('inertial', {}, (
        *_origin_tag(inertial.origin),
        Tag('mass', {'value': number(inertial.mass)}),
        Tag('inertia', {name: number(getattr(inertial, name)) for name in INERTIA})))


def _visual_tag(visual: Visual) -> Tag:
    material = visual.material
    if material is None:
        return _shape_tag('visual', visual)
    is_here = material.element is not None and material.element.parent is visual.element
    return _shape_tag('visual', visual, (
        material_tag(material) if is_here or not material.name
        else Tag('material', {'name': material.name}),))


def _shape_tag(tag: str, shape: Visual | Collision, more: Iterable[Tag] = ()) -> Tag:
    return Tag(tag, {'name': shape.name} if shape.name else {}, (
        *_origin_tag(shape.origin), Tag('geometry', {}, (_geometry_tag(shape.geometry),)),
        *more), shape.element)


def _geometry_tag(geometry: Geometry) -> Tag:
    name = type(geometry).__name__.lower()
    if isinstance(geometry, Mesh):
        scale = {} if geometry.scale == Mesh.scale else {'scale': _numbers(geometry.scale)}
        return Tag(name, {'filename': geometry.filename, **scale})
    return Tag(name, {key: _numbers(value if isinstance(value, tuple) else (value,))
                      for key, value in vars(geometry).items()})


def _origin_tag(origin: Pose) -> list[Tag]:
    # The last digit of an angle that comes from a quaternion is noise.
    angles = [0.0 if abs(angle) < _NOISE else float(f'{angle:.15g}')
              for angle in rpy_of(origin.rotation)]
    if not any(origin.xyz) and not any(angles):
        return []
    return [Tag('origin', {'xyz': _numbers(origin.xyz), 'rpy': _numbers(angles)})]


def _transmission_tag(transmission: Transmission) -> Tag:
    return Tag('transmission', {'name': transmission.name}, (
        Tag('type', {}, text=transmission.type),
        *(Tag('joint', {'name': joint}) for joint in transmission.joints),
        *(Tag('actuator', {'name': actuator}) for actuator in transmission.actuators)))


def _given(record: object) -> Mapping[str, str]:
    """Return the values of a record that URDF needs to have written."""
    defaults = {'multiplier': 1.0, 'offset': 0.0}
    texts = {}
    for name, value in vars(record).items():
        attribute = f'{name}_limit' if name.startswith('soft_') else name
        if isinstance(value, str):
            texts[attribute] = value
        elif value is not None and math.isfinite(value) and value != defaults.get(name):
            texts[attribute] = number(value)
    return texts


def _numbers(values: Iterable[float]) -> str:
    return ' '.join(map(number, values))


def _optional(make: Callable[[Any], Tag], record: object) -> list[Tag]:
    return [] if record is None else [make(record)]
