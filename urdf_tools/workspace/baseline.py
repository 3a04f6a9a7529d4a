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
Baselines: findings that are known, and hidden until they are fixed.

A finding is recognized by its rule, its file, the path of its element and its message, without
lines, columns and positions among siblings. In a xacro file the element is the tag in that file,
and names and numbers in the message count only if they are written there: others depend on
arguments and macro calls.
"""

from __future__ import annotations

from collections import Counter
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
from urdf_tools.findings.folding import pattern_of
from urdf_tools.model.messages import location
from urdf_tools.model.packages import package_name
from urdf_tools.model.resources import read_regular_file
from urdf_tools.validation.validator import ALWAYS_APPLIED
from urdf_tools.workspace.checking import CheckedDescription
from urdf_tools.workspace.settings import SettingsError

_MAX_BYTES = 64 * 2**20
_VERSION = 1
_LINES = re.compile(r'\b([Ll]ines?) \d+(?:(?:, | and | to )\d+)*')
_POSITION = re.compile(r'\[\d+\]')


class Fingerprint(NamedTuple):
    """
    What a finding is recognized by.

    :param file: the file relative to the folder of the baseline, or ``package://NAME/PATH`` for
        files of a package elsewhere.
    """

    file: str
    rule: str
    element: str
    message: str


@dataclass(frozen=True)
class Entry:
    """
    An entry of a baseline.

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
        self._found: dict[Fingerprint, Counter[str]] = {}
        self._unwanted: dict[str, frozenset[str]] = {}
        self.hidden = 0
        """Number of findings hidden so far."""

    @classmethod
    def read(cls, path: str) -> Baseline:
        """
        Read a file.

        :raises SettingsError: it cannot be read, or is no baseline.
        """
        where = location(path)
        try:
            data, _ = read_regular_file(Path(path), _MAX_BYTES + 1)
        except FileNotFoundError:
            raise SettingsError(
                f'Baseline {where} does not exist. Write it with --update-baseline') from None
        except OSError as error:
            raise SettingsError(f'Cannot read {where}: {error.strerror}') from error
        if len(data) > _MAX_BYTES:
            raise SettingsError(f'{where} is larger than {_MAX_BYTES} bytes')
        try:
            content = json.loads(data)
        except json.JSONDecodeError as error:
            raise SettingsError(
                f'{location(path, error.lineno, error.colno)} is not valid JSON: {error.msg}. '
                'Write the baseline again with --update-baseline') from error
        except (ValueError, RecursionError) as error:
            raise SettingsError(f'{where} is not valid JSON: {error}') from error
        if not isinstance(content, dict) or content.get('version') != _VERSION or (
                not isinstance(content.get('findings'), list)):
            raise SettingsError(
                f'{where} is no baseline of this version. Write it with --update-baseline')
        entries: dict[Fingerprint, Entry] = {}
        for number, item in enumerate(content['findings'], 1):
            entry = _entry(item)
            if entry is None:
                raise SettingsError(
                    f'{where}: Entry {number} is malformed. Remove it, or write the baseline '
                    'again with --update-baseline')
            entries[entry.fingerprint] = entry
        return cls(path, entries)

    def hide(self, checked: CheckedDescription) -> CheckedDescription:
        """Return the result without the known findings, which are listed separately."""
        report = checked.report
        description = self._name(checked.target.source)
        if not any(finding.code in ALWAYS_APPLIED for finding in report.findings):
            self._unwanted[description] = frozenset(checked.target.settings.unwanted())
        seen: Counter[Fingerprint] = Counter()
        shown: list[Finding] = []
        known: list[Finding] = []
        for finding in report.findings:
            if finding.code in ALWAYS_APPLIED:
                shown.append(finding)
                continue
            fingerprint = self._fingerprint(finding, report.source)
            seen[fingerprint] += 1
            entry = self._entries.get(fingerprint)
            is_known = entry is not None and seen[fingerprint] <= entry.count
            (known if is_known else shown).append(finding)
        for fingerprint, number in seen.items():
            self._found.setdefault(fingerprint, Counter())[description] = number
        if not known:
            return checked
        self.hidden += len(known)
        hidden = Counter(finding.severity for finding in known)
        return replace(checked, report=replace(
            report, findings=tuple(shown), known=tuple(known), counts={
                severity: number - hidden[severity]
                for severity, number in report.counts.items()}))

    def unneeded(self) -> list[Entry]:
        """
        Return the entries that are no longer needed, or whose count is too high, sorted.

        An entry counts only if all its descriptions that still exist have been checked with its
        rule.
        """
        return sorted(
            (replace(entry, count=entry.count - self._most(fingerprint))
             for fingerprint, entry in self._entries.items()
             if self._most(fingerprint) < entry.count and not self._unchecked(entry)),
            key=lambda entry: entry.fingerprint)

    def updated(self) -> Baseline:
        """Return the baseline with what was found, and without what is no longer needed."""
        entries = {}
        for fingerprint in {*self._entries, *self._found}:
            old = self._entries.get(fingerprint)
            unchecked = frozenset() if old is None else self._unchecked(old)
            kept = old.count if old is not None and unchecked else 0
            count = max(kept, self._most(fingerprint))
            if count:
                entries[fingerprint] = Entry(
                    fingerprint, count, unchecked | self._found.get(fingerprint, {}).keys())
        return Baseline(self.path, entries)

    def __len__(self) -> int:
        return sum(entry.count for entry in self._entries.values())

    def text(self) -> str:
        """Return the content of the file."""
        findings = []
        for fingerprint, entry in sorted(self._entries.items()):
            item: dict[str, Any] = {**fingerprint._asdict(), 'count': entry.count}
            if entry.descriptions != {fingerprint.file}:
                item['descriptions'] = sorted(entry.descriptions)
            findings.append(item)
        return json.dumps({'version': _VERSION, 'findings': findings}, indent=1) + '\n'

    def _most(self, fingerprint: Fingerprint) -> int:
        """Return the largest number of such findings that a description has."""
        return max(self._found.get(fingerprint, {}).values(), default=0)

    def _unchecked(self, entry: Entry) -> frozenset[str]:
        """Return the descriptions of an entry that may still have it."""
        return frozenset(
            name for name in entry.descriptions
            if (entry.fingerprint.rule in self._unwanted[name] if name in self._unwanted
                else os.path.exists(os.path.join(self._folder, name))))

    def _fingerprint(self, finding: Finding, source: str) -> Fingerprint:
        file = self._name(finding.file(source))
        if finding.trace is None:
            return Fingerprint(
                file, finding.code, _POSITION.sub('', finding.element),
                _LINES.sub(r'\1 0', finding.message))
        return Fingerprint(
            file, finding.code, finding.trace.path,
            pattern_of(finding.message, finding.trace.text))

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


