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

"""Rules about masses and inertias that are possible for a body, but implausible for its link."""

from __future__ import annotations

from collections.abc import Iterator
import math
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from urdf_tools.check.bodies import bodies
from urdf_tools.check.bodies import Body
from urdf_tools.check.bodies import link_shape_sets
from urdf_tools.check.bodies import MARKER_MASS
from urdf_tools.check.bodies import markers
from urdf_tools.check.bodies import MAX_DENSITY
from urdf_tools.check.bodies import moving_joint
from urdf_tools.check.bodies import rigid_masses
from urdf_tools.check.bodies import shape_element
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.topology import attached_link
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.findings.message import Clause
from urdf_tools.model.grouping import grouped
from urdf_tools.model.records import Mesh
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('inertia')

_PLACEHOLDERS = (1.0, 0.001, 0.01, 0.1, 100.0)
_MAX_RATIO_TO_SHAPES = 10
_ROUNDED = 2.5
"""Ratio of a rounded estimate of an inertia to that of the shapes."""


class Scale(NamedTuple):
    """
    A robot with a scale that its masses contradict.

    :ivar factor: what corrects its lengths.
    :ivar mass: in kg.
    :ivar volume: of its shapes in m^3.
    :ivar element: the shape of the largest volume.
    """

    factor: float
    mass: float
    volume: float
    element: Element


@once
def wrong_scale(description: Description) -> Scale | None:
    """Return the scale of a robot if all of its lengths are a thousand times wrong."""
    far = max((math.hypot(*xyz) for joint in description.joints if (
        xyz := description.vector(child(joint, 'origin'), 'xyz', 3))), default=0.0)
    factor = 1e-3 if far > 5.0 else 1e3 if 0 < far < 0.005 else None
    known = [] if factor is None else [
        (body, max(solid.mass for solid in body.solids)) for body in bodies(description)
        if body.mass > 0 and any(solid.mass > 0 for solid in body.solids)]
    mass, volume = (math.fsum(values) for values in (
        (body.mass for body, _ in known), (volume for _, volume in known)))
    if factor is not None and len(known) > 1 and volume > 0 and (
            30.0 <= mass / (volume * factor ** 3) <= 12000.0):
        body, _ = max(known, key=itemgetter(1))
        return Scale(factor, mass, volume, next(
            shape_element(shape) for shapes in link_shape_sets(body.link) for shape in shapes))
    return None


@rule('robot-scale', WARN)
def robot_scale(description: Description) -> Iterator[Defect]:
    """
    Check that not all lengths of the robot are a thousand times too large or too small.

    This is reported if the mass of the robot over the volume of its shapes is a density that
    robots have, 30 to 12,000 kg/m^3, only with a scale of 0.001 or 1000, and the farthest
    <origin> of a joint is more than 5 m or less than 5 mm away. Inertias are not compared then.

    Fails in a robot:
        <link name="base_link">
          <collision><geometry><box size="200 200 100"/></geometry></collision>
          <inertial><mass value="4"/>
          <inertia ixx="16667" ixy="0" ixz="0" iyy="16667" iyz="0" izz="26667"/></inertial>
        </link>
        <link name="arm">
          <collision><geometry><box size="50 50 300"/></geometry></collision>
          <inertial><mass value="1"/>
          <inertia ixx="7708" ixy="0" ixz="0" iyy="7708" iyz="0" izz="417"/></inertial>
        </link>
        <joint name="j" type="fixed"><parent link="base_link"/><child link="arm"/>
          <origin xyz="0 0 100"/>
        </joint>
    Passes:
        <link name="base_link">
          <collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision>
          <inertial><mass value="4"/>
          <inertia ixx="0.016667" ixy="0" ixz="0" iyy="0.016667" iyz="0" izz="0.026667"/>
          </inertial>
        </link>
        <link name="arm">
          <collision><geometry><box size="0.05 0.05 0.3"/></geometry></collision>
          <inertial><mass value="1"/>
          <inertia ixx="0.007708" ixy="0" ixz="0" iyy="0.007708" iyz="0" izz="0.000417"/>
          </inertial>
        </link>
        <joint name="j" type="fixed"><parent link="base_link"/><child link="arm"/>
          <origin xyz="0 0 0.1"/>
        </joint>
    """
    found = wrong_scale(description)
    if found is not None:
        yield Defect(
            found.element, 'The robot has {mass:g} kg in {volume:.3g} m^3, a density of '
            '{density:.2g} kg/m^3; ' + (
                'its lengths seem to be in mm' if found.factor < 1
                else 'its lengths seem to be a thousandth of those in m')
            + ', with which it has {corrected:.3g} kg/m^3', mass=found.mass, volume=found.volume,
            density=found.mass / found.volume,
            corrected=found.mass / (found.volume * found.factor ** 3),
            hint='' if found.factor < 1 else 'Multiply all lengths by 1000, those of origins, '
            'shapes and meshes, which may have a scale of 0.001 although their files are in m')


