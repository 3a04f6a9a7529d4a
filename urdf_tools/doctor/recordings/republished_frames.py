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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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
from urdf_tools.messages.cdr import Transform
from urdf_tools.messages.cdr import write_string
from urdf_tools.messages.cdr import write_transforms
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import JointStateReader
from urdf_tools.messages.stamp_filter import REPEATED
from urdf_tools.messages.stamp_filter import StampFilter
from urdf_tools.messages.stamp_filter import THROTTLED
from urdf_tools.messages.tf_messages import MovingTransforms
from urdf_tools.messages.tf_messages import static_joints
from urdf_tools.messages.tf_messages import static_message
from urdf_tools.model.robot import Robot

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
    has, and those of planar and floating joints.

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
        self._prefix = settings.prefix
        self._description, self._joint_states = (
            in_namespace(settings.namespace, name) for name in ('robot_description',
                                                                'joint_states'))
        self._static = settings.tf + '_static'
        self._topics: dict[str, Topic] = {}
        self._sequences: Counter[str] = Counter()
        faults = FaultLog()
        self._reader = JointStateReader(
            robot, faults, make_plan=MovingTransforms(robot, settings.prefix, faults).plan)
        self._filter = StampFilter(self._reader.names)
        self._filter.set_frequency(settings.frequency)
        self._links: set[str] = set()
        self._children: set[str] = set()
        self._know(robot)

    def records(self, records: Iterator[Record]) -> Iterator[Record]:
        """Yield the records of a recording with the frames of the model."""
        for record in records:
            if isinstance(record, Recorded):
                start = [] if self.messages else self._start(record)
                for each in (*start, *self._replaced(record)):
                    self.messages += isinstance(each, Recorded)
                    yield each
            else:
                if isinstance(record, Topic):
                    self._topics.setdefault(record.name, record)
                yield record

    def _know(self, robot: Robot) -> None:
        """Note which frames a model has, and which of them its state publisher publishes."""
        self._links |= {self._prefix + link for link in robot.links}
        self._children |= {self._prefix + joint.child for joint in robot.tree
                           if joint.type.dof < 2}

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
        name, is_tf = record.topic.name, record.topic.name in (self._settings.tf, self._static)
        if record.foreign and (is_tf or name == self._joint_states):
            raise RecordingError(f'The messages on {name} cannot be read: {record.foreign}')
        if name == self._description and record.topic.kind == STRING:
            robot, _ = robot_of(read_text(Message(record.data, b'', 0)) or '')
            if robot is not None:
                self._know(robot)
            self.counts[f'dropped from {name}'] += 1
        elif is_tf and record.topic.kind == TF_MESSAGE:
            yield from self._without_own(record)
        else:
            yield record
            if name == self._joint_states:
                yield from self._moved(record)

    def _moved(self, record: Recorded) -> Iterator[Record]:
        """Yield the transforms of a joint state, as the pipeline of the node makes them."""
        try:
            stamp, layout, positions = self._reader.read(record.data)
        except ValueError:
            self.counts['unreadable joint states'] += 1
            return
        refusal = self._filter.admit(layout.joints, stamp)
        if not refusal:
            part = self._filter.part
            plan = layout.plan if part is None else layout.only(part).plan
            yield from self._written(
                self._settings.tf, TF_MESSAGE, plan.message(positions, stamp), record)
        elif refusal not in (THROTTLED, REPEATED):
            self.counts[f'joint states without frames: {refusal}'] += 1

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
        return transform.child.removeprefix('/') in self._children and (
            transform.parent.removeprefix('/') in self._links)
