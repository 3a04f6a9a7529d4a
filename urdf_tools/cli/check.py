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
Find defects in descriptions, and fix them.

Exit code: 0 without errors, 1 with errors (with --strict also with warnings), 2 if a file could
not be read. A comment <!-- urdf-tools: ignore CODE reason --> above an element, or on its line,
suppresses the findings about it. Settings are read from urdf-tools.toml, or [tool.urdf-tools] in
pyproject.toml, in the folder of the file or above it.

For example:
  urdf-tools check robot.urdf
  urdf-tools check src --for gazebo,moveit --strict
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import closing
import io
import os
from pathlib import Path
import sys

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.rules import RULES
from urdf_tools.check.workspace.checking import Baselines
from urdf_tools.check.workspace.checking import check_targets
from urdf_tools.check.workspace.checking import CheckedDescription
from urdf_tools.check.workspace.checking import TimeLimit
from urdf_tools.check.workspace.settings import NAMES
from urdf_tools.check.workspace.settings import pattern_in
from urdf_tools.check.workspace.settings import ProjectSettings
from urdf_tools.check.workspace.settings import Settings
from urdf_tools.check.workspace.target_selection import find_targets
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import explanation
from urdf_tools.cli.arguments import is_mapping
from urdf_tools.cli.arguments import refuse_mappings
from urdf_tools.cli.arguments import rule_options
from urdf_tools.cli.fixing import editable
from urdf_tools.cli.fixing import fix
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output import print_lines
from urdf_tools.cli.output_files import refuse_inputs
from urdf_tools.cli.output_files import refuse_links
from urdf_tools.cli.output_files import require_file
from urdf_tools.cli.output_files import write_file
from urdf_tools.cli.progress import progress
from urdf_tools.findings.baseline import Baseline
from urdf_tools.findings.consequences import CONSUMERS
from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import output_formats
from urdf_tools.findings.formats import Result
from urdf_tools.findings.report import Report
from urdf_tools.findings.rules import AnyRule
from urdf_tools.model.messages import count
from urdf_tools.model.messages import MAX_LISTED
from urdf_tools.model.package_lookup import Trust
from urdf_tools.model.xml.document import MAX_BYTES
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import permitted_actions


class Output:
    """
    Writes results: each immediately or, if they are one document, at the end.

    :param kind: the name of their format.
    :param path: the file to write in the end; None for standard output.
    :param verbose: list every finding.
    """

    def __init__(self, kind: str, path: str | None, verbose: bool):
        self._format = output_formats()[kind]
        self._path = path
        self._stream = sys.stdout if path is None else io.StringIO()
        self._options = Options(RULES, (), verbose, self._stream.isatty() and not (
            os.environ.get('NO_COLOR')))
        self._results: list[Result] = []
        self._fixable = 0
        self._is_silent = False

    def add(self, checked: CheckedDescription) -> None:
        """Write a result, or store it until the end."""
        may_change = editable(checked.target)
        self._fixable += sum(
            finding.has_fix and may_change(finding.file(checked.target.source))
            for finding in checked.report.findings)
        self._results.append(Result(
            checked.report, checked.failing, checked.target.settings.minimum(self._format.level)))
        target, shown = checked.target, checked.report.at_least(self._results[-1].minimum)
        # Most packages of a workspace have neither a description nor findings.
        self._is_silent = bool(checked.report.package and target.folder and not shown) and (
            Path(target.folder or '') != Path(target.source).parent)
        if not self._format.is_document and not self._is_silent:
            self._write(self._results[-1:], self._options)
        self._stream.flush()

    def finish(self, baselines: Sequence[Baseline]) -> None:
        """Write the document, or the total of several descriptions."""
        if self._format.is_document:
            self._write(self._results, self._options._replace(baselines=baselines))
        elif self._format.name == 'text':
            if len(self._results) > 1 or self._is_silent:
                reports = [result.report for result in self._results]
                counts = {severity: sum(report.counts[severity] for report in reports)
                          for severity in Severity}
                suppressed = sum(report.suppressed for report in reports)
                minimum = min(result.minimum for result in self._results)
                summary = Report('', (), counts, {}, suppressed).summary(minimum)
                print_line(f'{count(len(reports), "file")}: {summary}', self._stream)
            print_lines(baseline_lines(baselines), self._stream)
            if self._fixable:
                number = sum(len(result.report.findings) for result in self._results)
                print_line(f'{self._fixable} of {count(number, "finding")} fixable with --fix; '
                           '--diff shows how', self._stream)
        if isinstance(self._stream, io.StringIO) and self._path is not None:
            write_file(self._path, self._stream.getvalue().encode('utf-8', 'backslashreplace'))

    def _write(self, results: Sequence[Result], options: Options) -> None:
        written = self._format.write(results, options)
        if not isinstance(written, str):
            print_json(written, self._stream)
        elif written:
            print(written, file=self._stream)


