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

"""Rules about which links need an <inertial>, and what it must contain to be possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
import decimal
from functools import partial
import math

from urdf_tools.check.bodies import bodies
from urdf_tools.check.bodies import Body
from urdf_tools.check.bodies import markers
from urdf_tools.check.bodies import moving_joint
from urdf_tools.check.bodies import PRODUCTS
from urdf_tools.check.bodies import rigid_masses
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import rigid_bodies
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import row
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.mirror_images import inertia_of_twin
from urdf_tools.check.rules.plausibility import wrong_scale
from urdf_tools.check.schema import misspelling
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Fix
from urdf_tools.model.records import INERTIA
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('inertia')

_OF_LINK = {'affects': 'mass inertia attribute', 'subject': 'link'}
"""At the link, programs lack the mass, too."""


@rule('inertial-missing', WARN, affects='mass inertia link')
def inertial_missing(description: Description) -> Iterator[Defect]:
    """
    Check that every link with a visual or collision, or moved by a joint, has an <inertial>.

    Other links are plain frames and need none. A visual of at most 1 cm^3 only marks a frame; one
    that a joint moves is noted. Links that are attached by fixed joints count as one body: if
    that has a mass, a link with a shape is only noted, as it is where the first link of the body
    is not a frame, and this rule reports that one.

    Fails in a link: <visual><geometry><sphere radius="0.1"/></geometry></visual>
    Passes:
        <visual><geometry><sphere radius="0.1"/></geometry></visual>
        <inertial><mass value="1"/>
        <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>
    """
    body_of, masses = rigid_bodies(description), rigid_masses(description)
    shaped = {name for name, link in description.link_names.items() if name not in markers(
        description) and {'visual', 'collision'} & {each.tag for each in link}}
    needing = {name for name in description.link_names if name != 'world' and (
        name in shaped or moving_joint(description, name) is not None)}
    for name, link in description.link_names.items():
        first = body_of[name]
        if name not in needing or child(link, 'inertial') is not None:
            continue
        if first != 'world' and masses[name] <= 0:
            if name == first or first not in needing:
                yield Defect(
                    link, '{link} has no <inertial>',
                    severity=None if name == first and name not in markers(description) else INFO,
                    hint='' if description.inertials else
                    'Write an <inertial> for each link if the robot is to be simulated')
        elif name in shaped:
            yield Defect(link, '{link} has no <inertial>', severity=INFO, consequences=(),
                         hint='Write one for PyBullet; for other programs the links that fixed '
                         'joints connect it with have the mass')


@rule('mass-missing', ERROR, **_OF_LINK)
def mass_missing(description: Description) -> Iterator[Defect]:
    """
    Check that every <inertial> has a mass.

    Fails in the mass of an inertial: <mas value="1"/>
    Passes: <mass value="1"/>
    """
    for inertial in description.inertials:
        mass = inertial.find('mass')
        if mass is None:
            yield Defect(inertial, 'The {inertial} has no <mass>', **misspelling(inertial, 'mass'))
        elif 'value' not in mass.attrib:
            yield Defect(mass, 'The {mass} has no value', **misspelling(mass, 'value'))


@rule('inertia-attr-missing', ERROR, **_OF_LINK)
def inertia_attr_missing(description: Description) -> Iterator[Defect]:
    """
    Check that every <inertia> has all six entries.

    Fails in the inertia of 1 kg: <inertia ixx="0.02" iyy="0.02" izz="0.02"/>
    Passes: <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
    """
    for inertia in _parts(description, 'inertia'):
        if missing := [name for name in INERTIA if name not in inertia.attrib]:
            yield Defect(inertia, 'The {inertia} has no {entries}', entries=missing,
                         **misspelling(inertia, missing[0]))


def _parts(description: Description, tag: str) -> Iterator[Element]:
    """Yield the first child with a tag of each ``<inertial>``."""
    return (part for inertial in description.inertials for part in inertial.findall(tag)[:1])


_NO_ESTIMATION = refuses('idyntree', setting='for parameter estimation')

_OTHER_UNIT = 5e-4
"""Radius of gyration in mm below which an inertia is not one in kg mm^2 or g mm^2."""


@rule('mass-zero', WARN, affects='mass inertia link', subject='link')
def mass_zero(description: Description) -> Iterator[Defect]:
    """
    Check that every link that has an inertia or is moved by a joint has a mass.

    A frame on a fixed joint may have zero mass and zero inertia, and a link that a joint moves
    may if a link that is attached to it has a mass.

    Fails in the mass of an inertial: <mass value="0"/>
    Passes: <mass value="1"/>
    """
    masses = rigid_masses(description)
    for body in bodies(description):
        if body.mass != 0:
            continue
        joint = moving_joint(description, body.link.name)
        if body.largest:
            yield Defect(body.mass_element, 'The mass of {link} is zero, but its inertia is '
                         '{largest:g} kg m^2', largest=body.largest)
        elif joint is not None and masses[body.link.name] == 0:
            yield Defect(body.mass_element,
                         'The mass of {link} is zero, but it is moved by {joint}', joint=joint)


def _inconsistent(code: str, description: Description) -> Iterator[Defect]:
    """Yield the inertias that are inconsistent for the reason that a rule is about."""
    for body in bodies(description):
        if body.inconsistency is not None and body.inconsistency[0] == code:
            reason, repeated = body.inconsistency[1], body.repeated_entries
            numbers = {**reason.values, **({} if repeated is None else repeated.values)}
            hint = _signs_hint(body) or _rounding_hint(body) if repeated is None else (
                'Check the order of the entries (ixx ixy ixz iyy iyz izz), since '
                + repeated.template)
            yield Defect(body.inertia_element,
                         'The {inertia} is physically inconsistent: ' + reason.template,
                         **numbers, hint=hint, fix=_turned_products(body) if (
                             repeated is None and body.solids and body.turned) else ())


def _signs_hint(body: Body) -> str:
    """Return a hint where the other signs of the products make an inertia consistent."""
    return '' if body.turned is None else (
        'Turn the signs of ixy, ixz and iyz: CAD programs may write those of the products of '
        'inertia, and URDF those of the matrix'
        + (', with which the inertia fits the shapes of the link' if body.solids else ''))


def _turned_products(body: Body) -> Fix:
    """Return the fix that turns the signs of the products of inertia, as they are written."""
    element = body.inertia_element
    texts = {name: element.get(name, '').strip() for name in PRODUCTS}
    return tuple(
        SetAttribute(element, name, text[1:] if text[0] == '-' else '-' + text.lstrip('+'))
        for name, text in texts.items() if float(text))


def _rounding_hint(body: Body) -> str:
    """Return a hint where half of the last digits printed would make an inertia consistent."""
    digits = [decimal.Decimal(text).as_tuple().exponent for name in INERTIA
              if (text := body.inertia_element.get(name, '').strip()) and float(text)]
    coarsest = 10.0 ** max((digit for digit in digits if isinstance(digit, int)), default=0)
    if coarsest > 1e-6:
        return ''
    # A product may lose half a digit twice, and the moment that it is compared with once.
    rounded = replace(body.inertial, **{
        name: getattr(body.inertial, name) + 1.5 * coarsest for name in ('ixx', 'iyy', 'izz')})
    return ('Write the entries with more digits; they are so small that rounding makes them '
            'inconsistent' if SpatialInertia.from_inertial(rounded).consistency() else '')


for _code in ('inertia-diagonal-not-positive', 'inertia-offdiag-too-large', 'inertia-not-pd',
              'inertia-triangle'):
    row('inertia', _code, ERROR, partial(_inconsistent, _code), _NO_ESTIMATION,
        affects='inertia', subject='inertial')


@rule('inertia-zero', WARN, affects='inertia', subject='link')
def inertia_zero(description: Description) -> Iterator[Defect]:
    """
    Check that every link with a mass has an inertia.

    Links that are attached by fixed joints count as one body. It is a warning if a joint moves
    that body and no link of it has an inertia, however small the mass, or if its mirror image has
    one; else a link of more than 10 mg is noted.

    Fails in the inertial of a moving link:
        <mass value="1"/>
        <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>
    Passes with <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/>
    """
    first_of = rigid_bodies(description)
    with_inertia = {first_of[body.link.name] for body in bodies(description) if body.largest}
    for body in bodies(description):
        name = first_of[body.link.name]
        if body.largest or body.mass <= 0:
            continue
        is_moved = moving_joint(description, name) is not None and name not in with_inertia
        if is_moved or not body.is_frame:
            hint = inertia_of_twin(description, body)
            yield Defect(body.inertia_element,
                         'The {inertia} is zero, but the mass is {mass:g} kg', mass=body.mass,
                         severity=None if is_moved or hint.template else INFO,
                         hint=hint.template, **hint.values)


@rule('inertia-near-zero', WARN)
def inertia_near_zero(description: Description) -> Iterator[Defect]:
    """
    Check that no link has a radius of gyration of less than 0.1 mm.

    Fails in the inertia of 1 kg:
        <inertia ixx="2e-9" ixy="0" ixz="0" iyy="2e-9" iyz="0" izz="2e-9"/>
    Passes with <inertia ixx="2e-3" ixy="0" ixz="0" iyy="2e-3" iyz="0" izz="2e-3"/>
    """
    for body in bodies(description) if wrong_scale(description) is None else ():
        if body.is_point:
            hint = inertia_of_twin(description, body)
            radius = 1e3 * math.sqrt(body.largest / body.mass)
            yield Defect(
                body.inertia_element,
                'The {inertia} gives {mass:g} kg a radius of gyration of {millimetres:.2g} mm',
                mass=body.mass, millimetres=radius, hint=hint.template or (
                    '' if radius > _OTHER_UNIT else RULES['inertia-triangle'].fix), **hint.values)
