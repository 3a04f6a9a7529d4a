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

"""A description as input of programs, whether or not our loader accepts it."""

from __future__ import annotations

from typing import NamedTuple

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of


class Source(NamedTuple):
    """
    A description as input of programs.

    :param root: the outermost element.
    :param robot: the robot as our loader reads it; None if it refuses the description.
    :param malformed: why the text is not well-formed XML, if it had to be repaired to be read.
    """

    root: Element
    robot: Robot | None = None
    malformed: DescriptionError | None = None

    @property
    def parts(self) -> Parts | None:
        """The parts of the description; None if our loader refuses it."""
        return None if self.robot is None else parts_of(self.robot)

    @classmethod
    def of_robot(cls, robot: Robot) -> Source:
        """
        Return the description of a robot.

        :raises ValueError: the robot was not loaded from a description.
        """
        if robot.element is None:
            raise ValueError('The robot was not loaded from a description')
        document = robot.document
        return cls(robot.element, robot, None if document is None else document.malformed)

    @classmethod
    def of_document(cls, document: Document, robot: Robot | None) -> Source:
        """Return a parsed description, with the robot as the loader reads it, if it does."""
        return cls(document.root, robot, document.malformed)
