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

"""Outcomes of links, joints and ``<gazebo>`` elements: they remain, are lumped or are dropped."""

from __future__ import annotations

from typing import NamedTuple

from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.model.robot import JointType
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.extensions import Scope
from urdf_tools.programs.gazebo.ignored_parts import LossReason
from urdf_tools.programs.gazebo.ignored_parts import WORLD_PART
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.model import INSTEAD_OF
from urdf_tools.programs.gazebo.model import is_world
from urdf_tools.programs.gazebo.model import SDF_TYPES
from urdf_tools.programs.urdfdom.bodies import Body


class PartOutcome(NamedTuple):
    """
    What becomes of a link, a joint or a ``<gazebo>`` element.

    :param loss: why it is dropped with all that is below it; None if it is not.
    :param merged_into: the link that it is lumped into; empty if it is not lumped.
    :param ignored: why all of its content is ignored; None if it is not.
    :param is_for: what a ``<gazebo>`` element is for.
    """

    loss: LossReason | None = None
    merged_into: str = ''
    ignored: LossReason | None = None
    is_for: Scope | None = None


class PartOutcomes:
    """The outcomes of the children of a ``<robot>``."""

    def __init__(self, model: GazeboModel):
        self._model = model
        self._open = {} if model.loops is None else {
            loop.element: reason for loop, reason in model.loops.open}
        self._above = {body.joint.name: body for body in model.bodies.values() if body.joint}

    def of(self, element: Element) -> PartOutcome:
        """Return the outcome of a child of ``<robot>``."""
        name = element.get('name', '')
        if element.tag == 'link':
            return self._of_link(self._model.bodies[name])
        if element.tag == 'joint':
            return self._of_joint(self._above[name])
        if element.tag == 'gazebo':
            return self._of_extension(element.get('reference', ''))
        return PartOutcome(loss=self._open.get(element))

    def _of_link(self, body: Body, is_joint: bool = False) -> PartOutcome:
        """Return the outcome of a link, or of the joint above it."""
        if is_world(body):
            return PartOutcome(ignored=WORLD_PART._replace(is_harmless=not len(body.element)))
        cause = self._model.lost.get(body.name)
        if cause is None:
            return PartOutcome(
                merged_into='' if body.lumped_into is None else body.lumped_into.name)
        link = Name(cause.name)
        reason = Message(
            'it is below link {link}, which has no mass' if cause is not body else
            'its child link {link} has no mass' if is_joint else
            'it has no mass, so Gazebo drops it', link=link)
        return PartOutcome(loss=LossReason(
            reason, Message('Give link {link} a mass', link=link), cause.element))

    def _of_joint(self, body: Body) -> PartOutcome:
        """Return the outcome of the joint above a body."""
        outcome = self._of_link(body, is_joint=True)
        kind = JointType.FIXED if body.joint is None else body.joint.type
        if outcome.loss is not None or outcome.merged_into or kind in SDF_TYPES:
            return outcome
        return PartOutcome(loss=LossReason(
            Message('SDFormat has no {type} joint', type=kind.value), INSTEAD_OF[kind]))

    def _of_extension(self, reference: str) -> PartOutcome:
        if not reference:
            return PartOutcome(is_for=Scope.MODEL)
        if reference in self._model.bodies:
            return self._of_link(self._model.bodies[reference])._replace(is_for=Scope.LINK)
        if reference not in self._above:
            return PartOutcome(ignored=LossReason(
                Message('{reference} is neither a link nor a joint of the robot',
                        reference=Name(reference)), 'Name a link or a joint'))
        outcome = self._of_joint(self._above[reference])
        if outcome.merged_into:
            return PartOutcome(ignored=LossReason(
                Message('fixed joint {joint} is lumped', joint=Name(reference)),
                'Write <preserveFixedJoint>true</preserveFixedJoint> to keep the joint'))
        return PartOutcome(outcome.loss, is_for=Scope.JOINT)
