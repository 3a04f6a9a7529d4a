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

"""Conversion of a robot to SDFormat, as libsdformat does it, and the account of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from urdf_tools.findings.losses import Loss
from urdf_tools.model.messages import readable
from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.gazebo.document import DEFAULT_RELEASE
from urdf_tools.programs.gazebo.document import get_release
from urdf_tools.programs.gazebo.document import Node
from urdf_tools.programs.gazebo.document import text_of
from urdf_tools.programs.gazebo.load_errors import attribute_errors
from urdf_tools.programs.gazebo.load_errors import LoadErrors
from urdf_tools.programs.gazebo.load_errors import refusals
from urdf_tools.programs.gazebo.losses import losses_of
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.model import is_world
from urdf_tools.programs.gazebo.writer import write_model
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import joint_parts
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.urdfdom.bodies import formats_of


@dataclass(eq=False)
class Conversion:
    """
    The conversion of a robot for Gazebo; the document is written on first use.

    :param model: what remains of the robot, also of one that is refused.
    :param context: where to look for the models that it includes; nowhere without one.
    """

    model: GazeboModel
    context: Context | None = None

    @cached_property
    def refusals(self) -> tuple[Loss, ...]:
        """Why libsdformat refuses to convert the robot; empty if it does not."""
        return (*refusals(self.model.element), *self.model.extensions.unreadable,
                *attribute_errors(self.model))

    @cached_property
    def load_errors(self) -> tuple[Loss, ...]:
        """Why Gazebo does not load the robot; empty if it does."""
        return tuple(dict.fromkeys(
            (*self.refusals, *LoadErrors(self.model, self.context).all())))

    @cached_property
    def account(self) -> Account:
        """
        What becomes of the robot.

        :raises DescriptionError: libsdformat repeats too much of the description.
        """
        model, document = self.model, self.document
        root = model.bodies[model.robot.root]
        return Account(
            'gazebo', model.release.library, parts_of(model.robot), self._kept, self.load_errors,
            'fixed' if is_world(root) or model.is_static else 'free', self._merged,
            () if document is None else tuple(losses_of(model, document, self.context)),
            options_of('gazebo') if model.lumped else {})

    @property
    def headline(self) -> str:
        """How much remains as one sentence, without a full stop."""
        account, document = self.account, self.document
        if document is None or not account.loads:
            return 'Gazebo refuses the model'
        lumped = f' ({len(account.merged)} lumped into others)' if account.merged else ''
        parts = [f'{account.kept_of("links")} links{lumped}',
                 f'{account.kept_of("moving_joints")} moving joints']
        for tag in ('sensor', 'plugin'):
            written = [each for gazebo in self.model.robot.gazebo for each in gazebo.iter(tag)]
            if written:
                parts.append(f'{len(list(document.iter(tag)))} of {len(written)} {tag}s')
        masses = [readable(of.body.mass, '.4g') for of in (account.kept, account.source)
                  if of is not None]
        return f'Gazebo loads {", ".join(parts)} and {" of ".join(masses)} kg'

    @property
    def _kept(self) -> Parts:
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
            mimic=sum(joint.mimic is not None for joint in moving) * model.release.has_mimic,
            body=body_at_zero(inertias, link_frames(model.robot)),
            **joint_parts(moving), actuators=len(model.driven_joints),
            visuals=formats_of(model.links, 'visual'),
            collisions=formats_of(model.links, 'collision'))

    @property
    def _merged(self) -> frozenset[str]:
        """The links that are lumped into others, or into the world."""
        model = self.model
        return frozenset() if self.refusals or not model.links else frozenset(
            name for name, body in model.bodies.items()
            if is_world(body) or body.end is not body and body.end.name in model.link_names)

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
        robot: Robot, release: str = DEFAULT_RELEASE, preserve_fixed_joints: bool = False,
        context: Context | None = None, keeps_loops: bool = False) -> Conversion:
    """
    Convert a robot to SDFormat.

    :param release: a key of :data:`~urdf_tools.programs.gazebo.document.RELEASES`, or of its
        :data:`~urdf_tools.programs.gazebo.document.ALIASES`.
    :param preserve_fixed_joints: keep fixed joints instead of lumping them, as libsdformat does
        if the program that calls it asks for that.
    :param context: where to look for the models that it includes; nowhere without one.
    :param keeps_loops: turn the loops of all syntaxes into joints, where libsdformat only copies
        those of Gazebo.
    :raises KeyError: the release does not exist.
    :raises DescriptionError: the names of shapes are too long.
    """
    model = GazeboModel(robot, get_release(release), not preserve_fixed_joints, keeps_loops)
    return Conversion(model, context)
