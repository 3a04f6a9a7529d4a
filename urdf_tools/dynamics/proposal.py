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

"""New inertias for links with a missing or inconsistent one, and their writing."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.shapes import link_shapes
from urdf_tools.dynamics.shapes import read_shapes
from urdf_tools.dynamics.shapes import shape_inertia
from urdf_tools.dynamics.shapes import ShapeError
from urdf_tools.dynamics.shapes import ShapeInertia
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.dynamics.spatial import Verdict
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.values import number_texts
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import changed
from urdf_tools.model.xml.editing import ReplaceElement
from urdf_tools.model.xml.editing import Tag

CHOICES = ('missing', 'invalid', 'all')
NO_MASS = 'its mass is not known'
"""Choices of the links with shapes that get a new inertia."""


@dataclass(frozen=True)
class Masses:
    """
    The given masses of links.

    The mass of a link is the one given for it, or else its own one if that is positive, or else
    its volume times the density. If all links get a new inertia, a density takes precedence over
    their own masses.

    :ivar by_link: name of a link to its mass in kg.
    :ivar density: in kg/m^3; None if it is not given.
    :ivar total: mass of the robot in kg, which determines the density; None if it is not given.
    """

    by_link: Mapping[str, float]
    density: float | None = None
    total: float | None = None


@dataclass(frozen=True, eq=False)
class Proposal:
    """
    New inertias.

    :ivar inertias: name of a link to its inertia in its own frame.
    :ivar remarks: name of a link to remarks on its inertia.
    :ivar failures: name of a link without a new inertia to the reason.
    """

    inertias: Mapping[str, SpatialInertia]
    remarks: Mapping[str, tuple[str, ...]]
    failures: Mapping[str, str]


class MassError(ValueError):
    """Masses that contradict each other."""


def needs_inertia(link: Link, choice: str) -> bool:
    """
    Return whether a link is among those of a choice.

    Links without shapes are frames and never are. Links with an inertial of zero mass and inertia
    are massless by intent and only are among all.
    """
    if not (link.visuals or link.collisions):
        return False
    if choice == 'all':
        return True
    if link.element is None or link.element.find('inertial') is None:
        return choice == 'missing' and link.inertial is None
    inertia = link_inertia(link)
    return choice == 'invalid' and (
        inertia is None or inertia.consistency().verdict
        not in (Verdict.CONSISTENT, Verdict.MASSLESS))


def propose(robot: Robot, choice: str, masses: Masses, resolve: Callable[[str], Path],
            source: str | None = None) -> Proposal:
    """
    Compute new inertias from the shapes of links.

    :param choice: one of :data:`CHOICES`; links whose mass is given are included as well.
    :param resolve: takes the URI of a mesh to its file.
    :param source: one of :data:`~urdf_tools.dynamics.shapes.SOURCES`.
    :raises MassError: the masses of other links leave nothing of the total mass, or no link is
        left to have the rest.
    """
    links = [link for link in robot.links.values()
             if link.name in masses.by_link or needs_inertia(link, choice)]
    shapes, failures = _shape_inertias(links, resolve, source)
    known = {name: _known_mass(robot.links[name], choice, masses) for name in shapes}
    density = masses.density
    if masses.total is not None:
        density = _shared_density(robot, shapes, known, masses.total)
    inertias = {}
    for name, shape in shapes.items():
        mass = known[name]
        if mass is not None:
            inertias[name] = shape.inertia.with_mass(mass)
        elif density is not None:
            inertias[name] = shape.inertia.scaled(density)
        else:
            failures[name] = NO_MASS
    remarks = {name: shapes[name].remarks for name in inertias if shapes[name].remarks}
    return Proposal(inertias, remarks, failures)


def _shape_inertias(links: Sequence[Link], resolve: Callable[[str], Path],
                    source: str | None) -> tuple[dict[str, ShapeInertia], dict[str, str]]:
    """Return the inertias of links from their shapes, and the reasons why others have none."""
    shapes, failures = {}, {}
    resolve_read = read_shapes(links, resolve, source)
    for link in links:
        try:
            shapes[link.name] = shape_inertia(link_shapes(link, source), resolve_read)
        except ShapeError as error:
            failures[link.name] = str(error)
    return shapes, failures


def _known_mass(link: Link, choice: str, masses: Masses) -> float | None:
    """Return the mass of a link, or None if it follows from its volume."""
    if link.name in masses.by_link:
        return masses.by_link[link.name]
    by_volume = masses.density is not None or masses.total is not None
    if link.inertial is None or link.inertial.mass <= 0 or choice == 'all' and by_volume:
        return None
    return link.inertial.mass


def _shared_density(robot: Robot, shapes: Mapping[str, ShapeInertia],
                    known: Mapping[str, float | None], total: float) -> float:
    """Return the density that gives links of unknown mass the rest of the total mass."""
    others = sum(link.inertial.mass for name, link in robot.links.items()
                 if name not in shapes and link.inertial is not None)
    rest = total - others - sum(mass for mass in known.values() if mass is not None)
    volume = sum(shape.inertia.mass for name, shape in shapes.items() if known[name] is None)
    if not volume:
        raise MassError('no link is left to have the rest of the total mass')
    if rest <= 0:
        raise MassError(
            f'the total mass of {total:g} kg does not exceed that of the other links, '
            f'{total - rest:g} kg')
    return rest / volume


def rewrite(document: Document, inertias: Mapping[str, SpatialInertia]) -> bytes:
    """
    Return the text of a description with the changes of :func:`inertial_changes`.

    :raises DescriptionError: the encoding of the text is not based on ASCII.
    """
    return changed(document, inertial_changes(document, inertias))


def inertial_changes(document: Document, inertias: Mapping[str, SpatialInertia]
                     ) -> list[AddElements | ReplaceElement]:
    """
    Return the changes that replace or add the ``<inertial>`` of links.

    The axes of the inertial frames are those of the links.

    :param inertias: name of a link with child elements to its inertia in the frame of the link.
    """
    changes: list[AddElements | ReplaceElement] = []
    for link in document.root.iterfind('link'):
        if link.get('name') in inertias:
            old, new = link.find('inertial'), _tag(inertias[link.attrib['name']])
            changes.append(AddElements(link, (new,), link[0]) if old is None
                           else ReplaceElement(old, new))
    return changes


def _tag(inertia: SpatialInertia) -> Tag:
    ixx, ixy, ixz, _, iyy, iyz, _, _, izz = number_texts(inertia.rotational.ravel().tolist(), 10)
    return Tag('inertial', {}, (
        Tag('origin', {'xyz': ' '.join(number_texts(inertia.com.tolist(), 10)), 'rpy': '0 0 0'}),
        Tag('mass', {'value': f'{inertia.mass:.10g}'}),
        Tag('inertia', {'ixx': ixx, 'ixy': ixy, 'ixz': ixz, 'iyy': iyy, 'iyz': iyz, 'izz': izz})))
