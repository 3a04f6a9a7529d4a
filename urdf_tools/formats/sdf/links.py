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

"""Links of SDFormat as links of URDF: inertia and shapes, and what only Gazebo reads."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.message import FreeText
from urdf_tools.formats.sdf.frames import Frame
from urdf_tools.formats.sdf.frames import Poses
from urdf_tools.formats.sdf.frames import raw_pose
from urdf_tools.formats.sdf.shapes import add_geometry
from urdf_tools.formats.sdf.shapes import add_material
from urdf_tools.formats.sdf.shapes import volume_inertia
from urdf_tools.formats.sdf.values import is_colour
from urdf_tools.formats.sdf.values import is_true
from urdf_tools.formats.sdf.values import number
from urdf_tools.formats.urdf_tree import add_origin
from urdf_tools.formats.urdf_tree import leave_out
from urdf_tools.formats.urdf_tree import Node
from urdf_tools.formats.urdf_tree import pose_numbers
from urdf_tools.formats.urdf_tree import TABLES
from urdf_tools.formats.urdf_tree import text_of_value
from urdf_tools.model.records import INERTIA
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array

WATER = 1000.0
"""The density (kg/m^3) of shapes for which SDFormat gives none."""

KEPT: Collection[str] = TABLES['elements of links kept for Gazebo']
"""Elements of a link that Gazebo reads in a ``<gazebo>`` of URDF, too."""

_READ: Mapping[str, Collection[str]] = TABLES['elements read of SDF']
"""The elements below each element that are not left out."""

_COLOURS = ('ambient', 'diffuse', 'emissive', 'specular')

_UNIT = {name: float(name in ('ixx', 'iyy', 'izz')) for name in INERTIA}
"""The inertia (kg m^2) of a link for which SDFormat gives none, of 1 kg."""


class LinkWriter:
    """
    Writes links.

    :param robot: the ``<robot>`` that gets them.
    :param poses: the poses of the frames.
    :param resources: finds the meshes whose inertia is computed.
    """

    def __init__(self, robot: Node, poses: Poses, resources: ResourceResolver, losses: Losses):
        self._robot = robot
        self._poses = poses
        self._resources = resources
        self._losses = losses

    def add(self, link: Frame, base: Frame) -> None:
        """
        Add a link.

        :param base: the frame that is that of the link in URDF: its joint, or the link itself.
        :raises DescriptionError: a value in it cannot be read.
        """
        node = self._robot.add('link', link.element, name=link.name)
        placed = self._poses.relative(link, base)
        self._add_inertial(node, link, placed)
        for part in link.element:
            if part.tag in ('visual', 'collision'):
                self._add_shape(node, part, link, placed)
            elif part.tag in KEPT:
                self._keep(part, link, placed)
        self._keep_surfaces(link)
        self._note_unread(link.element)
        for element in link.element.iter():
            if element.tag in _COLOURS and not is_colour(element.text):
                self._losses.note('material', Impact.CHANGES, element, '{element} is not three or '
                                  'four numbers from 0 to 1: Gazebo refuses the file')

    def _note_unread(self, element: Element) -> None:
        for child in element:
            if child.tag not in _READ[element.tag]:
                leave_out(self._losses, child)

    def _pose(self, part: Element, link: Frame) -> Array:
        """Return the pose of a part of a link in the frame of the link."""
        assert link.scope is not None, 'a link is in a model'
        return self._poses.placed(part.find('pose'), link, link.scope)

    def _keep(self, part: Element, link: Frame, placed: Array) -> None:
        """Copy an element for Gazebo, with its pose in the frame that the link has in URDF."""
        copy = self._robot.add('gazebo', part, reference=link.name).add_copy(part)
        old = copy.find('pose')
        if part.tag in ('sensor', 'light', 'projector', 'particle_emitter', 'audio_source'):
            pose = pose_numbers(placed @ self._pose(part, link))
            if old is not None:
                copy.remove(old)
            if any(pose):
                copy.add('pose', part.find('pose')).text = text_of_value(pose)

    def _keep_surfaces(self, link: Frame) -> None:
        """Keep the surface of the only collision, because Gazebo gives one to all of a link."""
        collisions = link.element.findall('collision')
        for collision in collisions:
            surface = collision.find('surface')
            if surface is not None and len(collisions) == 1:
                self._robot.add('gazebo', surface, reference=link.name).add(
                    'collision').add_copy(surface)
            elif surface is not None:
                leave_out(self._losses, surface)

    def _add_inertial(self, node: Node, link: Frame, placed: Array) -> None:
        inertial = link.element.find('inertial')
        if inertial is None:
            # So it is in SDFormat.
            written = node.add('inertial')
            add_origin(written, placed)
            written.add('mass', value=1.0)
            written.add('inertia', link.element, **_UNIT)
            return
        if is_true(inertial.get('auto')):
            body = self._computed(inertial, link)
            if body is None:
                return
            body = body.transformed(placed)
            pose = np.eye(4)
            pose[:3, 3] = body.com
            mass = body.mass
            moments = dict(zip(INERTIA, body.rotational[np.triu_indices(3)].tolist()))
        else:
            # It is always in the frame of the link, whatever it says it is relative to.
            written_pose = inertial.find('pose')
            pose = placed if written_pose is None else placed @ raw_pose(written_pose)
            mass = number(inertial, 'mass', 1.0)
            inertia = inertial.find('inertia')
            moments = _UNIT if inertia is None else {
                name: number(inertia, name, default) for name, default in _UNIT.items()}
        written = node.add('inertial', inertial)
        add_origin(written, pose, inertial.find('pose'))
        written.add('mass', inertial.find('mass'), value=mass)
        written.add('inertia', inertial.find('inertia'), **moments)
        self._note_unread(inertial)

    def _computed(self, inertial: Element, link: Frame) -> SpatialInertia | None:
        """Return the inertia of the collisions in the frame of the link; None if it is unknown."""
        density = number(inertial, 'density', WATER)
        total = SpatialInertia.zero()
        try:
            for part in link.element.findall('collision'):
                body = volume_inertia(part.child('geometry'), link, self._resources)
                total += body.scaled(number(part, 'density', density)).transformed(
                    self._pose(part, link))
            if not total.mass:
                raise ValueError('it has no collision with a volume')
        except ValueError as error:
            self._losses.note('inertia', Impact.DROPS, inertial, 'The inertia of {link} cannot be '
                              'computed: {reason}', reason=FreeText(str(error)))
            return None
        given = inertial.find('mass') is not None
        return total.with_mass(number(inertial, 'mass', 1.0)) if given else total

    def _add_shape(self, node: Node, part: Element, link: Frame, placed: Array) -> None:
        """Add a visual or a collision, unless URDF has no such shape."""
        name = part.get('name', '')
        shape = node.add(part.tag, part, **({'name': name} if name else {}))
        add_origin(shape, placed @ self._pose(part, link), part.find('pose'))
        geometry = part.find('geometry')
        if geometry is None or not len(geometry):
            self._losses.note('shape', Impact.DROPS, part, '{part} has no shape', part=part)
            node.remove(shape)
        elif not add_geometry(shape, geometry, link, self._losses):
            node.remove(shape)
        elif part.tag == 'visual':
            add_material(shape, part, f'{link.name}::{name}', self._losses)
        self._note_unread(part)
