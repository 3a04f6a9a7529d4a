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
Baselines: known findings, which are hidden until they are fixed.

A finding is recognized by its rule, its file, the path of its element without positions among
siblings, and the names in its arguments; its wording, its line and its numbers do not matter. In a
xacro file the element is the tag in that file, and names count only if they are written there:
others depend on arguments and macro calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace
import json
import os
from pathlib import Path
import re
from typing import Any
from typing import NamedTuple

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.message import Argument
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Reference
from urdf_tools.findings.report import Report
from urdf_tools.model.errors import InputError
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.messages import location
from urdf_tools.model.package_lookup import package_name

_MAX_BYTES = 64 * 2**20
_VERSION = 2
"""The version that is read and written; the first one had the wording of findings."""

_WORD = re.compile(r'[\w./:-]+')
_POSITION = re.compile(r'\[\d+\]')


class Fingerprint(NamedTuple):
    """
    What identifies a finding.

    :ivar file: the file relative to the folder of the baseline, or ``package://NAME/PATH`` for
        files of a package elsewhere.
    :ivar names: the arguments that distinguish it from others, sorted.
    """

    file: str
    rule: str
    element: str
    names: tuple[tuple[str, str], ...]


class BaselineError(InputError):
    """A baseline that cannot be read; the text is one sentence for the user."""


@dataclass(frozen=True, order=True)
class Entry:
    """
    An entry of a baseline; entries are sorted by fingerprint.

    :param count: number of such findings that each description may have.
    :param descriptions: the descriptions that have them, as paths like the file.
    """

    fingerprint: Fingerprint
    count: int
    descriptions: frozenset[str]


