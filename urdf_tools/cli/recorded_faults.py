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
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
import os
from pathlib import Path
import sys
import time
from typing import Any

from urdf_tools.check.workspace.settings import Settings
from urdf_tools.cli.arguments import add_packages
from urdf_tools.cli.arguments import argument
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import complete_arguments
from urdf_tools.cli.arguments import is_mapping
from urdf_tools.cli.arguments import number_of
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_table
from urdf_tools.cli.output_files import refuse_inputs
from urdf_tools.cli.output_files import write_file
from urdf_tools.cli.progress import progress
from urdf_tools.doctor.recordings.confined_reading import read
from urdf_tools.doctor.recordings.many_recordings import cache_folder
from urdf_tools.doctor.recordings.many_recordings import evaluate_all
from urdf_tools.doctor.recordings.many_recordings import Order
from urdf_tools.doctor.recordings.many_recordings import Results
from urdf_tools.doctor.recordings.reading_budget import RecordingLimits
from urdf_tools.doctor.recordings.recording import is_recording
from urdf_tools.doctor.recordings.recording import recorded_files
from urdf_tools.doctor.recordings.recording import recordings_below
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.formats.sarif import as_sarif
from urdf_tools.findings.formats.terminal import render
from urdf_tools.findings.report import Report
from urdf_tools.model.messages import count
from urdf_tools.model.messages import printable


