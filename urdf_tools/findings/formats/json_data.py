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

"""Reports as data for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from urdf_tools.findings import message
from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.finding import SourceTrace
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import OutputFormat
from urdf_tools.findings.formats import Result


def as_data(results: Sequence[Result], options: Options) -> dict[str, Any]:
    """Return reports as data for JSON."""
    return {
        'valid': all(result.report.valid for result in results),
        'reports': [{
            'source': report.source, 'robot': report.robot, 'valid': report.valid,
            'counts': {severity.name: report.counts[severity] for severity in reversed(Severity)},
            'suppressed': report.suppressed,
            'omitted': dict(report.omitted),
            'headline': report.headline(),
            'programs': {program: verdict.text() for program, verdict in report.programs.items()},
            'findings': [_finding(finding) for finding in report.at_least(minimum)],
            **({'known': [_finding(finding) for finding in report.known
                          if finding.severity >= minimum]} if report.known else {}),
            **({'combinations': report.combinations} if report.combinations > 1 else {}),
            **({'untrusted': True} if report.untrusted else {}),
        } for report, _, minimum in results],
        **({'baselines': [{
            'file': baseline.path, 'hidden': baseline.hidden, 'unneeded': [
                {**entry.fingerprint._asdict(), 'count': entry.count}
                for entry in baseline.unneeded()]} for baseline in options.baselines]}
           if options.baselines else {})}


def _finding(finding: Finding) -> dict[str, Any]:
    affected = [each for each in finding.consequences if each.program in finding.consumers]
    return {
        'code': finding.code, 'severity': finding.severity.name,
        'message': finding.message, 'hint': finding.hint,
        'element': finding.element, 'line': finding.line, 'column': finding.column,
        'arguments': message.as_data(finding.arguments), 'consumers': sentences(affected),
        'consequences': [each.data() for each in affected], 'fixable': finding.has_fix,
        **({'only_with': list(finding.only_with)} if finding.only_with else {}),
        **({} if finding.trace is None else {'source': _source(finding.trace)})}


def _source(trace: SourceTrace) -> dict[str, Any]:
    return {
        **trace.location._asdict(),
        'expression': trace.expression,
        'values': [{'name': value.name, 'value': value.raw, **value.location._asdict()}
                   for value in trace.values],
        'calls': [call._asdict() for call in trace.calls],
        'includes': [include._asdict() for include in trace.includes],
        'instances': [
            {'name': instance.name, 'element': instance.element, 'message': instance.message,
             'calls': [call._asdict() for call in instance.calls]}
            for instance in trace.instances]}


FORMAT = OutputFormat('json', as_data, level='info')
