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

"""Load robots from text of any format: URDF, or what is converted to it."""

from __future__ import annotations

from importlib import import_module
from threading import Lock
from weakref import WeakValueDictionary

from urdf_tools.model.loader import build_robot
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document

FORMATS = {'sdf': 'urdf_tools.formats.sdf.reader', 'mujoco': 'urdf_tools.formats.mjcf.reader'}
"""Root element of each other format to the module whose ``urdf_of`` converts it."""


def as_urdf(document: Document, resources: ResourceResolver | None = None, model: str = ''
            ) -> Document:
    """
    Return a description as URDF, whatever its format; what is none of ours is returned as it is.

    :param resources: finds the files that it includes; by default in the environment.
    :param model: the name of the model, in a file of several.
    :raises DescriptionError: it does not describe a robot, or a file that it includes does not.
    """
    module = FORMATS.get(document.root.tag)
    if module is None:
        return document
    # Imported late: most descriptions are URDF already.
    converted: Document = import_module(module).urdf_of(
        document, resources or ResourceResolver(), model)
    return converted


def read_description(text: str | bytes, source: str = '',
                     resources: ResourceResolver | None = None) -> Document:
    """
    Parse the text of a description of any format.

    :param source: where it came from, for messages.
    :param resources: finds the files that it includes; by default in the environment.
    :raises DescriptionError: the text does not describe a robot.
    """
    return as_urdf(read_document(text, source), resources)


def loads(text: str | bytes, *, source: str = '') -> Robot:
    """
    Load a robot from the text of a description: URDF, SDF or MJCF.

    :param text: the description; an encoding declared inside a ``str`` is ignored.
    :param source: where it came from, for messages.
    :raises DescriptionError: the text does not describe a robot.
    """
    return build_robot(read_description(text, source))


def shared_robot(text: str, source: str = '') -> Robot:
    """
    Load a robot as :func:`loads` does, shared by all concurrent users in this process.

    :param source: where it came from, for messages, if nobody uses it yet.
    :raises DescriptionError: the text does not describe a robot.
    """
    with _sharing:
        robot = _shared.get(text)
        if robot is None:
            robot = _shared[text] = loads(text, source=source)
        return robot


_sharing = Lock()
_shared: WeakValueDictionary[str, Robot] = WeakValueDictionary()
