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

"""Write recordings as MCAP files, as rosbag2 does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from typing import BinaryIO

from urdf_tools.recordings.recorded import Attachment
from urdf_tools.recordings.recorded import Metadata
from urdf_tools.recordings.recorded import Record
from urdf_tools.recordings.recorded import Recorded
from urdf_tools.recordings.recorded import Topic

COMPRESSIONS = ('zstd', 'lz4', 'none')


def write_mcap(file: BinaryIO, records: Iterable[Record], compression: str) -> None:
    """
    Write records.

    :param compression: one of :data:`COMPRESSIONS`.
    """
    from mcap.writer import CompressionType
    from mcap.writer import Writer
    writer = Writer(file, compression=CompressionType[compression.upper()])
    writer.start('ros2', 'urdf-tools')
    schemas: dict[Any, int] = {}
    channels: dict[int, int] = {}
    topics: list[Topic] = []
    for record in records:
        if isinstance(record, Recorded):
            topic = record.topic
            # Topics are few and the same objects, whose comparison would cost more.
            channel = channels.get(id(topic))
            if channel is None:
                channel = channels[id(topic)] = _channel(writer, schemas, topic)
                topics.append(topic)
            writer.add_message(
                channel, record.received, record.data, record.sent, record.sequence)
        elif isinstance(record, Attachment):
            writer.add_attachment(
                record.created, record.received, record.name, record.media_type, record.data)
        elif isinstance(record, Metadata):
            writer.add_metadata(record.name, record.words)
        elif id(record) not in channels:
            channels[id(record)] = _channel(writer, schemas, record)
            topics.append(record)
    writer.finish()  # type: ignore[no-untyped-call]


def _channel(writer: Any, schemas: dict[Any, int], topic: Topic) -> int:
    key = topic.kind, topic.definition
    if topic.kind and key not in schemas:
        data, language = topic.definition
        schemas[key] = writer.register_schema(topic.kind, language, data)
    channel: int = writer.register_channel(
        topic.name, topic.encoding, schemas.get(key, 0), dict(topic.metadata))
    return channel
