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

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.gazebo.document import Node
from urdf_tools.programs.gazebo.document import text_of
from urdf_tools.programs.gazebo.load_errors import attribute_errors
from urdf_tools.programs.gazebo.load_errors import LoadErrors
from urdf_tools.programs.gazebo.load_errors import refusals
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.model import is_world
from urdf_tools.programs.gazebo.releases import DEFAULT_RELEASE
from urdf_tools.programs.gazebo.releases import get_release
from urdf_tools.programs.gazebo.releases import Release
from urdf_tools.programs.gazebo.writer import write_model
from urdf_tools.programs.robot_parts import Amount
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import joint_parts
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.urdfdom.bodies import formats_of


class Conversion:
    """
    The conversion of a robot for Gazebo; the document is written on first use.

    :ivar refusals: why libsdformat refuses to convert it; empty if it does not.
    :ivar model: what remains of the robot, also of one that is refused.
    """

    def __init__(
            self, robot: Robot, release: Release, lumps: bool, context: Context | None = None,
            keeps_loops: bool = False):
        """
        Decide what remains, and whether Gazebo loads it.

        :param lumps: lump fixed joints.
        :param context: where to look for the models that it includes; nowhere without one.
        :param keeps_loops: turn loops into joints, which libsdformat does not.
        :raises DescriptionError: the names of shapes are too long.
        """
        self.robot = robot
        self.release = release
        self.context = context
        self.model = GazeboModel(robot, release, lumps, keeps_loops)
        self.refusals = (
            *refusals(self.model.element), *self.model.extensions.unreadable,
            *attribute_errors(self.model))

    @cached_property
    def load_errors(self) -> tuple[Loss, ...]:
        """Why Gazebo does not load the robot; empty if it does."""
        return tuple(dict.fromkeys(
            (*self.refusals, *LoadErrors(self.model, self.context).all())))

    @cached_property
    def kept(self) -> Parts:
        """What remains of the robot."""
        model = self.model
        if self.refusals:
            return Parts()
        joints = [body.joint for body in model.joints.values() if body.joint is not None]
        moving = [joint for joint in joints if joint.type.dof]
        inertias = {link.name: link.inertial.in_link_frame for link in model.links
                    if link.inertial is not None}
        return Parts(
            links=len(model.links), moving_joints=len(moving),
            fixed_joints=len(joints) - len(moving),
            mimic=sum(joint.mimic is not None for joint in moving) * self.release.has_mimic,
            body=body_at_zero(inertias, link_frames(self.robot)),
            **joint_parts(moving), actuators=len(model.driven_joints),
            visuals=formats_of(model.links, 'visual'),
            collisions=formats_of(model.links, 'collision'))

    @cached_property
    def merged(self) -> frozenset[str]:
        """The links that are lumped into others, or into the world."""
        model = self.model
        return frozenset() if self.refusals or not model.links else frozenset(
            name for name, body in model.bodies.items()
            if is_world(body) or body.end is not body and body.end.name in model.link_names)

    @cached_property
    def amounts(self) -> Mapping[str, Amount[Any]]:
        """How much remains of links, moving joints, sensors and plugins, and of mass in kg."""
        source, kept = parts_of(self.robot), self.kept
        return {
            'links': Amount(source.links, kept.links),
            'moving_joints': Amount(source.moving_joints, kept.moving_joints),
            'sensors': self._amount_of_extensions('sensor'),
            'plugins': self._amount_of_extensions('plugin'),
            'mass': Amount(source.body.mass, kept.body.mass)}

    @property
    def headline(self) -> str:
        """How much remains as one sentence, without a full stop."""
        parts = [f'{amount} {name.replace("_", " ")}' for name, amount in self.amounts.items()
                 if name in ('links', 'moving_joints') or name != 'mass' and amount.source]
        if self.merged:
            parts[0] += f' ({len(self.merged)} lumped into others)'
        mass = self.amounts['mass']
        if mass.source:
            parts.append(f'{mass.kept:.4g} of {mass.source:.4g} kg')
        verdict = 'refuses the model, which keeps' if self.load_errors else 'loads'
        return f'Gazebo {verdict} {", ".join(parts[:-1])} and {parts[-1]}'

    def _amount_of_extensions(self, tag: str) -> Amount[int]:
        applied = () if self.refusals else self.model.applied.values()
        return Amount(*(sum(
            child.tag == tag for extensions in groups for extension in extensions
            for child in extension.element)
            for groups in (self.model.extensions.by_reference.values(), applied)))

    @cached_property
    def document(self) -> Node | None:
        """
        The ``<sdf>`` element, or None if libsdformat refuses the robot.

        :raises DescriptionError: libsdformat repeats too much of the description.
        """
        return None if self.refusals else write_model(self.model)

    @cached_property
    def text(self) -> str:
        """The document as indented XML; empty if libsdformat refuses the robot."""
        return '' if self.document is None else text_of(self.document)


def convert(
        robot: Robot, release: str = DEFAULT_RELEASE,
        preserve_fixed_joints: bool = False, context: Context | None = None,
        keeps_loops: bool = False, loops_file: str | None = None) -> Conversion:
    """
    Convert a robot to SDFormat.

    :param release: a key of :data:`~urdf_tools.programs.gazebo.releases.RELEASES`, or of its
        :data:`~urdf_tools.programs.gazebo.releases.ALIASES`.
    :param preserve_fixed_joints: keep fixed joints instead of lumping them, as libsdformat does
        if the program that calls it asks for that.
    :param context: where to look for the models that it includes; nowhere without one.
    :param keeps_loops: turn the loops of all syntaxes into joints, where libsdformat only copies
        those of Gazebo.
    :param loops_file: YAML file of loops beside the description.
    :raises KeyError: the release does not exist.
    :raises DescriptionError: the names of shapes are too long, or the file cannot be read.
    """
    if loops_file:
        from urdf_tools.model.loops_file import add_loops
        robot = add_loops(robot, loops_file)
    return Conversion(robot, get_release(release), not preserve_fixed_joints, context, keeps_loops)
