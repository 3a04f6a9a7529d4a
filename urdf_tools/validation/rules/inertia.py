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

"""Rules about masses and inertias: what cannot be, what is unlikely, what was left in."""

from __future__ import annotations

from collections.abc import Iterator
import math

import numpy as np

from urdf_tools.inertia import SpatialInertia
from urdf_tools.inertia import Verdict
from urdf_tools.inertia.meshes import mesh_facts
from urdf_tools.inertia.meshes import MeshError
from urdf_tools.inertia.shapes import link_shapes
from urdf_tools.inertia.shapes import shape_inertia
from urdf_tools.inertia.shapes import ShapeError
from urdf_tools.inertia.solids import Primitive
from urdf_tools.inertia.spatial import NEGLIGIBLE
from urdf_tools.inertia.spatial import TOLERANCE
from urdf_tools.model.document import Element
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Box
from urdf_tools.model.robot import Capsule
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Mesh
from urdf_tools.model.robot import Sphere
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.fixed_joint_lumping import FixedJointLumping
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import INERTIA
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.topology import attached_link
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('inertia')

_TAG = ROBOT.children['link'].children['inertial']

_DROPS = {'urdfdom': 'drops the inertial and what follows in the link'}

_IMPOSSIBLE = {
    'drake': 'puts a body of its own making in its place', 'mujoco': 'refuses the description',
    'gazebo': 'refuses the link', 'pybullet': 'sets the inertia to zero',
    'idyntree': 'refuses to estimate with it'}

# Links that weigh less than ten milligrams are frames, as exporters write them.
_FRAME_MASS = 1e-5

_SMALLEST_GYRATION = 1e-4
_PLACEHOLDERS = (1.0, 0.001, 0.01, 0.1, 100.0)
_LARGEST_RATIO = 1e3
_PLAUSIBLE_MASS = (0.01, 1000.0)


def _inertials(description: Description) -> Iterator[Element]:
    """Yield every <inertial> of a link."""
    for link in description.links:
        inertial = child(link, 'inertial')
        if inertial is not None:
            yield inertial


class _Body:
    """A link whose mass and inertia can be read."""

    def __init__(self, link: str, inertial: Inertial):
        self.link = link
        self.inertial = inertial
        self.inertia = child(inertial.element, 'inertia')
        self.mass = inertial.mass
        self.matrix = inertial.matrix
        self.fault = _fault(inertial)
        self.slip = _slip(inertial)

    @property
    def is_frame(self) -> bool:
        return self.mass <= _FRAME_MASS


def _bodies(description: Description) -> list[_Body]:
    return [_Body(link, inertial) for link, inertial in description.inertials.items()]


def _is_moved(description, link):
    """Tell whether a link is the child of a joint that is not fixed."""
    joint = description.topology.parent_joint(link)
    return joint is not None and joint.get('type') != 'fixed'


@rule('inertial-missing', WARN, hint='Write <inertial> with the mass and inertia of the link',
      consumers={
          'gazebo': 'drops the link, unless a fixed joint makes it part of another',
          'mujoco': 'refuses a moving body without mass', 'pybullet': 'takes 1 kg for its mass',
          'idyntree': 'takes it for massless'})
def inertial_missing(description: Description) -> Iterator[Defect]:
    """
    Check that a link that has a shape or is moved by a joint has an inertial.

    Links without either are mere frames and do without. Where no link at all has one, the robot
    was made to be shown and planned for, and that is said once.
    """
    bodies = [link for name, link in description.link_names.items() if name != 'world' and (
        child(link, 'visual') is not None or child(link, 'collision') is not None
        or _is_moved(description, name))]
    if bodies and all(child(link, 'inertial') is None for link in description.links):
        yield Defect(bodies[0], f'No link has an <inertial>, such as {describe(bodies[0])}',
                     'Write one in each link if the robot is to be simulated')
        return
    for link in bodies:
        if child(link, 'inertial') is None:
            yield Defect(link, f'{subject(link)} has no <inertial>')


