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

"""The robot of a description as the loader reads it, and what Gazebo makes of that robot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from urdf_tools.findings.consequences import Condition
from urdf_tools.model.element import Element
from urdf_tools.model.element_reader import ElementReader
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo import Conversion
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo.refusals import Fault
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.mujoco.mujoco_model import MujocoModel
from urdf_tools.programs.mujoco.mujoco_releases import NEWEST
from urdf_tools.validation.conditions import around
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import Defect

NEEDS_ROBOT = frozenset((
    'inertial-missing', 'mass-zero', 'inertia-zero', 'mass-ratio-extreme', 'sdf-dropped-link',
    'gazebo-reference-lumped', 'gazebo-model-incomplete', 'gazebo-model-refused',
    'gazebo-surface-incomplete',
    'contact-unknown-collision', 'loop-unreadable', 'loop-open', 'loop-axes-not-parallel',
    'loop-undecided', 'loop-immovable', 'loop-passive-driven', 'loop-underdetermined',
    'loop-faked-by-mimic'))
"""Rules that say nothing, or less, of a description that the loader refuses; others say why."""


def robot(description: Description) -> Robot | None:
    """Return the robot of a description, or None if the loader refuses it."""
    return description.cached(_loaded)[0]


def loops_error(description: Description) -> DescriptionError | None:
    """Return why the file of loops beside a description cannot be read, or None."""
    return description.cached(_loaded)[1] if description.loops_file else None


def readable_links(description: Description) -> tuple[Link, ...]:
    """Return each link with a name, without those of its parts that cannot be read."""
    return description.cached(_readable_links)


def in_gazebo(description: Description) -> Conversion | None:
    """Return what Gazebo makes of the robot, or None if there is none or it is too large."""
    return description.cached(_in_gazebo)


def misplaced_in_gazebo(description: Description) -> Mapping[Element, Element]:
    """Return the settings that Gazebo writes into a deleted surface, with what replaced it."""
    return description.cached(_misplaced_in_gazebo)


def masses_in_gazebo(description: Description) -> Mapping[str, float]:
    """Return the mass of each link with the links lumped into it, in kg; empty without robot."""
    return description.cached(_masses_in_gazebo)


def is_refused_by_gazebo(description: Description, element: Element, fault: Fault) -> bool:
    """Return whether a fault of an element makes Gazebo refuse the model, as far as is known."""
    faults = description.cached(_faults)
    return faults is None or (fault, element) in faults


def gazebo_refuses(fault: Fault, text: str) -> Condition:
    """
    Return the condition that a defect makes Gazebo refuse the model.

    :param text: the condition in words.
    """
    return Condition(text, lambda description, defect: (
        is_refused_by_gazebo(description, defect.element, fault)))


def _is_massless(description: Description, defect: Defect) -> bool:
    conversion = in_gazebo(description)
    link = around(defect.element, 'link')
    name = '' if link is None else link.get('name', '')
    return conversion is not None and name in conversion.model.bodies and (
        conversion.model.bodies[conversion.model.end_name(name)].mass <= 0)


DROPPED_BY_GAZEBO = Condition('if lumping leaves it without mass', _is_massless)


def empties_gazebo(description: Description, element: Element) -> bool:
    """Return whether Gazebo drops the link that an element is in, and with it all others."""
    conversion = in_gazebo(description)
    if conversion is None:
        return False
    link = around(element, 'link')
    name = '' if link is None else link.get('name', '')
    ends = conversion.model.end_name
    return any(error.fault is Fault.EMPTY and ends(error.element.get('name', '')) == ends(name)
               for error in conversion.load_errors) or (
        not conversion.model.links and not any(
            child(link, 'inertial') is not None for link in description.links))


def _is_needed(description: Description, defect: Defect) -> bool:
    link = around(defect.element, 'link')
    return empties_gazebo(description, defect.element) or link is not None and (
        (Fault.FRAME, link) in (description.cached(_faults) or ()))


NEEDED_BY_GAZEBO = Condition(
    'if no link is left, or a fixed joint attaches another one to it', _is_needed)


class _NoFiles(ResourceResolver):
    """Finds no file: rules about the text of a description read none."""

    def resolve(self, uri: str) -> Path:
        raise ResourceError(f'File {quote(uri)} is not read', '', 'scheme')


def _lacks_mass_in_mujoco(description: Description, defect: Defect) -> bool:
    """Return whether a defect is in a link of a body that moves without mass or inertia."""
    link = around(defect.element, 'link')
    return link is not None and link.get('name', '') in massless_in_mujoco(description)


def massless_in_mujoco(description: Description) -> frozenset[str]:
    """Return the names of the links of bodies that MuJoCo refuses for want of mass or inertia."""
    return description.cached(_massless_in_mujoco)


LACKS_MASS = Condition(
    'if a joint moves the body and nothing gives it a mass', _lacks_mass_in_mujoco)
LACKS_INERTIA = Condition(
    'if a joint moves the body and nothing gives it an inertia', _lacks_mass_in_mujoco)


def _massless_in_mujoco(description: Description) -> frozenset[str]:
    of_description = robot(description)
    if of_description is None:
        return frozenset()
    model = MujocoModel(of_description, NEWEST, Context(_NoFiles()))
    return frozenset(name for name, owner in model.owners.items()
                     if owner != WORLD and not model.has_mass(owner))


def _faults(description: Description) -> frozenset[tuple[Fault, Element]] | None:
    conversion = in_gazebo(description)
    return None if conversion is None else frozenset(
        (error.fault, error.element) for error in conversion.load_errors)


def _loaded(description: Description) -> tuple[Robot | None, DescriptionError | None]:
    """Return the robot, and the error in the file of loops, which it is then without."""
    try:
        found = build_robot(description.document)
    except DescriptionError:
        return None, None
    if description.loops_file is None:
        return found, None
    from urdf_tools.model.loops_file import add_loops
    try:
        return add_loops(found, description.loops_file), None
    except DescriptionError as error:
        return found, error


def _readable_links(description: Description) -> tuple[Link, ...]:
    of_description = robot(description)
    if of_description is not None:
        return tuple(of_description.links.values())
    reader = ElementReader(description.version)
    return tuple(map(reader.link, description.link_names.values()))


def _in_gazebo(description: Description) -> Conversion | None:
    of_description = robot(description)
    try:
        return None if of_description is None else convert(of_description)
    except DescriptionError:
        # Names that are repeated are too long, which urdf-tools sdf refuses in the same way.
        return None


def _misplaced_in_gazebo(description: Description) -> Mapping[Element, Element]:
    conversion = in_gazebo(description)
    # Writing the document costs more than all else.
    if conversion is None or not any(
            element.find('surface') is not None for extension in description.gazebo
            for element in extension.iterfind('collision')):
        return {}
    try:
        return conversion.model.extensions.misplaced if conversion.document is not None else {}
    except DescriptionError:
        # It repeats too much, which urdf-tools sdf refuses in the same way.
        return {}


def _masses_in_gazebo(description: Description) -> Mapping[str, float]:
    conversion = in_gazebo(description)
    return {} if conversion is None else {
        name: body.mass for name, body in conversion.model.bodies.items()}
