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

"""The frames of a recording as a state publisher would have published them for another model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.recordings.recorded import Record
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded import Topic
from urdf_tools.doctor.robots import robot_of
from urdf_tools.messages.batches import Cursor
from urdf_tools.messages.batches import Message
from urdf_tools.messages.batches import read_text
from urdf_tools.messages.batches import read_transforms
from urdf_tools.messages.cdr import PLAIN_CDR
from urdf_tools.messages.cdr import SECOND
from urdf_tools.messages.cdr import TRANSFORM
from urdf_tools.messages.cdr import Transform
from urdf_tools.messages.cdr import write_string
from urdf_tools.messages.cdr import write_transforms
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import JointStateReader
from urdf_tools.messages.multi_dof_states import multi_dof_joints
from urdf_tools.messages.multi_dof_states import MultiDofStates
from urdf_tools.messages.multi_dof_states import MultiDofTransforms
from urdf_tools.messages.stamp_filter import REPEATED
from urdf_tools.messages.stamp_filter import StampFilter
from urdf_tools.messages.stamp_filter import THROTTLED
from urdf_tools.messages.tf_messages import MovingTransforms
from urdf_tools.messages.tf_messages import static_joints
from urdf_tools.messages.tf_messages import static_message
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array

MULTI_DOF = 'sensor_msgs/msg/MultiDOFJointState'

_LATEST = 2**31 * SECOND - 1
"""The latest time that the stamp of a message can hold, in nanoseconds."""

_OFFERED = Path(__file__).with_name('offered_qos.yaml').read_text(encoding='utf-8').rstrip()
_DEFINITIONS = {STRING: 'string data\n', TF_MESSAGE: Path(__file__).with_name(
    'TFMessage.msg').read_text(encoding='utf-8')}


@dataclass(frozen=True)
class FrameOptions:
    """
    Parameters of the state publisher, and where its topics are.

    :param prefix: prepended to every frame ID.
    :param frequency: maximum publish rate of each joint in Hz; 0 is unlimited.
    :param namespace: of the description and of the joint states.
    :param tf: topic of the transforms; static ones are on a topic with ``_static`` at its end.
    """

    prefix: str = ''
    frequency: float = 20.0
    namespace: str = '/'
    tf: str = '/tf'


class RepublishedFrames:
    """
    Replaces the description and the frames of a robot in a recording.

    What others publish on the same topics stays: transforms from or to a frame that neither model
    has.

    :param text: the description of the robot.
    :ivar messages: number of messages that the new recording has.
    :ivar counts: what was written, dropped and not readable, and why joint states have no frames.
    """

    def __init__(self, robot: Robot, text: str, settings: FrameOptions):
        self.messages = 0
        self.counts: Counter[str] = Counter()
        self._text = text
        self._robot = robot
        self._settings = settings
        self._prefix = prefix = settings.prefix
        names = ('robot_description', 'joint_states', 'multi_dof_joint_states')
        self._description, self._joint_states, self._multi_dof_states = (
            in_namespace(settings.namespace, name) for name in names)
        self._static = settings.tf + '_static'
        self._topics: dict[str, Topic] = {}
        self._sequences: Counter[str] = Counter()
        self._has_multi_dof = False
        faults = FaultLog()
        self._reader = JointStateReader(
            robot, faults, make_plan=MovingTransforms(robot, prefix, faults).plan)
        self._filter = StampFilter(self._reader.names)
        self._multi_dof = MultiDofStates(multi_dof_joints(robot), faults)
        self._multi_dof_transforms = MultiDofTransforms(self._multi_dof.joints, prefix)
        self._multi_dof_filter = StampFilter(self._multi_dof.names)
        for each in (self._filter, self._multi_dof_filter):
            each.set_frequency(settings.frequency)
        self._links: set[str] = set()
        self._children: set[str] = set()
        self._free: set[str] = set()
        self._know(robot)

    def records(self, records: Iterator[Record]) -> Iterator[Record]:
        """Yield the records of a recording with the frames of the model."""
        for record in records:
            if isinstance(record, Topic):
                self._topics.setdefault(record.name, record)
                self._has_multi_dof |= record.name == self._multi_dof_states
            elif isinstance(record, Recorded):
                start = [] if self.messages else self._start(record)
                for each in (*start, *self._replaced(record)):
                    self.messages += isinstance(each, Recorded)
                    yield each
                continue
            yield record

    def _know(self, robot: Robot) -> None:
        """Note which frames a model has, and which of them other nodes may publish."""
        self._links |= {self._prefix + link for link in robot.links}
        self._children |= {self._prefix + joint.child for joint in robot.tree}
        self._free |= {self._prefix + joint.child for joint in multi_dof_joints(robot)}

    def _start(self, first: Recorded) -> Iterator[Record]:
        data = bytearray(PLAIN_CDR + b'\0\0')
        write_string(data, self._text)
        yield from self._written(self._description, STRING, bytes(data), first)
        stamp = min(max(first.received, -_LATEST), _LATEST)
        fixed = static_message(static_joints(self._robot), self._prefix, stamp)
        yield from self._written(self._static, TF_MESSAGE, fixed, first)

    def _written(self, name: str, kind: str, data: bytes, at: Recorded) -> Iterator[Record]:
        """Yield a message that is published when another one is received."""
        topic = self._topics.get(name)
        if topic is None:
            kept = name != self._settings.tf
            topic = self._topics[name] = Topic(
                name, kind, 'cdr', (_DEFINITIONS[kind].encode(), 'ros2msg'),
                (('offered_qos_profiles', _OFFERED.format(
                    depth=1 if kept else 100,
                    durability='transient_local' if kept else 'volatile')),))
            yield topic
        self.counts[f'written on {name}'] += 1
        self._sequences[name] += 1
        yield Recorded(
            topic, at.received, at.sent, self._sequences[name] if at.sequence else 0, data)

    def _replaced(self, record: Recorded) -> Iterator[Record]:
        name = record.topic.name
        if record.foreign and name in (self._joint_states, self._multi_dof_states,
                                       self._settings.tf, self._static):
            raise RecordingError(f'The messages on {name} cannot be read: {record.foreign}')
        if name == self._description and record.topic.kind == STRING:
            text = read_text(Message(record.data, b'', 0)) or ''
            robot, _ = robot_of(text)
            if robot is not None:
                self._know(robot)
            self.counts[f'dropped from {name}'] += 1
        elif name in (self._settings.tf, self._static) and record.topic.kind == TF_MESSAGE:
            yield from self._without_own(record)
        else:
            yield record
            if name == self._joint_states:
                yield from self._moved(record, self._move)
            elif name == self._multi_dof_states and record.topic.kind == MULTI_DOF:
                yield from self._moved(record, self._move_freely)

    def _moved(self, record: Recorded,
               move: Callable[[bytes], tuple[bytes, str]]) -> Iterator[Record]:
        """Yield the transforms of a joint state, as the pipeline of the node makes them."""
        try:
            message, refusal = move(record.data)
        except ValueError:
            self.counts['unreadable joint states'] += 1
            return
        if not refusal:
            yield from self._written(self._settings.tf, TF_MESSAGE, message, record)
        elif refusal not in (THROTTLED, REPEATED):
            self.counts[f'joint states without frames: {refusal}'] += 1

    def _move(self, data: bytes) -> tuple[bytes, str]:
        """Return the transforms of a joint state, and why there are none."""
        stamp, layout, positions = self._reader.read(data)
        refusal = self._filter.admit(layout.joints, stamp)
        if refusal:
            return b'', refusal
        part = self._filter.part
        plan = layout.plan if part is None else layout.only(part).plan
        return plan.message(positions, stamp), ''

    def _move_freely(self, data: bytes) -> tuple[bytes, str]:
        """Return the transforms of planar and floating joints, likewise."""
        stamp, names, states = read_multi_dof(Cursor(data))
        values = self._multi_dof.read(names, states)
        rows = np.array(list(values), dtype=np.intp)
        refusal = self._multi_dof_filter.admit(rows, stamp)
        if refusal:
            return b'', refusal
        return self._multi_dof_transforms.message(values, stamp, self._multi_dof_filter.part), ''

    def _without_own(self, record: Recorded) -> Iterator[Record]:
        """Yield a message with only the transforms of other publishers."""
        try:
            transforms = read_transforms(Cursor(record.data))
        except ValueError:
            self.counts['unreadable transforms'] += 1
            yield record
            return
        others = [each for each in transforms if not self._is_own(each)]
        if len(others) == len(transforms):
            yield record
            return
        self.counts[f'dropped from {record.topic.name}'] += 1
        if others:
            yield record._replace(data=write_transforms(others))

    def _is_own(self, transform: Transform) -> bool:
        parent, child = (name.removeprefix('/') for name in (transform.parent, transform.child))
        return child in self._children and parent in self._links and (
            self._has_multi_dof or child not in self._free)


def read_multi_dof(cursor: Cursor) -> tuple[int, list[str], list[Array]]:
    """
    Return stamp, names and states of a ``sensor_msgs/MultiDOFJointState``.

    :return: the stamp in nanoseconds, and each state as ``x y z qx qy qz qw``.
    :raises ValueError: it cannot be read.
    """
    stamp = cursor.stamp()
    cursor.string()
    names = cursor.strings()
    return stamp, names, list(cursor.numbers(7 * cursor.count(TRANSFORM.size)).reshape(-1, 7))
