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

"""The result of checking one description."""

from __future__ import annotations

from dataclasses import dataclass

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.workspace.target_selection import Target

_NOT_RUN = ('file-unreadable', 'xacro-failed')


@dataclass(frozen=True)
class CheckedDescription:
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
    def was_run(self) -> bool:
        """Whether the file could be read and expanded."""
        return not any(finding.code in _NOT_RUN for finding in self.report.findings)

    @property
    def failing(self) -> Severity:
        """The lowest severity that fails: errors, with the setting ``strict`` also warnings."""
        return Severity.WARN if self.target.settings.strict else Severity.ERROR

    @property
    def failures(self) -> int:
        """The number of findings that fail."""
        return sum(
            number for severity, number in self.report.counts.items() if severity >= self.failing)

    @property
    def exit_code(self) -> int:
        """The exit code of ``urdf-tools check``: 0 passed, 1 failed, 2 could not be run."""
        return int(self.failures > 0) if self.was_run else 2
