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

"""Rules about masses and inertias that no rigid body can have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
import decimal

from urdf_tools.findings.finding import Severity
from urdf_tools.inertia import SpatialInertia
from urdf_tools.validation.bodies import bodies
from urdf_tools.validation.bodies import Body
from urdf_tools.validation.bodies import inertial_elements
from urdf_tools.validation.bodies import moving_joint
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.loaded_robot import in_gazebo
from urdf_tools.validation.loaded_robot import masses_in_gazebo
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import INERTIA
from urdf_tools.validation.wording import describe

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('inertia')

_INCONSISTENT = {
    'drake': 'warns and substitutes an inertia of its own', 'mujoco': 'refuses the description',
    'gazebo': 'refuses the model, unless lumping makes the inertia consistent',
    'pybullet': 'sets the inertia to zero if it is told to use that of the file',
    'idyntree': 'refuses the model for parameter estimation'}

_COMPUTE = 'Compute the inertia from the mass and shapes of the link with urdf-tools inertia'

_MIN_DIGIT = 1e-6
"""Printed digits of this size in kg m^2 or below can be what makes an inertia inconsistent."""

_CHECK_ENTRIES = 'Check the order of the entries, their units and the signs of the products'


@rule('mass-negative', ERROR, hint='Write a positive mass in kg', consumers={
    'drake': 'warns and substitutes an inertia of its own', 'mujoco': 'refuses the description',
    'gazebo': 'drops the link', 'pybullet': 'simulates with the negative mass',
    'idyntree': 'refuses the model for parameter estimation'})
def mass_negative(description: Description) -> Iterator[Defect]:
    """Check that no mass is negative."""
    for inertial in inertial_elements(description):
        mass = child(inertial, 'mass')
        value = description.number(mass, 'value')
        if mass is not None and value is not None and value < 0:
            yield Defect(mass, f'The {describe(mass)} is negative ({value:g} kg)')


@rule('mass-zero', WARN, hint='Write the mass in kg, or remove the <inertial> of a plain frame',
      consumers={
          'gazebo': 'drops the link, unless a fixed joint lumps it into another link',
          'mujoco': 'refuses a moving body without mass'})
def mass_zero(description: Description) -> Iterator[Defect]:
    """
    Check that every link that has an inertia or is moved by a joint has a mass.

    A frame on a fixed joint may have zero mass and zero inertia, and a link that a joint moves
    may if a link that is attached to it has a mass.
    """
    masses = masses_in_gazebo(description)
    for body in description.cached(bodies):
        if body.mass != 0:
            continue
        joint = moving_joint(description, body.link.name)
        if body.largest:
            reason = 'its inertia is not zero'
        elif joint is not None and masses.get(body.link.name) == 0:
            reason = f'it is moved by {describe(joint)}'
        else:
            continue
        yield Defect(
            body.mass_element, f'The mass of link {body.link.name!r} is zero, but {reason}')


def _inconsistent_inertias(description: Description, code: str) -> Iterator[Defect]:
    for body in description.cached(bodies):
        if body.inconsistency is not None and body.inconsistency[0] == code:
            yield Defect(
                body.inertia_element,
                f'The {describe(body.inertia_element)} is physically inconsistent: '
                f'{body.inconsistency[1]}',
                body.repeated_entries and 'Check the order of the entries (ixx ixy ixz iyy iyz '
                                          f'izz), since {body.repeated_entries}'
                or _rounding_hint(body))


def _rounding_hint(body: Body) -> str:
    """Return a hint where half of the last digits printed would make an inertia consistent."""
    digits = [decimal.Decimal(text).as_tuple().exponent for name in INERTIA
              if (text := body.inertia_element.get(name, '').strip()) and float(text)]
    coarsest = 10.0 ** max((digit for digit in digits if isinstance(digit, int)), default=0)
    if coarsest > _MIN_DIGIT:
        return ''
    # A product may lose half a digit twice, and the moment that it is compared with once.
    rounded = replace(body.inertial, **{
        name: getattr(body.inertial, name) + 1.5 * coarsest for name in ('ixx', 'iyy', 'izz')})
    return ('Write the entries with more digits; they are so small that rounding makes them '
            'inconsistent' if SpatialInertia.from_inertial(rounded).consistency() else '')


@rule('inertia-diagonal-not-positive', ERROR, hint=_COMPUTE, consumers=_INCONSISTENT)
def inertia_diagonal_not_positive(description: Description) -> Iterator[Defect]:
    """Check that the moments of inertia ixx, iyy and izz are positive."""
    yield from _inconsistent_inertias(description, 'inertia-diagonal-not-positive')


@rule('inertia-offdiag-too-large', ERROR, hint=_CHECK_ENTRIES, consumers=_INCONSISTENT)
def inertia_offdiag_too_large(description: Description) -> Iterator[Defect]:
    """
    Check that no product of inertia exceeds half the moment about the third axis.

    For any distribution of mass, 2 |iyz| is at most ixx, 2 |ixz| at most iyy and 2 |ixy| at most
    izz.
    """
    yield from _inconsistent_inertias(description, 'inertia-offdiag-too-large')


@rule('inertia-not-pd', ERROR, hint=_CHECK_ENTRIES, consumers=_INCONSISTENT)
def inertia_not_pd(description: Description) -> Iterator[Defect]:
    """Check that every inertia matrix is positive definite."""
    yield from _inconsistent_inertias(description, 'inertia-not-pd')


@rule('inertia-triangle', ERROR, hint=_COMPUTE, consumers=_INCONSISTENT)
def inertia_triangle(description: Description) -> Iterator[Defect]:
    """
    Check that no principal moment of inertia exceeds the sum of the other two.

    No distribution of mass has such an inertia. A violation of up to 1e-5 of the largest moment
    is tolerated, because descriptions are printed with few digits.
    """
    yield from _inconsistent_inertias(description, 'inertia-triangle')


@rule('inertia-zero', WARN, hint='Write the inertia of the link, at least that of a small sphere',
      consumers={'mujoco': 'refuses a moving body without inertia'})
def inertia_zero(description: Description) -> Iterator[Defect]:
    """
    Check that every link with a mass has an inertia.

    Links that are attached by fixed joints count as one body. It is a warning if a joint moves
    that body and no link of it has an inertia, however small the mass; else a link of more than
    10 mg is noted.
    """
    conversion = in_gazebo(description)
    if conversion is None:
        return
    body_of = conversion.model.end_name
    with_inertia = {body_of(body.link.name) for body in description.cached(bodies)
                    if body.largest}
    for body in description.cached(bodies):
        name = body_of(body.link.name)
        if body.largest or body.mass <= 0:
            continue
        is_moved = moving_joint(description, name) is not None and name not in with_inertia
        if is_moved or not body.is_frame:
            yield Defect(
                body.inertia_element,
                f'The {describe(body.inertia_element)} is zero, but the mass is {body.mass:g} kg',
                severity=None if is_moved else INFO, consumers=None if is_moved else ())
