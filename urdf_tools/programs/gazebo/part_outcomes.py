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

from dataclasses import dataclass
from dataclasses import replace

from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote
from urdf_tools.programs.gazebo.extensions import Scope
from urdf_tools.programs.gazebo.gazebo_model import GazeboModel
from urdf_tools.programs.gazebo.gazebo_model import INSTEAD_OF
from urdf_tools.programs.gazebo.gazebo_model import is_world
from urdf_tools.programs.gazebo.gazebo_model import SDF_TYPES
from urdf_tools.programs.gazebo.ignored_parts import LossReason
from urdf_tools.programs.gazebo.ignored_parts import WORLD_PART


@dataclass(frozen=True)
class PartOutcome:
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
        self._bodies = model.bodies
        self._open = {} if model.loops is None else {
            loop.element: reason for loop, reason in model.loops.open}
        self._joints = {body.joint.name: body for body in self._bodies.values() if body.joint}

    def of(self, element: Element) -> PartOutcome:
        """Return the outcome of a child of ``<robot>``."""
        if element.tag == 'link':
            return self.of_link(element.get('name', ''))
        if element.tag == 'joint':
            return self.of_joint(element.get('name', ''))
        if element.tag == 'gazebo':
            return self._of_extension(element)
        return PartOutcome(loss=self._open.get(element))

    def of_link(self, name: str) -> PartOutcome:
        """Return the outcome of a link."""
        body = self._bodies[name]
        if is_world(body):
            return PartOutcome(ignored=replace(WORLD_PART, is_harmless=not len(body.element)))
        cause = self._model.lost.get(name)
        if cause is body:
            return PartOutcome(loss=LossReason(
                'it has no mass, so Gazebo drops it', 'Give it an <inertial> with a mass',
                body.element))
        if cause is not None:
            link = quote(cause.name, 80)
            return PartOutcome(loss=LossReason(
                f'it is below link {link}, which has no mass', f'Give link {link} a mass',
                cause.element))
        return PartOutcome(merged_into='' if body.lumped_into is None else body.lumped_into.name)

    def of_joint(self, name: str) -> PartOutcome:
        """Return the outcome of a joint."""
        body = self._joints[name]
        joint = body.joint
        assert joint is not None, 'it is the joint above the body'
        outcome = self.of_link(body.name)
        if self._model.lost.get(body.name) is body:
            link = quote(body.name, 80)
            return PartOutcome(loss=LossReason(
                f'its child link {link} has no mass', f'Give link {link} a mass',
                body.element))
        if outcome.loss is not None or outcome.merged_into or joint.type in SDF_TYPES:
            return outcome
        return PartOutcome(loss=LossReason(
            f'SDFormat has no {joint.type.value} joint', INSTEAD_OF[joint.type]))

    def _of_extension(self, element: Element) -> PartOutcome:
        reference = element.get('reference', '')
        if not reference:
            return PartOutcome(is_for=Scope.MODEL)
        if reference in self._bodies:
            outcome = self.of_link(reference)
            return PartOutcome(outcome.loss, outcome.merged_into, outcome.ignored, Scope.LINK)
        if reference not in self._joints:
            return PartOutcome(ignored=LossReason(
                f'{quote(reference, 80)} is neither a link nor a joint of the robot',
                'Name a link or a joint'))
        outcome = self.of_joint(reference)
        if outcome.merged_into:
            return PartOutcome(ignored=LossReason(
                f'fixed joint {quote(reference, 80)} is lumped',
                'Write <preserveFixedJoint>true</preserveFixedJoint> to keep the joint'))
        return PartOutcome(outcome.loss, '', None, Scope.JOINT)
