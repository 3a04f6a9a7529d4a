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
"""The shapes of links: meshes and boxes; and the links whose mass and inertia can be read."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Set
from dataclasses import dataclass
from dataclasses import replace
from functools import cached_property
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.indexed_description import once
from urdf_tools.check.indexed_description import rigid_bodies
from urdf_tools.check.loaded_robot import readable_links
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.dynamics import Verdict
from urdf_tools.dynamics.shapes import shape_inertia
from urdf_tools.dynamics.shapes import ShapeError
from urdf_tools.dynamics.solids import Primitive
from urdf_tools.dynamics.spatial import consistency
from urdf_tools.dynamics.spatial import NEGLIGIBLE
from urdf_tools.dynamics.spatial import TOLERANCE
from urdf_tools.findings.message import Clause
from urdf_tools.findings.message import FreeText
from urdf_tools.meshes.facts import read_meshes
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.record import MeshRecord
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import INERTIA
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere
from urdf_tools.model.records import Visual
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Link
from urdf_tools.model.xml.element import Element


class MeshReference(NamedTuple):
    """
    A mesh of a visual or collision.

    :ivar filename: the URI of its file as written.
    :ivar path: the file, or why it was not found.
    :ivar facts: what the file contains, or why it was not found or cannot be read.
    """

    element: Element
    owner: Element
    filename: str
    path: Path | ResourceError
    facts: MeshRecord | ResourceError | MeshError


class MeshReferences:
    """
    All meshes of a description in file order.

    Their files are read when the first rule asks for them, several at the same time.
    """

    def __init__(self, description: Description):
        paths: dict[str, Path | ResourceError] = {}
        found = [(element, owner, filename) for owner, geometry in description.shapes
                 if (element := child(geometry, 'mesh')) is not None
                 and (filename := element.get('filename', '').strip())
                 and not is_expression(filename)]
        for *_, filename in found:
            try:
                paths[filename] = description.resolve(filename)
            except ResourceError as error:
                paths[filename] = error
        facts = read_meshes([path for path in paths.values() if isinstance(path, Path)])
        self.all = [MeshReference(*parts, path, path if isinstance(path, ResourceError) else facts[
            path]) for parts in found for path in [paths[parts[-1]]]]
        self._of_file = {mesh.filename: mesh for mesh in self.all}

    def resolve(self, filename: str) -> Path:
        """
        Return the file of a mesh that can be read.

        :raises ResourceError: it was not found, or cannot be read.
        """
        path = None if self.facts(filename) is None else self._of_file[filename.strip()].path
        if not isinstance(path, Path):
            raise ResourceError(f'{quote(filename)} cannot be read', '', 'missing')
        return path

    def facts(self, filename: str) -> MeshRecord | None:
        """Return what a mesh contains, or None if it was not found or cannot be read."""
        mesh = self._of_file.get(filename.strip())
        return mesh.facts if mesh is not None and isinstance(mesh.facts, MeshRecord) else None


mesh_references = once(MeshReferences)
"""Return the meshes of a description."""


_NO_ROTATION = Pose().quaternion

_Y_UP_TO_Z_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])

Corners = tuple[list[float], list[float]]
"""The lowest and the highest corner of a box in metres; lists are faster than small arrays."""


@once
def link_boxes(description: Description) -> Mapping[str, tuple[Corners | None, ...]]:
    """
    Return the boxes around the collisions and around the visuals of each link, in its frame.

    A link without them has no box; the box is None if a shape cannot be read.
    A glTF file counts both as it is, as RViz and Gazebo show it, and with its y axis turned up, as
    Drake does.
    """
    return {link.name: tuple(box_around(description, shapes) for shapes in link_shape_sets(link))
            for link in readable_links(description)}


def link_shape_sets(link: Link) -> tuple[tuple[Visual | Collision, ...], ...]:
    """Return the collisions and the visuals of a link; nothing if one is malformed."""
    for shapes, tag in ((link.collisions, 'collision'), (link.visuals, 'visual')):
        if link.element is None or len(shapes) != len(link.element.findall(tag)):
            return ()
    return tuple(filter(None, (link.collisions, link.visuals)))


def shape_element(shape: Visual | Collision) -> Element:
    """Return what a shape is in its ``<geometry>``, such as a ``<box>``."""
    found = None if shape.element is None else shape.element.find('geometry/*')
    assert found is not None, 'shapes of a description have elements'
    return found


def is_gltf(geometry: Geometry) -> bool:
    """Return whether a shape is a glTF file."""
    return isinstance(geometry, Mesh) and (
        geometry.filename.strip().lower().endswith(('.glb', '.gltf')))


def is_y_up(description: Description, geometry: Geometry) -> bool:
    """Return whether a shape is a file whose y axis is up, so that some programs turn it."""
    facts = mesh_references(description).facts(geometry.filename) if isinstance(
        geometry, Mesh) else None
    return facts is not None and (facts.is_y_up or is_gltf(geometry))


def box_around(description: Description, shapes: Iterable[Visual | Collision],
               which: int | None = None) -> Corners | None:
    """
    Return the box around shapes, or None if there are none or one cannot be read.

    :param which: the index of the only box to use of those that a shape may fill: 0 as it is, or
        -1 with a y axis that is up turned.
    """
    boxes: list[Corners] = []
    for shape in shapes:
        corners = extents(description, shape.geometry, is_turned=which is not None)
        if not corners:
            return None
        for low, high in corners if which is None else [corners[which]]:
            centre = [(minimum + maximum) / 2 for minimum, maximum in zip(low, high)]
            half = [(maximum - minimum) / 2 for minimum, maximum in zip(low, high)]
            if shape.origin.quaternion != _NO_ROTATION:
                centre = (shape.origin.rotation @ centre).tolist()
                half = (np.abs(shape.origin.rotation) @ half).tolist()
            centre = [x + offset for x, offset in zip(centre, shape.origin.xyz)]
            boxes.append(([x - size for x, size in zip(centre, half)],
                          [x + size for x, size in zip(centre, half)]))
    return around_boxes(boxes) if boxes else None


def around_boxes(boxes: Iterable[Corners]) -> Corners:
    lows, highs = zip(*boxes)
    return [min(column) for column in zip(*lows)], [max(column) for column in zip(*highs)]


def extents(description: Description, geometry: Geometry, is_turned: bool = False
            ) -> list[Corners]:
    """
    Return the corners of the boxes that a shape may fill in its own frame; none if unknown.

    :param is_turned: whether a COLLADA file, too, may be turned, which RViz and Gazebo do not.
    """
    if not isinstance(geometry, Mesh):
        half = _half_size(geometry)
        return [([-size for size in half], half)]
    facts = mesh_references(description).facts(geometry.filename)
    if facts is None:
        return []
    corners = np.array([facts.low, facts.high])
    boxes = [corners]
    if is_gltf(geometry) or is_turned and facts.is_y_up:
        boxes.append(corners @ _Y_UP_TO_Z_UP.T)
    scaled = [box * geometry.scale for box in boxes]
    return [(box.min(axis=0).tolist(), box.max(axis=0).tolist()) for box in scaled]


def _half_size(primitive: Primitive) -> list[float]:
    """Return half the size of a primitive along x, y and z."""
    if isinstance(primitive, Box):
        return [size / 2 for size in primitive.size]
    radius = primitive.radius
    if isinstance(primitive, Sphere):
        return [radius] * 3
    caps = radius if isinstance(primitive, Capsule) else 0.0
    return [radius, radius, primitive.length / 2 + caps]


MAX_DENSITY = 20_000.0
"""In kg/m^3; tungsten and gold have 19,300, and what is denser costs too much."""

MARKER_MASS, _MARKER_VOLUME, _VISUAL_VOLUME, _UNSEEN = 1e-3, 1e-5, 1.001e-6, 1e-12
"""
Largest mass in kg of a marker; volume in m^3 of one too dense for a part, of others, and of a
cube of 0.1 mm, which marks nothing that can be seen.
"""

_FRAME_MASS = 1e-5
"""Largest mass in kg of a link that is only a frame; exporters write such masses."""

MIN_RADIUS_OF_GYRATION = 1e-4
"""The least one in m of a link that is more than a point."""

PRODUCTS = ('ixy', 'ixz', 'iyz')
"""The attributes of an <inertia> that are products of inertia."""

_SYMMETRIC = ((0, 1, 2), (1, 3, 4), (2, 4, 5))
"""Indices of the six entries of an inertia in its 3x3 matrix."""


@dataclass(frozen=True, eq=False)
class Body:
    """
    A link with a mass and an inertia.

    :ivar inertial: the numbers, as the loader reads them.
    :ivar inertial_element: the ``<inertial>``; ``mass_element`` and ``inertia_element`` are its
        children.
    :ivar entries: those of the inertia in kg m^2, in the order ixx ixy ixz iyy iyz izz.
    :ivar moments: the principal moments of inertia about the centre of mass in kg m^2, ascending.
    """

    description: Description
    link: Link
    inertial: Inertial
    inertial_element: Element
    mass_element: Element
    inertia_element: Element
    entries: tuple[float, ...]
    moments: tuple[float, float, float]

    @property
    def mass(self) -> float:
        """Mass in kg."""
        return self.inertial.mass

    @cached_property
    def largest(self) -> float:
        """The magnitude of the largest entry of the inertia in kg m^2."""
        return max(map(abs, self.entries))

    @property
    def is_frame(self) -> bool:
        """Whether the link has so little mass that it is only a frame."""
        return self.mass <= _FRAME_MASS

    @property
    def is_point(self) -> bool:
        """Whether the inertia is that of a body of almost no size."""
        return not self.is_frame and 0 < self.largest < self.mass * MIN_RADIUS_OF_GYRATION**2

    @cached_property
    def box(self) -> Corners | None:
        """The box around all shapes, or None if there are none or one cannot be read."""
        boxes = link_boxes(self.description)[self.link.name]
        known = [box for box in boxes if box is not None]
        return around_boxes(known) if known and len(known) == len(boxes) else None

    @property
    def solids(self) -> tuple[SpatialInertia, ...]:
        """Those of the collisions and of the visuals, see :func:`solids`."""
        return solids(self.description)[self.link.name]

    @property
    def is_marker(self) -> bool:
        """Whether the shapes only mark where the link is, see :func:`markers`."""
        return self.link.name in markers(self.description)

    @cached_property
    def inconsistency(self) -> tuple[str, Clause] | None:
        """The rule that a physically inconsistent inertia breaks first and the reason, or None."""
        if self.mass <= 0 or self.largest < NEGLIGIBLE:
            return None
        xx, xy, xz, yy, yz, zz = self.entries
        diagonal = {'ixx': xx, 'iyy': yy, 'izz': zz}
        if wrong := {name: value for name, value in diagonal.items() if value <= 0}:
            values = ', '.join(f'{name} is {value:g}' for name, value in wrong.items())
            return 'inertia-diagonal-not-positive', Clause(
                '{values}', {'values': FreeText(values), 'entries': ' '.join(wrong), **wrong})
        for name, product, moment in (('iyz', yz, 'ixx'), ('ixz', xz, 'iyy'), ('ixy', xy, 'izz')):
            twice = 2 * abs(product)
            if twice > diagonal[moment] + TOLERANCE * max(diagonal.values()):
                return 'inertia-offdiag-too-large', Clause(
                    '2 |{product}| = {twice:g} exceeds {moment} = {value:g}', {
                        'product': name, 'twice': twice, 'moment': moment,
                        'value': diagonal[moment], name: product, moment: diagonal[moment]})
        verdict = consistency(self.mass, self.moments).verdict
        moments = dict(zip(('minimum', 'middle', 'maximum'), self.moments, strict=True))
        if verdict is Verdict.MOMENT and moments['minimum'] < -TOLERANCE * moments['maximum']:
            return 'inertia-not-pd', Clause(
                'one of its principal moments ({minimum:.4g}, {middle:.4g}, {maximum:.4g}) is '
                'negative', moments)
        if verdict is Verdict.TRIANGLE:
            return 'inertia-triangle', Clause(
                'its principal moments ({minimum:.4g}, {middle:.4g}, {maximum:.4g}) violate the '
                'triangle inequality', moments)
        return None

    @cached_property
    def turned(self) -> SpatialInertia | None:
        """
        The inertia with the products of the other sign, or None.

        It is None unless the signs are what makes the inertia inconsistent, or if the shapes of
        the link say that the signs are right.
        """
        given = SpatialInertia.from_inertial(self.inertial)
        turned = SpatialInertia.from_inertial(replace(self.inertial, **{
            name: -getattr(self.inertial, name) for name in PRODUCTS}))
        return turned if self.inconsistency is not None and turned.consistency() and all(
            np.vdot(given.rotational - turned.rotational, solid.rotational) < 0
            for solid in self.solids) else None

    @cached_property
    def repeated_entries(self) -> Clause | None:
        """Products of inertia that equal a moment, such as ``ixy equals iyy (0.12)``, or None."""
        entries = dict(zip(INERTIA, self.entries))
        same = [(product, moment) for product in PRODUCTS
                if float(f'{entries[product]:.1g}') != entries[product]
                for moment in ('ixx', 'iyy', 'izz') if entries[product] == entries[moment]][:2]
        if not same:
            return None
        (first, equal), (second, other_equal) = same[0], same[-1]
        return Clause(
            '{first} equals {equal} ({entry:g})' + (
                ' and {second} equals {other_equal} ({other_entry:g})' if len(same) > 1 else ''),
            {'first': first, 'equal': equal, 'entry': entries[first], 'second': second,
             'other_equal': other_equal, 'other_entry': entries[second],
             **{name: entries[name] for name, _ in same}})


@once
def bodies(description: Description) -> list[Body]:
    """Return the links whose mass and inertia can be read, in file order."""
    found = [(link, link.inertial, element, mass, inertia) for link in readable_links(description)
             if link.inertial is not None and (element := link.inertial.element) is not None
             and (mass := element.find('mass')) is not None
             and (inertia := element.find('inertia')) is not None]
    # All at once, because the call costs more than the computation.
    entries = [tuple(getattr(inertial, name) for name in INERTIA) for _, inertial, *_ in found]
    moments = np.linalg.eigvalsh(np.array(entries).reshape(-1, 6)[:, _SYMMETRIC])
    return [Body(description, *parts, own, (minimum, middle, maximum))
            for parts, own, (minimum, middle, maximum) in zip(found, entries, moments.tolist())]


@once
def solids(description: Description) -> Mapping[str, tuple[SpatialInertia, ...]]:
    """
    Return the solids of the collisions and of the visuals of each link, those it has, at 1 kg/m^3.

    There are none if a shape of the link is malformed, has no volume or cannot be read.
    """
    return {link.name: _solids(description, link) for link in readable_links(description)}


def _solids(description: Description, link: Link) -> tuple[SpatialInertia, ...]:
    try:
        return tuple(shape_inertia(shapes, mesh_references(description).resolve).inertia
                     for shapes in link_shape_sets(link))
    except ShapeError:
        return ()


@once
def markers(description: Description) -> Set[str]:
    """
    Return the links whose shapes only mark where they are, such as a sphere of 1 mm.

    Those of at most 10 cm^3 do so if no material is dense enough for the mass of the link; meshes
    only if that is at most 1 g. So do primitives of at most 1 cm^3, as visuals only, on a link of
    at most 1 g or without mass; a bracket of 6 cm^3 is a part.
    """
    masses = {body.link.name: body.mass for body in bodies(description)}
    return {name for name, both in solids(description).items() if both and _is_marker(
        description.link_names[name], masses.get(name, 0.0), max(solid.mass for solid in both))}


def _is_marker(link: Element, mass: float, volume: float) -> bool:
    tags = {part.tag for part in link.iter()}
    if mass > MAX_DENSITY * volume:
        return _UNSEEN < volume <= _MARKER_VOLUME and (mass <= MARKER_MASS or 'mesh' not in tags)
    return mass <= MARKER_MASS and volume <= _VISUAL_VOLUME and not tags & {'mesh', 'collision'}


@once
def rigid_masses(description: Description) -> Mapping[str, float]:
    """
    Return the mass in kg of each link with all links fixed to it.

    It is not a number if one of them has an ``<inertial>`` that cannot be read.
    """
    group = rigid_bodies(description)
    masses = dict.fromkeys(group.values(), 0.0)
    for link in readable_links(description):
        if link.inertial is not None:
            masses[group[link.name]] += link.inertial.mass
        elif child(link.element, 'inertial') is not None:
            masses[group[link.name]] = math.nan
    return {link: masses[first] for link, first in group.items()}


def moving_joint(description: Description, link: str) -> Element | None:
    """Return the parent joint of a link, or None if it is fixed or there is none."""
    joint = description.topology.parent_joint(link)
    return None if joint is None or joint.get('type') == 'fixed' else joint
