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
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
import os
from pathlib import Path
import sys
import textwrap

from urdf_tools.cli.arguments import add_mesh_limits
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import is_mapping
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import set_completions
from urdf_tools.cli.changes import description_diff
from urdf_tools.cli.changes import replace_file
from urdf_tools.cli.changes import require_file
from urdf_tools.cli.changes import unified_diff
from urdf_tools.cli.descriptions import find_descriptions
from urdf_tools.cli.output import print_exact
from urdf_tools.cli.output import print_json
from urdf_tools.cli.progress import progress
from urdf_tools.cli.settings import LEVELS
from urdf_tools.cli.settings import merged
from urdf_tools.cli.settings import NAMES
from urdf_tools.cli.settings import project_settings
from urdf_tools.cli.settings import read_settings
from urdf_tools.cli.settings import Settings
from urdf_tools.inertia.meshes import set_mesh_limits
from urdf_tools.model.document import Document
from urdf_tools.model.document import MAX_BYTES
from urdf_tools.model.loader import expand_document
from urdf_tools.model.messages import count
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable
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
from urdf_tools.validation.source_fixes import fix_sources
from urdf_tools.validation.source_fixes import SourceFixes
from urdf_tools.validation.validator import validate
from urdf_tools.validation.validator import validate_document
from urdf_tools.validation.validator import validates

MAX_FINDINGS = 10_000
"""Number of findings listed per rule; further ones are counted."""

_NOT_RUN = ('file-unreadable', 'xacro-failed')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    parser.epilog = (
        'Exit code: 0 without errors, 1 with errors (with --strict also with warnings), 2 if a '
        'file could not be read. A comment <!-- urdf-tools: ignore CODE reason --> above an '
        'element, or on its line, suppresses the findings about it. Settings of a project stand '
        f'in {" or ".join(NAMES)} (there in [tool.urdf-tools]), in the folder of the file or '
        'above it: select, ignore, for, packages, strict and level.')
    parser.add_argument(
        'files', metavar='FILE', nargs='*', default=[],
        help='URDF or xacro files, folders with them, or - for URDF on standard input; '
             'NAME:=VALUE is a xacro argument, and ./NAME:=VALUE a file')
    names = (*CATEGORIES, *RULES)
    set_completions(parser.add_argument(
        '--select', type=_names, action='extend', metavar='NAME[,NAME]', default=[],
        help=f'apply only these rules or categories: {", ".join(CATEGORIES)}'), names)
    parser.add_argument(
        '--category', '--tier', dest='select', type=_names, action='extend', default=[],
        help=argparse.SUPPRESS)
    set_completions(parser.add_argument(
        '--ignore', type=_names, action='extend', metavar='NAME[,NAME]', default=[],
        help='do not apply these rules or categories'), names)
    set_completions(parser.add_argument(
        '--for', dest='consumers', type=_names, action='extend', metavar='PROGRAM[,PROGRAM]',
        default=[], help=f'report only what affects these programs: {", ".join(CONSUMERS)}'),
        CONSUMERS)
    parser.add_argument(
        '--package', type=_package, action='append', metavar='NAME=PATH', default=[],
        help='folder of a package, which overrides the one in the environment; repeatable')
    add_mesh_limits(parser)
    parser.add_argument(
        '--strict', action='store_true', help='treat warnings as errors in the exit code')
    parser.add_argument(
        '--level', choices=LEVELS,
        help='lowest severity to show; default: warn, or info for json and sarif')
    parser.add_argument(
        '--verbose', '-v', action='store_true',
        help='list every finding; default: findings that repeat each other are one')
    parser.add_argument(
        '--format', choices=('text', 'json', 'sarif', 'github'), default='text',
        help='default: text')
    settings = parser.add_mutually_exclusive_group()
    settings.add_argument(
        '--config', metavar='FILE', help='file with the settings, instead of that of the project')
    settings.add_argument(
        '--no-config', action='store_true', help='do not use the settings of the project')
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        '--fix', action='store_true',
        help='fix what has exactly one safe fix, in the file, and report what remains')
    action.add_argument(
        '--diff', action='store_true', help='print the change that --fix would make')
    set_completions(action.add_argument(
        '--explain', nargs='?', const='', metavar='CODE',
        help='explain a rule, or list all rules'), RULES)


