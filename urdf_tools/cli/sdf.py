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

"""
Convert a robot to SDFormat as Gazebo does, and report what is lost.

For example:
  urdf-tools sdf robot.urdf
  urdf-tools sdf robot.urdf -o robot.sdf
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
import sys
from typing import Any
from typing import TextIO

from urdf_tools.cli.arguments import add_description
from urdf_tools.cli.arguments import add_format
from urdf_tools.cli.arguments import add_loops_file
from urdf_tools.cli.arguments import loops_file
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_lines
from urdf_tools.cli.output_files import refuse_inputs
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.output_files import write_file
from urdf_tools.findings.formats.sarif import physical_location
from urdf_tools.findings.formats.sarif import sarif_log
from urdf_tools.model.loader import build_robot
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo import account_of_report
from urdf_tools.programs.gazebo import ALIASES
from urdf_tools.programs.gazebo import Conversion
from urdf_tools.programs.gazebo import ConversionReport
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import DEFAULT_RELEASE
from urdf_tools.programs.gazebo import Entry
from urdf_tools.programs.gazebo import Outcome
from urdf_tools.programs.gazebo import RELEASES
from urdf_tools.programs.summaries import lines_of


SARIF_RULES = {
    'gazebo-refuses': 'Gazebo loads the model',
    'gazebo-dropped': 'Gazebo keeps the element and what is below it',
    'gazebo-ignored': 'Gazebo reads the element or attribute'}
"""The rules that the results in SARIF violate."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    add_description(parser)
    add_loops_file(parser)
    parser.add_argument(
        '-o', '--output', metavar='SDF', help='file to write the model to; - is standard output')
    parser.add_argument(
        '--target', choices=(*RELEASES, *ALIASES), default=DEFAULT_RELEASE, metavar='GAZEBO',
        help=f'{", ".join(RELEASES)}, or the number of their libsdformat; default: %(default)s')
    parser.add_argument(
        '--preserve-fixed-joints', action='store_true', help='keep fixed joints; lump no links')
    parser.add_argument(
        '--report', action='store_true',
        help='print what is lost of the description; the default without -o, and with --format')
    add_format(parser, ('text', 'json', 'sarif'))


def run(arguments: argparse.Namespace) -> int:
    """Convert the robot; return 0 if Gazebo loads the model."""
    document = open_description(arguments)
    refuse_sources([arguments.output], document, arguments.file)
    loops = loops_file(arguments)
    refuse_inputs([arguments.output], [loops])
    path = None if arguments.file == '-' else Path(arguments.file)
    conversion = convert(
        build_robot(document), arguments.target, arguments.preserve_fixed_joints,
        Context(resources_of(arguments), path), keeps_loops=True, loops_file=loops)
    if arguments.output and conversion.document is not None:
        write_file(arguments.output, conversion.text.encode())
    if arguments.report or not arguments.output or arguments.format != 'text':
        report = ConversionReport(conversion)
        file = sys.stderr if arguments.output == '-' else sys.stdout
        if arguments.format == 'json':
            print_json(as_data(report, document.source), file)
        elif arguments.format == 'sarif':
            print_json(as_sarif(report, document.source), file)
        else:
            print_report(report, document.source, file)
    else:
        print_lines(_error_lines(conversion, document.source), sys.stderr)
    return 1 if conversion.load_errors else 0


def print_report(report: ConversionReport, source: str, file: TextIO) -> None:
    """Print the headline, then why Gazebo does not load the model, then what is lost."""
    print(f'{printable(report.conversion.robot.name)}: {report.conversion.headline} '
          f'({report.conversion.release.library})', file=file)
    print_lines(lines_of(account_of_report(report), source), file)
    counts = ', '.join(f'{report.counts[outcome]} {outcome.value}' for outcome in Outcome)
    print(f'{len(report.entries)} elements and attributes: {counts}', file=file)


def _error_lines(conversion: Conversion, source: str) -> Iterator[str]:
    """Yield why Gazebo does not load the model, with source locations."""
    for error in conversion.load_errors:
        hint = f'. {error.hint}' if error.hint else ''
        yield f'{location(*error.location(source)[:2])}: error: {error.message}{hint}'


def as_data(report: ConversionReport, source: str) -> dict[str, Any]:
    """Return a report as data for JSON."""
    conversion = report.conversion
    return {
        'source': source,
        'robot': conversion.robot.name,
        'target': conversion.release.library,
        'headline': conversion.headline,
        'summary': {
            **{name: amount.data() for name, amount in conversion.amounts.items()},
            'lumped': len(conversion.merged), 'loads': not conversion.load_errors},
        'errors': [error.data(source) for error in conversion.load_errors],
        'counts': {outcome.value: report.counts[outcome] for outcome in Outcome},
        'entries': [_entry(entry, below, source) for entry, below in report.losses],
        'account': account_of_report(report).data(source)}


def as_sarif(report: ConversionReport, source: str) -> dict[str, Any]:
    """Return why Gazebo does not load the model, and what is lost, in SARIF 2.1.0."""
    results = [_result('gazebo-refuses', 'error', error.message, error.hint, error.element, source)
               for error in report.conversion.load_errors if error.element is not None]
    for entry, below in report.losses:
        more = f' and {below} below it' if below else ''
        message = f'{entry.path}{more}: {entry.reason}'
        level = 'warning' if entry.outcome is Outcome.DROPPED else 'note'
        results.append(_result(
            f'gazebo-{entry.outcome.value}', level, message, entry.hint, entry.element, source))
    return sarif_log([
        {'id': name, 'shortDescription': {'text': text}} for name, text in SARIF_RULES.items()],
        results)


def _result(name: str, level: str, message: str, hint: str, element: Element,
            source: str) -> dict[str, Any]:
    location = {'physicalLocation': physical_location(*element.location(source)),
                'logicalLocations': [{'fullyQualifiedName': element.path}]}
    return {'ruleId': name, 'level': level, 'locations': [location],
            'message': {'text': f'{message}. {hint}' if hint else message}}


def _entry(entry: Entry, below: int, source: str) -> dict[str, Any]:
    file, line, column = entry.element.location(source, entry.attribute)
    return {
        'element': entry.element.path, 'attribute': entry.attribute, 'file': file, 'line': line,
        'column': column, 'outcome': entry.outcome.value, 'below': below,
        'reason': entry.reason, 'hint': entry.hint}
