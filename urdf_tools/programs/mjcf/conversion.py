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

"""Conversion of a robot to MJCF, the format of MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace
from functools import cached_property
import os
from pathlib import Path
from typing import Any
from typing import Literal
from xml.etree import ElementTree

import numpy as np

from urdf_tools.atomic_write import placed
from urdf_tools.atomic_write import replace_file
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consequences import KINDS
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.losses import refusal
from urdf_tools.findings.message import Name
from urdf_tools.formats.converted_document import losses_of
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.model.loops import Loop
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Visual
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.importers import ignored_attributes
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.mjcf.assets import Assets
from urdf_tools.programs.mjcf.assets import FOLDER
from urdf_tools.programs.mjcf.bodies import Bodies
from urdf_tools.programs.mjcf.bodies import moves_with_base
from urdf_tools.programs.mjcf.bodies import ranges
from urdf_tools.programs.mjcf.bodies import with_changes
from urdf_tools.programs.mjcf.bodies import with_free_base
from urdf_tools.programs.mjcf.constraints import write_home
from urdf_tools.programs.mjcf.constraints import write_loops
from urdf_tools.programs.mjcf.constraints import write_mimic
from urdf_tools.programs.mjcf.contacts import Contacts
from urdf_tools.programs.mjcf.contacts import HOME
from urdf_tools.programs.mjcf.devices import actuators_of
from urdf_tools.programs.mjcf.devices import Kind
from urdf_tools.programs.mjcf.devices import unused
from urdf_tools.programs.mjcf.devices import write_actuators
from urdf_tools.programs.mjcf.devices import write_sensors
from urdf_tools.programs.mjcf.gains import gains_of
from urdf_tools.programs.mjcf.gains import unstable
from urdf_tools.programs.mjcf.keyframes import states_of
from urdf_tools.programs.mjcf.keyframes import write_states
from urdf_tools.programs.mjcf.limbs import attachment_sites
from urdf_tools.programs.mjcf.limbs import feet
from urdf_tools.programs.mjcf.limbs import Foot
from urdf_tools.programs.mjcf.limbs import has_fingers
from urdf_tools.programs.mjcf.limbs import write_sites
from urdf_tools.programs.mjcf.settings import CONES
from urdf_tools.programs.mjcf.settings import MjcfSettings
from urdf_tools.programs.mjcf.settings import TIMESTEP
from urdf_tools.programs.mjcf.xml import add
from urdf_tools.programs.mjcf.xml import unique
from urdf_tools.programs.robot_parts import formats
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.tables import TABLES

VERSION = '4.0'

Base = Literal['fixed', 'free']

_SECTIONS: Sequence[str] = TABLES['sections of mjcf']
"""The sections of a model, in the order of MuJoCo Menagerie."""


_CLASSES: Mapping[str, dict[str, Any]] = TABLES['classes of mjcf']
"""The classes of shapes to their defaults."""


@dataclass(frozen=True)
class MjcfOptions:
    """
    What the author of a model decides.

    :ivar base: whether the root link is fixed to the world, or moves freely; by default as MJCF
        and SDF say, and fixed of URDF.
    :ivar actuators: see :func:`~urdf_tools.programs.mjcf.devices.actuators_of`.
    :ivar srdf: the outermost element of an SRDF file, whose pairs do not collide, and whose states
        become keyframes.
    :ivar settings: what a description cannot say.
    """

    base: Base | None = None
    actuators: Kind = 'auto'
    srdf: Element | None = None
    settings: MjcfSettings = MjcfSettings()


class MjcfConversion:
    """
    A robot as MJCF.

    :ivar robot: the robot.
    :ivar options: what was decided.
    :ivar bodies: its links in the model.
    :ivar actuators: its actuators.
    :ivar contacts: which of its links do not collide; None if there is no model.
    :ivar settings: those that were given, with what is computed where nothing is.
    :ivar closed: its loops that the model closes.
    :ivar causes: why no model is written; empty if there is one.
    :ivar losses: what is lost, changed or added.
    :ivar files: the name of each file in ``assets`` to its content.
    :ivar sources: the files that those are made of.
    :ivar document: the ``<mujoco>`` element; None if there is no model.
    """

    def __init__(self, robot: Robot, options: MjcfOptions, context: Context):
        """Convert a robot."""
        self.robot, self.options = robot, options
        losses = Losses()
        self.actuators = actuators_of(robot, options.actuators, losses)
        is_free = getattr(robot.document, 'is_free', False)
        base = options.base or ('free' if is_free and robot.root != WORLD else 'fixed')
        self.base: Base = base if moves_with_base(robot) else 'fixed'
        if self.base != base:
            losses.note('base', Impact.IGNORES, robot.element, 'The base stays fixed, as nothing '
                        'fixed to {root} has mass: joints of the description move what has',
                        root=Name(robot.root), is_harmless=True)
        self.bodies = Bodies(with_free_base(robot) if self.base == 'free' else robot, losses,
                             {each.joint.name for each in self.actuators}, options.settings)
        self.causes = tuple(self.bodies.causes())
        if getattr(robot.document, 'format', '') == 'MJCF':
            self.causes = (refusal(robot.element, 'The description is MJCF already, which MuJoCo '
                                   'loads as it is'),)
        shapes: list[Visual | Collision] = []
        for link in robot.links.values() if not self.causes else ():
            shapes += (*link.visuals, *link.collisions)
        assets = Assets(context, shapes)
        self.closed: tuple[Loop, ...] = ()
        self.contacts: Contacts | None = None
        self.settings = options.settings
        self.document = None if self.causes else self._written(assets, losses)
        self.files, self.sources = assets.files, assets.sources
        if robot.element is not None:
            losses += unread(robot.element)
        losses += unused(robot, self.actuators)
        self.losses = () if self.causes else (*losses_of(robot), *losses, *assets.losses)

    def _written(self, assets: Assets, losses: Losses) -> ElementTree.Element:
        robot, bodies = self.robot, self.bodies
        self.settings = settings = bodies.settings = self._complete_settings(
            standing := [*feet(robot, assets.corners)] if self.base == 'free' else [],
            losses)
        root = ElementTree.Element('mujoco', {'model': robot.name})
        add(root, 'compiler', {
            'angle': 'radian', 'autolimits': 'true', 'inertiafromgeom': 'false',
            'meshdir': FOLDER, 'texturedir': FOLDER})
        add(root, 'option', {
            'timestep': None if settings.timestep == TIMESTEP else [settings.timestep],
            'integrator': 'implicitfast', 'cone': settings.cone,
            'impratio': None if settings.impratio is None else [settings.impratio]})
        model = unique(robot.name, ('main', *_CLASSES, ''))
        defaults = add(add(root, 'default', {}), 'default', {'class': model})
        add(defaults, 'mesh', {'inertia': 'shell'})
        for name, attributes in _CLASSES.items():
            add(add(defaults, 'default', {'class': name}), 'geom', attributes)
        sections = {name: ElementTree.Element(name) for name in _SECTIONS}
        bodies.write(sections['worldbody'], assets, model)
        self.contacts = contacts = Contacts(
            bodies, assets, self.options.srdf, {
                **states_of(self.options.srdf),
                **{HOME: each for name, each in settings.keyframes.items() if name == HOME}},
            standing, losses)
        contacts.write(sections['contact'])
        write_mimic(sections['equality'], robot, losses)
        self.closed = write_loops(sections['tendon'], sections['equality'], bodies, losses)
        write_actuators(sections['actuator'], self.actuators, settings.joints)
        write_sites(bodies, settings.sites)
        write_sensors(sections['sensor'], bodies, losses)
        write_home(sections['keyframe'], bodies, self.actuators, contacts.tree, contacts.home)
        write_states(sections['keyframe'], bodies, self.actuators, {
            name: each for name, each in settings.keyframes.items() if name != HOME})
        assets.write(sections['asset'], model)
        root.extend(section for section in sections.values() if len(section))
        return root

    def _complete_settings(self, standing: list[Foot], losses: Losses) -> MjcfSettings:
        """Return the settings with what is computed where nothing is given."""
        given, robot = self.options.settings, self.robot
        driven = [each.joint for each in self.actuators if each.kind != 'effort']
        joints = gains_of(robot, driven, standing, given.timestep, given.joints)
        failing = unstable(robot, driven, given.timestep, joints)
        if failing is not None:
            losses.note('actuator', Impact.CHANGES, robot.joints[failing].element,
                        'The gains of {joint} are unstable at a time step of {step:g} s',
                        step=given.timestep)
        for joint in driven:
            if joint.name not in given.joints and (armature := joints[joint.name].get('armature')):
                losses.note('inertia', Impact.CHANGES, joint.element, '{joint} gets an armature '
                            'of {size:g} kg m^2, as it moves little but joints that mimic it',
                            size=armature, is_harmless=True)
        grip = 100.0 if standing else 10.0 if has_fingers(robot) else None
        cone = given.cone or (CONES[1] if grip else None)
        return replace(
            given, joints=joints, cone=cone,
            impratio=given.impratio or (grip if cone == CONES[1] else None),
            sites={**attachment_sites(robot), **given.sites},
            keyframes={**states_of(self.options.srdf), **given.keyframes})

    @cached_property
    def text(self) -> str:
        """The model as indented XML; empty if there is none."""
        if self.document is None:
            return ''
        ElementTree.indent(self.document)
        text: str = ElementTree.tostring(self.document, encoding='unicode')
        return text.replace(' />', '/>') + '\n'  # In attributes, > is written as &gt;.

    @cached_property
    def reference(self) -> Robot:
        """The robot that the model has to equal: with its base, and inertias as changed."""
        return with_changes(self.bodies.robot, self.bodies)

    @property
    def account(self) -> Account:
        """What becomes of the robot, in the terms used to compare all programs."""
        return Account('mjcf', VERSION, parts_of(self.robot), self._kept, self.causes,
                       self.base, frozenset(), self.losses, options_of('mjcf'))

    @property
    def _kept(self) -> Parts:
        tree = {joint.name: joint for joint in self.robot.tree}
        found = parts_of(with_changes(replace(self.robot, joints=tree), self.bodies))
        return replace(
            found, mimic=len(resolve_mimic(self.robot)), actuators=len(self.actuators),
            velocity_limits=sum(
                each.kind == 'velocity' and ranges(each.joint)['velocity'] is not None
                for each in self.actuators),
            effort_limits=sum(joint.type.dof > 0 and ranges(joint)['effort'] is not None
                              for joint in tree.values()),
            visuals=formats(self.bodies.kept['visual']),
            collisions=formats(self.bodies.kept['collision']))


def convert(robot: Robot, options: MjcfOptions = MjcfOptions(), context: Context | None = None
            ) -> MjcfConversion:
    """
    Convert a robot to MJCF.

    :param context: finds its meshes and textures; around its source and in the environment
        without one.
    """
    with np.errstate(all='ignore'):
        return MjcfConversion(robot, options, context or Context(
            ResourceResolver(robot.folder or None)))


def to_mjcf(robot: Robot, path: str | os.PathLike[str], options: MjcfOptions = MjcfOptions(),
            resources: ResourceResolver | None = None) -> dict[str, Any]:
    """
    Write a robot as MJCF, with its meshes in ``assets`` beside the file.

    :param path: the file of the model.
    :param options: what is decided for the model.
    :param resources: finds its meshes; by default around its source and in the environment.
    :return: the account of what is kept, lost, changed and added, as ``urdf-tools account
        --format json`` has it; ``losses`` are those.
    :raises DescriptionError: MuJoCo cannot have the robot.
    :raises OSError: a file cannot be written, or leads out of the folder of the model.
    """
    conversion = convert(robot, options, None if resources is None else Context(resources))
    for cause in conversion.causes:
        assert cause.element is not None, 'it is about a link or joint'
        raise cause.element.error(str(cause.message), str(cause.hint))
    write_model(conversion, Path(path))
    return conversion.account.data(robot.source)


def write_model(conversion: MjcfConversion, path: Path) -> None:
    """
    Write a model, after the files that it names.

    :raises OSError: a file cannot be written, or leads out of the folder of the model.
    """
    for name in conversion.files:
        placed(path.parent, f'{FOLDER}/{name}')
    for file, data in model_files(conversion, path).items():
        replace_file(file, data)


def model_files(conversion: MjcfConversion, path: Path) -> dict[Path, bytes]:
    """Return the files of a model to their content, the model itself last."""
    return {**{path.parent / FOLDER / name: data for name, data in conversion.files.items()},
            path: conversion.text.encode()}


_READ = frozenset(TABLES['elements of mjcf'])
"""The elements in those of :data:`_OWNERS` that are read; others are noted."""

_OWNERS = ('link', 'joint', 'link/visual', 'link/collision', 'link/inertial')

_OF_GAZEBO = frozenset(('sensor', 'joint'))
"""What is read in ``<gazebo>``: sensors, and joints that close loops."""


def unread(description: Element) -> Iterator[Loss]:
    """Yield the elements and attributes that are not read."""
    owners = (description, *(each for path in _OWNERS for each in description.iterfind(path)))
    for element in (each for owner in owners for each in owner if each.tag not in _READ):
        if element.tag == 'ros2_control':
            yield loss('interface', Impact.IGNORES, element, 'The hardware, the state interfaces '
                       'and the parameters of {element} are left out', is_harmless=True)
            continue
        parts = [element] if element.tag != 'gazebo' else [
            each for each in element if each.tag not in _OF_GAZEBO]
        for each in parts:
            yield loss(each.tag if each.tag in KINDS else 'element', Impact.IGNORES, each,
                       '{element} is left out', is_harmless=True)
    yield from ignored_attributes([description], ('acceleration', 'deceleration', 'jerk'))
