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

"""Reports in SARIF 2.1.0 (OASIS, 2020), which code hosts and editors display."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
import os
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from urdf_tools.findings import message
from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import OutputFormat
from urdf_tools.findings.formats import Result
from urdf_tools.findings.report import Report
from urdf_tools.findings.rules import AnyRule
from urdf_tools.installation import __version__
from urdf_tools.model.messages import name_list


def as_sarif(results: Sequence[Result], options: Options) -> dict[str, Any]:
    """Return reports as one run, as data for JSON; findings in a baseline are suppressed."""
    reports = [result.report for result in results]
    indices = {code: index for index, code in enumerate(options.rules)}
    new = {'baselineState': 'new'} if options.baselines else {}
    known = {'baselineState': 'unchanged', 'suppressions': [
        {'kind': 'external', 'status': 'accepted', 'justification': 'In the baseline'}]}
    return sarif_log([_rule(rule) for rule in options.rules.values()], [
        {**_result(finding, report.source, indices), **state} for report, _, minimum in results
        for findings, state in ((report.findings, new), (report.known, known))
        for finding in findings if finding.severity >= minimum],
        properties={'headlines': {report.source: report.headline() for report in reports}},
        **_omitted(reports))


def sarif_log(
        rules: list[dict[str, Any]], results: list[dict[str, Any]], **run: Any) -> dict[str, Any]:
    """
    Return one run of this tool, as data for JSON.

    :param run: further properties of the run.
    """
    return {
        '$schema': 'https://json.schemastore.org/sarif-2.1.0.json', 'version': '2.1.0',
        'runs': [{
            'tool': {'driver': {'name': 'urdf-tools', 'version': __version__, 'rules': rules}},
            'columnKind': 'unicodeCodePoints', **run, 'results': results}]}


def _omitted(reports: Iterable[Report]) -> dict[str, Any]:
    """Return the note on findings beyond the limit of a rule, if there are any."""
    notes = [{'level': 'note', 'message': {'text': f'{report.source}: {number} more of {code}'}}
             for report in reports for code, number in report.omitted.items()]
    return {'invocations': [
        {'executionSuccessful': True, 'toolExecutionNotifications': notes}]} if notes else {}


def _rule(rule: AnyRule) -> dict[str, Any]:
    effects = [f'{program}: {text}.' for program, text in sentences(rule.consequences).items()]
    help_text = ' '.join((*([f'{rule.fix}.'] if rule.fix else ()), *effects))
    return {
        'id': rule.code, 'shortDescription': {'text': rule.text.summary},
        'fullDescription': {'text': rule.text.reason or rule.text.summary},
        **({'help': {'text': help_text}} if help_text else {}),
        'defaultConfiguration': {'level': rule.severity.label},
        'properties': {'tags': [rule.category]}}


def _result(finding: Finding, source: str, indices: Mapping[str, int]) -> dict[str, Any]:
    physical = physical_location(finding.file(source), finding.line, finding.column)
    location: dict[str, Any] = {'physicalLocation': physical}
    only = f' (only with {name_list(finding.only_with, " or ")})' if finding.only_with else ''
    if finding.element:
        location['logicalLocations'] = [{'fullyQualifiedName': finding.element}]
    return {
        'ruleId': finding.code, 'ruleIndex': indices[finding.code],
        'level': finding.severity.label, 'message': {'text': finding.text + only},
        'locations': [location],
        'properties': {
            'arguments': message.as_data(finding.arguments),
            'consequences': [each.data() for each in finding.consequences]},
        **_related(finding)}


def _related(finding: Finding) -> dict[str, Any]:
    if finding.trace is None:
        return {}
    locations = [{'physicalLocation': physical_location(*location), 'message': {'text': text}}
                 for location, text in finding.trace.related()]
    return {'relatedLocations': locations} if locations else {}


def physical_location(source: str, line: int | None, column: int | None) -> dict[str, Any]:
    """Return a source location, whose line and column count from 1."""
    physical: dict[str, Any] = {'artifactLocation': {'uri': _uri(source)}}
    if line is not None:
        physical['region'] = {'startLine': line}
        if column is not None:
            physical['region']['startColumn'] = column
    return physical


def _uri(source: str) -> str:
    path = PurePath(source)
    # A file name may hold bytes that are not UTF-8.
    return path.as_uri() if os.path.isabs(source) else quote(os.fsencode(path.as_posix()))


FORMAT = OutputFormat('sarif', as_sarif, level='info')