@rule('inertia-transcription', WARN)
def inertia_transcription(description: Description) -> Iterator[Defect]:
    """
    Check that no product of inertia equals a moment of inertia.

    Equal numbers suggest that the entries were copied in the wrong order; those of one digit may
    be equal by chance.

    Fails in the inertia of 1 kg:
        <inertia ixx="0.03" ixy="0.0042" ixz="0" iyy="0.0042" iyz="0" izz="0.032"/>
    Passes with <inertia ixx="0.03" ixy="0.004" ixz="0" iyy="0.004" iyz="0" izz="0.032"/>
    """
    for body in bodies(description):
        repeated = body.repeated_entries
        if repeated is not None and body.inconsistency is None:
            yield Defect(body.inertia_element, 'In the {inertia}, ' + repeated.template,
                         **repeated.values)


def is_placeholder(entries: tuple[float, ...]) -> bool:
    """Return whether an inertia is a typical placeholder of authors who do not know it."""
    moment = entries[0]
    return moment in _PLACEHOLDERS and entries == (moment, 0, 0, moment, 0, moment)


@once
def _placeholders(description: Description) -> list[tuple[list[Body], Clause]]:
    """Return the links of each suspicious inertia, with the reason."""
    same_inertia = grouped((tuple(float(f'{entry:.9g}') for entry in body.entries), body)
                           for body in bodies(description) if body.largest)
    found = []
    for entries, group in same_inertia.items():
        masses = _distinct([body.mass for body in group])
        if is_placeholder(entries) and not (masses == 1 and all(map(_agrees, group))):
            others = len(group) - 1
            found.append((group, Clause(
                'is a placeholder: {moment:g} kg m^2 about every axis'
                + (', as on {others:other link}' if others else ''),
                {'moment': entries[0], 'others': others})))
        elif masses >= 3:
            found.append((group, Clause(
                'is the same on {links} links with {masses} different masses',
                {'links': len(group), 'masses': masses})))
    return found


def _agrees(body: Body) -> bool:
    """Return whether the same inertia about every axis is about that of the shapes as solids."""
    mass, moment = body.mass, body.largest
    return any(mass * high / _ROUNDED < moment * solid.mass < mass * low * _ROUNDED for solid in
               body.solids for low, _, high in [np.linalg.eigvalsh(solid.rotational).tolist()])


def _distinct(masses: list[float]) -> int:
    """Return how many masses differ by more than rounding and part tolerances."""
    masses = sorted(masses)
    return 1 + sum(more > 1.01 * mass for mass, more in zip(masses, masses[1:]))


@rule('inertia-placeholder', WARN)
def inertia_placeholder(description: Description) -> Iterator[Defect]:
    """
    Check that no inertia is a placeholder.

    Placeholders are 100, 1, 0.1, 0.01 or 0.001 kg m^2 about every axis, unless that is within a
    factor of 2.5 of the moments of the shapes as solids and no link of another mass has the same,
    and the same inertia on links with three or more different masses.

    Fails in the inertia of 1 kg: <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
    Passes with <inertia ixx="0.03" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.032"/>
    """
    for group, reason in _placeholders(description):
        inertia = group[0].inertia_element
        yield Defect(inertia, 'The {inertia} ' + reason.template, **reason.values)


