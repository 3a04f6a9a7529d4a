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

"""The links of a description whose mass and inertia can be read."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
import math
from typing import Any
from typing import NamedTuple

import numpy as np

from urdf_tools.inertia import Verdict
from urdf_tools.inertia.spatial import consistency
from urdf_tools.inertia.spatial import NEGLIGIBLE
from urdf_tools.inertia.spatial import TOLERANCE
from urdf_tools.model.element import Element
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Link
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.joints import rigid_bodies
from urdf_tools.validation.loaded_robot import readable_links

_FRAME_MASS = 1e-5
"""Largest mass in kg of a link that is only a frame; exporters write such masses."""


_SYMMETRIC = ((0, 1, 2), (1, 3, 4), (2, 4, 5))
"""Where the entries of an inertia stand in its matrix."""


class Remark(NamedTuple):
    """
    What is to be said of an inertia.

    :ivar template: part of a message, with fields for numbers.
    :ivar numbers: what it is filled in with.
    """

    template: str
    numbers: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Body:
    """
    A link with a mass and an inertia.

    :ivar inertial: the numbers, as the loader reads them.
    :ivar inertial_element: the ``<inertial>``; ``mass_element`` and ``inertia_element`` are its
        children.
    :ivar moments: the principal moments of inertia about the centre of mass in kg m^2, ascending.
    """

    link: Link
    inertial: Inertial
    inertial_element: Element
    mass_element: Element
    inertia_element: Element
    moments: tuple[float, float, float]

    @property
    def mass(self) -> float:
        """Mass in kg."""
        return self.inertial.mass

    @cached_property
    def entries(self) -> tuple[float, ...]:
        """The entries of the inertia in kg m^2, in the order ixx ixy ixz iyy iyz izz."""
        return _entries(self.inertial)

    @cached_property
    def largest(self) -> float:
        """The magnitude of the largest entry of the inertia in kg m^2."""
        return max(map(abs, self.entries))

    @property
    def is_frame(self) -> bool:
        """Whether the link has so little mass that it is only a frame."""
        return self.mass <= _FRAME_MASS

    @cached_property
    def inconsistency(self) -> tuple[str, Remark] | None:
        """The rule that a physically inconsistent inertia breaks first and the reason, or None."""
        return _inconsistency(self)

    @cached_property
    def repeated_entries(self) -> Remark | None:
        """Products of inertia that equal a moment, such as ``ixy equals iyy (0.12)``, or None."""
        moments = {'ixx': self.inertial.ixx, 'iyy': self.inertial.iyy, 'izz': self.inertial.izz}
        products = {'ixy': self.inertial.ixy, 'ixz': self.inertial.ixz, 'iyz': self.inertial.iyz}
        same = [(product, moment) for product, value in products.items()
                if float(f'{value:.1g}') != value
                for moment, other in moments.items() if value == other][:2]
        template = ' and '.join(
            f'{product} equals {moment} ({{{product}:g}})' for product, moment in same)
        return Remark(template, {
            product: products[product] for product, _ in same}) if same else None


def bodies(description: Description) -> list[Body]:
    """Return the links whose mass and inertia can be read, in file order."""
    found = []
    for link in readable_links(description):
        element = None if link.inertial is None else link.inertial.element
        mass = child(element, 'mass')
        inertia = child(element, 'inertia')
        if link.inertial is not None and element is not None and mass is not None and (
                inertia is not None):
            found.append((link, link.inertial, element, mass, inertia))
    # All at once, because the call costs more than the computation.
    matrices = np.array([_entries(inertial) for _, inertial, *_ in found]).reshape(-1, 6)
    moments = np.linalg.eigvalsh(matrices[:, _SYMMETRIC])
    return [Body(*parts, (least, middle, most))
            for parts, (least, middle, most) in zip(found, moments.tolist())]


def _entries(inertial: Inertial) -> tuple[float, ...]:
    return (inertial.ixx, inertial.ixy, inertial.ixz, inertial.iyy, inertial.iyz, inertial.izz)


def inertial_elements(description: Description) -> Iterator[Element]:
    """Yield the ``<inertial>`` of every link that has one, whether or not it can be read."""
    for link in description.links:
        inertial = link.find('inertial')
        if inertial is not None:
            yield inertial


def rigid_masses(description: Description) -> Mapping[str, float]:
    """
    Return the mass in kg of each link with all that fixed joints connect it with.

    It is not a number if one of them has an ``<inertial>`` that cannot be read.
    """
    group = description.cached(rigid_bodies)
    masses = dict.fromkeys(group.values(), 0.0)
    for link in readable_links(description):
        if link.inertial is not None:
            masses[group[link.name]] += link.inertial.mass
        elif child(link.element, 'inertial') is not None:
            masses[group[link.name]] = math.nan
    return {link: masses[first] for link, first in group.items()}


def moving_joint(description: Description, link: str) -> Element | None:
    """Return the joint that a link is the child of, or None where it is fixed or has none."""
    joint = description.topology.parent_joint(link)
    return None if joint is None or joint.get('type') == 'fixed' else joint


def _inconsistency(body: Body) -> tuple[str, Remark] | None:
    if body.mass <= 0 or body.largest < NEGLIGIBLE:
        return None
    xx, xy, xz, yy, yz, zz = body.entries
    diagonal = {'ixx': xx, 'iyy': yy, 'izz': zz}
    wrong = {name: value for name, value in diagonal.items() if value <= 0}
    if wrong:
        shown = ', '.join(f'{name} is {{{name}:g}}' for name in wrong)
        return 'inertia-diagonal-not-positive', Remark(shown, wrong)
    for name, product, moment in (('iyz', yz, 'ixx'), ('ixz', xz, 'iyy'), ('ixy', xy, 'izz')):
        twice = 2 * abs(product)
        if twice > diagonal[moment] + TOLERANCE * max(diagonal.values()):
            return 'inertia-offdiag-too-large', Remark(
                f'2 |{name}| = {{twice:g}} exceeds {moment} = {{{moment}:g}}',
                {name: product, 'twice': twice, moment: diagonal[moment]})
    verdict = consistency(body.mass, body.moments).verdict
    moments = dict(zip(('least', 'middle', 'most'), body.moments, strict=True))
    shown = '({least:.4g}, {middle:.4g}, {most:.4g})'
    if verdict is Verdict.MOMENT and moments['least'] < -TOLERANCE * moments['most']:
        return 'inertia-not-pd', Remark(
            f'one of its principal moments {shown} is negative', moments)
    if verdict is Verdict.TRIANGLE:
        return 'inertia-triangle', Remark(
            f'its principal moments {shown} violate the triangle inequality', moments)
    return None
