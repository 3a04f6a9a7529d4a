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

"""Convert parsed URDF to :class:`~urdf_tools.model.robot.Robot`, and robots to text."""

from __future__ import annotations

import os

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot_reader import read_robot
from urdf_tools.model.xml.document import Document


def build_robot(document: Document) -> Robot:
    """
    Build the robot of a parsed description.

    Invalid parts that are not needed are left out and noted in ``Robot.problems``.

    :raises DescriptionError: the description is not a tree of named links and joints.
    """
    return read_robot(document, Robot)


def with_loops_file(robot: Robot, path: str | None) -> Robot:
    """
    Return a robot with the loops of a YAML file in addition to its own, if there is a file.

    :raises DescriptionError: the file cannot be read, or a loop in it.
    """
    if not path:
        return robot
    # What reads YAML is only imported for a file.
    from urdf_tools.model.loops_file import add_loops
    return add_loops(robot, path)


def save(robot: Robot, path: str | os.PathLike[str]) -> None:
    """
    Save a robot as a URDF file atomically.

    Unchanged parts keep their text byte for byte, comments and formatting included. A robot that
    was expanded from xacro is saved as expanded URDF; its sources stay unchanged.

    :param path: the file, which may be the one that the robot was loaded from.
    :raises DescriptionError: the file is one that xacro read, or the robot cannot be written.
    :raises OSError: the file cannot be written; an existing one is unchanged.
    """
    from urdf_tools.atomic_write import replace_file
    name = os.fsdecode(path)
    for file in robot.xacro_files:
        if os.path.exists(name) and os.path.exists(file) and os.path.samefile(name, file):
            raise DescriptionError(
                f'{quote(name, 200)} is a source of the robot, which xacro expanded',
                ErrorKind.UNREADABLE, hint='Save the URDF under another name')
    replace_file(name, text_of(robot))


def text_of(robot: Robot) -> bytes:
    """
    Return the text of a robot, as :func:`save` writes it.

    :raises DescriptionError: the robot cannot be written.
    """
    # Imported late: few robots are saved.
    from urdf_tools.model.replacement import document_of
    from urdf_tools.model.replacement import rewritten
    return document_of(rewritten(robot)).data
