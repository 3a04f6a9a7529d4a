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

"""How often messages arrive on each topic, with what gaps and latency, and their frames."""

from __future__ import annotations

from collections import Counter
from collections import defaultdict
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from urdf_tools.doctor.graph import CLOCK
from urdf_tools.doctor.graph import is_kept
from urdf_tools.doctor.graph_rules import finding_of
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import GraphFinding
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.observation import TABLES
from urdf_tools.doctor.rules.timing import MINIMUM_PAUSE
from urdf_tools.doctor.rules.timing import PERIODS
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import closest
from urdf_tools.model.yaml_file import YamlFile
from urdf_tools.types import Array
from urdf_tools.types import Times
import yaml


MAX_FRAMES = 200
"""Most frames of a topic that are listed, and most sources of which stamps are compared."""

RESOLUTION, FINEST = 1e-3, 1e-6
"""Times are kept to a thousandth, or to nanoseconds if they are shorter than microseconds."""

Rates = list[dict[str, Any]]
"""The table, a row for each topic, as data for JSON."""


class _Spread:
    """Times in seconds, counted by their size: of any number of them, quantiles are known."""

    def __init__(self) -> None:
        self._counts = Counter[float]()

    def add(self, seconds: Array) -> None:
        """Count some more."""
        sizes, numbers = np.unique(
            np.rint(np.arcsinh(seconds / FINEST) / RESOLUTION), return_counts=True)
        self._counts.update(dict(zip(sizes.tolist(), numbers.tolist())))

    def counted(self) -> tuple[Array, Array]:
        """Return the different times, and how often each came, shape (k,) and (k,)."""
        return FINEST * np.sinh(RESOLUTION * np.array([*self._counts])), np.array(
            [*self._counts.values()])


def _quantile(values: Array, numbers: Array, share: float) -> float | None:
    """Return the value below which a share of values is that come in numbers, None of none."""
    order = np.argsort(values)
    sums = np.cumsum(numbers[order])
    return float(values[order[np.searchsorted(sums, share * sums[-1])]]) if len(sums) else None


class _TopicRate:
    """
    What is known of a topic; seconds are of the clock in use.

    :ivar latencies: the ages of messages on arrival.
    """

    def __init__(self) -> None:
        self._messages = 0
        self._seconds, self._last = 0.0, 0
        self._longest = 0.0, 0
        """The longest time without a message, and when it began."""
        self._intervals, self.latencies = _Spread(), _Spread()
        self._stamps: dict[object, int] = {}
        self._regressions: int | None = None
        self._frames: dict[str, None] = {}

    def arrive(self, received: Times, pace: float, continues: bool) -> None:
        """
        Add messages.

        :param received: when they arrived, shape (k,), k > 0.
        :param pace: seconds of the clock in use in one by the recorder's.
        :param continues: whether everything was observed since the last one.
        """
        self._messages += len(received)
        if continues and self._last:
            received = np.append(self._last, received)
        self._last = int(received[-1])
        steps = np.diff(received) / SECOND * pace
        if len(steps):
            self._seconds += float(steps.sum())
            self._intervals.add(steps)
            self._pause(float(steps.max()), int(received[steps.argmax()]))

    def _pause(self, seconds: float, since: int) -> None:
        self._longest = max(self._longest, (seconds, since), key=itemgetter(0))

    def add_frames(self, frames: Iterable[str]) -> None:
        """Add the frames of messages."""
        self._frames.update(dict.fromkeys(frames))
        while len(self._frames) > MAX_FRAMES:
            self._frames.popitem()

    def add_stamps(self, source: object, stamps: Times) -> None:
        """Add the stamps of messages from one source, shape (k,), k > 0."""
        if source in self._stamps or len(self._stamps) < MAX_FRAMES:
            steps = np.diff(stamps, prepend=self._stamps.get(source, stamps[0]))
            self._stamps[source] = int(stamps[-1])
            self._regressions = (self._regressions or 0) + int(np.count_nonzero(steps < 0))

    def as_data(self, begin: int, end: int) -> dict[str, Any]:
        """
        Return the row of the table; the silence at the end counts as a gap.

        :param begin: the time that counts as zero, in nanoseconds.
        """
        steps, numbers = self._intervals.counted()
        latencies = self.latencies.counted()
        usual = _quantile(steps, numbers, 0.5)
        row: dict[str, Any] = dict.fromkeys(
            ('rate', 'jitter_p99', 'gaps', 'longest_gap', 'longest_gap_at'))
        if usual is not None:
            silence, minimum = (end - self._last) / SECOND, max(MINIMUM_PAUSE, PERIODS * usual)
            self._pause(silence, self._last)
            row.update(
                rate=int(numbers.sum()) / self._seconds if self._seconds else None,
                jitter_p99=_quantile(np.abs(steps - usual), numbers, 0.99),
                gaps=int(numbers[steps > minimum].sum()) + (silence > minimum),
                longest_gap=self._longest[0], longest_gap_at=(self._longest[1] - begin) / SECOND)
        return {'messages': self._messages, **row, 'latency_median': _quantile(*latencies, 0.5),
                'latency_p99': _quantile(*latencies, 0.99), 'regressions': self._regressions,
                'frames': [*self._frames]}