def baseline_lines(baselines: Iterable[Baseline]) -> Iterator[str]:
    """Yield remarks on baselines: what they hide, and what is no longer needed."""
    for baseline in baselines:
        name, unneeded = baseline.path, baseline.unneeded()
        number = 'entry is' if len(unneeded) == 1 else 'entries are'
        yield f'{name}: hides {count(baseline.hidden, "finding")}' + (
            f'; {len(unneeded)} {number} no longer needed' if unneeded else '')
        for entry in unneeded[:MAX_LISTED]:
            file, rule, element, message = entry.fingerprint
            yield f'{name}: not needed: {file}: {message} [{rule}] {element}'
        if len(unneeded) > MAX_LISTED:
            yield f'{name}: {len(unneeded) - MAX_LISTED} more; --update-baseline removes them'


def _output(text: str) -> tuple[str, str]:
    kind, separator, path = text.partition('=')
    if not (separator and path) or kind not in output_formats():
        raise argparse.ArgumentTypeError(
            f'{text!r} is not of the form FORMAT=FILE; formats are {", ".join(output_formats())}')
    if not os.path.isdir(os.path.dirname(path) or '.'):
        raise argparse.ArgumentTypeError(f'the folder of {path!r} does not exist')
    return kind, path


OPTIONS = {
    **rule_options(CATEGORIES, RULES, 'warn, or info for json and sarif'),
    '--for': {'complete': CONSUMERS},
    '--format': {'choices': output_formats()}, '--output': {'type': _output}}


def run(arguments: argparse.Namespace) -> int:
    """Print the findings about the descriptions."""
    if arguments.explain is not None:
        print_lines(explanation(arguments.explain, RULES, 'check', _details))
        return 0
    if arguments.fix and not arguments.diff:
        for name in arguments.files:
            require_file(name)
    if arguments.untrusted and not arguments.unconfined:
        _require_confinement()
    # An error in the settings of any file comes before the first finding.
    targets = _targets(arguments)
    baselines = Baselines()
    for target in targets:
        baselines.of(target.settings.baseline, must_exist=not arguments.update_baseline)
    if arguments.update_baseline and not all(target.settings.baseline for target in targets):
        raise CommandError('Name the baseline to update, as in --baseline baseline.json')
    outputs, inputs = _outputs_and_inputs(arguments, targets, baselines)
    refuse_inputs(outputs, inputs)
    if arguments.untrusted:
        refuse_links(outputs)
    if arguments.diff or arguments.fix:
        for target in targets:
            fix(target, only_shown=arguments.diff)
    return 0 if arguments.diff else _print_checked(targets, baselines, arguments)


def _require_confinement() -> None:
    """Raise a CommandError where what expands xacro and reads meshes would not be confined."""
    try:
        actions = permitted_actions()
    except SandboxError as error:
        raise CommandError(f'--untrusted: a confined process cannot be used, {error}') from error
    if actions:
        raise CommandError(
            f'--untrusted: this system lets a description {" and ".join(actions)}; a kernel with '
            'Landlock and seccomp confines it (Linux 5.13, not in every container). With '
            '--unconfined it is checked nevertheless')