@once
def _comparable(description: Description) -> list[tuple[Body, list[SpatialInertia]]]:
    """
    Return the links with shapes, each with the inertias of its shapes scaled to its mass.

    There are none if all lengths are wrong, which robot-scale reports.

    One is that of the collisions, one that of the visuals. Primitives that are so small that no
    material is dense enough for the mass are left out.
    """
    skipped = markers(description) | {
        body.link.name for group, _ in _placeholders(description) for body in group}
    if wrong_scale(description) is not None:
        return []
    compared = (body for body in bodies(description) if body.link.name not in skipped and not (
        body.is_frame or body.inconsistency is not None or body.is_point))
    return [(body, solids) for body in compared if (solids := [
        solid.with_mass(body.mass)
        for solid, shapes in zip(body.solids, link_shape_sets(body.link))
        if body.mass <= MAX_DENSITY * solid.mass
        or any(isinstance(shape.geometry, Mesh) for shape in shapes)])]


@rule('inertia-vs-geometry', WARN)
def inertia_vs_geometry(description: Description) -> Iterator[Defect]:
    """
    Check that the inertia of a link agrees with its shapes within a factor of ten.

    The largest principal moment is compared with that of the shapes as solids of uniform density
    and the same total mass; a large factor often means wrong units. It has to disagree with both
    the collisions and the visuals. Primitives that would be denser than any material, or visuals
    of at most 1 cm^3 on a link of at most 1 g, are markers, which do not count, and links that
    have a shape that cannot be read are skipped. Meshes are included only when the rules about
    assets are checked.

    Fails in a link:
        <collision><geometry><sphere radius="0.1"/></geometry></collision>
        <inertial><mass value="1"/>
        <inertia ixx="4" ixy="0" ixz="0" iyy="4" iyz="0" izz="4"/></inertial>
    Passes with <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/>
    """
    comparable = _comparable(description)
    # All at once, because the call costs more than the computation.
    of_all = iter(np.linalg.eigvalsh(np.array(
        [solid.rotational for _, solids in comparable for solid in solids]
    ).reshape(-1, 3, 3))[:, 2].tolist())
    for body, solids in comparable:
        own = body.moments[2]
        moments = [next(of_all) for _ in solids]
        if own and all(not 1 / _MAX_RATIO_TO_SHAPES < own / moment < _MAX_RATIO_TO_SHAPES
                       for moment in moments) and all(solid.consistency() for solid in solids):
            impossible = _impossibility(body)
            yield Defect(
                body.inertia_element,
                'The largest principal moment of the {inertia} is {moment:.3g} kg m^2, but '
                '{expected:.3g} kg m^2 for solid shapes of the same mass' + impossible.template,
                moment=own, expected=moments[0], **impossible.values,
                severity=INFO if _is_placeholder(description, body) else None)


def _impossibility(body: Body) -> Clause:
    """Return a remark if no body inside the shapes of a link can have its inertia."""
    radius = math.sqrt(sum(body.moments) / 2 / body.mass)
    farthest = farthest_point(body)
    if farthest is None or radius <= farthest:
        return Clause('', {})
    return Clause(', and impossible inside of them: its mass would be {radius:.3g} m (root mean '
                  'square) away from the centre of mass, and no point of them is farther than '
                  '{farthest:.3g} m', {'radius': radius, 'farthest': farthest})


def farthest_point(body: Body) -> float | None:
    """Return the distance in m from the centre of mass to the farthest corner of the shapes."""
    return None if body.box is None else math.hypot(*(
        max(abs(end - x) for end in ends) for x, *ends in zip(
            body.inertial.origin.xyz, *body.box)))


def _is_placeholder(description: Description, body: Body) -> bool:
    """Return whether a link has a mass of 1 g or less and is not moved by a joint of its own."""
    return body.mass <= MARKER_MASS and moving_joint(description, body.link.name) is None


