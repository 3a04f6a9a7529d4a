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

"""Headers of serialized messages: which types have one, and how to read only it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
import json
from pathlib import Path
import re
from typing import NamedTuple

from urdf_tools.messages.batches import Cursor
from urdf_tools.types import Array

_MIN_SIZE = 13
"""Size of a header whose name is empty, in bytes."""

_MAX_NESTED = 4

FirstField = Callable[[str], str | None]
"""
Returns the type of the first field of a type such as ``geometry_msgs/PoseStamped``.

It is written as in ``get_fields_and_field_types`` of rclpy's messages: ``std_msgs/Header``,
``sequence<geometry_msgs/TransformStamped>``. Empty if there is no field, None if it is unknown.
"""


class HeaderPosition(Enum):
    """Where the headers of a message are."""

    FIRST = 'at its beginning'
    ELEMENTS = 'at the beginning of each element of a sequence, which the message begins with'


class Header(NamedTuple):
    """
    A ``std_msgs/Header``.

    :param stamp: in nanoseconds.
    :param child: the child frame of odometry, without the slash of tf 1 at its beginning.
    :param values: the numbers that :class:`~urdf_tools.doctor.observation.StampedTrack` has.
    """

    stamp: int
    frame: str
    child: str = ''
    values: Array | None = None


_SEQUENCE = re.compile(r'sequence<([^,<>]+)(?:, *\d+)?>')


def header_position(kind: str, first_field: FirstField) -> HeaderPosition | None:
    """
    Return where the headers of a type are, or None if it does not begin with one.

    :param kind: full name of the type, such as ``sensor_msgs/msg/LaserScan``.
    :param first_field: returns the first field of types; the usual types are known without it.
    """
    package, _, rest = kind.partition('/')
    name = f'{package}/{rest.rpartition("/")[2]}'
    first = first_field(name)
    if first is None:
        found = name.replace('/', '/msg/')
        return HeaderPosition.FIRST if found in WITH_HEADER else (
            HeaderPosition.ELEMENTS if found in WITH_HEADERS else None)
    sequence = _SEQUENCE.fullmatch(first)
    if not _begins_with_header(sequence[1] if sequence else first, first_field):
        return None
    return HeaderPosition.ELEMENTS if sequence else HeaderPosition.FIRST


def _begins_with_header(name: str, first_field: FirstField) -> bool:
    """Return whether a field of a type is a header, or begins with one."""
    for _ in range(_MAX_NESTED):
        if name == 'std_msgs/Header':
            return True
        first = first_field(name)
        if first is None:
            return name.replace('/', '/msg/') in WITH_HEADER
        name = first
    return False


def read_header(data: bytes, position: HeaderPosition = HeaderPosition.FIRST) -> Header | None:
    """
    Return the header at the beginning of a serialized message, or None if it has no elements.

    Of a sequence of elements, only the first one is read: the others are behind its data.

    :raises ValueError: it cannot be read.
    """
    cursor = Cursor(data)
    if position is HeaderPosition.ELEMENTS and not cursor.count(_MIN_SIZE):
        return None
    return Header(cursor.stamp(), cursor.frame())


_PROPERTIES: dict[str, list[str]] = json.loads(
    Path(__file__).with_name('message_types.json').read_bytes())


def _types_that_are(which: str) -> tuple[str, ...]:
    return tuple(kind for kind, properties in _PROPERTIES.items() if which in properties)


WITH_HEADER = _types_that_are('header')
"""Types that begin with a header, for where the types cannot be imported."""

WITH_HEADERS = _types_that_are('headers')
"""Types that begin with a sequence of such types."""

FRAMELESS = _types_that_are('frameless')
"""Prefixes of types whose frame is not used."""

PLACED = _types_that_are('placed')
"""Types of data that are meaningless without their frame."""

NEVER_WITHOUT = _types_that_are('framed')
"""Types in which no node leaves the frame empty on purpose."""

STEADY = _types_that_are('steady')
"""Types of measurements, which a node publishes all the time, each with the time it was made."""

NEVER_SILENT = _types_that_are('never silent')
"""Those that no usual driver publishes only on demand or on a change."""

IMAGES = _types_that_are('image')
"""Types of images, and of what belongs to them."""

LEVEL = _types_that_are('level')
"""Types of sensors that are usually mounted level."""

ON_DEMAND = _types_that_are('on demand')
"""Types that many nodes compute only while somebody listens; we are not to be the only ones."""