def run(arguments: argparse.Namespace) -> int:
    """Print the findings about the descriptions."""
    if arguments.explain is not None:
        print(_explanation(arguments.explain))
        return 0
    set_mesh_limits(arguments.mesh_limits)
    checker = _Checker(arguments)
    names = [name for name in arguments.files if not is_mapping(name)]
    if not names:
        raise CommandError('Name a file, or - for standard input')
    sources = [source for name in names for source in _sources(name, arguments.verbose)]
    output = _Output(arguments, len(sources))
    codes = set()
    for number, source in enumerate(sources, 1):
        # An error in the settings of any file comes before its first finding.
        settings = checker.settings(source)
        if arguments.fix:
            require_file(source)
        with progress(f'{number} of {len(sources)}: {printable(source)}'):
            if arguments.diff:
                text = _diff(source, checker)
            else:
                report = _fix(source, checker) if arguments.fix else checker.check(source)
        if arguments.diff:
            print_exact(text)
        else:
            output.add(report, settings)
            codes.add(_exit_code(report, settings.strict))
    if not arguments.diff:
        output.finish()
    return max(codes, default=0)


def _sources(name: str, verbose: bool) -> Sequence[str]:
    """
    Return the descriptions in a folder, or the file itself.

    :raises CommandError: the folder has none.
    """
    if not os.path.isdir(name):
        return [name]
    found = find_descriptions(name)
    if not found.roots:
        raise CommandError(f'{name!r} has no description of a robot')
    if found.parts:
        print(f'{printable(name)}: {count(len(found.roots), "description")}; '
              f'{count(len(found.parts), "xacro file")} for other files to include',
              file=sys.stderr)
    if verbose:
        for part in found.parts:
            print(f'{printable(part)}: for other files to include', file=sys.stderr)
    return found.roots


class _Checker:
    """Validates sources with the options of the arguments and the settings of their projects."""

    def __init__(self, arguments: argparse.Namespace):
        self._settings = Settings(
            arguments.select, arguments.ignore, arguments.consumers, dict(arguments.package),
            arguments.strict, arguments.level)
        self._mappings = dict(
            name.split(':=', 1) for name in arguments.files if is_mapping(name))
        self._no_file = arguments.no_config
        self._of_folder: dict[str, Settings] = {}
        self._file = None if arguments.config is None else read_settings(Path(arguments.config))

    def settings(self, source: str) -> Settings:
        """Return the settings for a source."""
        if self._no_file:
            return self._settings
        folder = _folder(source)
        if folder not in self._of_folder:
            file = self._file or project_settings(Path(folder))
            self._of_folder[folder] = merged(file, self._settings)
        return self._of_folder[folder]

    def check(self, source: str) -> Report:
        """Validate a file, or standard input if the source is ``-``."""
        settings = self.settings(source)
        if source == '-':
            return validates(
                sys.stdin.buffer.read(MAX_BYTES + 1), source='<stdin>', categories=CATEGORIES,
                ignore=settings.unwanted(), consumers=settings.programs,
                resources=_resources(source, settings), max_per_rule=MAX_FINDINGS)
        return validate(
            source, mappings=self._mappings, ignore=settings.unwanted(),
            consumers=settings.programs, resources=_resources(source, settings),
            max_per_rule=MAX_FINDINGS)

    def autofixed(self, source: str, document: Document) -> Document:
        """Return the fixed version of a document that was read from a source."""
        return autofix(document, self._validator(source))

    def source_fixes(self, source: str) -> SourceFixes:
        """Return the fixes of the xacro files that a xacro file is expanded from."""
        def expand(texts: Mapping[str, bytes]) -> Document:
            return expand_document(source, self._mappings, {
                os.path.abspath(name): data.decode() for name, data in texts.items()})
        return fix_sources(source, expand, self._validator(source))

    def _validator(self, source: str) -> Callable[[Document], Report]:
        settings = self.settings(source)
        return partial(
            validate_document, resources=_resources(source, settings), categories=CATEGORIES,
            ignore=settings.unwanted(), consumers=settings.programs, max_per_rule=sys.maxsize)