@rule('mass-missing', ERROR, hint='Write <mass value="..."/> in kg', consumers=_DROPS)
def mass_missing(description: Description) -> Iterator[Defect]:
    """Check that every inertial has a mass."""
    for inertial in _inertials(description):
        mass = child(inertial, 'mass')
        if mass is None:
            yield Defect(inertial, f'The {describe(inertial)} has no <mass>',
                         misspelling_hint(inertial, _TAG, 'mass'))
        elif mass.get('value') is None:
            yield Defect(mass, f'The {describe(mass)} has no value',
                         misspelling_hint(mass, _TAG.children['mass'], 'value'))


@rule('inertia-missing', ERROR, hint='Write <inertia ixx= ixy= ixz= iyy= iyz= izz=/> in kg m^2',
      consumers=_DROPS)
def inertia_missing(description: Description) -> Iterator[Defect]:
    """Check that every inertial has an inertia."""
    for inertial in _inertials(description):
        if child(inertial, 'inertia') is None:
            yield Defect(inertial, f'The {describe(inertial)} has no <inertia>',
                         misspelling_hint(inertial, _TAG, 'inertia'))


@rule('inertia-attr-missing', ERROR, hint='Write all six; those off the diagonal are often 0',
      consumers=_DROPS)
def inertia_attr_missing(description: Description) -> Iterator[Defect]:
    """Check that every inertia has its six numbers."""
    for inertial in _inertials(description):
        inertia = child(inertial, 'inertia')
        if inertia is None:
            continue
        missing = [name for name in INERTIA if name not in inertia.attrib]
        if missing:
            yield Defect(inertia, f'The {describe(inertia)} has no {", ".join(missing)}',
                         misspelling_hint(inertia, _TAG.children['inertia'], missing[0]))


@rule('mass-negative', ERROR, hint='Write the mass in kg', consumers=_IMPOSSIBLE)
def mass_negative(description: Description) -> Iterator[Defect]:
    """Check that no mass is negative."""
    for inertial in _inertials(description):
        mass = child(inertial, 'mass')
        value = description.number(mass, 'value')
        if value is not None and value < 0:
            yield Defect(mass, f'The {describe(mass)} is negative ({value:g})')


@rule('mass-zero', WARN, hint='Write the mass, or remove the <inertial> of a mere frame',
      consumers={
          'gazebo': 'drops the link, unless a fixed joint makes it part of another',
          'mujoco': 'refuses a moving body without mass', 'pybullet': 'fixes the link in place'})
def mass_zero(description: Description) -> Iterator[Defect]:
    """
    Check that a link has a mass if it has an inertia or a joint moves it.

    A frame on a fixed joint may say that it has neither.
    """
    for body in description.cached(_bodies):
        if body.mass == 0 and (np.any(body.matrix) or _is_moved(description, body.link)):
            why = 'but an inertia' if np.any(body.matrix) else 'but a joint moves it'
            yield Defect(child(body.inertial.element, 'mass'),
                         f'Link {body.link!r} has no mass, {why}')


def _fault(inertial: Inertial) -> tuple[str, str] | None:
    """Return the rule that an inertia breaks first, and how, or None where it can be."""
    if inertial.mass <= 0 or not np.any(np.abs(inertial.matrix) >= NEGLIGIBLE):
        return None
    xx, xy, xz, yy, yz, zz = (getattr(inertial, name) for name in INERTIA)
    diagonal = {'ixx': xx, 'iyy': yy, 'izz': zz}
    wrong = [f'{name} is {value:g}' for name, value in diagonal.items() if value <= 0]
    if wrong:
        return 'inertia-diagonal-not-positive', ', '.join(wrong)
    for name, product, across in (('iyz', yz, 'ixx'), ('ixz', xz, 'iyy'), ('ixy', xy, 'izz')):
        if 2 * abs(product) > diagonal[across] + TOLERANCE * max(diagonal.values()):
            return ('inertia-offdiag-too-large',
                    f'twice the size of {name} ({product:g}) is more than {across} '
                    f'({diagonal[across]:g})')
    body = SpatialInertia.from_inertial(inertial)
    consistency = body.consistency()
    if consistency:
        return None
    moments = body.principal().moments
    shown = ', '.join(f'{moment:.4g}' for moment in moments)
    if consistency.verdict is Verdict.MOMENT and moments[0] < -TOLERANCE * moments[2]:
        return 'inertia-not-pd', f'one of its principal moments {shown} is negative'
    if consistency.verdict is Verdict.TRIANGLE:
        return 'inertia-triangle', (
            f'of its principal moments {shown} the two smaller ones add up to less than the '
            f'largest')
    return None


