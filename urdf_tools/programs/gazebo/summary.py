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

"""The summary of an account: how much of a robot Gazebo gets."""

from __future__ import annotations

from dataclasses import dataclass

from urdf_tools.model.robot import Robot
from urdf_tools.programs.gazebo.account import Account
from urdf_tools.programs.gazebo.bodies_of_robot import Body
from urdf_tools.programs.gazebo.bodies_of_robot import WORLD


@dataclass(frozen=True)
class Share:
    """How many of the parts of one kind arrive."""

    got: int
    of: int

    @property
    def is_less(self) -> bool:
        """Tell whether some do not arrive."""
        return self.got < self.of

    def __str__(self) -> str:
        return f'{self.got} of {self.of}'


@dataclass(frozen=True)
class Summary:
    """
    How much of a robot Gazebo gets.

    :param links: not counting a root link ``world``.
    :param lumped: the links that are parts of other links.
    :param moving_joints: joints that are not fixed.
    :param sensors: those below ``<gazebo>``.
    :param plugins: those below ``<gazebo>``.
    :param loads: Gazebo loads the model.
    """

    links: Share
    lumped: int
    moving_joints: Share
    sensors: Share = Share(0, 0)
    plugins: Share = Share(0, 0)
    loads: bool = True

    @property
    def headline(self) -> str:
        """The summary as one sentence, without a full stop."""
        parts = [f'{self.links} links', f'{self.moving_joints} moving joints']
        if self.lumped:
            parts[0] += f' ({self.lumped} lumped into others)'
        parts += [f'{share} {noun}' for share, noun in (
            (self.sensors, 'sensors'), (self.plugins, 'plugins')) if share.of]
        return f'Gazebo gets {", ".join(parts[:-1])} and {parts[-1]}'


def summarize(account: Account) -> Summary:
    """Count what arrives of a robot."""
    robot = account.conversion.robot
    document = account.conversion.document
    written = set() if document is None else {
        (node.tag, node.attrib['name']) for node in document[0] if 'name' in node.attrib}
    links = [name for name in robot.links if not (name == WORLD and name == robot.root)]
    root = account.conversion.root
    lumped = 0 if root is None else sum(_is_lumped(body, written) for body in root.walk())
    moving = [joint.name for joint in robot.tree if joint.type.dof]
    return Summary(
        Share(sum(('link', name) in written for name in links), len(links)), lumped,
        Share(sum(('joint', name) in written for name in moving), len(moving)),
        _extensions(account, robot, 'sensor'), _extensions(account, robot, 'plugin'),
        not account.conversion.load_errors)


def _is_lumped(body: Body, written: set[tuple[str, str]]) -> bool:
    into = body.lumped_into
    return into is not None and ('link', into.name) in written


def _extensions(account: Account, robot: Robot, tag: str) -> Share:
    elements = [child for gazebo in robot.gazebo for child in gazebo if child.tag == tag]
    return Share(sum(map(account.arrives, elements)), len(elements))
