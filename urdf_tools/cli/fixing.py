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

"""Fix descriptions in their files, or show how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Sequence
import os
from pathlib import Path
import sys

from urdf_tools.check.fixes import autofix
from urdf_tools.check.fixes import Fixes
from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.validator import validates
from urdf_tools.check.workspace.descriptions import editable_path
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.output import unified_diff
from urdf_tools.cli.output_files import write_file
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.report import Report
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import count
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.xacro.description_files import open_document


def fix(target: Target) -> None:
    """
    Fix the file of a description, or its xacro files, if it can be read.

    :raises CommandError: it is checked with several combinations of arguments, or a file cannot
        be written.
    """
    try:
        fixes = _fixes(target)
    except DescriptionError:
        return  # The check of the file reports it.
    for name, data in fixes.after.items():
        write_file(name, data)
    _print_fixed(fixes.fixed, target.source)
    _print_left(fixes, target.source)


def diff(target: Target) -> str:
    """
    Return the change that fixes a description, as unified diffs.

    :raises CommandError: it is checked with several combinations of arguments.
    :raises DescriptionError: it cannot be read.
    """
    fixes = _fixes(target)
    _print_left(fixes, target.source)
    return ''.join(
        unified_diff(name, fixes.before[name], data, 'fixed')
        for name, data in fixes.after.items())


def _fixes(target: Target) -> Fixes:
    """Return the fixes of a description, in its file or in its xacro files."""
    if len(target.combinations) > 1:
        raise CommandError(
            f'{target.source} is checked with several combinations of arguments, which may need '
            'different fixes. Give the arguments on the command line')
    settings, resources = target.settings, target.resources()

    def read(texts: Mapping[str, bytes]) -> Document:
        if target.text is not None:
            return read_document(target.text, target.source)
        return open_document(
            target.source, arguments=target.combinations[0], packages=resources.lookup,
            optional=target.optional, buffers={
                os.path.abspath(name): data.decode() for name, data in texts.items()})

    def check(document: Document) -> Report:
        return validates(
            document, resources=resources, categories=CATEGORIES, ignore=settings.unwanted(),
            consumers=settings.programs, max_per_rule=sys.maxsize,
            file=None if target.text is not None else Path(target.source),
            loops_file=target.loops, asks_programs=bool(settings.programs))

    # What an editor allows that has the file and the folder open.
    folders = [str(project_folder(Path(os.path.abspath(target.source)).parent))]
    if target.folder is not None:
        folders.append(os.path.abspath(target.folder))
    return autofix(read, check, lambda file: editable_path(file, folders) is not None)


def _print_fixed(findings: Sequence[Finding], source: str) -> None:
    """Print what was fixed in each file, by rule."""
    by_file: dict[str, Counter[str]] = {}
    for finding in findings:
        by_file.setdefault(finding.file(source), Counter())[finding.code] += 1
    for file, codes in by_file.items():
        rules = ', '.join(f'{code} ({number})' for code, number in codes.items())
        print(f'{printable(file)}: fixed {count(codes.total(), "finding")}: {rules}',
              file=sys.stderr)


def _print_left(fixes: Fixes, source: str) -> None:
    """Print the findings with a fix that were left alone, and why."""
    for finding, reason in fixes.left:
        where = location(finding.file(source), finding.line, finding.column)
        print(printable(f'{where}: not fixed, {reason} [{finding.code}]'), file=sys.stderr)
