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

"""The faults in a recording, and their times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.doctor import rules  # noqa: F401
from urdf_tools.doctor.graph import frame_topics
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph_report import finding_data
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.rate_policy import Policy
from urdf_tools.doctor.rate_policy import unmet
from urdf_tools.doctor.recordings.fault_times import Fault
from urdf_tools.doctor.recordings.fault_times import FaultTimes
from urdf_tools.doctor.recordings.recorded_publishers import recorded_graph
from urdf_tools.doctor.recordings.recorded_windows import MAX_WINDOWS
from urdf_tools.doctor.recordings.recorded_windows import RecordedWindows
from urdf_tools.doctor.recordings.recorded_windows import SECOND
from urdf_tools.doctor.recordings.recording import foreign_messages
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.doctor.robots import description_topics
from urdf_tools.doctor.topic_rates import Rates
from urdf_tools.doctor.topic_rates import TopicRates
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.report import Report

_ABSENT = {
    'robot description': 'description-not-published', 'joint states': 'joint-states-silent',
    'transforms': 'frame-missing'}
"""Data that a recording may lack, and the rule that would report this as a fault."""

_SHOWN_TIMES = 3


@dataclass(frozen=True)
class EvaluatedRecording:
    """
    The findings about a recording.

    :param begin: the time of its first message, in nanoseconds by the recorder's clock.
    :param seconds: from there to the last one.
    :param remarks: what could not be read or evaluated, in words.
    :param rates: how often messages arrived on each topic.
    """

    source: str
    begin: int
    seconds: float
    robots: tuple[str, ...]
    topics: int
    messages: int
    faults: tuple[Fault, ...]
    omitted: int
    remarks: tuple[str, ...]
    rates: Rates

    @property
    def counts(self) -> Mapping[Severity, int]:
        """Number of faults of each severity."""
        return Counter(fault.finding.severity for fault in self.faults)

    def report(self) -> Report:
        """Return the faults as findings whose messages contain their times."""
        return Report(self.source, tuple(
            replace(fault.finding, message=self._with_times(fault)) for fault in self.faults),
            self.counts, {}, 0)

    def _with_times(self, fault: Fault) -> Message:
        shown = [f'{begin:.1f} s to {end:.1f} s' for begin, end in self.seconds_of(fault)]
        words = ', '.join(shown[:_SHOWN_TIMES])
        if fault.number > 1:
            words += (f'{", ..." if fault.number > _SHOWN_TIMES else ""}; {fault.number} times, '
                      f'{fault.duration / SECOND:.1f} s in all')
        if fault.observed not in fault.times and any(
                isinstance(value, float) for value in fault.finding.arguments.values()):
            begin, end = ((time - self.begin) / SECOND for time in fault.observed)
            words += f'; its figures are of {begin:.1f} s to {end:.1f} s'
        message = fault.finding.message
        if not isinstance(message, Message):
            message = Message('{text}', text=FreeText(message))
        return message.extended(' (from {times})', times=words)

    def seconds_of(self, fault: Fault) -> list[tuple[float, float]]:
        """Return the times of a fault in seconds since the beginning of the recording."""
        return [((begin - self.begin) / SECOND, (end - self.begin) / SECOND)
                for begin, end in fault.times]

    def as_data(self, least: Severity = Severity.INFO) -> dict[str, Any]:
        """
        Return all of this as data for JSON.

        :param least: faults of a lower severity are only counted.
        """
        return {
            'source': self.source, 'valid': not self.counts[Severity.ERROR],
            'begin': self.begin / SECOND, 'seconds': round(self.seconds, 3),
            'robots': list(self.robots), 'topics': self.topics, 'messages': self.messages,
            'counts': {severity.name: self.counts[severity] for severity in reversed(Severity)},
            'omitted': self.omitted, 'remarks': list(self.remarks), 'rates': self.rates,
            'findings': [{
                **finding_data(fault.finding),
                'intervals': [[round(begin, 3), round(end, 3)]
                              for begin, end in self.seconds_of(fault)],
                'observed': [round((time - self.begin) / SECOND, 3) for time in fault.observed],
                'occurrences': fault.number, 'duration': round(fault.duration / SECOND, 3),
            } for fault in self.faults if fault.finding.severity >= least]}


def evaluate_recording(
        path: Path | Recording, model: str = '', ignore: Collection[str] = (),
        on_window: Callable[[Observation, int], None] = lambda seen, since: None,
        policy: Policy = {}) -> EvaluatedRecording:
    """
    Evaluate a recording in one pass.

    :param path: where it is, or the recording itself.
    :param model: a description that replaces the recorded ones, or an empty text.
    :param ignore: codes of the rules that are not applied.
    :param on_window: called with what is new in each observation, and when that began.
    :param policy: what is required of its topics.
    :raises RecordingError: it cannot be read at all, or has no messages of ROS 2.
    :raises OverBudget: that takes more than it may.
    """
    recording = path if isinstance(path, Recording) else Recording(path)
    windows = RecordedWindows(model)
    ignored: set[str] = set()
    faults = FaultTimes(ignored)
    robots: dict[str, None] = {}
    rates = TopicRates()
    for window in windows.read(recording):
        ignored.clear()
        ignored.update(ignore, (_ABSENT[name] for name in _absent(windows, model)))
        # Damaged numbers overflow.
        with np.errstate(over='ignore', invalid='ignore', divide='ignore'):
            seen = window.part(window.begin, window.end)
            recording.budget.name(len({
                name for track in seen.frames for name in track.children}))
            faults.add(window)
            robots.update(dict.fromkeys(robot.robot.name for robot in seen.robots))
            fresh = window.part(window.since, window.end)
            rates.add(fresh, windows.arrived, window.since, not window.is_first)
            on_window(fresh, window.since)
    faults.end()
    table = rates.table(windows.first, windows.last)
    found = [*faults.faults(), *(
        Fault(finding, span, [span], 1, span[1] - span[0])
        for finding, span in unmet(policy, table, (windows.first, windows.last)))]
    found.sort(key=lambda fault: -fault.finding.severity)
    return EvaluatedRecording(
        str(recording.path), windows.first, (windows.last - windows.first) / SECOND,
        tuple(robots), len(windows.topics), windows.messages, tuple(found),
        faults.omitted, (*recording.damages, *_remarks(windows, model)), table)


def _absent(windows: RecordedWindows, model: str) -> list[str]:
    """Return the unrecorded data that rules need."""
    graph = recorded_graph(windows.topics)
    present = {'robot description': model or description_topics(graph),
               'joint states': graph.topics(JOINT_STATE), 'transforms': frame_topics(graph)}
    return [name for name, found in present.items() if not found]


def _remarks(windows: RecordedWindows, model: str) -> Iterator[str]:
    absent, graph = _absent(windows, model), recorded_graph(windows.topics)
    if absent:
        hint = '; give --model' if 'robot description' in absent else ''
        yield f'not recorded, and not evaluated: {", ".join(absent)}{hint}'
    unknown = [topic for topic in description_topics(graph) if any(
        end.qos.transient_local is None for end in graph.publishers[topic])]
    if unknown and not model:
        yield (f'the durability of the publishers of {", ".join(unknown)} was not recorded, so '
               'that description-volatile is not evaluated')
    if windows.own_clock:
        days = windows.own_clock / 86_400
        yield (f'messages are stamped {abs(days):.1f} days {"before" if days > 0 else "after"} '
               'they were recorded, by a clock that was not recorded, such as that of a '
               'simulation or of another recording; ages are told from each other')
    yield from foreign_messages(windows.foreign)
    for begin, end in windows.pauses[:5]:
        seconds = (begin - windows.first) / SECOND
        yield (f'nothing was recorded for {(end - begin) / SECOND:.1f} s from {seconds:.1f} s on'
               if end > begin else f'the clock of the recorder went back at {seconds:.1f} s')
    if windows.observations >= MAX_WINDOWS:
        yield 'only the beginning was evaluated, as it is very long'
