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

"""The rule about the mass of the whole robot."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence
import math
from typing import Any

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Name
from urdf_tools.validation.bodies import bodies
from urdf_tools.validation.bodies import Body
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import RULES
from urdf_tools.validation.rules.link_masses import link_too_dense
from urdf_tools.validation.rules.link_masses import link_too_heavy

WARN, INFO = Severity.WARN, Severity.INFO
rule = RULES.in_category('inertia')

_DENSITIES = (5.0, 12000.0)
"""Mass over volume of a whole robot in kg/m^3: a hollow drone has 60, a hand of steel 6,000."""

_TOTAL_MASSES = (0.001, 5000.0)
"""Mass in kg of a robot whose volume is unknown; more than a fifth of the upper one is noted."""


@rule('total-mass-implausible', WARN, hint='Write the masses in kg, and the sizes in m')
def total_mass_implausible(description: Description) -> Iterator[Defect]:
    """
    Check that the mass of the robot agrees with the volume of its shapes.

    Mass over volume is to lie between 5 and 12,000 kg/m^3; lead has 11,340. Links with shapes
    that cannot be read are left out, and those whose shapes only mark where they are. If they have
    more than half of the mass, that of the robot is to lie between 1 g and 5 t, and more than 1 t
    is noted. A link that has more than half of the mass is named, unless link-too-dense or
    link-too-heavy reports it; if the density is too small, the link of the largest volume. Meshes
    are included only when the rules about assets are checked.

    Fails in a link::

        <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
        <inertial>
          <mass value="15"/>
          <inertia ixx="0.3" ixy="0" ixz="0" iyy="0.3" iyz="0" izz="0.3"/>
        </inertial>

    Passes::

        <collision><geometry><box size="2 2 1"/></geometry></collision>
        <inertial>
          <mass value="8000"/>
          <inertia ixx="0.3" ixy="0" ixz="0" iyy="0.3" iyz="0" izz="0.3"/>
        </inertial>
    """
    weighty = [body for body in description.cached(bodies) if body.mass > 0]
    if any(True for rule in (link_too_dense, link_too_heavy) for _ in rule(description)):
        return
    total = sum(body.mass for body in weighty)
    weighed = [(body, [solid.mass for solid in body.solids]) for body in weighty
               if body.solids and not body.is_marker]
    mass = sum(body.mass for body, _ in weighed)
    if weighed and 2 * mass >= total:
        density = _implausible_density(
            mass, sum(min(volumes) for _, volumes in weighed),
            sum(max(volumes) for _, volumes in weighed))
        if density is not None:
            end = ', and its shapes a density of {density:.3g} kg/m^3'
            if density < _DENSITIES[0] and len(weighed) > 1:
                yield _light(description, weighed, total, density)
            else:
                yield _defect(weighty, end, density=density)
    elif weighty and not _TOTAL_MASSES[0] <= total <= _TOTAL_MASSES[1] / 5:
        is_extreme = not _TOTAL_MASSES[0] <= total <= _TOTAL_MASSES[1]
        yield _defect(weighty, '', severity=None if is_extreme else INFO)


def _light(description: Description, weighed: Sequence[tuple[Body, Sequence[float]]],
           total: float, density: float) -> Defect:
    """Return a defect of a robot of little density, at the largest of its links."""
    body, volumes = max(weighed, key=lambda found: min(found[1]))
    link = description.link_names[body.link.name]
    shape = next((shape for geometry in link.iter('geometry') for shape in geometry), link)
    return Defect(
        shape, 'The robot has a mass of {mass:g} kg, and its shapes a density of {density:.3g} '
               'kg/m^3; the largest is that of link {link}, with {volume:.3g} m^3', mass=total,
        density=density, link=Name(body.link.name), volume=min(volumes),
        attribute=next((name for name in ('size', 'radius', 'scale') if name in shape.attrib), ''))


def _defect(weighty: Sequence[Body], end: str, **options: Any) -> Defect:
    """Return a defect of the mass of the robot, at the link that has most of it if one has."""
    total = sum(body.mass for body in weighty)
    body = max(weighty, key=lambda body: body.mass)
    begin = 'The robot has a mass of {mass:g} kg'
    if len(weighty) == 1 or 2 * body.mass <= total:
        return Defect(body.description.robot, begin + end, mass=total, **options)
    return Defect(
        body.mass_element, f'{begin}, of which link {{link}} has {{heaviest:g}} kg{end}',
        mass=total, link=Name(body.link.name), heaviest=body.mass, **options)


def _implausible_density(mass: float, least: float, largest: float) -> float | None:
    """
    Return the density in kg/m^3 if it is implausible, else None.

    :param least: the volume by the smaller of the visuals and the collisions of each link.
    :param largest: the volume by the larger of them.
    """
    if not 0 < least <= largest < math.inf:
        return None
    if mass / least < _DENSITIES[0]:
        return mass / least
    return mass / largest if mass / largest > _DENSITIES[1] else None
