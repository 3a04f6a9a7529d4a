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
"""The properties of the selected link, and what hides and fades it."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
import math
from typing import Any

import numpy as np

from urdf_tools.dynamics import SpatialInertia
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.records import Mesh
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.values import number_texts
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array
from urdf_tools.view.robot_view import RobotView
from urdf_tools.view.shape_library import ShapeLibrary
import viser

Row = tuple[str, str]


def link_rows(robot: Robot, library: ShapeLibrary, name: str, degrees: bool = False
              ) -> Iterator[Row]:
    """
    Yield the properties of a link as rows of a table, those that are looked for most first.

    :param degrees: whether angles are in degrees.
    """
    link, joint = robot.links[name], robot.parent_joint.get(name)
    body = None if link.inertial is None else SpatialInertia.from_inertial(link.inertial)
    yield 'Link', name
    yield 'Mass', 'none' if body is None else f'{body.mass:.6g} kg'
    if joint is not None:
        yield from _joint(joint, degrees)
    if body is not None:
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
            yield kind, geometry.filename.rpartition('/')[2] + (
                ' (not shown)' if triangles is None else f', {len(triangles.faces):,} faces')


def path_rows(robot: Robot, library: ShapeLibrary, name: str) -> Iterator[Row]:
    """Yield where a link is written, and its mesh files, as rows of a table."""
    link, joint = robot.links[name], robot.parent_joint.get(name)
    yield from _source('Link', link.element, robot.source)
    if joint is not None:
        yield from _source('Joint above', joint.element, robot.source)
    for shapes in (link.visuals, link.collisions):
        for shape in shapes:
            if isinstance(shape.geometry, Mesh):
                yield 'Mesh', shape.geometry.filename
    for file in (*library.missing, *library.remarks, *library.gltf):
        if file.link == name:
            yield 'Mesh', f'{file.filename}: {file.reason}'


def _source(kind: str, element: Element | None, source: str) -> Iterator[Row]:
    if element is not None:
        yield kind, location(*element.location(source))
        if element.origin is not None and element.origin.chain():
            yield '', element.origin.chain()


def _joint(joint: Joint, degrees: bool) -> Iterator[Row]:
    unit, scale = unit_of(joint.type.unit, degrees)
    angle, turn = unit_of('rad', degrees)
    yield 'Origin', (f'{_numbers(joint.origin.xyz)} m, '
                     f'rpy {_numbers(turn * np.array(rpy_of(joint.origin.rotation)))} {angle}')
    limits = joint.limits
    if limits is not None and joint.type.dof == 1:
        if np.isfinite([limits.lower, limits.upper]).all():
            yield 'Limits', f'{scale * limits.lower:.6g} to {scale * limits.upper:.6g} {unit}'
        if limits.velocity is not None:
            yield 'Velocity', f'{scale * limits.velocity:.6g} {unit}/s'
        if limits.effort is not None:
            yield 'Effort', f'{limits.effort:g} {"N" if unit == "m" else "N m"}'
    yield 'Joint above', f'{joint.name} ({joint.type.value}), from {joint.parent}'
    if joint.type not in (JointType.FIXED, JointType.FLOATING):
        yield 'Axis', _numbers(joint.axis)
    if joint.mimic is not None:
        mimic = joint.mimic
        yield 'Mimic', f'{mimic.multiplier:g} * {mimic.joint} {scale * mimic.offset:+g}'


def unit_of(unit: str, degrees: bool) -> tuple[str, float]:
    """Return the unit in which quantities of a unit are shown, and the factor to it."""
    return ('\N{DEGREE SIGN}', math.degrees(1)) if degrees and unit == 'rad' else (unit, 1.0)


def transform_text(source: str, target: str, source_pose: Array, target_pose: Array,
                   degrees: bool = False) -> str:
    """
    Return the pose of a link in the frame of another as text to copy.

    :param source: name of the link in whose frame it is.
    :param target: name of the link whose pose it is.
    :param degrees: whether its angles are in degrees.
    """
    relative = invert(source_pose) @ target_pose
    translation = relative[:3, 3]
    unit, scale = unit_of('rad', degrees)
    return '\n'.join((
        printable(f'{target} in {source}'),
        f'xyz {_numbers(translation)} m',
        f'rpy {_numbers(scale * np.array(rpy_of(relative[:3, :3])))} {unit}',
        f'quaternion (x y z w) {_numbers(matrix_to_quaternion(relative[:3, :3]))}',
        f'distance {np.linalg.norm(translation):.6g} m'))


def _numbers(values: Iterable[float], minimum: float = 1e-9) -> str:
    """
    Return numbers with six digits, separated by spaces.

    :param minimum: smaller numbers are shown as 0.
    """
    return ' '.join(number_texts([*map(float, values)], 6, minimum))


class LinkTools:
    """
    What hides links and fades all.

    :ivar link: the selected link, or an empty text.
    """

    def __init__(self, gui: viser.GuiApi):
        self._view: RobotView | None = None
        self.link = ''
        buttons = gui.add_button_group('Show', ['Hide', 'Only this', 'All'])
        buttons.on_click(lambda event: self._hide(event.target.value))
        self._opacity: Any = gui.add_slider('Opacity', 0.1, 1.0, 0.05, 1.0)
        self._opacity.on_update(lambda event: self._fade())

    def use(self, view: RobotView) -> None:
        """Switch to another robot, or another version of it; hidden links stay hidden."""
        if self._view is not None:
            view.hide(self._view.hidden & view.tree.link_index.keys())
        self._view = view
        self._fade()

    def _hide(self, what: str) -> None:
        if self._view is not None and what == 'All':
            self._view.hide(frozenset())
        elif self._view is not None and self.link:
            others = frozenset(self._view.tree.link_names) - {self.link}
            self._view.hide(others if what == 'Only this' else self._view.hidden | {self.link})

    def _fade(self) -> None:
        if self._view is not None:
            self._view.fade(float(self._opacity.value))
