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

"""The robot of a description as the loader reads it, and how Gazebo loads that robot."""

from __future__ import annotations

from collections.abc import Mapping

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.model.element_reader import ElementReader
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.loader import with_loops_file
from urdf_tools.model.records import Joint
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo import Conversion
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.types import Array


def robot(description: Description) -> Robot | None:
    """Return the robot of a description, or None if the loader refuses it."""
    return _loaded(description)[0]


@once
def link_poses(description: Description) -> Mapping[str, Array]:
    """Return the pose of each link at zero, shape (4, 4); nothing without a robot."""
    of_robot = robot(description)
    return {} if of_robot is None else link_frames(of_robot)


def axis_of(description: Description, joint: Joint) -> Array:
    """Return the axis of a joint of the robot in the frame of its root, at zero, shape (3,)."""
    axis: Array = link_poses(description)[joint.child][:3, :3] @ joint.axis
    return axis


def loops_error(description: Description) -> DescriptionError | None:
    """Return why the loops file of a description cannot be read, or None."""
    return _loaded(description)[1] if description.loops_file else None


def misplaced_in_gazebo(description: Description) -> Mapping[Element, Element]:
    """Return the settings that Gazebo writes into a deleted surface, with its replacement."""
    conversion = in_gazebo(description)
    # Writing the document costs more than all else.
    if conversion is None or not any(
            element.find('surface') is not None for extension in description.gazebo
            for element in extension.iterfind('collision')):
        return {}
    try:
        return conversion.model.extensions.misplaced if conversion.document is not None else {}
    except DescriptionError:
        # It repeats too much, which urdf-tools sdf refuses in the same way.
        return {}


@once
def _loaded(description: Description) -> tuple[Robot | None, DescriptionError | None]:
    """Return the robot, and the error in its loops file, without which it is then loaded."""
    found = None
    try:
        found = build_robot(description.document)
        return with_loops_file(found, description.loops_file), None
    except DescriptionError as error:
        return found, None if found is None else error


@once
def readable_links(description: Description) -> tuple[Link, ...]:
    """Return each link with a name, without the parts that cannot be read."""
    of_description = robot(description)
    if of_description is not None:
        return tuple(of_description.links.values())
    reader = ElementReader(description.version)
    return tuple(map(reader.link, description.link_names.values()))


@once
def in_gazebo(description: Description) -> Conversion | None:
    """Return the robot converted for Gazebo, or None if there is none or it is too large."""
    of_description = robot(description)
    try:
        return None if of_description is None else convert(
            of_description, context=description.context)
    except DescriptionError:
        # Names that are repeated are too long, which urdf-tools sdf refuses in the same way.
        return None


def gazebo_model(description: Description) -> GazeboModel | None:
    """Return the model that Gazebo makes of the robot, or None if there is none."""
    conversion = in_gazebo(description)
    return None if conversion is None else conversion.model
