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

"""The model of a robot in Gazebo: which links and joints remain, before it is written."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from functools import cached_property

from urdf_tools.model.grouping import grouped
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.extensions import CHARACTERS_OF_STEP
from urdf_tools.programs.gazebo.extensions import DRIVES
from urdf_tools.programs.gazebo.extensions import Extension
from urdf_tools.programs.gazebo.extensions import LUMP_PREFIX
from urdf_tools.programs.gazebo.extensions import read_extensions
from urdf_tools.programs.gazebo.loop_joints import LoopJoints
from urdf_tools.programs.gazebo.lumping import is_reducible
from urdf_tools.programs.gazebo.lumping import lump_fixed_joints
from urdf_tools.programs.gazebo.releases import Release
from urdf_tools.programs.robot_parts import driven_joints
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import read_bodies
from urdf_tools.programs.urdfdom.bodies import WORLD

SDF_TYPES = {
    JointType.REVOLUTE: 'revolute', JointType.CONTINUOUS: 'revolute',
    JointType.PRISMATIC: 'prismatic', JointType.FIXED: 'fixed'}
"""Joint types to those of SDFormat; planar and floating joints have none."""

INSTEAD_OF = {
    JointType.PLANAR: 'Use two prismatic joints and a revolute one instead',
    JointType.FLOATING: 'Make its child the root link, which moves freely in Gazebo'}
"""What to write instead of the types that SDFormat does not have."""


class GazeboModel:
    """
    What remains of a robot after lumping, without the links that have no mass.

    It also exists of a robot that Gazebo refuses.

    :ivar element: the outermost element of the description.
    :ivar bodies: the body of each link.
    :ivar lumped: the bodies that are lumped into their parents, in this order.
    :ivar links: the bodies that become links, in the order of the document.
    :ivar link_names: their names.
    :ivar massless: the bodies that are dropped with all below them, because they have no mass.
    :ivar loops: what becomes of the loops that are no joints of Gazebo; None if they are left out.
    :ivar applied: the extensions of the model under '', and of each link and joint that remains.
    """

    def __init__(self, robot: Robot, release: Release, lumps: bool, keeps_loops: bool = False):
        """
        Lump and drop links.

        :param lumps: lump fixed joints.
        :param keeps_loops: turn loops into joints, which libsdformat does not.
        :raises DescriptionError: the names of shapes are too long.
        """
        assert robot.element is not None, 'robots of a description have elements'
        self.robot = robot
        self.element = robot.element
        self.release = release
        self.extensions = read_extensions(robot.gazebo)
        root = read_bodies(robot)
        self.lumped = lump_fixed_joints(root, self.extensions) if lumps else ()
        self.bodies: Mapping[str, Body] = {body.name: body for body in root.walk()}
        self.links, self.massless = self._links_and_massless(root, lumps)
        self.link_names = frozenset(body.name for body in self.links)
        self.loops = LoopJoints(robot, self.bodies, self.link_names) if (
            keeps_loops and robot.loops) else None
        self.applied = self._applied()
        for body in self.links:
            self._name_shapes(body)

    def _links_and_massless(
            self, root: Body, lumps: bool) -> tuple[tuple[Body, ...], tuple[Body, ...]]:
        links, massless = [], []
        pending = list(reversed(root.children)) if root.name == WORLD else [root]
        while pending:
            body = pending.pop()
            is_fixed = lumps and is_reducible(body, self.extensions)
            if self.is_massless(body):
                if body.name != WORLD and (not is_fixed or self.release.is_12_3):
                    massless.append(body)
                    continue
            elif not is_fixed or body.parent is not None and body.parent.name == WORLD:
                links.append(body)
            pending.extend(reversed(body.children))
        return tuple(links), tuple(massless)

    def _applied(self) -> Mapping[str, Sequence[Extension]]:
        extensions: dict[str, list[Extension]] = {}
        for reference, referring in self.extensions.by_reference.items():
            end = self.end_name(reference)
            if not end or end in self.link_names or end in self.joints:
                extensions.setdefault(end, []).extend(referring)
        return extensions

    def _name_shapes(self, body: Body) -> None:
        for tag, shapes in body.shapes.items():
            for index, shape in enumerate(shapes):
                name = f'{shape.name or body.name}_{tag}{f"_{index}" if index else ""}'
                is_own = name.startswith(body.name)
                shape.name = name if is_own else f'{body.name}{LUMP_PREFIX}{name}'
                self.extensions.spend(len(shape.name) // CHARACTERS_OF_STEP)

    def copied(self, reference: str) -> list[Element]:
        """Return the elements that are copied to a link or joint, or to the model for ''."""
        return [element for extension in self.applied.get(reference, ())
                for element in extension.copied_elements]

    def is_massless(self, body: Body) -> bool:
        """Return whether a body has no mass after lumping; NaN counts as a mass."""
        return abs(body.mass) <= 1e-6 if self.release.is_12_3 else body.mass <= 0

    @property
    def is_static(self) -> bool:
        """Whether an extension makes the model part of the world; it then needs no link."""
        return any('static' in extension.settings and extension.settings['static'].text == 'true'
                   for extension in self.applied.get('', ()))

    @cached_property
    def joints(self) -> Mapping[str, Body]:
        """The joints by name, each as the body below it."""
        return {body.joint.name: body for body in self.links
                if body.joint is not None and body.joint.type in SDF_TYPES}

    @cached_property
    def driven_joints(self) -> frozenset[str]:
        """The joints with an actuator; none without a plugin that moves joints."""
        is_driven = any(
            DRIVES.search(plugin.get('filename', '')) for extensions in self.applied.values()
            for extension in extensions for plugin in extension.element.iter('plugin'))
        return driven_joints(self.robot) & self.joints.keys() if is_driven else frozenset()

    @cached_property
    def lost(self) -> Mapping[str, Body]:
        """Each dropped link to the massless body that causes it."""
        causes = {body: massless for massless in reversed(self.massless)
                  for body in massless.walk()}
        return {name: causes.get(body.end, body.end) for name, body in self.bodies.items()
                if body.end.name not in self.link_names and not is_world(body)}

    @cached_property
    def members(self) -> Mapping[Body, Sequence[Body]]:
        """The bodies that each body consists of after lumping, including itself."""
        return grouped((body.end, body) for body in self.bodies.values())

    def end_name(self, name: str) -> str:
        """Return the name of the link that a link is lumped into, or else its own name."""
        body = self.bodies.get(name)
        return name if body is None else body.end.name


def is_world(body: Body) -> bool:
    """Return whether a body is a root link ``world``, which represents the world."""
    return body.parent is None and body.name == WORLD
