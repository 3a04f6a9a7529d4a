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
"""The properties of a link, and the transform between two links, as rows of text."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator

import numpy as np

from urdf_tools.dynamics import SpatialInertia
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.model.messages import location
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.values import number_texts
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array
from urdf_tools.view.shape_nodes import ShapeLibrary

Row = tuple[str, str]


def link_rows(robot: Robot, library: ShapeLibrary, name: str) -> Iterator[Row]:
    """Yield the properties of a link as rows of a table."""
    link = robot.links[name]
    yield 'Link', name
    yield from _source(link.element, robot.source)
    joint = robot.parent_joint.get(name)
    if joint is not None:
        yield from _joint(joint, robot.source)
    if link.inertial is None:
        yield 'Inertial', 'none'
    else:
        body = SpatialInertia.from_inertial(link.inertial)
        yield 'Mass', f'{body.mass:.6g} kg'
        yield 'Centre of mass', f'{_numbers(body.com)} m'
        yield 'Principal moments', f'{_numbers(body.principal().moments, 0.0)} kg m^2'
        yield 'Consistency', body.consistency().verdict.value
    for kind, shapes in (('Visual', link.visuals), ('Collision', link.collisions)):
        for shape in shapes:
            geometry = shape.geometry
            if not isinstance(geometry, Mesh):
                yield kind, str(geometry)
                continue
            triangles = library.triangles(shape)
            yield kind, geometry.filename + (
                ' (not shown)' if triangles is None else f', {len(triangles.faces):,} faces')
    for kind, files in (('Mesh', (*library.missing, *library.remarks, *library.gltf)),
                        ('Texture', library.missing_textures)):
        yield from ((kind, f'{file.filename}: {file.reason}')
                    for file in files if file.link == name)


def links_by_element(robot: Robot) -> dict[Element, str]:
    """Return the link of each element of a link, and the one that each joint moves."""
    every = [*((link.element, link.name) for link in robot.links.values()),
             *((joint.element, joint.child) for joint in robot.joints.values())]
    return {element: link for element, link in every if element is not None}


def _source(element: Element | None, source: str) -> Iterator[Row]:
    if element is not None:
        yield 'Source', location(*element.location(source))
        if element.origin is not None and element.origin.chain():
            yield '', element.origin.chain()


def _joint(joint: Joint, source: str) -> Iterator[Row]:
    yield 'Joint above', f'{joint.name} ({joint.type.value}), from {joint.parent}'
    yield from _source(joint.element, source)
    yield 'Origin', f'{_numbers(joint.origin.xyz)} m'
    if joint.type not in (JointType.FIXED, JointType.FLOATING):
        yield 'Axis', _numbers(joint.axis)
    limits = joint.limits
    if limits is not None and joint.type.dof == 1:
        unit = joint.type.unit
        if np.isfinite([limits.lower, limits.upper]).all():
            yield 'Limits', f'{limits.lower:g} to {limits.upper:g} {unit}'
        if limits.velocity is not None:
            yield 'Velocity', f'{limits.velocity:g} {unit}/s'
        if limits.effort is not None:
            yield 'Effort', f'{limits.effort:g} {"N" if unit == "m" else "N m"}'
    if joint.mimic is not None:
        mimic = joint.mimic
        yield 'Mimic', f'{mimic.multiplier:g} * {mimic.joint} {mimic.offset:+g}'


def transform_text(source: str, target: str, source_pose: Array, target_pose: Array) -> str:
    """
    Return the pose of a link in the frame of another as text to copy.

    :param source: name of the link in whose frame it is.
    :param target: name of the link whose pose it is.
    """
    relative = invert(source_pose) @ target_pose
    translation = relative[:3, 3]
    return '\n'.join((
        f'{target} in {source}',
        f'xyz {_numbers(translation)} m',
        f'rpy {_numbers(rpy_of(relative[:3, :3]))} rad',
        f'quaternion (x y z w) {_numbers(matrix_to_quaternion(relative[:3, :3]))}',
        f'distance {np.linalg.norm(translation):.6g} m'))


def _numbers(values: Iterable[float], least: float = 1e-9) -> str:
    """
    Return numbers with six digits, separated by spaces.

    :param least: what is smaller is 0.
    """
    return ' '.join(number_texts([*map(float, values)], 6, least))
