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
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.doctor import rules  # noqa: F401
from urdf_tools.doctor.graph import frame_topics
from urdf_tools.doctor.graph import is_static
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.graph_rules import finding_data
from urdf_tools.doctor.graph_rules import finding_key
from urdf_tools.doctor.graph_rules import GraphFinding
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import TABLES
from urdf_tools.doctor.recordings.recorded_graph import recorded_graph
from urdf_tools.doctor.recordings.recorded_windows import MAX_WINDOWS
from urdf_tools.doctor.recordings.recorded_windows import RecordedWindows
from urdf_tools.doctor.recordings.recorded_windows import SECOND
from urdf_tools.doctor.recordings.recorded_windows import STEP
from urdf_tools.doctor.recordings.recorded_windows import Window
from urdf_tools.doctor.recordings.recording import foreign_messages
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.doctor.robots import description_topics
from urdf_tools.doctor.topic_rates import Policy
from urdf_tools.doctor.topic_rates import Rates
from urdf_tools.doctor.topic_rates import TopicRates
from urdf_tools.doctor.topic_rates import unmet
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Message
from urdf_tools.findings.report import Report


SLOT = SECOND // 2
"""Resolution of the begin and end times of a fault, in nanoseconds."""

EARLY = SECOND
"""Faults found so soon after the beginning are taken to be there from the start."""

CONSEQUENCES = {'data-frame-unknown', 'frame-awaited', 'frame-missing', 'frame-tree-in-pieces'}
"""Rules whose new violations are only a consequence of a frame that has stopped."""

MAX_FAULTS = 500
"""Maximum number of faults listed for a recording; further ones are counted."""

MAX_TIMES = 200
"""Maximum number of times listed for a fault; further ones are counted."""


@dataclass
class Fault:
    """
    A finding, and the times at which it held.

    :param finding: the worst one while it held, the first of these.
    :param observed: beginning and end of the observation that it is of, as times.
    :param times: beginnings and ends, in nanoseconds as the recorder's times are.
    :param number: how often it began.
    :param duration: how long it held in all, in nanoseconds.
    """

    finding: GraphFinding
    observed: tuple[int, int]
    times: list[tuple[int, int]] = field(default_factory=list)
    number: int = 0
    duration: int = 0


