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

"""Rules that compare masses and inertias with the shapes of a link, and with other links."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence
import math
from typing import Any

import numpy as np

from urdf_tools.check.bodies import bodies
from urdf_tools.check.bodies import Body
from urdf_tools.check.bodies import link_shape_sets
from urdf_tools.check.bodies import MAX_DENSITY
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.plausibility import farthest_point
from urdf_tools.check.rules.plausibility import is_placeholder
from urdf_tools.check.rules.plausibility import wrong_scale
from urdf_tools.check.topology import attached_link
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.model.records import Mesh

rule = RULES.in_category('inertia')

_ORDERS = ((0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1))
"""The ways to swap axes, those of two axes first."""

_MAX_MISFIT = math.log(1.35)
"""Misfit of swapped moments; the rotor of a motor has a third more than a solid cylinder."""

_FIT, _SAME = math.log(1.16), 0.05
"""Misfit of swapped moments that says enough; above it, they have to fit four times better."""

_NONE = 1e-8
"""Moment in kg m^2 that exporters write for none, with a mass for none."""

_ROUND = 1.01
"""Ratio of the moments of a sphere; some of its mesh differ by more than rounding."""

_MAX_FACTOR = 2
"""Ratio of the moments to those of solid shapes; a thin shell has 5/3 of a solid sphere."""

_MIN_MISFIT = math.log(1.6)
"""Least misfit of the moments as written; below it, the shapes hardly distinguish axes."""

_DENSITIES: dict[str, Any] = {'minimum': 5.0, 'maximum': 12000.0}
"""Mass over volume of a whole robot in kg/m^3: a hollow drone has 60, a hand of steel 6,000."""

_DENSITY = 'density of {density:.3g} kg/m^3, not between {minimum:g} and {maximum:g}'

_WATER = 1000.0

_TOTAL_MASSES: dict[str, Any] = {'minimum': 0.001, 'maximum': 1000.0}
"""Mass in kg of a robot whose volume is unknown."""


@rule('link-too-dense', WARN)
def link_too_dense(description: Description) -> Iterator[Defect]:
    """
    Check that no link is denser than any material.

    Its mass over the volume of its visuals or collisions, the larger of both, is to be at most
    20,000 kg/m^3; tungsten has 19,300. Shapes of at most 10 cm^3 only mark a frame, meshes if the
    link has at most 1 g. Meshes are included only when the rules about assets are checked.

    Fails in a link:
        <collision><geometry><cylinder radius="0.04" length="0.05"/></geometry></collision>
        <inertial><mass value="100"/>
        <inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial>
    Passes with value="0.1"
    """
    for body in bodies(description) if wrong_scale(description) is None else ():
        volume = max((solid.mass for solid in body.solids), default=0.0)
        if 0 < MAX_DENSITY * volume < body.mass and not body.is_marker:
            yield Defect(body.mass_element, '{link} has a mass of {mass:g} kg in {litres:.3g} '
                         'litres, a density of {density:.3g} kg/m^3, more than any material',
                         mass=body.mass, litres=1000 * volume, density=body.mass / volume,
                         hint='Remove the scale of meshes that are in metres, or write sizes in '
                         'm' if body.mass > 1e9 * volume else '')


@rule('density-of-cad-default', WARN)
def density_of_cad_default(description: Description) -> Iterator[Defect]:
    """
    Check that not all links have the density that a CAD program uses without a material.

    It is that of steel, 7,850 kg/m^3, or of water, 1,000 kg/m^3, within 2 percent, over the
    volume of the collisions or of the visuals, for four links at least and for three quarters of
    those whose volume is known, with half of the mass of the robot. With 1,000 kg/m^3, only
    meshes count, as primitives are often given that density on purpose. Meshes are included only
    when the rules about assets are checked.

    Fails in the link of four that are alike:
        <mass value="5.8875"/>
    Passes with value="2"
    """
    total = sum(body.mass for body in bodies(description) if body.mass > 0)
    for of_set in (0, -1):
        known = [(body, body.mass / volume, _is_mesh(body, of_set)) for body in bodies(description)
                 if body.mass > 0 and body.solids and (volume := body.solids[of_set].mass) > 0]
        for density in (7850.0, _WATER):
            measured = [each for each in known if each[2] or density != _WATER]
            alike = [each for each in measured if abs(each[1] / density - 1) < 0.02]
            mass = sum(body.mass for body, *_ in alike)
            if len(alike) < max(4, 0.75 * len(measured)) or 2 * mass < total:
                continue
            yield Defect(
                alike[0][0].mass_element, '{alike} of the {measured} links '
                'whose volume is known have {density:.4g} kg/m^3, {mass:.4g} kg in all; CAD '
                'programs take ' + ('1000 kg/m^3' if density == _WATER else
                                    '7850 kg/m^3, that of steel,') + ' without a material',
                alike=len(alike), measured=len(measured), mass=mass,
                density=sum(each[1] for each in alike) / len(alike))
            return


def _is_mesh(body: Body, of_set: int) -> bool:
    return all(isinstance(shape.geometry, Mesh) for shape in link_shape_sets(body.link)[of_set])


@rule('link-too-heavy', WARN)
def link_too_heavy(description: Description) -> Iterator[Defect]:
    """
    Check that no link is ten times as heavy as all others together, unless it is the base.

    The base is a link without an ancestor with mass; it can be a vehicle or a stand. Links
    whose shapes have a volume are compared with that by link-too-dense. At least two other links
    are to have a mass.

    Fails in the inertial of a moving link:
        <mass value="500"/>
        <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.02"/>
    Passes with value="2"
    """
    masses = {body.link.name: body.mass for body in bodies(description) if body.mass > 0}
    total = sum(masses.values())
    for body in bodies(description) if len(masses) > 2 else ():
        others = total - max(body.mass, 0.0)
        if 10 * others < body.mass < math.inf and not body.solids and any(
                attached_link(joint, 'parent') in masses
                for joint in description.topology.joints_above(body.link.name)):
            yield Defect(
                body.mass_element,
                '{link} has a mass of {mass:g} kg, all others together have {others:.3g} kg',
                mass=body.mass, others=others)


@rule('inertia-radius-implausible', WARN)
def inertia_radius_implausible(description: Description) -> Iterator[Defect]:
    """
    Check that the radius of gyration of a frame, a marker or a link without shapes is possible.

    It is to be at most 5 m without shapes, and with shapes at most 1 m or ten times the distance
    of their farthest point. Links whose shapes have a volume for their mass are compared by
    inertia-vs-geometry, and placeholders are reported by inertia-placeholder.

    Fails in an inertial:
        <mass value="1e-6"/>
        <inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/>
    Passes with <inertia ixx="1e-9" ixy="0" ixz="0" iyy="1e-9" iyz="0" izz="1e-9"/>
    """
    for body in bodies(description):
        if (body.mass <= 0 or body.inconsistency is not None or is_placeholder(body.entries)
                or body.is_frame and body.largest <= _NONE):
            continue
        radius = math.sqrt(max(sum(body.moments), 0.0) / 2 / body.mass)
        farthest = farthest_point(body)
        # A link of 17 m, as large as a ship, has 5 m; markers may have the inertia of a part.
        limit = 5.0 if farthest is None else max(10 * farthest, 1.0)
        is_compared = not body.is_frame and any(  # By inertia-vs-geometry.
            body.mass <= MAX_DENSITY * solid.mass for solid in body.solids)
        if radius > limit and not is_compared:
            yield Defect(body.inertia_element,
                         'The {inertia} gives {mass:g} kg a radius of gyration of {radius:.3g} m, '
                         'more than {maximum:.3g} m', mass=body.mass, radius=radius, maximum=limit)


@rule('inertia-axes-swapped', WARN)
def inertia_axes_swapped(description: Description) -> Iterator[Defect]:
    """
    Check that the moments of inertia are not about each other's axes.

    They are if they agree with those of the shapes as solids once they are swapped, within 16
    percent where the sum is the same, or within a third if they fit four times better so, and
    differ by more than 60 percent as written. The collisions or the visuals have to say so, and
    their sum may differ by a factor of two; the others have to fit better by a third, too, once
    they are swapped.

    Fails in a link:
        <collision><origin rpy="1.5708 0 0"/>
        <geometry><cylinder radius="0.09" length="0.04"/></geometry></collision>
        <inertial><mass value="0.5"/>
        <inertia ixx="0.0012" ixy="0" ixz="0" iyy="0.0012" iyz="0" izz="0.002"/></inertial>
    Passes with <inertia ixx="0.0012" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.0012"/>
    """
    for body in bodies(description):
        if body.is_frame or body.inconsistency is not None:
            continue
        own = np.diag(SpatialInertia.from_inertial(body.inertial).rotational).tolist()
        expected = [[body.mass * moment / solid.mass for moment in np.diag(solid.rotational)]
                    for solid in body.solids if solid.mass > 0 and not _is_round(solid)]
        if not all(0 < moment < math.inf for moments in (own, *expected) for moment in moments):
            continue
        fitting = next(filter(None, (_fitting_swapped(own, expected, order)
                                     for order in _ORDERS)), ())
        if fitting:
            names = ('x', 'y', 'z', 'expected_x', 'expected_y', 'expected_z')
            values: dict[str, Any] = dict(zip(names, map(float, (*own, *fitting))))
            yield Defect(body.inertia_element, 'The {inertia} fits the shapes only with its axes '
                         'swapped: about x, y and z it has {x:.3g}, {y:.3g} and {z:.3g} kg m^2, '
                         'solid shapes of the same mass {expected_x:.3g}, {expected_y:.3g} and '
                         '{expected_z:.3g}', **values)


def _is_round(solid: SpatialInertia) -> bool:
    """Return whether a solid has the same moment about every axis, as a sphere has."""
    moments = np.diag(solid.rotational)
    return float(moments.max()) < _ROUND * float(moments.min())


def _fitting_swapped(own: Sequence[float], shapes: Sequence[Sequence[float]], order: Sequence[int]
                     ) -> Sequence[float] | None:
    """Return the moments of shapes that fit in another order, if all of them fit better so."""
    found = None
    for expected in shapes:
        factor = sum(own) / sum(expected)
        scaled = [factor * moment for moment in expected]
        if not 0 < min(scaled) <= max(scaled) < math.inf:
            return None
        as_written, swapped = misfit(own, scaled), misfit(own, [scaled[axis] for axis in order])
        # One that is as expected, beside two of another factor, is not about another axis.
        if as_written - swapped < _MAX_MISFIT or abs(math.log(factor)) > _FIT and any(
                misfit([moment], [other]) < _SAME for moment, other in zip(own, expected)):
            return None
        if (found is None and 1 / _MAX_FACTOR < factor < _MAX_FACTOR and as_written > _MIN_MISFIT
                and swapped < min(_MAX_MISFIT, max(_FIT, as_written / 4))):
            found = expected
    return found


def misfit(own: Sequence[float], expected: Sequence[float]) -> float:
    """Return the largest logarithm of a ratio of positive numbers to those expected."""
    return max(abs(math.log(moment) - math.log(other)) for moment, other in zip(own, expected))


@rule('total-mass-implausible', WARN)
def total_mass_implausible(description: Description) -> Iterator[Defect]:
    """
    Check that the mass of the robot agrees with the volume of its shapes.

    Mass over volume is to lie between 5 and 12,000 kg/m^3; lead has 11,340. Links with shapes
    that cannot be read are left out, and those whose shapes only mark where they are. If they have
    more than half of the mass, that of the robot is to lie between 1 g and 5 t, and more than 1 t
    is noted. A link that has more than half of the mass is named, unless link-too-dense or
    link-too-heavy reports it; if the density is too small, the link of the largest volume. Meshes
    are included only when the rules about assets are checked.

    Fails in a link:
        <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
        <inertial><mass value="15"/>
        <inertia ixx="0.3" ixy="0" ixz="0" iyy="0.3" iyz="0" izz="0.3"/></inertial>
    Passes with value="1.5"
    """
    massive = [body for body in bodies(description) if body.mass > 0]
    if wrong_scale(description) is not None or any(
            True for rule in (link_too_dense, link_too_heavy) for _ in rule(description)):
        return
    total = sum(body.mass for body in massive)
    with_shapes = [(body, [solid.mass for solid in body.solids]) for body in massive
                   if body.solids and not body.is_marker]
    mass = sum(body.mass for body, _ in with_shapes)
    if with_shapes and 2 * mass >= total:
        smaller, larger = (sum(end(volumes) for _, volumes in with_shapes) for end in (min, max))
        if not 0 < smaller <= larger < math.inf:
            return
        is_light = mass / smaller < _DENSITIES['minimum']
        density = mass / smaller if is_light else mass / larger
        if is_light and len(with_shapes) > 1:
            yield _too_light(description, with_shapes, total, density)
        elif is_light or density > _DENSITIES['maximum']:
            yield _defect(massive, ', and its shapes a ' + _DENSITY, density=density, **_DENSITIES)
    elif massive and not _TOTAL_MASSES['minimum'] <= total <= _TOTAL_MASSES['maximum']:
        is_noted = _TOTAL_MASSES['minimum'] < total <= 5000.0
        yield _defect(massive, ', not between {minimum:g} and {maximum:g} kg', **_TOTAL_MASSES,
                      severity=INFO if is_noted else None)


def _too_light(description: Description, with_shapes: Sequence[tuple[Body, Sequence[float]]],
               total: float, density: float) -> Defect:
    """Return a defect of a robot with a low density, at its largest link."""
    body, volumes = max(with_shapes, key=lambda found: min(found[1]))
    link = description.link_names[body.link.name]
    shape = next((shape for geometry in link.iter('geometry') for shape in geometry), link)
    return Defect(
        shape, 'The robot has a mass of {mass:g} kg, and its shapes a ' + _DENSITY
        + '; the largest is that of {link}, with {volume:.3g} m^3', mass=total, density=density,
        volume=min(volumes), **_DENSITIES,
        attribute=next((name for name in ('size', 'radius', 'scale') if name in shape.attrib), ''))


def _defect(massive: Sequence[Body], template: str, **options: Any) -> Defect:
    """Return a defect of the mass of the robot, at the link with most of it, if there is one."""
    total = sum(body.mass for body in massive)
    body = max(massive, key=lambda body: body.mass)
    if len(massive) == 1 or 2 * body.mass <= total:
        return Defect(body.description.robot, 'The robot has a mass of {mass:g} kg' + template,
                      mass=total, **options)
    return Defect(body.mass_element, 'The robot has a mass of {mass:g} kg, of which {link} has '
                  '{heaviest:g} kg' + template, mass=total, heaviest=body.mass, **options)
