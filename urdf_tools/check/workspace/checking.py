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

"""Check a set of descriptions, in several processes at the same time."""

from __future__ import annotations

from collections.abc import Generator
from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import starmap
import math
import os
from typing import NamedTuple

from urdf_tools.check.validator import ALWAYS_APPLIED
from urdf_tools.check.workspace.combined_report import combined
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.check.workspace.single_check import check_single
from urdf_tools.check.workspace.single_check import SingleResult
from urdf_tools.check.workspace.single_check import TimeLimit
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.findings.baseline import Baseline
from urdf_tools.findings.baseline import BaselineError
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.sandbox.pool import PROCESSORS
from urdf_tools.xacro.files import XacroBudget

_LEAST_PER_PROCESS = 2


class CheckedDescription(NamedTuple):
    """
    What was found in a description.

    :param target: the description, the combinations of arguments, and the settings of its project.
    :param report: its findings, each once for all combinations, without the document; those that
        a baseline hides are in ``report.known``.
    :param files: the files that it comes from: xacro files, with the outermost first.
    """

    target: Target
    report: Report
    files: tuple[str, ...]

    @property
    def failing(self) -> Severity:
        """The lowest severity that fails: errors, with the setting ``strict`` also warnings."""
        return Severity.WARN if self.target.settings.strict else Severity.ERROR

    @property
    def exit_code(self) -> int:
        """The exit code of ``urdf-tools check``: 0 passed, 1 failed, 2 could not be run."""
        return int(self.report.fails(self.failing)) if self.report.was_run else 2


def check_targets(targets: Sequence[Target], jobs: int | None = None,
                  limit: TimeLimit = TimeLimit(math.inf)
                  ) -> Generator[CheckedDescription, None, None]:
    """
    Check descriptions, without their baselines.

    :param jobs: number of processes; by default as many as are worthwhile.
    :param limit: for all of them; the results of the others say that they are not checked.
    :return: the results, in the order of the descriptions.
    """
    checks = [(single, budget, limit) for target in targets for budget in (XacroBudget(),)
              for single in target.singles()]
    jobs = min(jobs or min(PROCESSORS, len(checks) // _LEAST_PER_PROCESS), len(checks))
    results: Iterator[SingleResult] = starmap(check_single, checks)
    with ExitStack() as end:
        if jobs > 1:
            # Its threads take longer to import than a description to check.
            from urdf_tools.check.workspace.parallel_checks import checked_in_processes
            results = in_processes = checked_in_processes(checks, jobs)
            end.callback(in_processes.close)
        for target in targets:
            found = [next(results) for _ in target.combinations]
            files = dict.fromkeys(file for result in found for file in result.files)
            report = combined([result.report for result in found], target.combinations)
            yield CheckedDescription(target, report, tuple(files))


class Baselines:
    """The baselines of the projects that are checked, each read once."""

    def __init__(self) -> None:
        self._baselines: dict[str, Baseline] = {}

    def of(self, path: str | None, must_exist: bool = True) -> Baseline | None:
        """
        Return the baseline in a file; None without a path.

        :param must_exist: whether a file that does not exist is an error; else it is empty.
        :raises SettingsError: it cannot be read, or is not a baseline.
        """
        if path is None:
            return None
        if path not in self._baselines:
            try:
                self._baselines[path] = Baseline.read(path) if (
                    must_exist or os.path.lexists(path)) else Baseline(path)
            except BaselineError as error:
                raise SettingsError(str(error)) from error
        return self._baselines[path]

    def hide(self, checked: CheckedDescription) -> CheckedDescription:
        """Return a result without the findings in the baseline of its settings."""
        settings, report = checked.target.settings, checked.report
        baseline = self.of(settings.baseline)
        if baseline is None:
            return checked
        was_checked = not any(finding.code in ALWAYS_APPLIED for finding in report.findings)
        return checked._replace(report=baseline.hide(
            report, checked.target.source, settings.unwanted() if was_checked else None))

    def __iter__(self) -> Iterator[Baseline]:
        return iter(self._baselines.values())