class FaultTimes:
    """
    Collects the faults of a recording.

    :ivar ignore: codes of the rules that are not applied.
    :ivar omitted: number of faults that are too many to be listed.
    """

    def __init__(self) -> None:
        self.omitted = 0
        self.ignore: Collection[str] = ()
        self._faults: dict[object, Fault] = {}
        self._open: dict[object, tuple[int, int]] = {}
        """When each fault began that has not ended, and until when it held at least."""
        self._last = 0, 0
        """Beginning and end of the last observation."""

    def add(self, window: Window) -> None:
        """Evaluate the next observation."""
        observation = window.part(window.begin, window.end)
        found = self._findings(observation)
        if window.is_first:
            self.end()
        gone = self._open.keys() - found.keys()
        silent = {key for key in gone if self._is_silent(key, observation)}
        if any(self._faults[key].finding.code == 'frame-stopped' for key in silent):
            found = {key: finding for key, finding in found.items()
                     if key in self._open or finding.code not in CONSEQUENCES}
        if gone - silent:
            self._close(gone - silent, window)
        self._begin(found.keys() - self._open.keys(), window)
        span = self._last = window.begin, window.end
        for key, finding in found.items():
            fault = self._faults.get(key)
            if fault is not None:
                if _how_bad(finding) > _how_bad(fault.finding):
                    fault.finding, fault.observed = finding, span
            elif len(self._faults) < MAX_FAULTS:
                self._faults[key] = Fault(finding, span)
            else:
                self.omitted += 1

    def end(self) -> None:
        """End the observation of what was recorded until now."""
        for key in list(self._open):
            self._note(key, self._last[1])

    def faults(self) -> list[Fault]:
        """Return the faults, the worst first, then in the order of their beginning."""
        return sorted(self._faults.values(), key=lambda fault: (
            -fault.finding.severity, fault.times[0][0] if fault.times else 0))

    def _findings(self, observation: Observation) -> dict[object, GraphFinding]:
        """Return the findings in an observation, by their keys."""
        return {finding_key(finding): finding
                for finding in evaluate(observation, 'recording', self.ignore).findings
                if isinstance(finding, GraphFinding)}

    def _is_silent(self, key: object, observation: Observation) -> bool:
        """Return whether a fault is the silence of a source that has not published since."""
        fault = self._faults.get(key)
        if fault is None or 'silence' not in fault.finding.arguments:
            return False
        topic, nodes = fault.finding.topic, fault.finding.nodes
        frames = fault.finding.arguments.get('frames')
        return not any(
            track.topic == topic and track.publisher in nodes and (
                not isinstance(track, FrameTrack) or not isinstance(frames, tuple)
                or not {*track.children}.isdisjoint(frames))
            for tracks in (observation.joints, observation.frames, observation.stamped)
            for track in tracks)

    def _shown(self, keys: Collection[object], window: Window,
               spans: Iterable[tuple[int, int]]) -> dict[object, tuple[int, int, GraphFinding]]:
        """Return each fault with the first of some observations that shows it."""
        shown: dict[object, tuple[int, int, GraphFinding]] = {}
        for begin, end in spans:
            if len(shown) == len(keys):
                break
            found = self._findings(window.part(begin, end))
            shown.update((key, (begin, end, found[key])) for key in keys
                         if key in found and key not in shown)
        return shown

    def _begin(self, keys: Collection[object], window: Window) -> None:
        """Find the slot in which faults began: the shortest observation that shows them."""
        begin = window.begin if window.is_first else min(window.begin + STEP, window.end)
        # What only the whole observation shows began somewhere in it.
        self._open.update(dict.fromkeys(keys, (begin, 0)))
        shown = self._shown(keys, window, (
            (window.begin, slot + SLOT) for slot in range(begin, window.end - SLOT, SLOT)))
        for key, (_, end, finding) in shown.items():
            # How long nothing came is known only afterwards.
            silence = finding.arguments.get('silence', finding.arguments.get('pause'))
            if isinstance(silence, float):
                self._open[key] = max(end - round(silence * SECOND), window.start), end
            else:
                is_early = window.is_first and end - SLOT < begin + EARLY
                self._open[key] = window.start if is_early else end - SLOT, 0

    def _close(self, keys: Collection[object], window: Window) -> None:
        """
        Find the slot in which faults ended.

        What had not ended at the end of the last observation, such as a silence, shows in one
        that ends later; for others it is the shortest observation that shows them.
        """
        begin, end = self._last
        spans = [(window.begin, slot) for slot in range(window.end - SLOT, end - 1, -SLOT)]
        spans += [(slot, end) for slot in range(window.begin - SLOT, begin, -SLOT)]
        shown = self._shown(keys, window, spans)
        for key in keys:
            first, last, _ = shown.get(key, (begin + STEP - SLOT, end, None))
            self._note(key, last if first == window.begin else min(first + SLOT, last))

    def _note(self, key: object, end: int) -> None:
        begin, minimum = self._open.pop(key)
        fault = self._faults.get(key)
        if fault is not None:
            end = max(end, begin, minimum)
            fault.number += 1
            fault.duration += end - begin
            if len(fault.times) < MAX_TIMES:
                fault.times.append((begin, end))


_ABSENT: Mapping[str, str] = TABLES['rules on data that may not be recorded']
"""Data that a recording may lack, and the rule that would report this as a fault."""

_SHOWN_TIMES = 3

_SIZES = ('excess', 'jump', 'age', 'ahead', 'pause')
"""Arguments that are the larger, the worse a fault is."""

_OF_A_GRAPH = TABLES['words of a graph']
"""What sentences say about an observation that ends now, to what they say about a recording."""


