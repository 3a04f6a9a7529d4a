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

"""Serialized joint states: their stamps and positions, and the joints that they move."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
import json
from math import dist
from pathlib import Path
import struct
from types import MappingProxyType
from typing import Any
from typing import Generic
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.messages.cdr import align
from urdf_tools.messages.cdr import COUNT
from urdf_tools.messages.cdr import PLAIN_CDR
from urdf_tools.messages.cdr import read_count
from urdf_tools.messages.cdr import read_string
from urdf_tools.messages.cdr import SECOND
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.model.robot import Robot
from urdf_tools.types import Indices

Plan = TypeVar('Plan')

LayoutOfNames = TypeVar('LayoutOfNames')

Deserialize = Callable[[bytes], tuple[int, Sequence[str], Sequence[float]]]
"""Returns the stamp in nanoseconds, the names and the positions of a joint state."""

TEXTS: Mapping[str, Mapping[str, str]] = json.loads(
    Path(__file__).with_name('faults.json').read_bytes())
"""What is logged about joint states."""

FAULTS = TEXTS['faults']
"""Kind of fault to what is logged about it."""

MAX_UNKNOWN = 100
"""Maximum number of unknown names that are kept, to bound the memory for a faulty source."""

SPARE_NAMES = 2000
"""Names that a joint state may have besides one for each joint, which bounds its time."""

_MAX_PARTS = 16
"""Maximum number of layouts of some of the joints of a message that are kept."""

_START = struct.Struct('<2s2xiI')
_PREFIX = _START.size

_MAX_KNOWN = 16
_MAX_PREFIX = 2**18


class TooManyNames(ValueError):
    """A joint state has many more names than the robot has joints."""


class Layout(Generic[Plan]):
    """
    Which joints the messages with certain names move, and where their positions are.

    :param joints: rows of the joints, shape (k,), each once.
    :param slots: index of each joint's position in the message, shape (k,).
    :param faults: kind of fault to the names that are skipped; see :data:`FAULTS`.
    :param make_plan: computes :attr:`plan`.
    :ivar plan: what the owner of the reader does with messages of this layout.
    """

    def __init__(
            self, joints: Indices, slots: Indices, make_plan: Callable[[Layout[Plan]], Plan],
            faults: Mapping[str, Sequence[str]] = MappingProxyType({})):
        self.joints = joints
        self.slots = slots
        self.faults = faults
        self._make_plan = make_plan
        self._parts: dict[bytes, Layout[Plan]] = {}
        self.plan = make_plan(self)

    def only(self, chosen: npt.NDArray[np.bool_]) -> Layout[Plan]:
        """Return the layout of the joints selected by a mask of shape (k,)."""
        key = chosen.tobytes()
        part = self._parts.get(key)
        if part is None:
            if len(self._parts) >= _MAX_PARTS:
                self._parts.clear()
            part = self._parts[key] = Layout(
                self.joints[chosen], self.slots[chosen], self._make_plan)
        return part


class JointStateReader(Generic[Plan]):
    """
    Reads positions of joints with one degree of freedom from ``sensor_msgs/JointState``.

    Joints are independent: a fault in one is counted and leaves the others alone.

    :param log: counts and logs what is skipped.
    :param make_plan: computes what a :class:`Layout` has as its plan.
    :param deserialize: see :class:`JointStateParser`.
    :ivar names: the joints in the order of :func:`moving_joints`, mimic joints included.
    :ivar index: name to row of the joints.
    :ivar unknown: names that were given but belong to no joint of the robot.
    """

    def __init__(
            self, robot: Robot, log: FaultLog | None = None, *,
            make_plan: Callable[[Layout[Plan]], Plan], deserialize: Deserialize | None = None):
        self.names = tuple(joint.name for joint in moving_joints(robot))
        self.index = {name: row for row, name in enumerate(self.names)}
        self.unknown: dict[str, None] = {}
        self.log = FaultLog() if log is None else log
        self._make_plan = make_plan
        self._parser = JointStateParser(
            self._lay_out, len(robot.joints) + SPARE_NAMES, deserialize)
        self._joints = robot.joints

    def read(self, data: bytes) -> tuple[int, Layout[Plan], Sequence[float]]:
        """
        Return stamp in nanoseconds, layout of the joints with finite positions, and all positions.

        :raises TooManyNames: it has more than :data:`SPARE_NAMES` names too many.
        :raises ValueError: the bytes are not a joint state.
        """
        stamp, layout, positions = self._parser.parse(data)
        if layout.faults or not all_finite(positions):
            layout = self._without_faults(layout, positions)
        return stamp, layout, positions

    def _lay_out(self, names: Sequence[str], count: int) -> Layout[Plan]:
        """Return the layout of messages with these names and a number of positions."""
        faults: dict[str, list[str]] = {}
        slots: dict[int, int] = {}
        for slot, name in enumerate(names):
            fault = self._fault(name, slot < count, slots)
            if fault:
                faults.setdefault(fault, []).append(name)
            elif name in self.index:
                slots[self.index[name]] = slot
        if count > len(names):
            faults['no name'] = [''] * (count - len(names))
        return Layout(
            np.array(list(slots), dtype=np.intp), np.array(list(slots.values()), dtype=np.intp),
            self._make_plan, faults)

    def _fault(self, name: str, has_position: bool, slots: Mapping[int, int]) -> str:
        if name not in self._joints:
            return 'unknown'
        if name in self.index and not has_position:
            return 'no position'
        return 'duplicate' if self.index.get(name) in slots else ''

    def _without_faults(self, layout: Layout[Plan], positions: Sequence[float]) -> Layout[Plan]:
        """Count the faults of a message; return the layout of the joints with finite positions."""
        for fault, names in layout.faults.items():
            self.log.add_names(fault, names)
        for name in layout.faults.get('unknown', ())[:MAX_UNKNOWN - len(self.unknown)]:
            self.unknown[name] = None
        if all_finite(positions):
            return layout
        finite = np.isfinite(np.asarray(positions)[layout.slots])
        if finite.all():
            return layout
        self.log.add_names('non-finite', [self.names[row] for row in layout.joints[~finite]])
        return layout.only(finite)


@dataclass(frozen=True)
class _Known(Generic[LayoutOfNames]):
    """
    The bytes of messages that agree from the frame ID to the number of positions.

    :ivar prefix: those bytes.
    :ivar fields: encapsulation, stamp, prefix and positions.
    """

    prefix: bytes
    layout: LayoutOfNames
    fields: struct.Struct


_NOTHING: _Known[Any] = _Known(b'\0', None, struct.Struct(_START.format + '0s'))
"""What is known before the first message."""


class JointStateParser(Generic[LayoutOfNames]):
    """
    Parses stamp, names and positions of serialized ``sensor_msgs/JointState``.

    Deserializing message objects costs tens of times what reading their numbers in place does.
    Names seldom change from one message to the next, so the offsets are computed once.

    :param lay_out: called with the names and the number of positions of a message that differs
        from the recent ones in these; its result is returned with each message of that kind.
    :param max_names: messages with more names are refused.
    :param deserialize: reads messages of other encapsulations than little-endian plain CDR, and
        raises ValueError if it cannot; without it they are refused.
    """

    def __init__(
            self, lay_out: Callable[[Sequence[str], int], LayoutOfNames], max_names: int,
            deserialize: Deserialize | None = None):
        self._lay_out = lay_out
        self._max_names = max_names
        self._deserialize = deserialize
        self._known: list[_Known[LayoutOfNames]] = []
        self._last: _Known[LayoutOfNames] = _NOTHING

    def parse(self, data: bytes) -> tuple[int, LayoutOfNames, Sequence[float]]:
        """
        Return the stamp in nanoseconds, the layout and the positions.

        :raises TooManyNames: the message has more than allowed.
        :raises ValueError: the bytes are not a joint state.
        """
        known = self._last
        try:
            encapsulation, seconds, nanoseconds, prefix, *positions = (
                known.fields.unpack_from(data))
        except struct.error:
            return self._parse_another(data)
        if prefix != known.prefix or encapsulation != PLAIN_CDR:
            return self._parse_another(data)
        return seconds * SECOND + nanoseconds, known.layout, positions

    def _parse_another(self, data: bytes) -> tuple[int, LayoutOfNames, Sequence[float]]:
        """Read a message that differs from the last one in more than its numbers."""
        if not data.startswith(PLAIN_CDR):
            return self._parse_message(data)
        try:
            known = self._find(data)
            known.fields.unpack_from(data)
        except struct.error as error:
            raise ValueError('The joint state is cut short') from error
        self._last = known
        return self.parse(data)

    def _find(self, data: bytes) -> _Known[LayoutOfNames]:
        for known in self._known:
            if data.startswith(known.prefix, _PREFIX):
                return known
        names, count, end = self._read_names(data)
        layout, offset = self._lay_out(names, count), align(end, 8) if count else end
        prefix = data[_PREFIX:end]
        # Middlewares fill up a message that is cut short, at most to the next multiple of four:
        # positions are whole where the counts of velocities and efforts follow.
        fields = struct.Struct(
            f'{_START.format}{end - _PREFIX}s{offset - end}x{count}d{2 * COUNT.size}x')
        known = _Known(prefix, layout, fields)
        if len(prefix) <= _MAX_PREFIX:
            self._known = [known, *self._known[:_MAX_KNOWN - 1]]
        return known

    def _read_names(self, data: bytes) -> tuple[list[str], int, int]:
        _, offset = read_string(data, _PREFIX)
        count, offset = read_count(data, offset)
        # Every name takes at least the 4 bytes of its length.
        if 4 * count > len(data):
            raise ValueError('The joint state has more names than bytes')
        self._require_few(count)
        names = []
        for _ in range(count):
            name, offset = read_string(data, offset)
            names.append(name)
        positions, offset = read_count(data, offset)
        if 8 * positions > len(data):
            raise ValueError('The joint state has more positions than bytes')
        return names, positions, offset

    def _require_few(self, names: int) -> None:
        if names > self._max_names:
            raise TooManyNames(f'The joint state has {names} names')

    def _parse_message(self, data: bytes) -> tuple[int, LayoutOfNames, Sequence[float]]:
        # Only for other encapsulations: on damaged bytes the middleware's own code may crash, as
        # it does where a header announces padding and nothing follows.
        if len(data) < _PREFIX:
            raise ValueError('The joint state is cut short')
        if self._deserialize is None:
            raise ValueError('The joint state is not little-endian plain CDR')
        stamp, names, positions = self._deserialize(data)
        self._require_few(len(names))
        return stamp, self._lay_out(names, len(positions)), positions


def no_plan(layout: Layout[None]) -> None:
    """Return no plan, for readers that only keep the positions."""


def all_finite(positions: Sequence[float]) -> bool:
    """Return whether all values are finite."""
    # Only infinity and NaN are not at the distance zero from themselves.
    return dist(positions, positions) == 0
