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

"""Find the defects of descriptions, and fix them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from collections.abc import Sequence
import os
from pathlib import Path
import sys
import textwrap

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import known
from urdf_tools.cli.changes import replace_file
from urdf_tools.cli.changes import require_writable
from urdf_tools.cli.changes import unified_diff
from urdf_tools.cli.output import print_json
from urdf_tools.model.document import Document
from urdf_tools.model.document import MAX_BYTES
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.validation.autofix import autofix
from urdf_tools.validation.consumers import CONSUMERS
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.formats.github import workflow_commands
from urdf_tools.validation.formats.json_data import as_data
from urdf_tools.validation.formats.sarif import as_sarif
from urdf_tools.validation.formats.terminal import render
from urdf_tools.validation.registry import CATEGORIES
from urdf_tools.validation.report import Report
from urdf_tools.validation.rules import RULES
from urdf_tools.validation.validator import validate
from urdf_tools.validation.validator import validate_document
from urdf_tools.validation.validator import validates

_LEVELS = {'info': Severity.INFO, 'warn': Severity.WARN, 'error': Severity.ERROR}
_NOT_RUN = ('file-unreadable', 'xacro-failed')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    parser.epilog = (
        'Exit code: 0 without errors, 1 with errors (with --strict also with warnings), 2 if a '
        'file could not be read. A comment <!-- urdf-tools: ignore CODE reason --> above an '
        'element, or on its line, suppresses the findings about it.')
    parser.add_argument(
        'files', metavar='FILE', nargs='*',
        help='URDF or xacro files, or - for URDF on standard input; NAME:=VALUE is a xacro '
             'argument')
    parser.add_argument(
        '--category', '--tier', dest='categories', type=_names, action='extend',
        metavar='CATEGORY[,CATEGORY]', default=[],
        help=f'apply only rules of these categories: {", ".join(CATEGORIES)}')
    parser.add_argument(
        '--ignore', type=_names, action='extend', metavar='CODE[,CODE]', default=[],
        help='do not apply these rules')
    parser.add_argument(
        '--for', dest='consumers', type=_names, action='extend', metavar='PROGRAM[,PROGRAM]',
        default=[], help=f'report only what affects these programs: {", ".join(CONSUMERS)}')
    parser.add_argument(
        '--package', type=_package, action='append', metavar='NAME=PATH', default=[],
        help='folder of a package, which overrides the one in the environment; repeatable')
    parser.add_argument(
        '--strict', action='store_true', help='treat warnings as errors in the exit code')
    parser.add_argument(
        '--level', choices=_LEVELS,
        help='lowest severity to show; default: warn, or info for json and sarif')
    parser.add_argument(
        '--format', choices=('text', 'json', 'sarif', 'github'), default='text',
        help='default: text')
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        '--fix', action='store_true',
        help='fix what has exactly one safe fix, in the file, and report what remains')
    action.add_argument(
        '--diff', action='store_true', help='print the change that --fix would make')
    action.add_argument(
        '--explain', nargs='?', const='', metavar='CODE',
        help='explain a rule, or list all rules')


def run(arguments: argparse.Namespace) -> int:
    """Print the findings about the descriptions."""
    if arguments.explain is not None:
        print(_explanation(arguments.explain))
        return 0
    checker = _Checker(arguments)
    sources = [name for name in arguments.files if ':=' not in name]
    if not sources:
        raise CommandError('Name a file, or - for standard input')
    if arguments.diff:
        for source in sources:
            _print_diff(source, checker)
        return 0
    reports = [_fix(source, checker) if arguments.fix else checker.check(source)
               for source in sources]
    _print_reports(reports, arguments)
    return _exit_code(reports, arguments.strict)


class _Checker:
    """Validates sources with the options of the arguments."""

    def __init__(self, arguments: argparse.Namespace):
        self._categories = [
            known(name, CATEGORIES, 'category') for name in arguments.categories] or CATEGORIES
        self._ignore = {known(code, RULES, 'rule') for code in arguments.ignore}
        self._consumers = [known(name, CONSUMERS, 'program') for name in arguments.consumers]
        self._mappings = dict(name.split(':=', 1) for name in arguments.files if ':=' in name)
        self._packages = dict(arguments.package)

    def check(self, source: str) -> Report:
        """Validate a file, or standard input if the source is ``-``."""
        resources = self._resources(source)
        if source == '-':
            return validates(
                sys.stdin.buffer.read(MAX_BYTES + 1), source='<stdin>', resources=resources,
                categories=self._categories, ignore=self._ignore, consumers=self._consumers)
        return validate(
            source, mappings=self._mappings, resources=resources, categories=self._categories,
            ignore=self._ignore, consumers=self._consumers)

    def autofixed(self, source: str, document: Document) -> Document:
        """Return the fixed version of a document that was read from a source."""
        resources = self._resources(source)
        return autofix(document, lambda version: validate_document(
            version, resources=resources, categories=self._categories, ignore=self._ignore,
            consumers=self._consumers, max_per_rule=sys.maxsize))

    def _resources(self, source: str) -> ResourceResolver:
        folder = '.' if source == '-' else os.path.dirname(source) or '.'
        return ResourceResolver(folder, packages=self._packages)


def _fix(source: str, checker: _Checker) -> Report:
    """Fix a file, and return the report on the result."""
    require_writable(source)
    report = checker.check(source)
    if report.document is None:
        return report
    fixed = checker.autofixed(source, report.document)
    if fixed.data == report.document.data:
        return report
    replace_file(Path(source), fixed.data)
    return checker.check(source)


def _print_diff(source: str, checker: _Checker) -> None:
    report = checker.check(source)
    if report.document is None:
        raise CommandError(render(report))
    fixed = checker.autofixed(source, report.document)
    if fixed.data != report.document.data:
        print(unified_diff(report.document, fixed, 'fixed'))


def _print_reports(reports: Sequence[Report], arguments: argparse.Namespace) -> None:
    is_data = arguments.format in ('json', 'sarif')
    least = _LEVELS[arguments.level or ('info' if is_data else 'warn')]
    if arguments.format == 'json':
        print_json(as_data(reports, least=least))
    elif arguments.format == 'sarif':
        print_json(as_sarif(reports, least=least))
    elif arguments.format == 'github':
        for report in reports:
            for line in workflow_commands(report, least=least):
                print(line)
    else:
        colour = sys.stdout.isatty() and not os.environ.get('NO_COLOR')
        print('\n'.join(render(report, least=least, colour=colour) for report in reports))


def _exit_code(reports: Sequence[Report], strict: bool) -> int:
    if any(finding.code in _NOT_RUN for report in reports for finding in report.findings):
        return 2
    worst = Severity.WARN if strict else Severity.ERROR
    return int(any(count and severity >= worst
                   for report in reports for severity, count in report.counts.items()))


def _explanation(code: str) -> str:
    if not code:
        width = max(map(len, RULES))
        return '\n'.join(f'{rule.code:{width}}  {rule.summary}' for rule in RULES.values())
    rule = RULES[known(code, RULES, 'rule')]
    return '\n'.join(_wrapped((
        f'{rule.code} ({rule.severity.label}, {rule.category})', rule.summary, rule.reason,
        rule.hint and f'Fix: {rule.hint}.',
        *(f'{consumer}: {effect}' for consumer, effect in rule.consumers.items()))))


def _wrapped(paragraphs: Sequence[str]) -> Iterator[str]:
    for paragraph in filter(None, paragraphs):
        yield textwrap.fill(paragraph, 99)


def _names(text: str) -> list[str]:
    return [name for name in text.split(',') if name]


def _package(text: str) -> tuple[str, str]:
    name, separator, path = text.partition('=')
    if not (name and separator and path):
        raise argparse.ArgumentTypeError(f'{text!r} is not of the form NAME=PATH')
    return name, path
