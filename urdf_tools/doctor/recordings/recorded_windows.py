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

"""A recording as successive observations, as long as those of a running graph."""

from __future__ import annotations

from collections import Counter
from collections import defaultdict
from collections.abc import Callable
from collections.abc import Hashable
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace
from functools import partial
import re

from urdf_tools.doctor.collected_messages import ALWAYS
from urdf_tools.doctor.collected_messages import CollectedMessages
from urdf_tools.doctor.collected_messages import StampedMessages
from urdf_tools.doctor.graph import CLOCK
from urdf_tools.doctor.graph import Endpoint
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import PublishedText
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recorded import Topic
from urdf_tools.doctor.recordings.recorded_graph import EVENT
from urdf_tools.doctor.recordings.recorded_graph import recorded_graph
from urdf_tools.doctor.recordings.recorded_graph import RecordedNodes
from urdf_tools.doctor.recordings.recorded_graph import RecordedPublishers
from urdf_tools.doctor.recordings.recorded_graph import TRANSITION
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.doctor.robots import description_topics
from urdf_tools.doctor.robots import robot_of
from urdf_tools.doctor.stamped_sources import clock_of_stamps
from urdf_tools.messages.batches import LAYOUTS
from urdf_tools.messages.batches import Message
from urdf_tools.messages.batches import MessageNames
from urdf_tools.messages.headers import header_position

SECOND = 10**9

STEP = 5 * SECOND // 2
"""
Nanoseconds from one observation to the next.

Each lasts two steps, as long as the doctor watches a running graph, so that the rules see what
they were made for; they overlap, so that no pause is cut in two.
"""

CALM, DISCOVERY = SECOND, 6 * SECOND
"""
Nanoseconds without a new topic after which the recorder has found all, and the most that it is
given. A robot that is starting is not broken.
"""

LEAST = SECOND
"""Nanoseconds that the last observation lasts at least."""

PAUSE = 10 * SECOND
"""Nanoseconds without any message after which the recording starts again: it was paused."""

MAX_WINDOWS = 100_000
"""Most observations, three days of them."""

_MAX_LINE = 300

_STREAMS = (JOINT_STATE, TF_MESSAGE, CLOCK)


@dataclass(frozen=True)
class Window:
    """
    An observation, valid until the next one.

    :param begin: in nanoseconds, as the recorder's times are.
    :param start: since when everything was recorded that is observed; before it, nothing was.
    :param is_first: whether nothing was observed directly before.
    :param part: returns the observation between two times, at most one step before it.
    """

    begin: int
    end: int
    start: int
    is_first: bool
    part: Callable[[int, int], Observation]

    @property
    def since(self) -> int:
        """When what the observation before does not have began."""
        return self.start if self.is_first else min(self.begin + STEP, self.end)


