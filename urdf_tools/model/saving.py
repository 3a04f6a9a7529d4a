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

"""Robots in files."""

from __future__ import annotations

import os

from urdf_tools.atomic_write import replace_file
from urdf_tools.model.document import Document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import quote
from urdf_tools.model.replacement import rewritten
from urdf_tools.model.robot import Robot


def save(robot: Robot, path: str | os.PathLike[str]) -> None:
    """
    Save a robot as a URDF file, as a whole or not at all.

    Whatever was not changed keeps its text: comments, formatting, every byte. A robot that was
    expanded from xacro is saved as the URDF that it is; its sources stay as they are.

    :param path: the file, which may be the one that the robot was loaded from.
    :raises DescriptionError: the file is one that xacro read, or the robot cannot be written.
    :raises OSError: the file cannot be written; an old one is as before.
    """
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
    document = rewritten(robot).document
    assert isinstance(document, Document), 'what is rewritten has a description'
    return document.data