def _print_checked(
        targets: Sequence[Target], baselines: Baselines, arguments: argparse.Namespace) -> int:
    """Check descriptions, print and write the results, and return the exit code."""
    outputs = [Output(kind, path, arguments.verbose)
               for kind, path in ((arguments.format, None), *arguments.output)]
    code = 0
    read: dict[str, None] = {}
    results = check_targets(targets, arguments.jobs, TimeLimit(arguments.time_limit))
    with closing(results), progress('') as line:
        for number, target in enumerate(targets, 1):
            line.text = f'{number} of {len(targets)}: {target.source}'
            checked = baselines.hide(next(results))
            read.update(dict.fromkeys(checked.files))
            with line.hidden():
                for output in outputs:
                    output.add(checked)
                if arguments.debug:
                    print_lines((text for finding in checked.report.findings
                                 for text in finding.traceback.splitlines()), sys.stderr)
            code = max(code, checked.exit_code)
    refuse_inputs((path for _, path in arguments.output), read)
    for output in outputs:
        output.finish([] if arguments.update_baseline else [*baselines])
    if arguments.update_baseline:
        if code == 2:
            raise CommandError('No baseline is updated, because a description cannot be read')
        for baseline in baselines:
            new = baseline.updated()
            write_file(baseline.path, new.text().encode())
            print_line(f'{baseline.path}: {count(len(new), "finding")}, {len(baseline)} before',
                       sys.stderr)
        return 0
    if arguments.format != 'text':
        print_lines(baseline_lines(baselines), sys.stderr)
    return code


def _outputs_and_inputs(
        arguments: argparse.Namespace, targets: Sequence[Target], baselines: Baselines
        ) -> tuple[list[str], list[str | None]]:
    """Return the files to write, and those that are always read."""
    outputs = [path for _, path in arguments.output]
    inputs = [*arguments.files, arguments.config, *(
        name for target in targets for name in (target.source, target.loops))]
    (outputs if arguments.update_baseline else inputs).extend(
        baseline.path for baseline in baselines)
    folders = {Path(target.source).parent.resolve() for target in targets if outputs}
    inputs += [str(above / name) for folder in folders for above in (folder, *folder.parents)
               for name in NAMES]
    return outputs, inputs


def _targets(arguments: argparse.Namespace) -> list[Target]:
    """
    Return the descriptions to check, and report which files in folders are not descriptions.

    :raises SettingsError: the settings are not valid, or there is no description.
    """
    project = ProjectSettings(
        Settings(
            arguments.select, arguments.ignore, arguments.consumers, dict(arguments.package),
            arguments.strict, arguments.level, arguments.baseline,
            exclude=[pattern_in('.', path) for path in arguments.exclude],
            trust=Trust(not arguments.untrusted, frozenset(arguments.env))),
        arguments.config, not arguments.no_config)
    mappings = dict(name.split(':=', 1) for name in arguments.files if is_mapping(name))
    names = [name for name in arguments.files if not is_mapping(name)]
    files = [name for name in names if name != '-']
    targets: list[Target] = []
    if files or not names:
        with progress('looking for descriptions'):
            found = find_targets(files, mappings, project, allow_none=arguments.allow_none,
                                 model=arguments.model, packages=True)
        targets += found.targets
        for folder, parts in found.parts.items():
            if parts:
                listed = ', '.join(os.path.relpath(part, folder) for part in parts)
                print_line(
                    f'{folder}: {count(len(parts), "xacro file")} for other files to include' + (
                        f': {listed}' if arguments.verbose or len(parts) <= MAX_LISTED
                        else '; --verbose lists them'), sys.stderr)
        print_lines((f'{folder}: the folder cannot be read' for folder in found.unreadable),
                    sys.stderr)
        print_lines(found.remarks, sys.stderr)
    if len(files) < len(names):
        if not files:
            refuse_mappings(mappings)
        text = sys.stdin.buffer.read(MAX_BYTES + 1)
        targets.insert(0 if names[0] == '-' else len(targets), Target(
            '<stdin>', settings=project.of_folder('.'), text=text))
    return [target._replace(loops=arguments.loops or target.loops) for target in targets]


def _details(rule: AnyRule) -> Iterator[str]:
    # Its descriptions take long to load.
    from urdf_tools.check.rule_examples import consequences_of
    yield rule.fix and f'Fix: {rule.fix}.'
    yield from (f'{program}: {text}' for program, text in sentences(consequences_of(rule)).items())
    yield rule.source and f'Source: {rule.source}.'
