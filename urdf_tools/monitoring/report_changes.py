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


"""What is new and what is gone from one report on a running graph to the next."""

from __future__ import annotations

from dataclasses import replace

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.report import Report
from urdf_tools.monitoring.graph_rules import GraphFinding

_Key = tuple[object, ...]


class Changes:
    """Compares reports; a finding stays the same while only its numbers and names change."""

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
    """Return what stays the same while only numbers and names of a finding change."""
    subject = finding.subject if isinstance(finding, GraphFinding) else ''
    words = (value for value in finding.arguments.values() if type(value) is str)
    return finding.code, finding.file(''), finding.element, subject, *words