class Baseline:
    """
    The known findings in a file.

    :param path: the file.
    :param entries: its entries.
    """

    def __init__(self, path: str, entries: Mapping[Fingerprint, Entry] = {}):
        self.path = path
        self._folder = os.path.dirname(os.path.abspath(path))
        self._entries = dict(entries)
        self._numbers: dict[Fingerprint, dict[str, int]] = {}
        self._unwanted: dict[str, frozenset[str]] = {}
        self.hidden = 0
        """Number of findings hidden so far."""

    @classmethod
    def read(cls, path: str) -> Baseline:
        """
        Read a file.

        :raises BaselineError: it cannot be read, or is not a baseline.
        """
        where = location(path)
        try:
            data = read_regular_file(Path(path), _MAX_BYTES + 1)
        except FileNotFoundError:
            raise BaselineError(
                f'Baseline {where} does not exist. Write it with --update-baseline') from None
        except OSError as error:
            raise BaselineError(f'Cannot read {where}: {error.strerror}') from error
        if len(data) > _MAX_BYTES:
            raise BaselineError(f'{where} is larger than {_MAX_BYTES} bytes')
        try:
            content = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise BaselineError(
                f'{where} is not valid JSON: {error}. Delete it, and write it again with '
                '--update-baseline') from error
        if not isinstance(content, dict) or content.get('version') != _VERSION or (
                not isinstance(content.get('findings'), list)):
            raise BaselineError(
                f'{where} is not a baseline of this version. Delete it, and write it again with '
                '--update-baseline')
        entries: dict[Fingerprint, Entry] = {}
        for number, item in enumerate(content['findings'], 1):
            entry = _entry(item)
            if entry is None:
                raise BaselineError(
                    f'{where}: Entry {number} is malformed. Remove it, or write the baseline '
                    'again with --update-baseline')
            entries[entry.fingerprint] = entry
        return cls(path, entries)

    def hide(self, report: Report, description: str, unwanted: Collection[str] | None) -> Report:
        """
        Return a report without the known findings, which it lists separately.

        :param description: the file that was checked.
        :param unwanted: codes of the rules that were not applied; None if none could be, so that
            nothing is known of what the description has.
        """
        if unwanted is None:
            return report
        name = self._name(description)
        self._unwanted[name] = frozenset(unwanted)
        numbers: Counter[Fingerprint] = Counter()
        shown: list[Finding] = []
        known: list[Finding] = []
        for finding in report.findings:
            fingerprint = self._fingerprint(finding, report.source)
            numbers[fingerprint] += 1
            entry = self._entries.get(fingerprint)
            is_known = entry is not None and numbers[fingerprint] <= entry.count
            (known if is_known else shown).append(finding)
        for fingerprint, number in numbers.items():
            self._numbers.setdefault(fingerprint, {})[name] = number
        if not known:
            return report
        self.hidden += len(known)
        hidden = Counter(finding.severity for finding in known)
        return replace(report, findings=tuple(shown), known=tuple(known), counts={
            severity: number - hidden[severity] for severity, number in report.counts.items()})

    def unneeded(self) -> list[Entry]:
        """
        Return the entries that are no longer needed, or whose count is too high, sorted.

        An entry counts only if all its descriptions that still exist have been checked with its
        rule.
        """
        excess = {entry: entry.count - self._number(entry.fingerprint)
                  for entry in self._entries.values() if not self._unchecked(entry)}
        return sorted(replace(entry, count=number) for entry, number in excess.items()
                      if number > 0)

    def updated(self) -> Baseline:
        """Return the baseline with the current findings, and without unneeded entries."""
        entries = {}
        for fingerprint in {*self._entries, *self._numbers}:
            old = self._entries.get(fingerprint)
            unchecked = frozenset() if old is None else self._unchecked(old)
            kept = old.count if old is not None and unchecked else 0
            count = max(kept, self._number(fingerprint))
            if count:
                entries[fingerprint] = Entry(
                    fingerprint, count, unchecked | self._numbers.get(fingerprint, {}).keys())
        return Baseline(self.path, entries)

    def _number(self, fingerprint: Fingerprint) -> int:
        """Return the largest number of such findings in one description."""
        return max(self._numbers.get(fingerprint, {}).values(), default=0)

    def __len__(self) -> int:
        return sum(entry.count for entry in self._entries.values())

    def text(self) -> str:
        """Return the content of the file."""
        findings = []
        for entry in sorted(self._entries.values()):
            file, rule, element, names = entry.fingerprint
            item: dict[str, Any] = {'file': file, 'rule': rule, 'element': element,
                                    'arguments': dict(names), 'count': entry.count}
            if entry.descriptions != {file}:
                item['descriptions'] = sorted(entry.descriptions)
            findings.append(item)
        return json.dumps({'version': _VERSION, 'findings': findings}, indent=1) + '\n'

    def _unchecked(self, entry: Entry) -> frozenset[str]:
        """Return the unchecked descriptions of an entry, which may still have the finding."""
        return frozenset(
            name for name in entry.descriptions
            if (entry.fingerprint.rule in self._unwanted[name] if name in self._unwanted
                else os.path.exists(os.path.join(self._folder, name))))

    def _fingerprint(self, finding: Finding, source: str) -> Fingerprint:
        names = sorted(_names(finding.arguments))
        element = _POSITION.sub('', finding.element)
        if finding.trace is not None:
            element = finding.trace.path
            written = {*_WORD.findall(finding.trace.text)}
            names = [(key, name) for key, name in names if {*_WORD.findall(name)} <= written]
        return Fingerprint(self._name(finding.file(source)), finding.code, element, tuple(names))

    def _name(self, file: str) -> str:
        path = os.path.abspath(file)
        inside = os.path.relpath(path, self._folder)
        if not inside.startswith(os.pardir):
            return Path(inside).as_posix()
        for folder in Path(path).parents:
            name = package_name(folder)
            if name:
                return f'package://{name}/{Path(path).relative_to(folder).as_posix()}'
        return path


def _names(arguments: Mapping[str, Argument]) -> Iterator[tuple[str, str]]:
    """Yield the arguments that identify what a finding is about: no numbers or free text."""
    for key, value in arguments.items():
        if isinstance(value, Reference):
            yield key, ' '.join(value.names)
        elif isinstance(value, tuple):
            yield key, ' '.join(value)
        elif isinstance(value, str) and not isinstance(value, FreeText):
            yield key, str(value)


def _entry(item: Any) -> Entry | None:
    """Return an entry from data, or None if it is malformed."""
    match item:
        case {'file': str(file), 'rule': str(rule), 'element': str(element),
              'arguments': dict(names), 'count': int(count)} if count > 0 and count is not True:
            descriptions = item.get('descriptions', [file])
            if isinstance(descriptions, list) and all(
                    isinstance(text, str) for text in (*descriptions, *names.values())) and (
                    not any('\0' in path for path in (file, *descriptions))):
                return Entry(Fingerprint(file, rule, element, tuple(sorted(names.items()))),
                             count, frozenset(descriptions))
    return None
