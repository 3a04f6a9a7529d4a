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

"""Recordings for tests, written with the package mcap or as databases of rosbag2."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
import random
import sqlite3
import struct
from typing import NamedTuple

import numpy as np

from urdf_tools.doctor.collected_messages import BEARINGS
from urdf_tools.doctor.collected_messages import MEASURED
from urdf_tools.doctor.graph import CLOCK
from urdf_tools.doctor.graph import is_kept
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import SCAN
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.messages.cdr import lay_out_transforms
from urdf_tools.messages.cdr import pad
from urdf_tools.messages.cdr import PLAIN_CDR
from urdf_tools.messages.cdr import STAMP
from urdf_tools.messages.cdr import TRANSFORM
from urdf_tools.messages.cdr import write_string

SECOND = 10**9


class Written(NamedTuple):
    """A message to be recorded."""

    topic: str
    received: int
    data: bytes
    sequence: int = 0


def qos_words(profiles: Iterable[Qos]) -> str:
    """Return profiles as rosbag2 writes them."""
    return '\n'.join(
        f'- history: keep_last\n  depth: 10\n'
        f'  reliability: {"reliable" if qos.reliable else "best_effort"}\n'
        f'  durability: {"transient_local" if qos.transient_local else "volatile"}\n'
        '  deadline:\n    sec: 9223372036\n    nsec: 854775807\n'
        '  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n  liveliness: automatic\n'
        '  liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n'
        '  avoid_ros_namespace_conventions: false' for qos in profiles)


def numbers(data: bytearray, values: Iterable[float]) -> None:
    """Append a sequence of numbers."""
    values = list(values)
    pad(data, 4)
    data += struct.pack('<I', len(values))
    if values:
        pad(data, 8)
        data += struct.pack(f'<{len(values)}d', *values)


def start(stamp: int, frame: str = '') -> bytearray:
    """Return the beginning of a message with a header."""
    data = bytearray(PLAIN_CDR + b'\0\0' + STAMP.pack(*divmod(int(stamp), SECOND)))
    write_string(data, frame)
    return data


def stamped_message(track: StampedTrack, row: int, stamp: int) -> bytes:
    """Return a serialized message of a track: its header and, where they are kept, its numbers."""
    data = start(stamp, track.frame)
    if track.kind == SCAN:
        pad(data, 4)
        ranges = track.values[row] if len(track.values) else np.linspace(
            1, 2, len(BEARINGS))
        data += np.array([BEARINGS[0], BEARINGS[-1], BEARINGS[1] - BEARINGS[0], 0.0, 0.1, 0.05,
                          30.0], '<f4').tobytes()
        data += struct.pack('<I', len(ranges)) + np.nan_to_num(ranges).astype('<f4').tobytes()
        return bytes(data) + bytes(4)
    if track.kind not in MEASURED:
        return bytes(data)
    body = np.zeros(MEASURED[track.kind])
    if track.kind == ODOMETRY:
        write_string(data, track.child)
        body[6] = 1.0
        if len(track.values):
            body[:7] = track.values[row]
    else:
        values = track.values[row] if len(track.values) else np.full(6, np.nan)
        for begin, part in (13, values[:3]), (25, values[3:]):
            body[begin:begin + 3] = np.nan_to_num(part)
            body[begin + 3] = -1.0 if np.isnan(part).any() else 0.0
    pad(data, 8)
    return bytes(data) + body.tobytes()


def joint_state(stamp: int, names, positions, velocities=(), efforts=()) -> bytes:
    """Return a serialized ``sensor_msgs/JointState``."""
    data = start(stamp)
    pad(data, 4)
    data += struct.pack('<I', len(names))
    for name in names:
        write_string(data, name)
    for values in (positions, velocities, efforts):
        numbers(data, values)
    return bytes(data)


def tf_message(stamps, parents, children, transforms) -> bytes:
    """Return a serialized ``tf2_msgs/TFMessage``."""
    data, places, offsets = lay_out_transforms(parents, children)
    for stamp, place, offset, transform in zip(stamps, places, offsets, transforms):
        STAMP.pack_into(data, place, *divmod(int(stamp), SECOND))
        TRANSFORM.pack_into(data, offset, *transform)
    return bytes(data)


def string(text: str) -> bytes:
    """Return a serialized ``std_msgs/String``."""
    data = bytearray(PLAIN_CDR + b'\0\0')
    write_string(data, text)
    return bytes(data)


def clock(time: int) -> bytes:
    """Return a serialized ``rosgraph_msgs/Clock``."""
    return PLAIN_CDR + b'\0\0' + STAMP.pack(*divmod(int(time), SECOND))


def messages_of(seen: Observation, apart: int = 20_000) -> list[Written]:
    """
    Return the messages of a running graph, in the order of their arrival.

    :param apart: how far the numbers of publishers that started at different times differ. Those
        of publishers that started together are equal, and who is first varies.
    """
    written = []
    rng = random.Random(1)
    sequences: dict[tuple[str, bytes], int] = {}

    def add(topic: str, source: bytes, received: int, data: bytes) -> None:
        # Publishers that started at different times, except those that have published once.
        start = 0 if is_kept(topic) else apart * len(sequences)
        number = sequences.setdefault((topic, source), start) + 1
        sequences[topic, source] = number
        delay = 0 if apart else rng.randrange(2_000_000)
        written.append((int(received) + delay, topic, data, number))

    begin = seen.now - round(seen.seconds * SECOND)
    for text in seen.texts:
        add(text.topic, text.publisher.encode(), begin, string(text.text))
    for joints in seen.joints:
        for row, received in enumerate(joints.received.tolist()):
            add(joints.topic, joints.source, received, joint_state(
                joints.stamps[row], joints.names, joints.positions[row], joints.velocities[row],
                joints.efforts[row]))
    for frames in seen.frames:
        for row, received in enumerate(frames.received.tolist()):
            add(frames.topic, frames.source, begin if frames.static else received, tf_message(
                frames.stamps[row], frames.parents, frames.children, frames.transforms[row]))
    for stamped in seen.stamped:
        for row, (received, stamp) in enumerate(zip(
                stamped.received.tolist(), stamped.stamps.tolist())):
            add(stamped.topic, stamped.source, received, stamped_message(stamped, row, stamp))
    if seen.clock is not None:
        for received, time in zip(seen.clock.received.tolist(), seen.clock.times.tolist()):
            add('/clock', b'', received, clock(time))
    return [Written(topic, received, data, number) for received, topic, data, number in sorted(
        written, key=lambda message: message[0])]


def write_mcap(
        path: Path, messages: Iterable[Written], kinds: dict[str, str],
        offered: dict[str, list[Qos]] | None = None, *, compression: str = 'zstd',
        chunk_size: int = 2**18, finish: bool = True, extras: bool = False,
        words: str | None = None, encoding: str = 'cdr') -> Path:
    """
    Write a recording as rosbag2 does.

    :param kinds: name of each topic to its type.
    :param offered: quality of service of the publishers of each topic.
    :param finish: whether its end is written, too.
    :param words: what is written as the quality of service instead.
    """
    from mcap.writer import CompressionType
    from mcap.writer import Writer
    with open(path, 'wb') as file:
        writer = Writer(file, chunk_size=chunk_size,
                        compression=CompressionType[(compression or 'none').upper()])
        writer.start('ros2', 'test')
        if extras:
            writer.add_attachment(1, 2, 'notes.txt', 'text/plain', b'hello')
            writer.add_metadata('rosbag2', {'serialized_metadata': 'x'})
        channels = {}
        for topic, kind in kinds.items():
            schema = writer.register_schema(kind, 'ros2msg', b'')
            channels[topic] = writer.register_channel(topic, encoding, schema, {
                'offered_qos_profiles': qos_words(
                    (offered or {}).get(topic, [Qos()])) if words is None else words,
                'topic_type_hash': f'RIHS01_{topic}'})
        for message in messages:
            writer.add_message(
                channels[message.topic], message.received, message.data, message.received - 1000,
                message.sequence)
        if finish:
            writer.finish()
    return path


def write_sqlite(
        path: Path, messages: Iterable[Written], kinds: dict[str, str],
        offered: dict[str, list[Qos]] | None = None, *, compressed: bool = False,
        words: str | None = None) -> Path:
    """Write a database as rosbag2 does, with compressed messages if asked to."""
    from zstandard import compress
    database = sqlite3.connect(path)
    database.execute('CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, '
                     'serialization_format TEXT, offered_qos_profiles TEXT)')
    database.execute('CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, '
                     'timestamp INTEGER, data BLOB)')
    numbers = {topic: number for number, topic in enumerate(kinds, 1)}
    database.executemany('INSERT INTO topics VALUES (?, ?, ?, ?, ?)', [
        (numbers[topic], topic, kind, 'cdr',
         qos_words((offered or {}).get(topic, [Qos()])) if words is None else words)
        for topic, kind in kinds.items()])
    database.executemany(
        'INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)', [
            (numbers[message.topic], message.received,
             compress(message.data) if compressed else message.data) for message in messages])
    database.commit()
    database.close()
    return path


def record(path: Path, seen: Observation, apart: int = 20_000, **options) -> Path:
    """Write the recording of a running graph that is observed."""
    offered = {topic: [end.qos for end in ends] for topic, ends in seen.graph.publishers.items()}
    kinds = {topic: kind for topic, kind in seen.graph.kinds.items() if offered.get(topic)}
    return write_mcap(path, messages_of(seen, apart), kinds, offered, **options)


KINDS = {'/joint_states': JOINT_STATE, '/tf': TF_MESSAGE, '/tf_static': TF_MESSAGE,
         '/robot_description': STRING, '/clock': CLOCK}
