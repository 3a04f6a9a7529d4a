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
"""Faults of this package: an exception in a rule or a model costs one finding, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import os
from pathlib import Path
import traceback

from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.rules import Checked
from urdf_tools.findings.rules import DefectT
from urdf_tools.findings.rules import Rule
from urdf_tools.model.errors import is_lack_of_memory
from urdf_tools.model.messages import location

CODE = 'internal-error'
"""The rule that reports faults, whatever is checked."""

HINT = 'Report the bug, with the description or the recording that causes it'

_PACKAGE = os.path.join(Path(__file__).parent.parent, '')


class Faults:
    """
    Exceptions in the parts of a check, which go on with the next part.

    Several parts that fail with the same exception in the same line have one fault.
    """

    def __init__(self) -> None:
        self._parts: dict[tuple[str, str], list[str]] = {}
        self._tracebacks: dict[tuple[str, str], str] = {}

    @contextmanager
    def contained(self, part: str) -> Iterator[None]:
        """
        End a block at an exception, which is noted, and go on after the block.

        :param part: what the block does, such as ``rule limit-inverted``.
        :raises MemoryError: there is not enough memory.
        """
        try:
            yield
        except Exception as error:
            self.add(part, error)

    def add(self, part: str, error: Exception) -> None:
        """
        Note an exception.

        :raises MemoryError: it is a lack of memory.
        """
        if is_lack_of_memory(error):
            raise MemoryError from error
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames
               if frame.filename.startswith(_PACKAGE) and frame.filename != __file__]
        frame = (own or frames)[-1]
        key = (location(os.path.basename(frame.filename), frame.lineno),
               f'{type(error).__name__}: {error}')
        self._tracebacks.setdefault(key, ''.join(traceback.format_exception(error)))
        parts = self._parts.setdefault(key, [])
        if part not in parts:
            parts.append(part)

    def defects(self, rule: Rule[Checked, DefectT], checked: Checked
                ) -> Iterator[tuple[DefectT, Consequences]]:
        """Yield the defects that a rule finds, each with its effects on programs."""
        with self.contained(f'rule {rule.code}'):
            for defect in rule.check(checked) if rule.check is not None else ():
                consequences: Consequences = ()
                with self.contained(f'a condition of rule {rule.code}'):
                    consequences = defect.consequences(rule, checked)
                yield defect, consequences

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each fault: which parts failed, and where."""
        for (where, error), parts in self._parts.items():
            first = f'{parts[0][:1].upper()}{parts[0][1:]}'
            yield Finding(
                CODE, Severity.ERROR, Message(
                    '{parts:and} failed at {location}: {error}', parts=(first, *parts[1:]),
                    location=FreeText(where), error=FreeText(error)),
                HINT, traceback=self._tracebacks[where, error])
