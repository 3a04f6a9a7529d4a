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
What programs do with a description that is no robot, of which there is no account.

Only whether they load it is known, from what the rules state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from urdf_tools.cli.output import print_json
from urdf_tools.findings.consumers import READERS
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.headline import refusals
from urdf_tools.model.document import Document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import printable
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.validation.validator import validate_document

_REMARK = 'Only whether programs load it is known, not what they make of it'


def print_stated(
        document: Document | None, error: DescriptionError, programs: Iterable[str],
        as_json: bool) -> int:
    """
    Print whether programs load a description that the loader refuses; return 0 if all do.

    :param document: the description; None if it is no XML.
    :param error: why the loader refuses it.
    """
    if document is None or document.root.tag != 'robot':
        # No program reads it.
        findings: tuple[Finding, ...] = ()
        everywhere = [Finding('', Severity.ERROR, error.message, error.hint, error.element,
                              error.line, error.column)]
    else:
        findings, everywhere = validate_document(document).findings, []
    causes = {program: everywhere or refusals(_consumer(program), findings)
              for program in programs}
    source = error.source if document is None else document.source
    if as_json:
        print_json({program: _data(program, found, source) for program, found in causes.items()})
    else:
        print(printable(f'{error}. {_REMARK}'))
        for program, found in causes.items():
            print(f'{program}: {"refuses it" if found else "loads it"}')
            for finding in found:
                hint = f'. {finding.hint}' if finding.hint else ''
                print(printable(f'  {finding.message}{hint}'))
                print(printable(f'      line {finding.line}'))
    return 1 if any(causes.values()) else 0


def _consumer(program: str) -> str:
    """Return the program of the rules that a model is of, whatever its release."""
    name = program.partition('-')[0]
    return READERS.get(name, name)


def _data(program: str, causes: list[Finding], source: str) -> dict[str, Any]:
    told = [{
        'of': 'description', 'impact': 'refuses', 'message': finding.message,
        'hint': finding.hint, 'element': finding.element, 'file': finding.file(source),
        'line': finding.line, 'column': finding.column} for finding in causes]
    return {**dict.fromkeys(Account(program, '', Parts()).data(source)), 'loads': not told,
            'cause': told[0] if told else None, 'causes': told, 'losses': [], 'options': {},
            'remark': _REMARK}