def _folder(source: str) -> str:
    return '.' if source == '-' else os.path.dirname(source) or '.'


def _resources(source: str, settings: Settings) -> ResourceResolver:
    return ResourceResolver(_folder(source), packages=settings.packages)


def _fix(source: str, checker: _Checker) -> Report:
    """Fix a file, and return the report on the result."""
    report = checker.check(source)
    if report.document is None:
        return report
    if _is_xacro(report.document):
        fixes = checker.source_fixes(source)
        for name, data in fixes.after.items():
            replace_file(Path(name), data)
        _print_left(fixes, source)
        return checker.check(source) if fixes.after else report
    fixed = checker.autofixed(source, report.document)
    if fixed.data == report.document.data:
        return report
    replace_file(Path(source), fixed.data)
    return checker.check(source)


def _diff(source: str, checker: _Checker) -> str:
    report = checker.check(source)
    if report.document is None:
        raise CommandError('; '.join(
            f'{location(finding.file(source), finding.line, finding.column)}: {finding.text}'
            for finding in report.findings) or f'{source} cannot be read')
    if _is_xacro(report.document):
        fixes = checker.source_fixes(source)
        _print_left(fixes, source)
        return ''.join(
            unified_diff(name, fixes.before[name], data, 'fixed')
            for name, data in fixes.after.items())
    fixed = checker.autofixed(source, report.document)
    return description_diff(report.document, fixed, 'fixed')


def _is_xacro(document: Document) -> bool:
    """
    Tell whether a description comes from xacro files.

    :raises CommandError: it does, but its sources are not known.
    """
    if document.remark:
        raise CommandError(f'Cannot fix {document.source}. {document.remark}')
    return document.xacro is not None


def _print_left(fixes: SourceFixes, source: str) -> None:
    """Print the findings with a fix that were left alone, and why."""
    for finding, reason in fixes.left:
        where = location(finding.file(source), finding.line, finding.column)
        print(printable(f'{where}: not fixed, {reason} [{finding.code}]'), file=sys.stderr)


class _Output:
    """
    Prints reports: as text and for GitHub as they come, as data in the end.

    :param files: number of reports that will come.
    """

    def __init__(self, arguments: argparse.Namespace, files: int):
        self._format = arguments.format
        self._verbose = arguments.verbose
        self._files = files
        self._least = Severity.ERROR
        self._counts = dict.fromkeys(Severity, 0)
        self._suppressed = 0
        self._reports: list[Report] = []

    def add(self, report: Report, settings: Settings) -> None:
        """Print a report, or keep it for the end."""
        is_data = self._format in ('json', 'sarif')
        least = LEVELS[settings.level or ('info' if is_data else 'warn')]
        if is_data:
            self._reports.append(replace(report, findings=report.at_least(least)))
            return
        if self._format == 'github':
            for line in workflow_commands(report, least=least):
                print(line)
        else:
            colour = sys.stdout.isatty() and not os.environ.get('NO_COLOR')
            print(render(report, least=least, colour=colour, verbose=self._verbose,
                         programs=settings.programs))
        sys.stdout.flush()
        self._least = min(self._least, least)
        self._suppressed += report.suppressed
        for severity, number in report.counts.items():
            self._counts[severity] += number

    def finish(self) -> None:
        """Print what comes in the end: the data, or the total of several files."""
        if self._format == 'json':
            print_json(as_data(self._reports))
        elif self._format == 'sarif':
            print_json(as_sarif(self._reports))
        elif self._format == 'text' and self._files > 1:
            total = Report('', (), self._counts, {}, self._suppressed)
            print(f'{self._files} files: {total.summary(self._least)}')


def _exit_code(report: Report, strict: bool) -> int:
    if any(finding.code in _NOT_RUN for finding in report.findings):
        return 2
    worst = Severity.WARN if strict else Severity.ERROR
    return int(any(number and severity >= worst for severity, number in report.counts.items()))


def _explanation(code: str) -> str:
    if not code:
        width = max(map(len, RULES))
        return '\n'.join(f'{rule.code:{width}}  {rule.summary}' for rule in RULES.values())
    rule = RULES[known(code, RULES, 'rule', '"urdf-tools check --explain" lists them')]
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
