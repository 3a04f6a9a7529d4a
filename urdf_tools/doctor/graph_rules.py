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


"""The rules about a running graph, the report on an observation, and changes between reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace
from pathlib import Path
from typing import Any
from typing import TypeVar

from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.observation import TABLES
from urdf_tools.findings import message
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import output_formats
from urdf_tools.findings.formats import Result
from urdf_tools.findings.report import Report
from urdf_tools.findings.rules import Defect
from urdf_tools.findings.rules import Faults
from urdf_tools.findings.rules import HINT
from urdf_tools.findings.rules import Registry
from urdf_tools.findings.rules import Rule
from urdf_tools.model.grouping import grouped


ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO

CATEGORIES = ('description', 'joints', 'frames', 'data', 'timing', 'clock', 'control', 'qos')
"""The categories of rules; ``timing`` are those that a busy computer may break, too."""

_OF_NAMES = CATEGORIES[1:5]
"""Categories whose rules conclude from what is not there, too."""

MAX_FINDINGS = 50
"""Most findings of a rule in a report; further ones are counted."""


Track = TypeVar('Track', JointTrack, FrameTrack, StampedTrack)
What = TypeVar('What')


class GraphDefect(Defect):
    """
    What a rule yields for each violation; ``topic`` and ``nodes`` are arguments of its message.

    :param topic: where it shows.
    :param nodes: full names of the nodes at fault.
    :param subject: the joint, frame or controller, if there is one violation for each.
    """

    def __init__(self, topic: str, template: str, nodes: Collection[str] = (), *,
                 subject: str = '', **options: Any):
        self.topic = topic
        self.nodes = tuple(dict.fromkeys(nodes))
        self.subject = subject
        super().__init__(template, topic=topic, nodes=self.nodes, **options)


def defect_of(track: Track, template: str, **options: Any) -> GraphDefect:
    """Return a defect of the messages of one publisher."""
    return GraphDefect(track.topic, template, (track.publisher,), **options)


def together(found: Iterable[tuple[Track, What, str]]
             ) -> Iterator[tuple[Track, What, tuple[str, ...]]]:
    """
    Yield once what is the same for several joints or frames of one publisher.

    :param found: a track of the publisher, what is found, and the name of a joint or frame.
    :return: likewise, with all names.
    """
    names: dict[tuple[str, str, What], tuple[Track, dict[str, None]]] = {}
    for track, what, name in found:
        names.setdefault((track.topic, track.publisher, what), (track, {}))[1][name] = None
    for (_, _, what), (track, of_track) in names.items():
        yield track, what, tuple(of_track)


@dataclass(frozen=True)
class GraphFinding(Finding):
    """
    One defect of a running graph.

    :param topic: where it shows.
    :param nodes: full names of the nodes at fault.
    :param subject: the joint, frame or controller that it is about, if it is about one.
    """

    topic: str = ''
    nodes: tuple[str, ...] = ()
    subject: str = ''

    def file(self, source: str) -> str:
        """Return where it shows: a topic, or the source of the report."""
        return self.topic or source

    @property
    def scope(self) -> tuple[str, ...]:
        """The topic and the nodes: different publishers have different defects."""
        return self.topic, *self.nodes


GRAPH_RULES: Registry[Observation, GraphDefect] = Registry(
    CATEGORIES, Path(__file__).with_name('rule_texts.json'))
"""Every rule about a running graph; the files of :mod:`urdf_tools.doctor.rules` fill it."""


@GRAPH_RULES.in_category('description')('internal-error', Severity.ERROR, finds=False, fix=HINT)
def internal_error() -> None:
    """
    Check that the rules themselves work.

    Example: A rule meets data that it was not made for.
    """


@GRAPH_RULES.in_category('data')('policy-not-met', Severity.ERROR, finds=False)
def policy_not_met() -> None:
    """
    Check that topics are as the file of --policy requires.

    Example: The policy requires 100 Hz of an IMU that was recorded at 82 Hz.
    """


def finding_of(rule: Rule[Observation, GraphDefect], defect: GraphDefect) -> GraphFinding:
    """Return the finding of a violation of a rule."""
    message, hint = defect.texts(rule)
    severity = rule.severity if defect.severity is None else defect.severity
    return GraphFinding(rule.code, severity, message, hint, ', '.join(defect.nodes),
                        topic=defect.topic, nodes=defect.nodes, subject=defect.subject)


def evaluate(observation: Observation, source: str, ignore: Collection[str] = ()) -> Report:
    """
    Return the report on an observation, the worst findings first.

    :param source: what the findings without a topic are about.
    :param ignore: codes of the rules that are not applied.
    """
    found: list[GraphFinding] = []
    faults = Faults()
    for rule in GRAPH_RULES.values():
        if rule.code in ignore or observation.crowded and rule.category in _OF_NAMES:
            continue
        for defect, _ in faults.defects(rule, observation):
            with faults.contained(f'the report of rule {rule.code}'):
                found.append(finding_of(rule, defect))
    found += [GraphFinding(fault.code, fault.severity, fault.message, fault.hint,
                           traceback=fault.traceback) for fault in faults.findings()]
    of_rule = grouped((finding.code, finding) for finding in found)
    shown = [finding for several in of_rule.values() for finding in several[:MAX_FINDINGS]]
    shown.sort(key=lambda finding: -finding.severity)
    return Report(source, tuple(shown), Counter(finding.severity for finding in found), {
        code: len(several) - MAX_FINDINGS for code, several in of_rule.items()
        if len(several) > MAX_FINDINGS}, 0)


_NODES = tuple(TABLES['fields with nodes'])
_FRAMES = ('frame', 'frames', 'parent', 'parents', 'expected', 'root', 'wrong')
_TIMES = ('age', 'ahead', 'gap', 'jump', 'pause', 'seconds', 'silence', 'since', 'time')
"""Arguments of messages by kind; those of a kind have the same name in all rules."""


def in_format(report: Report, kind: str, minimum: int, failing: int, **options: Any
              ) -> str | dict[str, Any]:
    """
    Return a report as text, or as data for JSON.

    :param kind: one of :func:`~urdf_tools.findings.formats.output_formats`.
    :param minimum: findings of a lower severity are left out.
    :param failing: the lowest severity of findings that fail.
    :param options: those of :class:`~urdf_tools.findings.formats.Options`.
    """
    return output_formats()[kind].write(
        [Result(report, Severity(failing), Severity(minimum))], Options(
            GRAPH_RULES, verdict=False, **options))


def as_data(report: Report, observation: Observation,
            minimum: Severity = Severity.INFO) -> dict[str, Any]:
    """
    Return a report on a graph, and what was observed, as data for JSON.

    :param minimum: findings of a lower severity are only counted.
    """
    return {
        'source': report.source, 'valid': report.valid, 'seconds': round(observation.seconds, 3),
        'nodes': len(observation.graph.nodes), 'robots': observation.robot_names,
        'counts': {severity.name: report.counts[severity] for severity in reversed(Severity)},
        'omitted': dict(report.omitted),
        'findings': [finding_data(finding) for finding in report.at_least(minimum)
                     if isinstance(finding, GraphFinding)]}


def finding_data(finding: GraphFinding) -> dict[str, Any]:
    """Return a finding as data for JSON; times are in seconds."""
    arguments = message.as_data(finding.arguments)

    def named(names: tuple[str, ...]) -> list[str]:
        values = (arguments.get(name, []) for name in names)
        return list(dict.fromkeys(name for value in values for name in (
            value if isinstance(value, list) else [value]) if name and isinstance(name, str)))

    numbers = {name: value for name, value in arguments.items() if isinstance(value, (int, float))}
    return {
        'code': finding.code, 'severity': finding.severity.name,
        'message': finding.message, 'hint': finding.hint,
        'topic': finding.file(''), 'who': list(finding.nodes), 'subject': finding.subject,
        'topics': named(('topic', 'topics', 'published')),
        'nodes': named(('nodes', *_NODES)),
        'frames': named(_FRAMES),
        'joints': named(('joint', 'joints', 'leader')),
        'numbers': {name: value for name, value in numbers.items() if name not in _TIMES},
        'times': {name: value for name, value in numbers.items() if name in _TIMES},
        'arguments': arguments}


_Key = tuple[object, ...]


class Changes:
    """Compares reports; a finding is the same while only its numbers and names change."""

    def __init__(self) -> None:
        self._known: dict[_Key, Finding] = {}

    def update(self, report: Report) -> tuple[Report, list[Finding]]:
        """Return a report without the findings that are known, and those that are gone."""
        present = {finding_key(finding): finding for finding in report.findings}
        fresh = tuple(
            finding for finding in report.findings if finding_key(finding) not in self._known)
        gone = [finding for key, finding in self._known.items() if key not in present]
        self._known = present
        return replace(report, findings=fresh), gone


def finding_key(finding: Finding) -> _Key:
    """Return the key of a finding, which does not depend on its numbers and names."""
    subject = finding.subject if isinstance(finding, GraphFinding) else ''
    words = (value for value in finding.arguments.values() if type(value) is str)
    return finding.code, finding.file(''), finding.element, subject, *words
