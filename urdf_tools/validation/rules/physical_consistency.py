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
from collections.abc import Mapping
from dataclasses import replace
import decimal

from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Name
from urdf_tools.inertia import SpatialInertia
from urdf_tools.inertia import Verdict
from urdf_tools.inertia.spatial import consistency
from urdf_tools.programs.gazebo.refusals import Fault
from urdf_tools.validation.bodies import bodies
from urdf_tools.validation.bodies import Body
from urdf_tools.validation.bodies import inertial_elements
from urdf_tools.validation.bodies import moving_joint
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.loaded_robot import DROPPED_BY_GAZEBO
from urdf_tools.validation.loaded_robot import gazebo_refuses
from urdf_tools.validation.loaded_robot import in_gazebo
from urdf_tools.validation.loaded_robot import LACKS_INERTIA
from urdf_tools.validation.loaded_robot import LACKS_MASS
from urdf_tools.validation.loaded_robot import masses_in_gazebo
from urdf_tools.validation.loaded_robot import NEEDED_BY_GAZEBO
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import RULES
from urdf_tools.validation.schema import INERTIA

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = RULES.in_category('inertia')

_COMPUTE = 'Compute the inertia from the mass and shapes of the link with urdf-tools inertia'

_MIN_DIGIT = 1e-6
"""Printed digits of this size in kg m^2 or below can be what makes an inertia inconsistent."""

_CHECK_ENTRIES = 'Check the order of the entries, their units and the signs of the products'

_ROUNDING = 1e-12
"""Error of principal moments, as a share of the largest one."""


def _link_of(defect: Defect) -> str:
    """Return the name of the link of a mass or inertia."""
    inertial = defect.element.parent
    link = None if inertial is None else inertial.parent
    return '' if link is None else link.get('name', '')


def _is_world(defect: Defect) -> bool:
    return _link_of(defect) == 'world'


def _bodies_by_link(description: Description) -> Mapping[str, Body]:
    return {body.link.name: body for body in description.cached(bodies)}


def _is_impossible(margin: float) -> bool:
    """Return whether no body has an inertia of this margin, not even a rod without thickness."""
    return not margin >= -_ROUNDING


def _is_own_impossible(description: Description, defect: Defect) -> bool:
    body = description.cached(_bodies_by_link)[_link_of(defect)]
    return _is_impossible(consistency(body.mass, body.moments).margin)


def _is_inertia_inconsistent(description: Description, defect: Defect) -> bool:
    """Return whether the inertia of a link without mass would be inconsistent with one, too."""
    body = description.cached(_bodies_by_link).get(_link_of(defect))
    return body is not None and not _is_world(defect) and (
        consistency(1.0, body.moments).verdict in (Verdict.MOMENT, Verdict.TRIANGLE))


_NO_MASS = (
    *refuses('mujoco', when=LACKS_MASS),
    *refuses('mujoco', when=Condition(
        'if the inertia is inconsistent, too', _is_inertia_inconsistent)),
    *drops('gazebo', of='link', when=DROPPED_BY_GAZEBO),
    *refuses('gazebo', when=NEEDED_BY_GAZEBO))

_NO_ESTIMATION = refuses('idyntree', setting='for parameter estimation')
_SUBSTITUTED = 'substitutes an inertia of its own'

_INCONSISTENT = (
    *refuses('mujoco', when=Condition(
        'unless the link is "world"', lambda description, defect: not _is_world(defect))),
    *changes('drake', of='inertia', how=_SUBSTITUTED, when=Condition(
        'unless it is that of a thin rod or of "world"', lambda description, defect: (
            not _is_world(defect) and _is_own_impossible(description, defect)))),
    *refuses('gazebo', when=gazebo_refuses(
        Fault.INERTIA, 'unless lumping makes it consistent')),
    *changes('pybullet', of='inertia', how='sets the inertia to zero',
             when=Condition('unless it is that of a thin rod', _is_own_impossible),
             setting='if told to use that of the file'),
    *_NO_ESTIMATION)
_EVIDENCE_OF_INCONSISTENT = (
    'run; sdformat `Link.cc:306`; gz-sim `UserCommands.cc:931`; bullet '
    '`BulletUrdfImporter.cpp:460`, with `URDF_USE_INERTIA_FROM_FILE`')


