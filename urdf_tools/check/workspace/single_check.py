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

"""One check: of one description, with one combination of xacro arguments."""

from __future__ import annotations

from dataclasses import replace
import pickle
import time
from typing import NamedTuple

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.rules import RULES
from urdf_tools.check.validator import failed
from urdf_tools.check.validator import validate
from urdf_tools.check.validator import validates
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.meshes.facts import share_processors
from urdf_tools.model.xml.document import Document
from urdf_tools.xacro.files import XacroBudget

MAX_FINDINGS = 10_000
"""Number of findings listed per rule; further ones are counted."""


class SingleResult(NamedTuple):
    """
    The result of one check.

    :param report: without its document.
    :param files: the xacro files that the description comes from, outermost first; for other
        descriptions the file itself.
    """

    report: Report
    files: tuple[str, ...]


class TimeLimit:
    """
    Seconds for all checks together.

    :param seconds: from now on; those of a single check are limited besides.
    """

    def __init__(self, seconds: float):
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left, 0 or less if none are."""
        return self._end - time.monotonic()

    def exceeded(self, target: Target) -> SingleResult:
        """Return the result of a check that is not done any more."""
        return not_checked(
            target, f'Not checked, as all files together take longer than {self.seconds:g} s',
            'Raise the limit with --time-limit')


def check_single(
        target: Target, budget: XacroBudget, limit: TimeLimit | None = None) -> SingleResult:
    """
    Check one description; an exception becomes a finding, so that other checks still run.

    :param target: the description, with one combination of arguments.
    :param budget: the resources that xacro may use.
    :param limit: whether it is checked at all depends on the time that is left.
    """
    if limit is not None and limit.left <= 0:
        return limit.exceeded(target)
    try:
        report = _validate(target, budget)
        return SingleResult(report.without_document(), _files(report.document, target.source))
    except Exception as error:
        return SingleResult(failed(error, target.source), (target.source,))


def out_of_memory(target: Target) -> SingleResult:
    """Return the result of a check for which there is not enough memory."""
    return not_checked(target, 'There is not enough memory to check it',
                       'Raise the limit on memory (ulimit -v)')


def not_checked(target: Target, reason: str, hint: str = '') -> SingleResult:
    """
    Return the result of a check that did not complete.

    :param hint: how the user completes it; without, it is a fault of ours.
    """
    rule = RULES['file-unreadable' if hint else 'internal-error']
    finding = Finding(rule.code, rule.severity, reason, hint or rule.fix)
    counts = {**dict.fromkeys(Severity, 0), rule.severity: 1}
    return SingleResult(Report(target.source, (finding,), counts, {}, 0), (target.source,))


def _validate(target: Target, budget: XacroBudget) -> Report:
    arguments, = target.combinations
    ignore, programs = target.settings.unwanted(), target.settings.programs
    if target.text is not None:
        return validates(target.text, source=target.source, categories=CATEGORIES, ignore=ignore,
                         consumers=programs, resources=target.resources(),
                         max_per_rule=MAX_FINDINGS, loops_file=target.loops)
    report = validate(target.model or target.source, arguments=arguments, ignore=ignore,
                      consumers=programs, resources=target.resources(), max_per_rule=MAX_FINDINGS,
                      budget=budget, loops_file=target.loops,
                      srdf=target.source if target.model else None, optional=target.optional)
    # A finding without a source is about the description, which cannot be read.
    return report if target.model is None or any(
        each.trace is None for each in report.findings) else replace(report, source=target.source)


def _files(document: Document | None, source: str) -> tuple[str, ...]:
    if document is None or document.xacro is None:
        return (source,)
    return tuple(dict.fromkeys(file.path for file in document.xacro.files))


def check_in_worker(_request: None, data: bytes) -> tuple[None, bytes]:
    """
    Run a check in a worker process; the target and the result are pickled.

    The parent may read what is pickled here: the code of descriptions does not run here, but in
    the workers of xacro, which answer with plain data.
    """
    target, xacro_limits, spent, mesh_limits, programs = pickle.loads(data)
    set_mesh_limits(mesh_limits)
    share_processors(programs)
    budget = XacroBudget(xacro_limits, spent)
    return None, pickle.dumps((check_single(target, budget), budget.spent - spent))
