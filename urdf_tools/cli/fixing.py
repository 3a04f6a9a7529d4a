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
from collections.abc import Callable
from collections.abc import Mapping
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
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output_files import write_change
from urdf_tools.cli.progress import progress
from urdf_tools.findings.report import Report
from urdf_tools.formats.description_files import open_document
from urdf_tools.formats.loader import read_description
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import count
from urdf_tools.model.messages import location
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.xml.document import Document


def fix(target: Target, only_shown: bool) -> None:
    """
    Fix the file of a description, or its xacro files, or print the change as unified diffs.

    :raises CommandError: it is checked with several combinations of arguments, or a file cannot
        be written.
    :raises DescriptionError: it cannot be read, and is only shown.
    """
    try:
        with progress(target.source):
            fixes = _fixes(target)
    except DescriptionError:
        if only_shown:
            raise
        return  # The check of the file reports it.
    write_change(fixes.before, fixes.after, 'fixed', only_shown)
    by_file = grouped((finding.file(target.source), finding.code)
                      for finding in fixes.fixed if not only_shown)
    for file, codes in by_file.items():
        rules = ', '.join(f'{code} ({number})' for code, number in Counter(codes).items())
        print_line(f'{file}: fixed {count(len(codes), "finding")}: {rules}', sys.stderr)
    if not (fixes.fixed or fixes.left):
        print_line(f'{target.source}: nothing to fix', sys.stderr)
    for finding, reason in fixes.left:
        where = location(finding.file(target.source), finding.line, finding.column)
        print_line(f'{where}: not fixed, {reason} [{finding.code}]', sys.stderr)


def _fixes(target: Target) -> Fixes:
    """Return the fixes of a description, in its file or in its xacro files."""
    if len(target.combinations) > 1:
        raise CommandError(
            f'{target.source} is checked with several combinations of arguments, which may need '
            'different fixes. Give the arguments on the command line')
    settings, resources = target.settings, target.resources()

    def read(texts: Mapping[str, bytes]) -> Document:
        if target.text is not None:
            return read_description(target.text, target.source, resources)
        return open_document(
            target.source, arguments=target.combinations[0], resources=resources,
            optional=target.optional, buffers={
                os.path.abspath(name): data.decode() for name, data in texts.items()})

    def check(document: Document) -> Report:
        return validates(
            document, resources=resources, categories=CATEGORIES, ignore=settings.unwanted(),
            consumers=settings.programs, max_per_rule=sys.maxsize,
            file=None if target.text is not None else Path(target.source),
            loops_file=target.loops, asks_programs=bool(settings.programs))

    return autofix(read, check, editable(target))


def editable(target: Target) -> Callable[[str], bool]:
    """Return what returns whether a file may be changed, as an editor decides it."""
    folders = [str(project_folder(Path(os.path.abspath(target.source)).parent))]
    if target.folder is not None:
        folders.append(os.path.abspath(target.folder))
    return lambda file: file == target.source or editable_path(file, folders) is not None
