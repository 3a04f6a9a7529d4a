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

"""Rules about which links need an <inertial>, and what it must contain."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.check.bodies import inertial_parts
from urdf_tools.check.bodies import markers
from urdf_tools.check.bodies import moving_joint
from urdf_tools.check.bodies import rigid_masses
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.joints import rigid_bodies
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.schema import misspelling
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import refuses
from urdf_tools.model.records import INERTIA

rule = RULES.in_category('inertia')

_OF_LINK = {'affects': 'mass inertia attribute', 'subject': 'link'}
"""At the link, programs lack the mass, too."""


@rule('inertial-missing', WARN, changes('idyntree', of='link', how='treats the link as massless'),
      affects='mass inertia link', fix='Write an <inertial> with the mass and inertia of the link',
      source='run')
def inertial_missing(description: Description) -> Iterator[Defect]:
    """
    Check that every link with a visual or collision, or moved by a joint, has an <inertial>.

    Other links are plain frames and need none. A visual of at most 1 cm^3 only marks a frame; one
    that a joint moves is noted. Links that are attached by fixed joints count as one body: if
    that has a mass, a link with a shape is only noted, as it is where the first link of the body
    is no frame, and this rule reports that one.

    Fails in a link: <visual><geometry><sphere radius="0.1"/></geometry></visual>
    Passes:
        <visual><geometry><sphere radius="0.1"/></geometry></visual>
        <inertial><mass value="1"/>
        <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>
    """
    inertials = {name: child(link, 'inertial') for name, link in description.link_names.items()}
    is_for_show = not any(inertial is not None for inertial in inertials.values())
    body_of, masses = rigid_bodies(description), rigid_masses(description)
    shaped = {name for name, link in description.link_names.items() if name not in markers(
        description) and {'visual', 'collision'} & description.child_tags(link)}
    needing = {name for name in inertials if name != 'world' and (
        name in shaped or moving_joint(description, name) is not None)}
    for name, link in description.link_names.items():
        first = body_of[name]
        if name not in needing or inertials[name] is not None:
            continue
        if first != 'world' and masses[name] <= 0:
            if name == first or first not in needing:
                yield Defect(
                    link, '{link} has no <inertial>',
                    severity=None if name == first and name not in markers(description) else INFO,
                    hint='Write an <inertial> for each link if the robot is to be simulated'
                    if is_for_show else '')
        elif name in shaped:
            yield Defect(link, '{link} has no <inertial>', severity=INFO, consequences=(),
                         hint='Write one for PyBullet; for other programs the links that fixed '
                         'joints connect it with have the mass')


@rule('mass-missing', ERROR, refuses('urdf_parser_py'), **_OF_LINK,
      fix='Write <mass value="..."/>, in kg', source='run')
def mass_missing(description: Description) -> Iterator[Defect]:
    """
    Check that every <inertial> has a mass.

    Fails in an inertial: <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
    Passes:
        <mass value="1"/>
        <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
    """
    for inertial, mass in inertial_parts(description, 'mass'):
        if mass is None:
            yield Defect(inertial, 'The {inertial} has no <mass>', **misspelling(inertial, 'mass'))
        elif mass.get('value') is None:
            yield Defect(mass, 'The {mass} has no value', **misspelling(mass, 'value'))


@rule('inertia-missing', ERROR, **_OF_LINK,
      fix='Write <inertia ixx="..." ixy="..." ixz="..." iyy="..." iyz="..." izz="..."/>, in kg '
          'm^2')
def inertia_missing(description: Description) -> Iterator[Defect]:
    """
    Check that every <inertial> has an inertia.

    Fails in an inertial: <mass value="1"/>
    Passes:
        <mass value="1"/>
        <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
    """
    for inertial, inertia in inertial_parts(description, 'inertia'):
        if inertia is None:
            yield Defect(inertial, 'The {inertial} has no <inertia>',
                         **misspelling(inertial, 'inertia'))


@rule('inertia-attr-missing', ERROR, refuses('urdf_parser_py'), **_OF_LINK,
      fix='Write all six entries; the products ixy, ixz and iyz are often 0', source='run')
def inertia_attr_missing(description: Description) -> Iterator[Defect]:
    """
    Check that every <inertia> has all six entries.

    Fails in an inertial:
        <mass value="1"/>
        <inertia ixx="0.02" iyy="0.02" izz="0.02"/>
    Passes with <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
    """
    for _, inertia in inertial_parts(description, 'inertia'):
        if inertia is not None and (
                missing := [name for name in INERTIA if name not in inertia.attrib]):
            yield Defect(inertia, 'The {inertia} has no {entries}', entries=missing,
                         **misspelling(inertia, missing[0]))


@rule('world-link-has-inertia', WARN, affects='any', fix='Remove the <inertial>')
def world_link_has_inertia(description: Description) -> Iterator[Defect]:
    """
    Check that a link named world, which represents the fixed world, has no <inertial>.

    Fails in a robot:
        <link name="world"><inertial><mass value="1"/>
        <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
    Passes: <link name="world"/>
    """
    inertial = child(description.link_names.get('world'), 'inertial')
    if inertial is not None:
        yield Defect(inertial, "Link 'world' has an <inertial>, but represents the fixed world")
