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


"""The registry of the rules about a running graph, and the evaluation of what was observed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from typing import TypeVar

from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.findings.rules import Defect
from urdf_tools.findings.rules import Faults
from urdf_tools.findings.rules import HINT
from urdf_tools.findings.rules import Registry
from urdf_tools.findings.rules import Rule

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO

CATEGORIES = ('description', 'joints', 'frames', 'data', 'timing', 'clock', 'control', 'qos')
"""The categories of rules; ``timing`` are those that a busy computer may break, too."""

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


GRAPH_RULES: Registry[Observation, GraphDefect] = Registry(CATEGORIES)
"""Every rule about a running graph; the files of :mod:`urdf_tools.doctor.rules` fill it."""


@GRAPH_RULES.in_category('description')('internal-error', Severity.ERROR, finds=False, fix=HINT)
def internal_error() -> None:
    """
    Check that the rules themselves work.

    Example: A rule meets data that it was not made for.
    """


@GRAPH_RULES.in_category('data')('policy-not-met', Severity.ERROR, finds=False,
                                 fix='Correct what publishes on this topic, or the policy')
def policy_not_met() -> None:
    """
    Check that topics are as the file of --policy requires.

    Example: The policy requires 100 Hz of an IMU that was recorded at 82 Hz.
    """


def finding_of(rule: Rule[Observation, GraphDefect], defect: GraphDefect,
               consequences: Consequences = ()) -> GraphFinding:
    """Return the finding of a violation of a rule."""
    message, hint = defect.texts(rule)
    severity = rule.severity if defect.severity is None else defect.severity
    return GraphFinding(
        rule.code, severity, message, hint, ', '.join(defect.nodes), consequences=consequences,
        topic=defect.topic, nodes=defect.nodes, subject=defect.subject)


def evaluate(observation: Observation, source: str, ignore: Collection[str] = ()) -> Report:
    """
    Return the report on an observation, the worst findings first.

    :param source: what the findings without a topic are about.
    :param ignore: codes of the rules that are not applied.
    """
    findings: list[GraphFinding] = []
    counts = dict.fromkeys(Severity, 0)
    of_rule: Counter[str] = Counter()
    faults = Faults()
    for rule in GRAPH_RULES.values():
        if rule.code in ignore:
            continue
        for defect, consequences in faults.defects(rule, observation):
            with faults.contained(f'the report of rule {rule.code}'):
                finding = finding_of(rule, defect, consequences)
                counts[finding.severity] += 1
                of_rule[rule.code] += 1
                if of_rule[rule.code] <= MAX_FINDINGS:
                    findings.append(finding)
    for fault in faults.findings():
        counts[fault.severity] += 1
        findings.append(GraphFinding(
            fault.code, fault.severity, fault.message, fault.hint, traceback=fault.traceback))
    findings.sort(key=lambda finding: -finding.severity)
    return Report(source, tuple(findings), counts, {
        code: number - MAX_FINDINGS for code, number in of_rule.items()
        if number > MAX_FINDINGS}, 0)