def _slip(inertial: Inertial) -> str:
    """Return what looks like numbers copied in another order, or an empty string."""
    moments = {'ixx': inertial.ixx, 'iyy': inertial.iyy, 'izz': inertial.izz}
    products = {'ixy': inertial.ixy, 'ixz': inertial.ixz, 'iyz': inertial.iyz}
    same = [f'{product} equals {moment}' for product, value in products.items() if value
            for moment, other in moments.items() if value == other]
    return ' and '.join(same[:2])


def _faults(description, code):
    for body in description.cached(_bodies):
        if body.fault and body.fault[0] == code:
            yield Defect(
                body.inertia, f'The {describe(body.inertia)} cannot be: {body.fault[1]}',
                f'{body.slip}: were the six numbers copied in another order?' if body.slip else '')


@rule('inertia-diagonal-not-positive', ERROR, hint='Write the moments of inertia of the body',
      consumers=_IMPOSSIBLE)
def inertia_diagonal_not_positive(description: Description) -> Iterator[Defect]:
    """Check that ixx, iyy and izz are positive, as those of everything with a size are."""
    yield from _faults(description, 'inertia-diagonal-not-positive')


@rule('inertia-offdiag-too-large', ERROR,
      hint='Check the order of the numbers, their units, and the signs of the products',
      consumers=_IMPOSSIBLE)
def inertia_offdiag_too_large(description: Description) -> Iterator[Defect]:
    """
    Check that no product of inertia is more than half the moment about the axis across.

    Of every body, whatever its shape, 2 |iyz| is at most ixx, 2 |ixz| at most iyy and 2 |ixy| at
    most izz.
    """
    yield from _faults(description, 'inertia-offdiag-too-large')


@rule('inertia-not-pd', ERROR,
      hint='Check the order of the numbers, their units, and the signs of the products',
      consumers=_IMPOSSIBLE)
def inertia_not_pd(description: Description) -> Iterator[Defect]:
    """Check that every inertia is positive definite."""
    yield from _faults(description, 'inertia-not-pd')


@rule('inertia-triangle', ERROR, hint='Compute the inertia from the shape and the mass',
      consumers=_IMPOSSIBLE)
def inertia_triangle(description: Description) -> Iterator[Defect]:
    """
    Check that no principal moment is more than the other two together.

    No distribution of mass can have such an inertia. A millionth of the largest moment is
    tolerated, since descriptions are printed with few digits.
    """
    yield from _faults(description, 'inertia-triangle')


@rule('inertia-zero', WARN, hint='Write the inertia of the body, if only that of a small sphere',
      consumers={'mujoco': 'refuses a moving body without inertia',
                 'gazebo': 'takes a value of its own', 'pybullet': 'turns it without resistance'})
def inertia_zero(description: Description) -> Iterator[Defect]:
    """Check that what has a mass has an inertia; a point mass is no body."""
    for body in description.cached(_bodies):
        if not body.is_frame and not np.any(body.matrix):
            yield Defect(body.inertia, f'The {describe(body.inertia)} is zero, but there is a '
                                       f'mass of {body.mass:g} kg')


@rule('inertia-near-zero', WARN, hint='Check the units: kg m^2, not kg mm^2 or g mm^2',
      consumers={'mujoco': 'gets unstable', 'gazebo': 'gets unstable'})
def inertia_near_zero(description: Description) -> Iterator[Defect]:
    """Check that the inertia is not that of a body smaller than a tenth of a millimetre."""
    for body in description.cached(_bodies):
        largest = np.abs(body.matrix).max()
        if not body.is_frame and 0 < largest < body.mass * _SMALLEST_GYRATION**2:
            size = math.sqrt(largest / body.mass)
            yield Defect(body.inertia, f'The {describe(body.inertia)} is that of {body.mass:g} kg '
                                       f'within {size * 1e3:.2g} mm')


@rule('inertia-transcription', WARN,
      hint='The order is ixx ixy ixz iyy iyz izz; products are smaller than moments')