class TopicRates:
    """Collects the table of rates from successive observations."""

    def __init__(self) -> None:
        self._rates = defaultdict[str, _TopicRate](_TopicRate)

    def add(self, observation: Observation, arrived: Mapping[str, Sequence[int]], since: int = 0,
            continues: bool = False) -> None:
        """
        Add an observation.

        :param arrived: when messages arrived on each topic that has any.
        :param since: when the part of it began that was not added before.
        :param continues: whether everything was observed since the one before.
        """
        timed = bool(observation.graph.topics(CLOCK))
        for topic, times in arrived.items():
            publisher = next(iter(observation.graph.publishing(topic)), '')
            self._rates[topic].arrive(
                np.sort(times), observation.pace(topic, publisher) if timed else 1.0, continues)
        for joints in observation.joints:
            self._add_stamps(observation, joints, joints.names, since)
        for data in observation.stamped:
            self._rates[data.topic].add_frames((data.frame,))
            self._add_stamps(observation, data, (data.frame, data.child), since)
        for frames in observation.frames:
            self._rates[frames.topic].add_frames(frames.children)
            if not frames.static:
                self._add_stamps(observation, StampedTrack(
                    frames.topic, '', frames.source, frames.publisher, '', frames.received,
                    frames.stamps.max(axis=1, initial=0)), frames.children, since)

    def _add_stamps(self, observation: Observation, track: JointTrack | StampedTrack,
                    names: tuple[str, ...], since: int) -> None:
        rows = (track.stamps != 0) & (track.received >= since)
        if not rows.any():
            return
        if track.source or len(observation.graph.publishing(track.topic)) < 2:
            self._rates[track.topic].add_stamps((track.source, names), track.stamps[rows])
        if observation.clock is None or observation.graph.topics(CLOCK):
            self._rates[track.topic].latencies.add(observation.ages(track)[rows])

    def table(self, begin: int, end: int) -> Rates:
        """
        Return the table, in alphabetical order of the topics.

        :param begin: the time that counts as zero, in nanoseconds.
        :param end: until when messages were awaited.
        """
        return [{'topic': topic, **rate.as_data(begin, 0 if is_kept(topic) else end)}
                for topic, rate in sorted(self._rates.items())]


Policy = Mapping[str, Mapping[str, Any]]
"""Name of a topic to what is required of it, by the keys of the file, as data for JSON."""

_MEASURES: Mapping[str, tuple[str, str, str, str]] = TABLES['measures of a policy']
"""
Keys that are compared with a column of the table, what that is called, its unit, and what it
needs to be known.
"""


