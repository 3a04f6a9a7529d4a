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

from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Severity
from urdf_tools.validation.bodies import inertial_elements
from urdf_tools.validation.bodies import moving_joint
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.loaded_robot import in_gazebo
from urdf_tools.validation.loaded_robot import LACKS_MASS
from urdf_tools.validation.loaded_robot import masses_in_gazebo
from urdf_tools.validation.loaded_robot import massless_in_mujoco
from urdf_tools.validation.loaded_robot import NEEDED_BY_GAZEBO
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import RULES
from urdf_tools.validation.schema import INERTIA
from urdf_tools.validation.schema import misspelling
from urdf_tools.validation.schema import ROBOT

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = RULES.in_category('inertia')

_INERTIAL = ROBOT.descendant('link', 'inertial')

_NO_INERTIA = (
    *drops('urdfdom', of='inertia', how='drops the inertial and the rest of the link'),
    *refuses('mujoco'),
    *changes('drake', of='inertia', how='puts values of its own in its place'))


def _is_without_inertials(description: Description) -> bool:
    return all(child(link, 'inertial') is None for link in description.links)


def _lacks_mass(description: Description, defect: Defect) -> bool:
    """Return whether MuJoCo finds no mass for the body of a link, or for any if all lack one."""
    if not description.cached(_is_without_inertials):
        return LACKS_MASS.holds(description, defect)
    return bool(massless_in_mujoco(description))


@rule('inertial-missing', WARN,
      drops('gazebo', of='link', how='drops the link and all its descendants'),
      refuses('gazebo', when=NEEDED_BY_GAZEBO),
      refuses('mujoco', when=Condition(LACKS_MASS.text, _lacks_mass)),
      changes('pybullet', of='link', how='assumes a mass of 1 kg'),
      changes('idyntree', of='link', how='treats the link as massless'),
      hint='Write an <inertial> with the mass and inertia of the link',
      evidence='run; mujoco `xml_urdf.cc:261`, `user_model.cc:5112`: with a collision it takes '
               '1000 kg/m^3')
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
    bodies = [conversion.model.end_name(link.get('name', '')) for link in links]
    lacks_all: bool = description.cached(_is_without_inertials)
    if links and lacks_all:
        yield Defect(
            links[0], 'No link has an <inertial>; the first to need one is {link}', link=links[0],
            hint='Write an <inertial> for each link if the robot is to be simulated')
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
                    link, '{link} has no <inertial>', link=link, severity=INFO,
                    hint='Write one for PyBullet; for other programs the links that fixed joints '
                         'connect it with have the mass', programs=('pybullet',))
        elif name == body or body not in needing:
            yield Defect(link, '{link} has no <inertial>', link=link,
                         severity=None if name == body else INFO)


@rule('mass-missing', ERROR, _NO_INERTIA, refuses('pybullet', 'urdf_parser_py'),
      hint='Write <mass value="..."/>, in kg', evidence='run')
def mass_missing(description: Description) -> Iterator[Defect]:
    """Check that every <inertial> has a mass."""
    for inertial in inertial_elements(description):
        mass = child(inertial, 'mass')
        if mass is None:
            yield Defect(inertial, 'The {inertial} has no <mass>', inertial=inertial,
                         **misspelling(inertial, _INERTIAL, 'mass'))
        elif mass.get('value') is None:
            yield Defect(mass, 'The {mass} has no value', mass=mass,
                         **misspelling(mass, _INERTIAL.descendant('mass'), 'value'))


@rule('inertia-missing', ERROR, _NO_INERTIA, refuses('pybullet'),
      hint='Write <inertia ixx="..." ixy="..." ixz="..." iyy="..." iyz="..." izz="..."/>, in '
           'kg m^2', evidence='run')
def inertia_missing(description: Description) -> Iterator[Defect]:
    """Check that every <inertial> has an inertia."""
    for inertial in inertial_elements(description):
        if child(inertial, 'inertia') is None:
            yield Defect(inertial, 'The {inertial} has no <inertia>', inertial=inertial,
                         **misspelling(inertial, _INERTIAL, 'inertia'))


@rule('inertia-attr-missing', ERROR, _NO_INERTIA, refuses('urdf_parser_py'),
      refuses('pybullet', when=Condition('if a moment is missing', lambda description, defect: (
          not {'ixx', 'iyy', 'izz'} <= defect.element.attrib.keys()))),
      hint='Write all six entries; the products ixy, ixz and iyz are often 0',
      evidence='run; bullet `UrdfParser.cpp`')
def inertia_attr_missing(description: Description) -> Iterator[Defect]:
    """Check that every <inertia> has all six entries."""
    for inertial in inertial_elements(description):
        inertia = child(inertial, 'inertia')
        if inertia is None:
            continue
        missing = [name for name in INERTIA if name not in inertia.attrib]
        if missing:
            yield Defect(inertia, 'The {inertia} has no {entries}', inertia=inertia,
                         entries=missing,
                         **misspelling(inertia, _INERTIAL.descendant('inertia'), missing[0]))


@rule('world-link-has-inertia', WARN, ignores('drake', 'gazebo', of='inertia'),
      hint='Remove the <inertial>', evidence='run')
def world_link_has_inertia(description: Description) -> Iterator[Defect]:
    """Check that a link named world, which represents the fixed world, has no <inertial>."""
    inertial = child(description.link_names.get('world'), 'inertial')
    if inertial is not None:
        yield Defect(inertial, "Link 'world' has an <inertial>, but represents the fixed world")