def inertia_transcription(description: Description) -> Iterator[Defect]:
    """Check that no product of inertia is the same number as a moment, as in a slip of copying."""
    for body in description.cached(_bodies):
        if body.slip and not body.fault:
            yield Defect(body.inertia, f'In the {describe(body.inertia)} {body.slip}')


def _placeholders(description: Description) -> dict[str, tuple[list[_Body], str]]:
    """Return links of one and the same inertia, and why that is suspect, by the first of them."""
    alike = {}
    for body in description.cached(_bodies):
        if np.any(body.matrix):
            alike.setdefault(body.matrix.tobytes(), []).append(body)
    found = {}
    for bodies in alike.values():
        matrix = bodies[0].matrix
        moment = matrix[0, 0]
        if moment in _PLACEHOLDERS and np.array_equal(matrix, moment * np.eye(3)):
            found[bodies[0].link] = bodies, f'is {moment:g} about every axis, as a placeholder is'
        elif len({body.mass for body in bodies}) >= 3:
            found[bodies[0].link] = bodies, 'is the same, whatever their masses'
    return found


@rule('inertia-placeholder', WARN, hint='Compute it from the shape and the mass', consumers={
    'gazebo': 'simulates another robot', 'mujoco': 'simulates another robot'})
def inertia_placeholder(description: Description) -> Iterator[Defect]:
    """
    Check that no inertia was written to have just any.

    The unit matrix, all moments 0.001 and the like; or the same numbers on links of three or
    more different masses.
    """
    for bodies, why in description.cached(_placeholders).values():
        often = f' and {len(bodies) - 1} more' if len(bodies) > 1 else ''
        yield Defect(bodies[0].inertia, f'The {describe(bodies[0].inertia)}{often} {why}')


def _comparable(description: Description) -> list[tuple[_Body, SpatialInertia]]:
    """Return the links that can be, each with what its shapes would give it with its mass."""
    placeholders = {body.link for bodies, _ in description.cached(_placeholders).values()
                    for body in bodies}
    found = []
    for body in description.cached(_bodies):
        if body.is_frame or body.fault or body.link in placeholders:
            continue
        try:
            shapes = shape_inertia(
                link_shapes(description.records[body.link]), description.resolve)
        except ShapeError:
            continue
        expected = shapes.inertia.with_mass(body.mass)
        if expected.consistency():
            found.append((body, expected))
    return found


@rule('inertia-vs-geometry', WARN, hint='Check the units: kg m^2, not g mm^2; kg, not g',
      consumers={'gazebo': 'simulates another robot', 'mujoco': 'simulates another robot'})
def inertia_vs_geometry(description: Description) -> Iterator[Defect]:
    """
    Check the inertia of a link against that of its shapes, solid and of the same mass.

    Ten times more or less about the stiffest axis is suspect: often a matter of units. Shapes
    are collisions, or visuals where there are none; meshes count where assets are looked at.
    """
    for body, expected in description.cached(_comparable):
        own = np.linalg.eigvalsh(body.matrix)[2]
        ratio = own / np.linalg.eigvalsh(expected.rotational)[2]
        if ratio and not 0.1 < ratio < 10:
            times = f'{ratio:.3g} times' if ratio > 1 else f'1/{1 / ratio:.3g} of'
            yield Defect(body.inertia, f'The {describe(body.inertia)} is {times} that of its '
                                       f'shapes with its mass')


@rule('com-outside-geometry', WARN, hint='Check the xyz of the <origin> of the <inertial>',
      consumers={'gazebo': 'simulates another robot', 'mujoco': 'simulates another robot'})
def com_outside_geometry(description: Description) -> Iterator[Defect]:
    """
    Check that the centre of mass lies where the shapes of the link are.

    The box around them is taken half as large again, and a centimetre more. Meshes count where
    assets are looked at.
    """
    for body in description.cached(_bodies):
        box = _bounding_box(description, description.records[body.link])
        if box is None or body.is_frame:
            continue
        low, high = box
        com = np.array(body.inertial.origin.xyz)
        slack = 0.25 * (high - low) + 0.01
        if np.any(com < low - slack) or np.any(com > high + slack):
            origin = child(body.inertial.element, 'origin')
            yield Defect(
                body.inertial.element if origin is None else origin,
                f'The centre of mass of link {body.link!r} is far outside its shapes')