class RecordedWindows:
    """
    Cuts a recording into observations.

    :param model: a description that replaces the recorded ones, or an empty text.
    :ivar topics: name of a topic to what is known of its publishers.
    :ivar first: the time of the first message, in nanoseconds.
    :ivar last: of the last one.
    :ivar observations: number of observations until now.
    :ivar pauses: from when to when nothing was recorded.
    :ivar arrived: name of a topic to when messages arrived on it since the last observation.
    :ivar foreign: what messages are that are not read, and their number.
    :ivar own_clock: seconds by which the stamps of messages are behind the recorder's clock if
        they are those of a clock that was not recorded; otherwise 0.
    """

    def __init__(self, model: str = ''):
        self.topics: dict[str, RecordedPublishers] = {}
        self.first = self.last = 0
        self.messages = self.observations = 0
        self.foreign: Counter[str] = Counter()
        self.arrived = defaultdict[str, list[int]](list)
        self.pauses: list[tuple[int, int]] = []
        self._model = model
        self._collected = CollectedMessages()
        self._nodes = RecordedNodes()
        self._names = {kind: MessageNames(kind) for kind in LAYOUTS}
        self.own_clock = 0.0
        self._stamped: dict[str, StampedMessages] = {}
        self._graph: Graph | None = None
        self._texts: tuple[PublishedText, ...] | None = None
        self._begin = self._start_time = self._calm_since = 0
        self._settled = self._continues = self._has_ended = False

    def read(self, recording: Recording) -> Iterator[Window]:
        """
        Yield the observations in a recording.

        :raises RecordingError: it cannot be read at all, or has no messages of ROS 2.
        :raises OverBudget: that takes more than it may.
        """
        for record in recording.records():
            if isinstance(record, Topic):
                self._add_topic(record)
            elif isinstance(record, Recorded):
                if not self.messages:
                    self.first = record.received
                    self._start(record.received)
                elif abs(record.received - self.last) >= PAUSE:
                    yield from self._finish()
                    self.pauses.append((self.last, record.received))
                    self._start(record.received)
                while record.received >= self._begin + 2 * STEP and self._settled:
                    if self.observations < MAX_WINDOWS:
                        yield self._window(self._begin + 2 * STEP)
                    self._forget(self._begin)
                    self._begin += STEP
                    self._continues = True
                self._add(record)
                self.last = max(record.received, self.last)
        self._has_ended = True
        if self.messages:
            yield from self._finish()
        if self.messages == self.foreign.total():
            recording.refuse_unread(self.foreign)

    def _add_topic(self, topic: Topic) -> None:
        self._graph = None
        if topic.name in self.topics:
            return
        self.topics[topic.name] = RecordedPublishers(topic)
        position = header_position(topic.kind, _first_field_of(topic))
        if position is not None and not _is_collected(topic):
            self._stamped[topic.name] = StampedMessages(topic.name, topic.kind, position)

    def _start(self, time: int) -> None:
        self._forget(ALWAYS)
        self._begin = self._start_time = self._calm_since = self.last = time
        self._settled = bool(self.pauses)
        self._continues = False

    def _add(self, record: Recorded) -> None:
        self.messages += 1
        topic, received = record.topic, record.received
        self.arrived[topic.name].append(received)
        publishers = self.topics[topic.name]
        if not self._settled:
            if not publishers.received:
                self._calm_since = received
            if received - self._calm_since >= CALM or received - self.first >= DISCOVERY:
                self._settled = True
                self._begin = received
        foreign, changes = record.foreign, publishers.changes
        stamped = None if foreign else self._stamped.get(topic.name)
        header = stamped.header(record.data) if stamped else None
        names: Hashable = header.frame if header else None
        if topic.kind in self._names and record.sequence and not foreign:
            names = self._names[topic.kind].of(record.data)
        message = Message(record.data, publishers.source(record, names), received)
        if publishers.received == 1 or publishers.changes != changes:
            self._graph = None
        if foreign:
            self.foreign[foreign] += 1
        elif stamped:
            stamped.add_header(header, message)
        elif topic.kind in (EVENT, TRANSITION):
            self._nodes.add(topic.name, topic.kind, record.data)
            self._graph = None
        elif _is_collected(topic):
            self._collected.add(topic.name, [message])

    def _forget(self, before: int) -> None:
        self._collected.clear(before)
        self.arrived.clear()
        for stamped in self._stamped.values():
            stamped.clear(before)

    def _finish(self) -> Iterator[Window]:
        """Yield the last observation, which may be shorter."""
        begin = self._begin
        if not self._settled or not self._continues and self.last - begin < 2 * STEP:
            # It is too short to leave something out.
            begin = self._start_time
        if self.last - begin >= LEAST or not self.observations:
            self._begin = begin
            yield self._window(self.last)

    def _window(self, end: int) -> Window:
        self.observations += 1
        if self._graph is None:
            self._graph = self._nodes.graph(recorded_graph(self.topics))
            if self._model:
                self._graph, self._texts = _with_model(self._graph, self._model)
        graph = self._graph
        for topic in description_topics(graph):
            self._collected.keep_only(topic, [end.gid for end in graph.publishers[topic]])
        parameters = self._nodes.parameters('/clock' in self.topics)
        states = dict(self._nodes.states)
        # What is recorded late is not silent: it began later.
        silent = {name: (self.last - self.first) / SECOND for name, found in self.topics.items()
                  if self._has_ended and not found.received}

        def part(begin: int, end: int) -> Observation:
            stamped = tuple(track for topic, messages in self._stamped.items()
                            for track in messages.tracks(
                                partial(graph.sender, topic), begin=begin, end=end))
            observation = self._collected.observation(
                graph, (end - begin) / SECOND, end, parameters, begin=begin,
                texts=self._texts, states=states, recorded=True, stamped=stamped, silent=silent)
            clock = None if '/clock' in self.topics else clock_of_stamps(observation)
            if clock is None:
                return observation
            self.own_clock = float(clock.received[-1] - clock.times[-1]) / SECOND
            return replace(observation, clock=clock)

        return Window(self._begin, end, self._start_time, not self._continues, part)


def _with_model(graph: Graph, model: str) -> tuple[Graph, tuple[PublishedText]]:
    """Return a graph in which a given description replaces others, and that description."""
    found = [topic for topic in graph.topics(STRING) if topic.endswith('robot_description')]
    topic = found[0] if len(found) == 1 else '/robot_description'
    publisher = Endpoint('--model', Qos(transient_local=True))
    return replace(
        graph, kinds={**graph.kinds, topic: STRING},
        publishers={**graph.publishers, topic: (publisher,)}), (
            PublishedText(topic, '--model', model, *robot_of(model)),)


def _is_collected(topic: Topic) -> bool:
    return topic.kind in _STREAMS or topic.kind == STRING and topic.name.endswith('description')


def _first_field_of(topic: Topic) -> Callable[[str], str | None]:
    """Return a function that finds the first field of the type of a topic, if it is recorded."""
    text, language = topic.definition
    # The type itself comes first, then each type that it uses.
    own = re.split('(?m)^=+$', text[:100_000].decode(errors='replace'))[0]
    name = topic.kind.replace('/msg/', '/')
    return lambda other: _first_field(own, name) if (
        text and language == 'ros2msg' and other == name) else None


def _first_field(text: str, of: str) -> str:
    """Return the type of the first field in a definition, ignoring constants."""
    for line in text.splitlines():
        match = re.match(r'\s*([\w/]+)(\[[<=\d]*\])?\s+\w+\s*(?![\w=])', line[:_MAX_LINE])
        if match is None or re.match(r'[^#]*\w\s*=', line[:_MAX_LINE]):
            continue
        kind, many = match[1].replace('/msg/', '/'), match[2] or ''
        if kind == 'Header':
            kind = 'std_msgs/Header'
        elif '/' not in kind and kind[0].isupper():
            kind = f'{of.partition("/")[0]}/{kind}'
        return f'sequence<{kind}>' if many == '[]' or '<' in many else kind
    return ''