def read_policy(path: str) -> Policy:
    """
    Return what a file requires of topics.

    :raises DescriptionError: it cannot be read, or has an error.
    """
    file = YamlFile(path, 'Give the path of a YAML file with topics')
    root = {} if file.root is None else file.table(file.root, ('topics',))
    if 'topics' not in root:
        raise file.error(file.root, 'It has no key topics, so that it requires nothing')
    return {topic: _required(file, topic, node)
            for topic, node in file.table(root['topics'], what='topic').items()}


def _required(file: YamlFile, topic: str, node: yaml.Node) -> dict[str, Any]:
    if not topic.startswith('/'):
        raise file.error(node, f'Topic {quote(topic, 80)} does not begin with a slash. '
                         f'Did you mean {quote("/" + topic, 80)}?')
    if isinstance(node, yaml.ScalarNode) and not node.value:
        return {}
    table = file.table(node, (*_MEASURES, 'frames'))
    required: dict[str, Any] = {key: file.number(table[key]) for key in _MEASURES if key in table}
    for key, value in required.items():
        if value < 0:
            raise file.error(table[key], f'{key} is negative')
    if 'frames' in table:
        items = table['frames'].value if isinstance(table['frames'], yaml.SequenceNode) else [
            table['frames']]
        required['frames'] = [file.scalar(each).removeprefix('/') for each in items]
    return required


def unmet(policy: Policy, rates: Rates, observed: tuple[int, int]
          ) -> Iterator[tuple[GraphFinding, tuple[int, int]]]:
    """
    Yield what is not as required, and from when to when.

    :param observed: from when to when the rates were measured, in nanoseconds.
    """
    rows = {row['topic']: row for row in rates if row['messages']}
    for topic, required in policy.items():
        if topic not in rows:
            yield finding_of(GRAPH_RULES['policy-not-met'], GraphDefect(
                topic, 'Nothing was published on this topic of the policy',
                subject='topic', suggestion=closest(topic, rows))), observed
            continue
        row = rows[topic]
        for key, value in required.items():
            when = _gap(row, observed) if key == 'max_gap' else observed
            for defect in _frames(row, value) if key == 'frames' else _compared(row, key, value):
                yield finding_of(GRAPH_RULES['policy-not-met'], defect), when


def _gap(row: Mapping[str, Any], observed: tuple[int, int]) -> tuple[int, int]:
    """Return from when to when the longest gap of a topic was."""
    begin = observed[0] + round((row['longest_gap_at'] or 0) * SECOND)
    return begin, begin + round((row['longest_gap'] or 0) * SECOND)


def _compared(row: Mapping[str, Any], key: str, value: float) -> Iterator[GraphDefect]:
    """Yield the defect of a topic of which a measure is not as required."""
    column, measure, unit, needed = _MEASURES[key]
    measured = row[column]
    if measured is None:
        yield GraphDefect(
            row['topic'], 'The {measure} is unknown: it needs {needed}', subject=key,
            measure=measure, needed=needed)
        return
    sign, relation = (-1, 'below') if key.startswith('min') else (1, 'above')
    if sign * (measured - value) > 0:
        yield GraphDefect(
            row['topic'], 'The {measure} is {measured:.5g}{unit}, {relation} the '
            '{required:.5g}{unit} of the policy', subject=key, measure=measure, measured=measured,
            unit=unit, relation=relation, required=value)


def _frames(row: Mapping[str, Any], frames: list[str]) -> Iterator[GraphDefect]:
    """Yield the defects of a topic whose frames are not those required."""
    others = tuple(frame for frame in row['frames'] if frame not in frames)
    absent = tuple(frame for frame in frames if frame not in row['frames'])
    if others:
        yield GraphDefect(row['topic'], '{others:frame} not in the policy: {others}',
                          subject='frames', others=others)
    if absent:
        yield GraphDefect(row['topic'], '{absent:frame} of the policy not used: {absent}',
                          subject='frames', absent=absent)
