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

"""Fates of links and joints in a conversion: they arrive, are lumped or are dropped."""

from __future__ import annotations

from dataclasses import dataclass

from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote
from urdf_tools.programs.gazebo.bodies_of_robot import Body
from urdf_tools.programs.gazebo.bodies_of_robot import WORLD
from urdf_tools.programs.gazebo.conversion import Conversion
from urdf_tools.programs.gazebo.extensions import Scope
from urdf_tools.programs.gazebo.ignored_parts import Loss
from urdf_tools.programs.gazebo.ignored_parts import WORLD_PART
from urdf_tools.programs.gazebo.joint_writer import SDF_TYPES


@dataclass(frozen=True)
class Fate:
    """
    What becomes of a link, a joint or a ``<gazebo>`` element.

    :param loss: why it is dropped with all that is below it; None if it is not.
    :param merged_into: the link that it is lumped into; empty if it is not lumped.
    :param ignored: why all of its content is ignored; None if it is not.
    :param is_for: what a ``<gazebo>`` element is for.
    """

    loss: Loss | None = None
    merged_into: str = ''
    ignored: Loss | None = None
    is_for: Scope | None = None


class Fates:
    """The fates of the children of a ``<robot>``."""

    def __init__(self, conversion: Conversion, links: frozenset[str]):
        """
        Find the fates.

        :param links: names of the links of the document.
        """
        assert conversion.root is not None, 'the robot is converted'
        self._bodies = {body.name: body for body in conversion.root.walk()}
        self._joints = {body.joint.name: body for body in self._bodies.values() if body.joint}
        self._links = links
        self._causes: dict[Body, Body] = {}
        for massless in conversion.massless:
            for body in massless.walk():
                self._causes.setdefault(body, massless)

    def of(self, element: Element) -> Fate:
        """Return the fate of a child of ``<robot>``."""
        if element.tag == 'link':
            return self.of_link(element.get('name', ''))
        if element.tag == 'joint':
            return self.of_joint(element.get('name', ''))
        if element.tag == 'gazebo':
            return self._of_extension(element)
        return Fate()

    def of_link(self, name: str) -> Fate:
        """Return the fate of a link."""
        body = self._bodies[name]
        if body.parent is None and name == WORLD:
            return Fate(ignored=WORLD_PART)
        into = body.lumped_into or body
        if into.name not in self._links:
            return Fate(loss=self._why_dropped(body, into))
        return Fate(merged_into=into.name if into is not body else '')

    def of_joint(self, name: str) -> Fate:
        """Return the fate of a joint."""
        body = self._joints[name]
        joint = body.joint
        assert joint is not None, 'it is the joint above the body'
        fate = self.of_link(body.name)
        if fate.loss is not None and self._causes.get(body) is body:
            name = quote(body.name, 80)
            return Fate(loss=Loss(f'its child link {name} has no mass', f'Give link {name} mass'))
        if fate.loss is not None or fate.merged_into or joint.type in SDF_TYPES:
            return fate
        return Fate(loss=Loss(
            f'SDFormat has no {joint.type.value} joint',
            'Use three joints for a planar joint, and none for a floating one'))

    def _why_dropped(self, body: Body, into: Body) -> Loss:
        cause = self._causes.get(into, into)
        name = quote(cause.name, 80)
        if cause is body:
            return Loss('it has no mass, and Gazebo drops such a link with all below it',
                        'Give it an <inertial> with mass')
        return Loss(f'it is below link {name}, which has no mass', f'Give link {name} mass')

    def _of_extension(self, element: Element) -> Fate:
        reference = element.get('reference', '')
        if not reference:
            return Fate(is_for=Scope.MODEL)
        if reference in self._bodies:
            fate = self.of_link(reference)
            return Fate(fate.loss, fate.merged_into, fate.ignored, Scope.LINK)
        if reference not in self._joints:
            return Fate(ignored=Loss(
                f'{quote(reference, 80)} is neither a link nor a joint of the robot',
                'Name a link or a joint'))
        fate = self.of_joint(reference)
        if fate.merged_into:
            return Fate(ignored=Loss(
                f'joint {quote(reference, 80)} is fixed and lumped',
                'Add <preserveFixedJoint>true</preserveFixedJoint> to keep the joint'))
        return Fate(fate.loss, '', None, Scope.JOINT)