class Baselines:
    """The baselines of the projects that are checked, each read once."""

    def __init__(self) -> None:
        self._baselines: dict[str, Baseline] = {}

    def of(self, path: str | None, must_exist: bool = True) -> Baseline | None:
        """
        Return the baseline in a file; None without a path.

        :param must_exist: whether a file that does not exist is an error; else it is empty.
        :raises SettingsError: it cannot be read, or is no baseline.
        """
        if path is None:
            return None
        if path not in self._baselines:
            self._baselines[path] = Baseline.read(path) if (
                must_exist or os.path.lexists(path)) else Baseline(path)
        return self._baselines[path]

    def hide(self, checked: CheckedDescription) -> CheckedDescription:
        """Return a result without the findings in the baseline of its settings."""
        baseline = self.of(checked.target.settings.baseline)
        return checked if baseline is None else baseline.hide(checked)

    def __iter__(self) -> Iterator[Baseline]:
        return iter(self._baselines.values())


def _entry(item: object) -> Entry | None:
    """Return an entry from data, or None if it is malformed."""
    if not isinstance(item, dict):
        return None
    texts = [text for text in map(item.get, Fingerprint._fields)
             if isinstance(text, str) and _is_path(text)]
    count, descriptions = item.get('count'), item.get('descriptions', texts[:1])
    if not (len(texts) == len(Fingerprint._fields)
            and isinstance(count, int) and not isinstance(count, bool) and count > 0
            and isinstance(descriptions, list) and all(map(_is_path, descriptions))):
        return None
    return Entry(Fingerprint(*texts), count, frozenset(descriptions))


def _is_path(value: object) -> bool:
    """Tell whether a value is a text that the system takes as a path."""
    return isinstance(value, str) and '\0' not in value
