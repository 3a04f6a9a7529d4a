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

"""The begin and end times of faults, from the findings of successive observations."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field

from urdf_tools.doctor.graph_report import finding_key
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.graph_rules import GraphFinding
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.recordings.recorded_windows import SECOND
from urdf_tools.doctor.recordings.recorded_windows import STEP
from urdf_tools.doctor.recordings.recorded_windows import Window

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
    :param observed: beginning and end of the observation that its figures are of, as times.
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

    :param ignore: codes of the rules that are not applied.
    :ivar omitted: number of faults that are too many to be listed.
    """

    def __init__(self, ignore: Collection[str] = ()):
        self.omitted = 0
        self._ignore = ignore
        self._faults: dict[object, Fault] = {}
        self._open: dict[object, tuple[int, int]] = {}
        """When each fault began that has not ended, and until when it held at least."""
        self._last: Window | None = None

    def add(self, window: Window) -> None:
        """Evaluate the next observation."""
        seen = window.part(window.begin, window.end)
        found = self._findings(seen)
        if window.is_first:
            self.end()
        gone = self._open.keys() - found.keys()
        if gone:
            silent = {key for key in gone if self._is_silent(key, seen)}
            gone -= silent
            if any(self._faults[key].finding.code == 'frame-stopped' for key in silent):
                found = {key: finding for key, finding in found.items()
                         if key in self._open or finding.code not in CONSEQUENCES}
        if gone and self._last is not None:
            self._close(gone, window, self._last)
        fresh = found.keys() - self._open.keys()
        if fresh:
            begin = window.begin if window.is_first else min(window.begin + STEP, window.end)
            self._begin(fresh, window, begin)
        for key, finding in found.items():
            fault = self._faults.get(key)
            if fault is None:
                if len(self._faults) >= MAX_FAULTS:
                    self.omitted += 1
                    continue
                self._faults[key] = Fault(finding, (window.begin, window.end))
            elif finding.severity > fault.finding.severity:
                fault.finding, fault.observed = finding, (window.begin, window.end)
        self._last = window

    def end(self) -> None:
        """End the observation of what was recorded until now."""
        if self._last is not None:
            for key in list(self._open):
                self._note(key, self._last.end)
        self._last = None

    def faults(self) -> list[Fault]:
        """Return the faults, the worst first, then in the order of their beginning."""
        return sorted(self._faults.values(), key=lambda fault: (
            -fault.finding.severity, fault.times[0][0] if fault.times else 0))

    def _findings(self, seen: Observation) -> dict[object, GraphFinding]:
        """Return the findings in an observation, by their keys."""
        return {finding_key(finding): finding
                for finding in evaluate(seen, 'recording', self._ignore).findings
                if isinstance(finding, GraphFinding)}

    def _is_silent(self, key: object, seen: Observation) -> bool:
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
            for tracks in (seen.joints, seen.frames, seen.stamped) for track in tracks)

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

    def _begin(self, keys: Collection[object], window: Window, begin: int) -> None:
        """Find the slot in which faults began: the shortest observation that shows them."""
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

    def _close(self, keys: Collection[object], window: Window, before: Window) -> None:
        """
        Find the slot in which faults ended.

        What had not ended at the end of the last observation, such as a silence, shows in one
        that ends later; for others it is the shortest observation that shows them.

        :param before: the last observation.
        """
        begin, end = before.begin, before.end
        spans = [(window.begin, slot) for slot in range(window.end - SLOT, end - 1, -SLOT)]
        spans += [(slot, end) for slot in range(window.begin - SLOT, begin, -SLOT)]
        shown = self._shown(keys, window, spans)
        for key in keys:
            first, last, _ = shown.get(key, (begin + STEP - SLOT, end, None))
            self._note(key, last if first == window.begin else min(first + SLOT, last))

    def _note(self, key: object, end: int) -> None:
        begin, least = self._open.pop(key)
        fault = self._faults.get(key)
        if fault is not None:
            end = max(end, begin, least)
            fault.number += 1
            fault.duration += end - begin
            if len(fault.times) < MAX_TIMES:
                fault.times.append((begin, end))