def add_recordings(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that are about recordings."""
    complete_arguments(parser.add_argument(
        'recordings', metavar='RECORDING', nargs='*',
        help='MCAP file or rosbag2 folder to evaluate instead of a running graph; several, or a '
             'folder with several, are summarized; NAME:=VALUE is a xacro argument of the model'))
    group = parser.add_argument_group('recordings')
    group.add_argument('--model', metavar='FILE',
                       help='URDF or xacro file that replaces the recorded description')
    add_packages(group)
    group.add_argument(
        '--report', metavar='FILE', help='write an HTML report on a single recording')
    group.add_argument('--jobs', '-j', type=number_of('processes', 1, 64), metavar='N', default=1,
                       help='number of recordings to read at the same time; default: 1')
    group.add_argument(
        '--cluster', metavar='ADDRESS',
        help='scheduler of dask.distributed whose workers read the recordings, such as '
             'tcp://10.0.0.1:8786; paths must be the same there')
    group.add_argument(
        '--again', action='store_true',
        help='also evaluate recordings in a folder that were evaluated before with the same '
             'rules and the same model')
    add_recording_limits(group)


def add_recording_limits(parser: Any) -> None:
    """Add the option for the limits on reading recordings."""
    limits = RecordingLimits()
    parser.add_argument(
        '--recording-limits', metavar='LIMIT=VALUE[,LIMIT=VALUE]', default=limits,
        type=argument(RecordingLimits.parse),
        help='limits on reading a recording, on CPU time and decompressed size for each MB of '
             f'its files; default: {", ".join(map(limits.describe, limits.units))}')


def run_on_recordings(arguments: argparse.Namespace, ignore: list[str]) -> int:
    """Print what is found in recordings, and return the exit code."""
    if arguments.watch:
        raise CommandError('--watch observes a running graph, not a recording')
    paths = [Path(text) for text in arguments.recordings if not is_mapping(text)]
    model = _model(arguments)
    if not paths:
        raise CommandError('There is no recording before the xacro arguments')
    if len(paths) == 1 and not arguments.cluster and (
            is_recording(paths[0]) or not os.path.isdir(paths[0])):
        return _run_on_one(paths[0], arguments, model, ignore)
    return _run_on_many(paths, arguments, model, ignore)


def _model(arguments: argparse.Namespace) -> str:
    """Return the description that replaces the recorded ones, or an empty text."""
    mappings = [text.split(':=', 1) for text in arguments.recordings if is_mapping(text)]
    if not arguments.model:
        if mappings:
            raise CommandError('Xacro arguments are those of the file that --model names')
        return ''
    document = open_description(argparse.Namespace(
        file=arguments.model, mappings=mappings, package=arguments.package))
    return document.data.decode('utf-8', 'replace')


def _run_on_one(path: Path, arguments: argparse.Namespace, model: str, ignore: list[str]) -> int:
    if arguments.report == '-':
        raise CommandError('A page is not written to standard output; name a file')
    refuse_inputs([arguments.report], [arguments.model, *map(str, recorded_files(path))])
    least = least_shown(arguments)
    with showing_progress(f'reading {path.name}') as on_progress:
        found, page = read(
            str(path), arguments.recording_limits, 'evaluate', model, ignore,
            {'least': least.name, 'colour': is_coloured(), 'verbose': arguments.verbose},
            bool(arguments.report), on_progress=on_progress)
    text, sarif = found.pop('text'), found.pop('sarif')
    if arguments.report:
        write_file(arguments.report, page)
    if arguments.format == 'json':
        print_json(_shown(found, least))
    elif arguments.format == 'sarif':
        print_json(sarif)
    else:
        _print_summary(found)
        print(text)
    return exit_code({each: found['counts'][each.name] for each in Severity}, arguments)


def print_report(report: Report, arguments: argparse.Namespace) -> None:
    """Print the findings as text or, with ``--format sarif``, in that."""
    least = least_shown(arguments)
    if arguments.format == 'sarif':
        print_json(as_sarif([report], GRAPH_RULES, least=least))
        return
    print(render(report, least=least, colour=is_coloured(), verbose=arguments.verbose))


def is_coloured() -> bool:
    """Return whether the output is shown in colours."""
    return sys.stdout.isatty() and not os.environ.get('NO_COLOR')


def least_shown(arguments: argparse.Namespace) -> Severity:
    """Return the lowest severity that is shown."""
    return Settings(level=arguments.level).least('info')


def exit_code(counts: Mapping[Severity, int], arguments: argparse.Namespace) -> int:
    """Return 1 if there are findings that fail, otherwise 0."""
    worst = Severity.WARN if arguments.strict else Severity.ERROR
    return int(any(number and severity >= worst for severity, number in counts.items()))


def _print_summary(found: dict[str, Any]) -> None:
    robots = ', '.join(map(repr, found['robots'])) or 'no robot'
    begin = time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(found['begin']))
    print(printable(
        f'{found["source"]}: {robots}, {found["seconds"]:.1f} s from {begin} UTC, '
        f'{count(found["topics"], "topic")}, {count(found["messages"], "message")}'))
    for remark in found['remarks']:
        print(printable(f'{found["source"]}: {remark}'))
    if found['omitted']:
        further = count(found['omitted'], 'further fault')
        print(printable(f'{found["source"]}: {further} not listed'))


@contextmanager
def showing_progress(text: str) -> Iterator[Callable[[float], None]]:
    """Yield a function that shows the share of a recording that has been read."""
    with progress(printable(text)) as line:
        def show(share: float) -> None:
            line.text = printable(f'{text} [{"#" * round(20 * share):20}] {share:.0%}')

        yield show


def _run_on_many(paths: Iterable[Path], arguments: argparse.Namespace, model: str,
                 ignore: list[str]) -> int:
    if arguments.report:
        raise CommandError('--report is about a single recording')
    if arguments.format == 'sarif':
        raise CommandError('SARIF holds a single report; use --format json with several')
    found = [each for path in paths for each in (
        [path] if is_recording(path) or not os.path.isdir(path) else recordings_below(path))]
    if not found:
        raise CommandError('There is no recording in these folders')
    orders = [Order(str(path.absolute() if arguments.cluster else path), model, tuple(ignore),
                    arguments.recording_limits) for path in dict.fromkeys(found)]
    results = Results(None if arguments.again else cache_folder())
    lines = []
    least = least_shown(arguments)
    with progress('reading recordings') as line:
        for number, result in enumerate(evaluate_all(
                orders, results, arguments.jobs, arguments.cluster or ''), 1):
            line.text = f'reading recordings: {number} of {len(orders)}'
            lines.append(result)
            if arguments.format == 'json':
                with line.hidden():
                    print_json(_shown(result, least), indent=None)
                    sys.stdout.flush()
    if arguments.format == 'text':
        _print_table(lines, least)
    if any('error' in result for result in lines):
        return 2
    return exit_code({severity: sum(result['counts'][severity.name] for result in lines)
                      for severity in Severity}, arguments)


def _shown(result: dict[str, Any], least: Severity) -> dict[str, Any]:
    """Return what was found in a recording without the findings that are not shown."""
    return result if 'error' in result else {**result, 'findings': [
        finding for finding in result['findings'] if Severity[finding['severity']] >= least]}


def _print_table(results: list[dict[str, Any]], least: Severity) -> None:
    """Print which fault appeared on which robot on which day, in how many recordings."""
    rows: dict[tuple[str, str, str], list[tuple[int, float]]] = {}
    for result in sorted(results, key=lambda each: (each.get('begin', 0.0), each['source'])):
        if 'error' in result:
            print(printable(f'{result["source"]}: {result["error"]}'), file=sys.stderr)
            continue
        day = time.strftime('%Y-%m-%d', time.gmtime(result['begin']))
        robot = ', '.join(result['robots']) or '-'
        of_code: dict[str, list[dict[str, Any]]] = {}
        for finding in _shown(result, least)['findings']:
            of_code.setdefault(finding['code'], []).append(finding)
        for code, found in (of_code or {'-': []}).items():
            rows.setdefault((robot, day, code), []).append((
                sum(each['occurrences'] for each in found),
                sum(each['duration'] for each in found)))
    print_table(
        ('robot', 'day', 'fault', 'recordings', 'times', 'seconds'),
        [(*key, str(len(row)), str(sum(times for times, _ in row)),
          f'{sum(seconds for _, seconds in row):.1f}') for key, row in sorted(rows.items())], 3)
    broken = sum('error' in result or not result['valid'] for result in results)
    print(f'{count(len(results), "recording")}, {broken} of them with errors')
