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
Output formats: one module each, in which ``FORMAT`` is its :class:`OutputFormat`.

The command and its documentation offer what is found here.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any
from typing import NamedTuple

from urdf_tools.findings.baseline import Baseline
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.findings.rules import AnyRule


class Result(NamedTuple):
    """
    What is to be written of a report.

    :ivar failing: the lowest severity with which the description fails.
    :ivar minimum: findings of a lower severity are left out, or only counted.
    """

    report: Report
    failing: Severity = Severity.ERROR
    minimum: Severity = Severity.INFO


class Options(NamedTuple):
    """
    How results are written.

    :ivar rules: all rules that findings may be of, by their codes.
    :ivar baselines: those that findings were compared with.
    :ivar verbose: list every finding.
    :ivar colour: use the colours of an ANSI terminal.
    :ivar verdict: begin with whether what was checked passes.
    """

    rules: Mapping[str, AnyRule]
    baselines: Collection[Baseline] = ()
    verbose: bool = False
    colour: bool = False
    verdict: bool = True


@dataclass(frozen=True)
class OutputFormat:
    """
    A format of reports.

    :ivar write: returns results as text, or as data for JSON.
    :ivar is_document: whether all results are one document; else each is written by itself, as
        soon as it is there.
    :ivar level: the lowest severity that is shown by default.
    """

    name: str
    write: Callable[[Sequence[Result], Options], str | dict[str, Any]]
    is_document: bool = True
    level: str = 'warn'


@cache
def output_formats() -> Mapping[str, OutputFormat]:
    """Return each name with its format: those of all modules of this folder, text first."""
    formats: list[OutputFormat] = [
        import_module(f'{__name__}.{module.name}').FORMAT for module in iter_modules(__path__)]
    return {each.name: each for each in sorted(formats, key=lambda each: each.name != 'text')}