@rule('com-outside-geometry', WARN)
def com_outside_geometry(description: Description) -> Iterator[Defect]:
    """
    Check that the centre of mass is close to the shapes of the link.

    It may be outside the bounding box of all visuals and collisions by a quarter of the size of
    the box plus 1 cm. A glTF file counts both as it is, as RViz and Gazebo show it, and with its
    y axis turned up, as Drake does. Links that have a shape that cannot be read, or markers only,
    are skipped, and those that weigh 1 g or less on a fixed joint are only noted. Meshes are
    included only when the rules about assets are checked.

    Fails in a link:
        <collision><geometry><sphere radius="0.1"/></geometry></collision>
        <inertial><origin xyz="0 0 0.2"/><mass value="1"/>
        <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>
    Passes with xyz="0 0 0.02"
    """
    for body in bodies(description):
        if body.is_frame or body.box is None or body.is_marker:
            continue
        low, high = body.box
        outside = [max(minimum - x, x - maximum, 0.0)
                   for minimum, x, maximum in zip(low, body.inertial.origin.xyz, high)]
        if any(distance > 0.25 * (maximum - minimum) + 0.01
               for minimum, distance, maximum in zip(low, outside, high)):
            yield Defect((*body.inertial_element.findall('origin'), body.inertial_element)[0],
                         'The centre of mass of {link} is {distance:.3g} m outside the bounding '
                         'box of its shapes, which is {size:.3g} m across',
                         distance=math.hypot(*outside), size=math.dist(low, high),
                         severity=INFO if _is_placeholder(description, body) else None)


@rule('inertia-about-origin-suspect', INFO)
def inertia_about_origin_suspect(description: Description) -> Iterator[Defect]:
    """
    Check that the inertia is about the centre of mass, not about the origin of the link.

    It is suspicious if its trace is more than twice that of the shapes, but within a third of it
    once the parallel-axis term is subtracted; if all of it is within 10 %, it is a warning.

    Fails in a link:
        <collision><origin xyz="0 0 0.2"/><geometry><sphere radius="0.1"/></geometry></collision>
        <inertial><origin xyz="0 0 0.2"/><mass value="1"/>
        <inertia ixx="0.044" ixy="0" ixz="0" iyy="0.044" iyz="0" izz="0.004"/></inertial>
    Passes with <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/>
    """
    for body, (expected, *_) in _comparable(description):
        com, own = np.array(body.inertial.origin.xyz), SpatialInertia.from_inertial(body.inertial)
        moved = own.rotational - body.mass * (np.dot(com, com) * np.eye(3) - np.outer(com, com))
        solid = np.trace(expected.rotational)
        ratio, shifted = sum(body.moments) / solid, np.trace(moved) / solid
        is_sure = np.linalg.norm(moved - expected.rotational) < .1 * np.linalg.norm(
            expected.rotational)
        if ratio > 2 and 2 / 3 < shifted < 3 / 2:
            yield Defect(body.inertia_element, 'The {inertia} is {ratio:.3g} times that of its '
                         'shapes, but {shifted:.3g} times if it is about the origin of the link, '
                         'not about the centre of mass', ratio=float(ratio),
                         shifted=float(shifted), severity=WARN if is_sure else None)


@rule('mass-ratio-extreme', INFO)
def mass_ratio_extreme(description: Description) -> Iterator[Defect]:
    """
    Check that no joint moves a link a thousand times as heavy as its parent link.

    Simulators become unstable. Links that are attached by fixed joints count as one.

    Fails in the inertial of a moving link:
        <mass value="3000"/>
        <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.02"/>
    Passes with value="3"
    """
    masses = rigid_masses(description)
    for joint in description.joints:
        parent, moved = (masses.get(attached_link(joint, tag) or '', 0.0)
                         for tag in ('parent', 'child'))
        if joint.get('type') != 'fixed' and 0 < 1e3 * parent < moved:
            yield Defect(joint, '{joint} moves {moved:g} kg on a parent link of {parent:g} kg',
                         moved=moved, parent=parent)