def _how_bad(finding: GraphFinding) -> tuple[float, ...]:
    return finding.severity, *(
        size for name in _SIZES if isinstance(size := finding.arguments.get(name), float))


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
            replace(fault.finding, message=self._message(fault).extended(
                ' (from {times})', times=self._times(fault))) for fault in self.faults),
            self.counts, {}, 0)

    def _message(self, fault: Fault) -> Message:
        """Return the message of a fault with the time since the beginning of the recording."""
        assert isinstance(fault.finding.message, Message)
        template, values = fault.finding.message.template, dict(fault.finding.arguments)
        for now, then in _OF_A_GRAPH.items():
            template = template.replace(now, then)
        if isinstance(silence := values.get('silence'), float):
            values['since'] = (fault.observed[1] - self.begin) / SECOND - silence
        return Message.restored(template, values)

    def _times(self, fault: Fault) -> str:
        """Return when a fault held, and when its figures were measured if that is not the same."""
        shown = [f'{begin:.1f} s to {end:.1f} s' for begin, end in self.seconds_of(fault)]
        words = ', '.join(shown[:_SHOWN_TIMES])
        if fault.number > 1:
            words += (f'{", ..." if fault.number > _SHOWN_TIMES else ""}; {fault.number} times, '
                      f'{fault.duration / SECOND:.1f} s in all')
        if fault.observed not in fault.times and any(
                isinstance(value, float) and name not in (*_SIZES, 'silence', 'seconds', 'limit')
                for name, value in fault.finding.arguments.items()):
            begin, end = ((time - self.begin) / SECOND for time in fault.observed)
            words += f'; measured from {begin:.1f} s to {end:.1f} s'
        return words

    def seconds_of(self, fault: Fault) -> list[tuple[float, float]]:
        """Return the times of a fault in seconds since the beginning of the recording."""
        return [((begin - self.begin) / SECOND, (end - self.begin) / SECOND)
                for begin, end in fault.times]

    def as_data(self, minimum: int = Severity.INFO) -> dict[str, Any]:
        """
        Return all of this as data for JSON.

        :param minimum: faults of a lower severity are only counted.
        """
        return {
            'source': self.source, 'valid': not self.counts[Severity.ERROR],
            'begin': self.begin / SECOND, 'seconds': round(self.seconds, 3),
            'robots': list(self.robots), 'topics': self.topics, 'messages': self.messages,
            'counts': {severity.name: self.counts[severity] for severity in reversed(Severity)},
            'omitted': self.omitted, 'remarks': list(self.remarks), 'rates': self.rates,
            'findings': [{
                **finding_data(replace(fault.finding, message=self._message(fault))),
                'intervals': [[round(begin, 3), round(end, 3)]
                              for begin, end in self.seconds_of(fault)],
                'observed': [round((time - self.begin) / SECOND, 3) for time in fault.observed],
                'occurrences': fault.number, 'duration': round(fault.duration / SECOND, 3),
            } for fault in self.faults if fault.finding.severity >= minimum]}


def evaluate_recording(
        path: Path | Recording, model: str = '', ignore: Collection[str] = (),
        on_window: Callable[[Observation, int], None] = lambda observation, since: None,
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
    windows, faults, rates = RecordedWindows(model), FaultTimes(), TopicRates()
    robots: dict[str, None] = {}
    for window in windows.read(recording):
        faults.ignore = {*ignore, *(_ABSENT[name] for name in _absent(windows, model))}
        # Damaged numbers overflow.
        with np.errstate(over='ignore', invalid='ignore', divide='ignore'):
            observation = window.part(window.begin, window.end)
            recording.budget.use(names=len({
                name for track in observation.frames for name in track.children}))
            faults.add(window)
            robots.update(dict.fromkeys(observation.robot_names))
            fresh = window.part(window.since, window.end)
            rates.add(fresh, windows.arrived, window.since, not window.is_first)
            on_window(fresh, window.since)
    faults.end()
    whole = windows.first, windows.last
    table = rates.table(*whole)
    found = [*faults.faults(), *(Fault(finding, span, [span], 1, span[1] - span[0])
                                 for finding, span in unmet(policy, table, whole))]
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
    latched = (*filter(is_static, frame_topics(graph)),
               *(() if model else description_topics(graph)))
    unknown = [topic for topic in latched if any(
        end.qos.transient_local is None for end in graph.publishers[topic])]
    if unknown:
        yield (f'the durability of the publishers of {", ".join(sorted(unknown))} was not '
               'recorded, so that it is not evaluated, and played back as volatile')
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
