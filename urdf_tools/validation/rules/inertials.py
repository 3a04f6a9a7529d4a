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

from urdf_tools.findings.finding import Severity
from urdf_tools.validation.bodies import inertial_elements
from urdf_tools.validation.bodies import moving_joint
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.loaded_robot import in_gazebo
from urdf_tools.validation.loaded_robot import masses_in_gazebo
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import INERTIA
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('inertia')

_INERTIAL = ROBOT.descendant('link', 'inertial')

_NO_INERTIA = {
    'urdfdom': 'drops the inertial and the rest of the link', 'mujoco': 'refuses the description',
    'drake': 'puts values of its own in its place', 'pybullet': 'refuses the description'}

_NO_MASS = {**_NO_INERTIA, 'urdf_parser_py': 'refuses the whole description'}

_NO_ENTRY = {name: effect for name, effect in _NO_MASS.items() if name != 'pybullet'}


@rule('inertial-missing', WARN, hint='Write an <inertial> with the mass and inertia of the link',
      consumers={
          'gazebo': 'drops the link and all its descendants',
          'mujoco': 'refuses a moving body without mass and collision',
          'pybullet': 'assumes a mass of 1 kg', 'idyntree': 'treats the link as massless'})
def inertial_missing(description: Description) -> Iterator[Defect]:
    """
    Check that every link with a visual or collision, or moved by a joint, has an <inertial>.

    Other links are plain frames and need none. Links that are attached by fixed joints count as
    one body: if that has a mass, a link with a shape is only noted, as it is where
    sdf-dropped-link or this rule reports the body. A robot without any <inertial> is assumed to
    be for visualization and planning only, and is reported once.
    """
    shaped = {name for name, link in description.link_names.items()
              if child(link, 'visual') is not None or child(link, 'collision') is not None}
    links = [link for name, link in description.link_names.items() if name != 'world' and (
        name in shaped or moving_joint(description, name) is not None)]
    conversion = in_gazebo(description)
    if conversion is None:
        return
    body_of = conversion.model.end_name
    collided = {body_of(name) for name, link in description.link_names.items()
                if child(link, 'collision') is not None}

    def affected(*bodies: str) -> tuple[str, ...] | None:
        is_simulated = any(moving_joint(description, body) is not None and body not in collided
                           for body in bodies)
        return None if is_simulated else ('gazebo', 'pybullet', 'idyntree')

    bodies = [body_of(link.get('name', '')) for link in links]
    if links and all(child(link, 'inertial') is None for link in description.links):
        yield Defect(
            links[0], f'No link has an <inertial>; the first to need one is {describe(links[0])}',
            'Write an <inertial> for each link if the robot is to be simulated',
            consumers=affected(*bodies))
        return
    masses = masses_in_gazebo(description)
    without_mass = {body for body in bodies if body != 'world' and masses[body] <= 0}
    needing = {link.get('name', '') for link in links}
    for link, body in zip(links, bodies, strict=True):
        name = link.get('name', '')
        if child(link, 'inertial') is not None:
            continue
        if body not in without_mass:
            if name in shaped:
                yield Defect(
                    link, f'{subject(link)} has no <inertial>',
                    'Write one for PyBullet; for other programs the links that fixed joints '
                    'connect it with have the mass', INFO, consumers=('pybullet',))
        elif name == body or body not in needing:
            yield Defect(link, f'{subject(link)} has no <inertial>',
                         severity=None if name == body else INFO, consumers=affected(body))


@rule('mass-missing', ERROR, hint='Write <mass value="..."/>, in kg', consumers=_NO_MASS)
def mass_missing(description: Description) -> Iterator[Defect]:
    """Check that every <inertial> has a mass."""
    for inertial in inertial_elements(description):
        mass = child(inertial, 'mass')
        if mass is None:
            yield Defect(inertial, f'The {describe(inertial)} has no <mass>',
                         misspelling_hint(inertial, _INERTIAL, 'mass'))
        elif mass.get('value') is None:
            yield Defect(mass, f'The {describe(mass)} has no value',
                         misspelling_hint(mass, _INERTIAL.descendant('mass'), 'value'))


@rule('inertia-missing', ERROR,
      hint='Write <inertia ixx="..." ixy="..." ixz="..." iyy="..." iyz="..." izz="..."/>, in '
           'kg m^2', consumers=_NO_INERTIA)
def inertia_missing(description: Description) -> Iterator[Defect]:
    """Check that every <inertial> has an inertia."""
    for inertial in inertial_elements(description):
        if child(inertial, 'inertia') is None:
            yield Defect(inertial, f'The {describe(inertial)} has no <inertia>',
                         misspelling_hint(inertial, _INERTIAL, 'inertia'))


@rule('inertia-attr-missing', ERROR,
      hint='Write all six entries; the products ixy, ixz and iyz are often 0', consumers=_NO_ENTRY)
def inertia_attr_missing(description: Description) -> Iterator[Defect]:
    """Check that every <inertia> has all six entries."""
    for inertial in inertial_elements(description):
        inertia = child(inertial, 'inertia')
        if inertia is None:
            continue
        missing = [name for name in INERTIA if name not in inertia.attrib]
        if missing:
            yield Defect(inertia, f'The {describe(inertia)} has no {", ".join(missing)}',
                         misspelling_hint(inertia, _INERTIAL.descendant('inertia'), missing[0]))


@rule('world-link-has-inertia', WARN, hint='Remove the <inertial>', consumers={
    'drake': 'warns, and ignores it', 'gazebo': 'ignores it'})
def world_link_has_inertia(description: Description) -> Iterator[Defect]:
    """Check that a link named world, which represents the fixed world, has no <inertial>."""
    inertial = child(description.link_names.get('world'), 'inertial')
    if inertial is not None:
        yield Defect(inertial, "Link 'world' has an <inertial>, but represents the fixed world")