@rule('mass-negative', ERROR, _NO_MASS, changes('drake', of='inertia', how=_SUBSTITUTED),
      changes('pybullet', of='link', how='simulates with the negative mass'), _NO_ESTIMATION,
      hint='Write a positive mass in kg', evidence='run; sdformat `parser_urdf.cc:2673`')
def mass_negative(description: Description) -> Iterator[Defect]:
    """Check that no mass is negative."""
    for inertial in inertial_elements(description):
        mass = child(inertial, 'mass')
        value = description.number(mass, 'value')
        if mass is not None and value is not None and value < 0:
            yield Defect(mass, 'The {mass} is negative ({value:g} kg)', mass=mass, value=value)


@rule('mass-zero', WARN, _NO_MASS,
      hint='Write the mass in kg, or remove the <inertial> of a plain frame',
      evidence='run; mujoco `user_model.cc:5112`')
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
            yield Defect(
                body.mass_element, 'The mass of link {link} is zero, but its inertia is not zero',
                link=Name(body.link.name))
        elif joint is not None and masses.get(body.link.name) == 0:
            yield Defect(
                body.mass_element, 'The mass of link {link} is zero, but it is moved by {joint}',
                link=Name(body.link.name), joint=joint)


def _inconsistent_inertias(description: Description, code: str) -> Iterator[Defect]:
    for body in description.cached(bodies):
        if body.inconsistency is not None and body.inconsistency[0] == code:
            reason, repeated = body.inconsistency[1], body.repeated_entries
            numbers = reason.numbers | ({} if repeated is None else repeated.numbers)
            yield Defect(
                body.inertia_element,
                f'The {{inertia}} is physically inconsistent: {reason.template}',
                inertia=body.inertia_element, **numbers,
                hint=_rounding_hint(body) if repeated is None else (
                    'Check the order of the entries (ixx ixy ixz iyy iyz izz), since '
                    + repeated.template))


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


@rule('inertia-diagonal-not-positive', ERROR, _INCONSISTENT, hint=_COMPUTE,
      evidence=_EVIDENCE_OF_INCONSISTENT)
def inertia_diagonal_not_positive(description: Description) -> Iterator[Defect]:
    """Check that the moments of inertia ixx, iyy and izz are positive."""
    yield from _inconsistent_inertias(description, 'inertia-diagonal-not-positive')


@rule('inertia-offdiag-too-large', ERROR, _INCONSISTENT, hint=_CHECK_ENTRIES,
      evidence=_EVIDENCE_OF_INCONSISTENT)
def inertia_offdiag_too_large(description: Description) -> Iterator[Defect]:
    """
    Check that no product of inertia exceeds half the moment about the third axis.

    For any distribution of mass, 2 |iyz| is at most ixx, 2 |ixz| at most iyy and 2 |ixy| at most
    izz.
    """
    yield from _inconsistent_inertias(description, 'inertia-offdiag-too-large')


@rule('inertia-not-pd', ERROR, _INCONSISTENT, hint=_CHECK_ENTRIES,
      evidence=_EVIDENCE_OF_INCONSISTENT)
def inertia_not_pd(description: Description) -> Iterator[Defect]:
    """Check that every inertia matrix is positive definite."""
    yield from _inconsistent_inertias(description, 'inertia-not-pd')


@rule('inertia-triangle', ERROR, _INCONSISTENT, hint=_COMPUTE,
      evidence=_EVIDENCE_OF_INCONSISTENT)
def inertia_triangle(description: Description) -> Iterator[Defect]:
    """
    Check that no principal moment of inertia exceeds the sum of the other two.

    No distribution of mass has such an inertia. A violation of up to 1e-5 of the largest moment
    is tolerated, because descriptions are printed with few digits.
    """
    yield from _inconsistent_inertias(description, 'inertia-triangle')


@rule('inertia-zero', WARN, refuses('mujoco', when=LACKS_INERTIA),
      hint='Write the inertia of the link, at least that of a small sphere',
      evidence='run; mujoco `user_model.cc:5112`')
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
                'The {inertia} is zero, but the mass is {mass:g} kg', inertia=body.inertia_element,
                mass=body.mass, severity=None if is_moved else INFO)
