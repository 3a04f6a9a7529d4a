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

"""Conversion of a robot to SDFormat, as libsdformat does it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree

from urdf_tools.model.robot import Robot
from urdf_tools.programs.gazebo.bodies_of_robot import Body
from urdf_tools.programs.gazebo.bodies_of_robot import read_bodies
from urdf_tools.programs.gazebo.extensions import ConversionStops
from urdf_tools.programs.gazebo.extensions import Extensions
from urdf_tools.programs.gazebo.extensions import read_extensions
from urdf_tools.programs.gazebo.load_errors import load_errors
from urdf_tools.programs.gazebo.lumping import lump_fixed_joints
from urdf_tools.programs.gazebo.model_writer import ModelWriter
from urdf_tools.programs.gazebo.refusals import Refusal
from urdf_tools.programs.gazebo.refusals import refusals
from urdf_tools.programs.gazebo.targets import DEFAULT_TARGET
from urdf_tools.programs.gazebo.targets import Target
from urdf_tools.programs.gazebo.targets import TARGETS
from urdf_tools.programs.gazebo.traced_xml import Node


@dataclass(eq=False)
class Conversion:
    """
    What Gazebo gets of a robot.

    :param document: the ``<sdf>`` element, or None if libsdformat refuses the robot.
    :param refusals: why it does; empty if it does not.
    :param root: the bodies of the robot after lumping; None if it is refused.
    :param massless: the links that are dropped with their descendants because they have no mass.
    """

    robot: Robot
    target: Target
    document: Node | None
    refusals: tuple[Refusal, ...] = ()
    root: Body | None = None
    extensions: Extensions | None = None
    massless: tuple[Body, ...] = ()

    @cached_property
    def load_errors(self) -> tuple[Refusal, ...]:
        """Why Gazebo does not load the document; empty if it does."""
        if self.document is None:
            return self.refusals
        return tuple(load_errors(self.document, self.robot))

    @cached_property
    def text(self) -> str:
        """The document as indented XML; empty if libsdformat refuses the robot."""
        if self.document is None:
            return ''
        ElementTree.indent(self.document)
        text: str = ElementTree.tostring(self.document, encoding='unicode')
        return f'<?xml version="1.0"?>\n{text}\n'


def convert(
        robot: Robot, target: str = DEFAULT_TARGET,
        preserve_fixed_joints: bool = False) -> Conversion:
    """
    Convert a robot to SDFormat.

    :param target: a key of :data:`~urdf_tools.programs.gazebo.targets.TARGETS`.
    :param preserve_fixed_joints: keep fixed joints instead of lumping them, as libsdformat does
        if the program that calls it asks for that.
    :raises KeyError: the target does not exist.
    """
    version = TARGETS[target]
    reasons = list(refusals(robot))
    try:
        extensions = read_extensions(robot.gazebo)
    except ConversionStops as stop:
        reasons.append(Refusal(stop.element, stop.reason, 'Write a number'))
    if reasons:
        return Conversion(robot, version, None, tuple(reasons))
    root = read_bodies(robot)
    if not preserve_fixed_joints:
        lump_fixed_joints(root, extensions, version)
    writer = ModelWriter(robot, root, extensions, version, not preserve_fixed_joints)
    return Conversion(
        robot, version, writer.document, (), root, extensions, tuple(writer.massless))
