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
from typing import BinaryIO

from urdf_tools.doctor.recordings.recorded import Attachment
from urdf_tools.doctor.recordings.recorded import Metadata
from urdf_tools.doctor.recordings.recorded import Record
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recorded import Topic

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
    schemas: dict[object, int] = {}
    channels: dict[Topic, int] = {}
    for record in records:
        if isinstance(record, Attachment):
            writer.add_attachment(
                record.created, record.received, record.name, record.media_type, record.data)
            continue
        if isinstance(record, Metadata):
            writer.add_metadata(record.name, record.words)
            continue
        topic = record if isinstance(record, Topic) else record.topic
        if topic not in channels:
            key = topic.kind, topic.definition
            if topic.kind and key not in schemas:
                data, language = topic.definition
                schemas[key] = writer.register_schema(topic.kind, language, data)
            channels[topic] = writer.register_channel(
                topic.name, topic.encoding, schemas.get(key, 0), dict(topic.metadata))
        if isinstance(record, Recorded):
            writer.add_message(
                channels[topic], record.received, record.data, record.sent, record.sequence)
    writer.finish()  # type: ignore[no-untyped-call]
