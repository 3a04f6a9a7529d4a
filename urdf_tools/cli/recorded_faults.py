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

"""The verb ``urdf-tools doctor`` for recordings instead of a running graph."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
import os
from pathlib import Path
import re
import sys
import time
from typing import Any

from urdf_tools.check.workspace.settings import Settings
from urdf_tools.cli.arguments import argument
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import is_mapping
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output import print_lines
from urdf_tools.cli.output_files import refuse_inputs
from urdf_tools.cli.output_files import write_output
from urdf_tools.cli.progress import progress
from urdf_tools.doctor.graph_rules import in_format
from urdf_tools.doctor.observation import TABLES
from urdf_tools.doctor.recordings.confined_reading import evaluate_all
from urdf_tools.doctor.recordings.confined_reading import read
from urdf_tools.doctor.recordings.confined_reading import report_page
from urdf_tools.doctor.recordings.recorded import RecordingLimits
from urdf_tools.doctor.recordings.recording import is_recording
from urdf_tools.doctor.recordings.recording import recorded_files
from urdf_tools.doctor.recordings.recording import recordings_below
from urdf_tools.doctor.topic_rates import Rates
from urdf_tools.doctor.topic_rates import read_policy
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.messages import table

MAX_REPORTED = 50
"""Most recordings in a page, which may be of 5 MB each."""

RECORDING_LIMITS = {
    '--recording-limits': {'type': argument(RecordingLimits.parse), 'default': RecordingLimits()}}
"""What the option for the limits on reading recordings is given."""


def run_on_recordings(arguments: argparse.Namespace, ignore: list[str]) -> int:
    """Print what is found in recordings, and return the exit code."""
    if arguments.watch:
        raise CommandError('--watch observes a running graph, not a recording')
    paths = [Path(text) for text in arguments.recordings if not is_mapping(text)]
    arguments.mappings = [
        text.split(':=', 1) for text in arguments.recordings if is_mapping(text)]
    if arguments.mappings and not arguments.file:
        raise CommandError('Xacro arguments are those of the file that --model names')
    model = open_description(arguments).data.decode(errors='replace') if arguments.file else ''
    policy = read_policy(arguments.policy) if arguments.policy else {}
    if not paths:
        raise CommandError('There is no recording before the xacro arguments')
    is_alone = len(paths) == 1 and (is_recording(paths[0]) or not os.path.isdir(paths[0]))
    if arguments.report == '-':
        raise CommandError('A page is not written to standard output; name a file')
    run = _run_on_one if is_alone else _run_on_many
    return run(paths, arguments, model, ignore, policy, least_shown(arguments))


def _run_on_one(paths: list[Path], arguments: argparse.Namespace, *job: Any) -> int:
    (path,) = paths
    _refuse_inputs(paths, arguments)
    with progress(f'reading {path.name}'):
        found, data = read(
            str(path), arguments.recording_limits, 'evaluate', *job, bool(arguments.report),
            None if arguments.format == 'json' else _format(arguments))
    shown = found.pop('shown', None)
    if arguments.report:
        write_output(arguments.report, report_page(path.name, [data]))
    if arguments.format == 'json':
        print_json(found)
    else:
        if arguments.format == 'text':
            _print_summary(found)
            if arguments.rates:
                _print_rates(found['rates'])
        _print_shown(shown, arguments)
    return _exit_code([found], arguments)


def _refuse_inputs(paths: Iterable[Path], arguments: argparse.Namespace) -> None:
    """Refuse a report that would replace what it is about."""
    refuse_inputs([arguments.report], [arguments.file, arguments.policy, *(
        str(file) for path in paths if path.exists() for file in recorded_files(path))])


def print_report(report: Report, arguments: argparse.Namespace) -> None:
    """Print the findings as ``--format`` says."""
    _print_shown(in_format(report, **_format(arguments)), arguments)


_COLOUR = re.compile(r'(\x1b\[[0-9;]*m)')


def _print_shown(shown: Any, arguments: argparse.Namespace) -> None:
    """Print findings in a format; what a worker has written as text is made printable."""
    if isinstance(shown, str) and arguments.format == 'text':
        shown = '\n'.join(''.join(
            part if _COLOUR.fullmatch(part) else printable(part) for part in _COLOUR.split(line))
            for line in shown.split('\n'))
    (print if isinstance(shown, str) else print_json)(shown)


def _format(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return how the findings are shown, as arguments of ``in_format``."""
    return {'kind': arguments.format, 'minimum': least_shown(arguments),
            'failing': failing(arguments), 'verbose': arguments.verbose or bool(arguments.policy),
            'colour': sys.stdout.isatty() and not os.environ.get('NO_COLOR')}


