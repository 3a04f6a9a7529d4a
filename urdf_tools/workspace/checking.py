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

from urdf_tools.model.xacro_limits import XacroBudget
from urdf_tools.sandbox.pool import PROCESSORS
from urdf_tools.workspace.argument_matrix import Arguments
from urdf_tools.workspace.baseline import Baselines
from urdf_tools.workspace.checked_description import CheckedDescription
from urdf_tools.workspace.combined_report import combined
from urdf_tools.workspace.single_check import check_single
from urdf_tools.workspace.single_check import SingleCheck
from urdf_tools.workspace.single_check import SingleResult
from urdf_tools.workspace.target_selection import find_targets
from urdf_tools.workspace.target_selection import ProjectSettings
from urdf_tools.workspace.target_selection import Target

_LEAST_PER_PROCESS = 2


def check_descriptions(
        names: Sequence[str] = (), *, arguments: Arguments = {},
        project: ProjectSettings | None = None, jobs: int | None = None
        ) -> Iterator[CheckedDescription]:
    """
    Check files, and all descriptions in folders, as ``urdf-tools check`` does; print nothing.

    The settings of each project count (``urdf-tools.toml``): rules, packages, the combinations of
    arguments of its roots, and its baseline.

    :param names: files and folders; if there are none, the roots in the settings of the current
        folder are checked.
    :param arguments: xacro arguments, which override those of the settings.
    :param project: settings that override those of the projects.
    :param jobs: number of processes; by default as many as are worth while.
    :return: what was found in each description, in the order of the names and sorted by path in
        folders, as they come.
    :raises SettingsError: settings or a baseline are not valid, or there is no description. It is
        raised before anything is checked.
    """
    targets = find_targets(names, arguments, project).targets
    baselines = Baselines()
    for target in targets:
        baselines.of(target.settings.baseline)
    return map(baselines.hide, check_targets(targets, jobs))


def check_targets(
        targets: Sequence[Target], jobs: int | None = None
        ) -> Generator[CheckedDescription, None, None]:
    """
    Check descriptions, without their baselines.

    :param jobs: number of processes; by default as many as are worth while.
    :return: what was found in each, in their order.
    """
    checks = [(SingleCheck.of(target, arguments), budget)
              for target in targets for budget in (XacroBudget(),)
              for arguments in target.combinations]
    if jobs is None:
        jobs = min(PROCESSORS, len(checks) // _LEAST_PER_PROCESS)
    jobs = min(jobs, len(checks))
    results: Iterator[SingleResult] = starmap(check_single, checks)
    with ExitStack() as end:
        if jobs > 1:
            # Its threads take longer to import than a description to check.
            from urdf_tools.workspace.parallel_checks import checked_in_processes
            results = in_processes = checked_in_processes(checks, jobs)
            end.callback(in_processes.close)
        for target in targets:
            found = [next(results) for _ in target.combinations]
            files = dict.fromkeys(file for result in found for file in result.files)
            report = combined([result.report for result in found], target.combinations)
            yield CheckedDescription(target, report, tuple(files))