def _bounding_box(description: Description, link: Link) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the corners of the box around the shapes of a link, None where one is not known."""
    lows, highs = [], []
    for shape in link_shapes(link):
        extent = _extent(description, shape.geometry)
        if extent is None:
            return None
        low, high = extent
        middle = shape.origin.rotation @ (low + high) / 2 + shape.origin.xyz
        reach = np.abs(shape.origin.rotation) @ (high - low) / 2
        lows.append(middle - reach)
        highs.append(middle + reach)
    return (np.min(lows, axis=0), np.max(highs, axis=0)) if lows else None


def _extent(description, geometry):
    """Return the corners of the box around a shape in its own frame, None for a mesh unseen."""
    if isinstance(geometry, Mesh):
        try:
            facts = mesh_facts(description.resolve(geometry.filename))
        except (ResourceError, MeshError):
            return None
        corners = np.array([facts.low, facts.high]) * geometry.scale
        return corners.min(axis=0), corners.max(axis=0)
    half = _half_extent(geometry)
    return -half, half


def _half_extent(primitive: Primitive) -> np.ndarray:
    """Return half the size of a primitive along x, y and z."""
    if isinstance(primitive, Box):
        return np.array(primitive.size) / 2
    radius = primitive.radius
    if isinstance(primitive, Sphere):
        return np.full(3, radius)
    ends = radius if isinstance(primitive, Capsule) else 0.0
    return np.array([radius, radius, primitive.length / 2 + ends])


@rule('inertia-about-origin-suspect', INFO,
      hint='Write the inertia about the centre of mass: subtract the mass times its distance '
           'squared')
def inertia_about_origin_suspect(description: Description) -> Iterator[Defect]:
    """
    Check that the inertia is about the centre of mass, not about the origin of the link.

    It is suspect where it is more than twice that of the shapes as it stands, and right within a
    third once it is moved to the centre of mass.
    """
    for body, expected in description.cached(_comparable):
        given = np.trace(body.matrix)
        com = body.inertial.origin.xyz
        moved = (given - 2 * body.mass * np.dot(com, com)) / np.trace(expected.rotational)
        if given > 2 * np.trace(expected.rotational) and 2 / 3 < moved < 3 / 2:
            yield Defect(body.inertia, f'The {describe(body.inertia)} looks as if it were about '
                                       f'the origin of the link')


@rule('mass-ratio-extreme', INFO, hint='Join small parts to large ones with fixed joints',
      consumers={'gazebo': 'gets unstable', 'pybullet': 'gets unstable'})
def mass_ratio_extreme(description: Description) -> Iterator[Defect]:
    """Check that no joint carries a thousand times the mass of what it stands on."""
    masses = description.cached(FixedJointLumping).masses
    for joint in description.joints:
        parent, link = attached_link(joint, 'parent'), attached_link(joint, 'child')
        if (joint.get('type') != 'fixed' and masses.get(link, 0) > 0
                and 0 < _LARGEST_RATIO * masses.get(parent, 0) < masses[link]):
            yield Defect(joint, f'{subject(joint)} moves {masses[link]:g} kg on a link '
                                f'of {masses[parent]:g} kg')


@rule('total-mass-implausible', INFO, hint='Check the units: masses are in kg')
def total_mass_implausible(description: Description) -> Iterator[Defect]:
    """Check that the robot weighs between ten grams and a ton."""
    total = sum(inertial.mass for inertial in description.inertials.values())
    if total > 0 and not _PLAUSIBLE_MASS[0] <= total <= _PLAUSIBLE_MASS[1]:
        yield Defect(description.robot, f'The robot has a mass of {total:g} kg')


@rule('world-link-has-inertia', WARN, hint='Remove the <inertial>', consumers={
    'drake': 'ignores it', 'gazebo': 'ignores it'})
def world_link_has_inertia(description: Description) -> Iterator[Defect]:
    """Check that a link called world, which stands for the world itself, has no inertia."""
    inertial = child(description.link_names.get('world'), 'inertial')
    if inertial is not None:
        yield Defect(inertial, "Link 'world' has an inertia, but stands for the world itself")