def least_shown(arguments: argparse.Namespace) -> Severity:
    """Return the lowest severity that is shown."""
    return Settings(level=arguments.level).minimum('info')


def failing(arguments: argparse.Namespace) -> Severity:
    """Return the lowest severity of findings that fail."""
    return Severity.WARN if arguments.strict else Severity.ERROR


_RATES = TABLES['columns of rates']
"""Columns of the table of rates, and the factor from the data to their unit."""


def _print_rates(rates: Rates) -> None:
    """Print the table of rates."""
    print_lines(table(('topic', 'frame', 'messages', *_RATES), [(
        row['topic'], name_list(row['frames'][:1]) + (
            f', +{len(row["frames"]) - 1}' if len(row['frames']) > 1 else ''),
        str(row['messages']), *(
            '-' if row[key] is None else f'{row[key] * factor:.{3 if factor > 1 else 4}g}'
            for key, factor in _RATES.values())) for row in rates], 2))


def _print_summary(found: dict[str, Any]) -> None:
    robots = name_list([*map(quote, found['robots'])]) or 'no robot'
    begin = time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(found['begin']))
    print_line(
        f'{found["source"]}: {robots}, {found["seconds"]:.1f} s from {begin} UTC, '
        f'{count(found["topics"], "topic")}, {count(found["messages"], "message")}')
    remarks = list(found['remarks'])
    if found['omitted']:
        remarks.append(f'{count(found["omitted"], "further fault")} not listed')
    print_lines(f'{found["source"]}: {remark}' for remark in remarks)


def _run_on_many(paths: list[Path], arguments: argparse.Namespace, *job: Any) -> int:
    if arguments.rates:
        raise CommandError('--rates is about a single recording')
    if arguments.format in ('sarif', 'junit'):
        raise CommandError(f'--format {arguments.format} has one recording; several take json')
    found = dict.fromkeys(str(each) for path in paths for each in (
        [path] if is_recording(path) or not os.path.isdir(path) else recordings_below(path)))
    if not found:
        raise CommandError('There is no recording in these folders')
    _refuse_inputs(map(Path, found), arguments)
    if arguments.report and len(found) > MAX_REPORTED:
        raise CommandError(f'A page has at most {MAX_REPORTED} recordings, not {len(found)}')
    results, pages = [], {}
    with progress('reading recordings') as line:
        for result, data in evaluate_all(found, arguments.recording_limits, *job,
                                         bool(arguments.report), jobs=arguments.jobs):
            results.append(result)
            pages[result['source']] = data
            line.step(f'{len(results)} of {len(found)}')
            if arguments.format == 'json':
                with line.hidden():
                    print_json(result, indent=None)
                    sys.stdout.flush()
    if arguments.report:
        results.sort(key=_begin)
        write_output(arguments.report, report_page(
            count(len(found), 'recording'), [pages[each['source']] for each in results]))
    if arguments.format == 'text':
        _print_table(results)
    return 2 if any('error' in each for each in results) else _exit_code(results, arguments)


def _begin(result: dict[str, Any]) -> tuple[float, str]:
    """Return the order in which recordings are shown."""
    return result.get('begin', 0.0), result['source']


def _exit_code(results: list[dict[str, Any]], arguments: argparse.Namespace) -> int:
    """Return 1 if there are findings that fail, otherwise 0."""
    return int(any(result['counts'][severity.name] for result in results
                   for severity in Severity if severity >= failing(arguments)))


def _print_table(results: list[dict[str, Any]]) -> None:
    """Print which fault appeared on which robot on which day, in how many recordings."""
    rows: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    numbers: Counter[tuple[str, str, str]] = Counter()
    for result in sorted(results, key=_begin):
        if 'error' in result:
            print_line(f'{result["source"]}: {result["error"]}', sys.stderr)
            continue
        day = time.strftime('%Y-%m-%d', time.gmtime(result['begin']))
        robot = ', '.join(result['robots']) or '-'
        of_code = grouped((finding['code'], finding) for finding in result['findings'])
        for code, found in (of_code or {'-': []}).items():
            numbers[robot, day, code] += 1
            rows.setdefault((robot, day, code), []).extend(found)
    print_lines(table(
        ('robot', 'day', 'fault', 'recordings', 'times', 'seconds'),
        [(*key, str(numbers[key]), str(sum(each['occurrences'] for each in found)),
          f'{sum(each["duration"] for each in found):.1f}')
         for key, found in sorted(rows.items())], 3))
    broken = sum('error' in result or not result['valid'] for result in results)
    print_line(f'{count(len(results), "recording")}, {broken} of them with errors')
