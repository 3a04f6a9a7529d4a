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
"""The properties of the selected link, and what hides, fades and drags it."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from functools import partial
import threading
from typing import Any

import numpy as np

from urdf_tools.dynamics import SpatialInertia
from urdf_tools.kinematics import Constraint
from urdf_tools.kinematics import InverseKinematics
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.messages import location
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.records import Mesh
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.values import number_texts
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array
from urdf_tools.view.camera import wxyz_of
from urdf_tools.view.markup import note
from urdf_tools.view.robot_view import RobotView
from urdf_tools.view.shape_library import ShapeLibrary
import viser

Row = tuple[str, str]

_GIZMO = '/robot/drag'

_TOLERANCE = 1e-4
"""Maximum error of a link that is dragged in m and rad."""


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
    for file in (*library.missing, *library.remarks, *library.gltf):
        if file.link == name:
            yield 'Mesh', f'{file.filename}: {file.reason}'


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


def _numbers(values: Iterable[float], minimum: float = 1e-9) -> str:
    """
    Return numbers with six digits, separated by spaces.

    :param minimum: smaller numbers are shown as 0.
    """
    return ' '.join(number_texts([*map(float, values)], 6, minimum))


class LinkTools:
    """
    Buttons about the selected link.

    :param positions: returns the configuration.
    :param move: called with a configuration that a user chose.
    """

    def __init__(self, server: viser.ViserServer, positions: Callable[[], Array],
                 move: Callable[[Array], None]):
        self._scene = server.scene
        self._positions = positions
        self._move = move
        self._view: RobotView | None = None
        self._link = ''
        self._gizmo: viser.TransformControlsHandle | None = None
        self._busy = threading.Lock()
        gui = server.gui
        buttons = gui.add_button_group('Show', ['Hide', 'Only this', 'All'])
        buttons.on_click(lambda event: self._hide(event.target.value))
        self._opacity: Any = gui.add_slider('Opacity', 0.1, 1.0, 0.05, 1.0)
        self._opacity.on_update(lambda event: self._fade())
        self._drag: Any = gui.add_checkbox(
            'Drag it', False, hint='The joints above follow, within their limits')
        self._drag.on_update(lambda event: self.select(self._link))
        self._answer = gui.add_html('')

    def use(self, view: RobotView) -> None:
        """Switch to another robot, or another version of it; hidden links stay hidden."""
        if self._view is not None:
            view.hide(self._view.hidden & view.tree.link_index.keys())
        self._view = view
        self._gizmo = None  # It went with the robot.
        self._fade()

    def select(self, link: str) -> None:
        """Switch to another link."""
        self._link = link
        if self._gizmo is not None:
            self._gizmo.remove()
            self._gizmo = None
        self._answer.content = ''
        view = self._view
        if not (self._drag.value and link and view is not None):
            return
        try:
            solver = InverseKinematics(view.tree, {link: Constraint.POSE})
        except ValueError as error:
            self._answer.content = note(str(error))
            return
        self._gizmo = self._scene.add_transform_controls(
            _GIZMO, scale=0.25 * view.size, depth_test=False)
        self.follow()
        self._gizmo.on_update(partial(self._dragged, view, solver))

    def follow(self) -> None:
        """Move the drag handle to the link, unless it is being dragged."""
        if self._gizmo is None or self._view is None or self._busy.locked():
            return
        pose = self._view.pose(self._link)
        self._gizmo.position = pose[:3, 3]
        self._gizmo.wxyz = wxyz_of(pose[:3, :3])

    def _dragged(self, view: RobotView, solver: InverseKinematics, event: Any) -> None:
        # Positions that arrive while one is computed are left out, except for the last.
        is_end = event.phase == 'end'
        if view is not self._view or not self._busy.acquire(blocking=is_end):
            return
        try:
            pose = np.eye(4)
            pose[:3, :3] = quaternion_to_matrix(np.array(event.target.wxyz)[[1, 2, 3, 0]])
            pose[:3, 3] = event.target.position
            found = solver(pose, self._positions(), _TOLERANCE)
            self._answer.content = note(found.reason)
            self._move(found.positions)
        finally:
            self._busy.release()
        if is_end:
            self.follow()

    def _hide(self, what: str) -> None:
        if self._view is not None and what == 'All':
            self._view.hide(frozenset())
        elif self._view is not None and self._link:
            others = frozenset(self._view.tree.link_names) - {self._link}
            self._view.hide(others if what == 'Only this' else self._view.hidden | {self._link})

    def _fade(self) -> None:
        if self._view is not None:
            self._view.fade(float(self._opacity.value))
