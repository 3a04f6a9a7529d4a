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

from collections import Counter
from collections.abc import Callable
from collections.abc import Generator
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from collections.abc import Set
from contextlib import closing
from dataclasses import fields
from dataclasses import is_dataclass
from dataclasses import replace
from enum import Enum
from functools import partial
import math
import os
import time
from typing import Any
from typing import NamedTuple

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.validator import ALWAYS_APPLIED
from urdf_tools.check.validator import failed
from urdf_tools.check.validator import validate
from urdf_tools.check.validator import validates
from urdf_tools.check.workspace.settings import Arguments
from urdf_tools.check.workspace.settings import condition
from urdf_tools.check.workspace.settings import Root
from urdf_tools.check.workspace.settings import Settings
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.findings.baseline import Baseline
from urdf_tools.findings.consequences import Consequence
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import in_order
from urdf_tools.findings.finding import Instance
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.finding import SourceTrace
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Reference
from urdf_tools.findings.report import Report
from urdf_tools.findings.report import Verdict
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.meshes.facts import mesh_limits
from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.meshes.facts import share_processors
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.package_lookup import Trust
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import ValueSource
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.limits import WorkerNotStarted
from urdf_tools.sandbox.pool import PROCESSORS
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.xacro.files import XacroBudget
from urdf_tools.xacro.files import XacroLimits


def combined(reports: Sequence[Report], combinations: Sequence[Arguments]) -> Report:
    """
    Return one report with each finding once, and with which arguments it appears.

    Findings of a rule at the same location in a xacro file are the same, whatever names and
    numbers the arguments make of it.

    :param reports: one for each combination, at least one.
    """
    if len(reports) == 1:
        return reports[0]
    first: dict[tuple[object, ...], Finding] = {}
    where: dict[tuple[object, ...], list[Arguments]] = {}
    for report, arguments in zip(reports, combinations, strict=True):
        for key, finding in _keyed(report):
            first.setdefault(key, finding)
            where.setdefault(key, []).append(arguments)
    findings = [replace(finding, only_with=condition(where[key], combinations))
                for key, finding in first.items()]
    files = (finding.file(report.source) for report in reports for finding in report.findings)
    return replace(
        reports[0], findings=in_order(findings, reports[0].source, files),
        counts=_counts(findings, reports),
        omitted={code: max(report.omitted.get(code, 0) for report in reports)
                 for report in reports for code in report.omitted},
        suppressed=max(report.suppressed for report in reports), combinations=len(reports),
        programs={program: max((report.programs[program] for report in reports
                                if program in report.programs), key=lambda each: each.worst)
                  for report in reports for program in report.programs})


def _keyed(report: Report) -> Iterator[tuple[tuple[object, ...], Finding]]:
    """Yield each finding with the key that it shares with the same one of other arguments."""
    seen: Counter[tuple[object, ...]] = Counter()
    for finding in report.findings:
        what: tuple[object, ...] = finding.code, finding.severity
        if finding.trace is None:
            what += finding.message, finding.element
        else:
            what += (finding.trace.location,)
        seen[what] += 1
        yield (*what, seen[what]), finding


def _counts(findings: Sequence[Finding], reports: Sequence[Report]) -> dict[Severity, int]:
    """Return the number of findings of each severity, including those not listed."""
    counts = Counter(finding.severity for finding in findings)
    return {severity: counts[severity] + max(
        report.counts[severity] - sum(finding.severity == severity for finding in report.findings)
        for report in reports) for severity in Severity}


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
        return _failed(target, DescriptionError(
            f'Not checked, as all files together take longer than {self.seconds:g} s',
            ErrorKind.UNREADABLE, hint='Raise the limit with --time-limit'))


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
        document = report.document
        is_expanded = document.is_expanded if isinstance(document, ConvertedDocument) else (
            document is not None and document.xacro is not None)
        is_expanded |= any(finding.code == 'xacro-failed' for finding in report.findings)
        return SingleResult(
            replace(report.without_document(),
                    untrusted=is_expanded and not target.settings.trust.is_full),
            _files(report.document, target.source))
    except Exception as error:
        return _failed(target, error)


def _failed(target: Target, error: Exception) -> SingleResult:
    """Return the result of a check that did not complete."""
    return SingleResult(failed(error, target.source), (target.source,))


def _validate(target: Target, budget: XacroBudget) -> Report:
    arguments, = target.combinations
    options: dict[str, Any] = {
        'ignore': target.settings.unwanted(), 'consumers': target.settings.programs,
        'resources': target.resources(), 'max_per_rule': MAX_FINDINGS, 'loops_file': target.loops}
    if target.text is not None:
        return validates(target.text, source=target.source, categories=CATEGORIES, **options)
    root = target.settings.root(target.source)
    options['same'] = (root.same, root.tolerances) if root and root.same else None
    report = validate(target.model or target.source, arguments=arguments, budget=budget,
                      srdf=target.source if target.model else None, optional=target.optional,
                      **options)
    # A finding without a source is about the description, which cannot be read.
    return report if target.model is None or any(
        each.trace is None for each in report.findings) else replace(report, source=target.source)


def _files(document: Document | None, source: str) -> tuple[str, ...]:
    if document is None or document.xacro is None:
        return (source,)
    return tuple(dict.fromkeys(file.path for file in document.xacro.files))


def packed(value: Any) -> Any:
    """
    Return a value as what JSON can hold: a list of the name of its type and what it is made of.

    :param value: of the types in :data:`_MAKERS`, made of such values, plain text and numbers.
    """
    if value is None or type(value) in (str, int, float, bool):
        return value
    name = type(value).__name__
    parts: Iterable[Any] = [value.value if isinstance(value, Enum) else str(value)]
    if isinstance(value, Mapping):
        name, parts = 'dict', value.items()
    elif isinstance(value, Message):
        parts = value.template, value.arguments
    elif isinstance(value, Reference):
        parts = str(value), value.tags, value.names
    elif isinstance(value, (tuple, list, Set)):
        parts = value
    elif is_dataclass(value):
        parts = (getattr(value, each.name) for each in fields(value))
    return [name, *map(packed, parts)]


def unpacked(data: Any) -> Any:
    """Return the value that was packed; nothing but the types in :data:`_MAKERS` is made."""
    if not isinstance(data, list):
        return data
    name, *parts = data
    return _MAKERS[name](*map(unpacked, parts))


_MAKERS: Mapping[str, Callable[..., Any]] = {
    **{each.__name__: each for each in (
        Consequence, Finding, FreeText, Impact, MeshLimits, Name, Reference, Report, Root,
        Settings, Severity, Trust, XacroLimits)},
    **{each.__name__: lambda *parts, of=each: of._make(parts) for each in (
        Instance, SingleResult, SourceLocation, SourceTrace, Target, ValueSource, Verdict)},
    **{each.__name__: lambda *parts, of=each: of(parts) for each in (
        tuple, list, set, frozenset, dict)},
    'Message': Message.restored}
"""What a check and its result are made of, for :func:`unpacked`."""


def check_in_worker(request: Any, text: bytes) -> tuple[Any, bytes]:
    """
    Run a check in a worker process.

    :param request: the packed target without its text, limits and time that xacro has spent,
        limits of meshes, and the number of processes.
    :return: the packed result, and the time that xacro took.
    """
    target, xacro_limits, spent, limits, programs = unpacked(request)
    set_mesh_limits(limits)
    share_processors(programs)
    budget = XacroBudget(xacro_limits, spent)
    result = check_single(target._replace(text=text or None), budget)
    return packed((result, budget.spent - spent)), b''


MAX_PROCESSES = 64
"""Most processes that check descriptions at the same time."""

SECONDS = 120.0
"""CPU time for one check, without that of xacro and meshes, which have limits of their own."""


def checked_in_processes(checks: Sequence[tuple[Target, XacroBudget, TimeLimit]], processes: int
                         ) -> Generator[SingleResult, None, None]:
    """
    Yield the results of checks in their order, while later ones are already running.

    Where a process dies, the description that it was checking gets a finding that says so, and
    another process takes its place. All end when the generator is closed.

    :param checks: targets with one combination of arguments, each with the budget that it shares
        with others of the same description, and the limit that it shares with all.
    :param processes: number of processes.
    :raises SettingsError: a process cannot be started.
    """
    # It takes longer to import than a description to check.
    from concurrent.futures import ThreadPoolExecutor
    processes = min(processes, MAX_PROCESSES)
    pool = WorkerPool('urdf_tools.check.workspace.checking:check_in_worker', processes)
    threads = ThreadPoolExecutor(processes)
    try:
        yield from threads.map(partial(_result, pool), *zip(*checks))
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        pool.close()
        threads.shutdown()


def _result(
        pool: WorkerPool, target: Target, budget: XacroBudget, limit: TimeLimit) -> SingleResult:
    seconds = 2 * SECONDS + budget.limits.time + mesh_limits().total_time
    if limit.left <= 0:
        return limit.exceeded(target)
    limits = Limits(math.inf, SECONDS, min(seconds, limit.left), math.inf)
    request = packed((
        target._replace(text=None), budget.limits, budget.spent, mesh_limits(), pool.maximum))
    result: SingleResult
    try:
        result, spent = unpacked(pool.run(request, limits, target.text or b'')[0])
    except WorkerNotStarted as error:
        raise SettingsError(f'Cannot start a process: {error}. Use --jobs 1') from error
    except SandboxError as error:
        if limit.left <= 0:
            return limit.exceeded(target)
        is_memory = isinstance(error, LimitExceeded) and error.limit == 'memory'
        return _failed(target, MemoryError() if is_memory else error)
    budget.spend(spent)
    return result


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
    checks = []
    for target in targets:
        budget = XacroBudget()
        checks += [(single, budget, limit) for single in target.singles()]
    jobs = min(jobs or min(PROCESSORS, len(checks) // _LEAST_PER_PROCESS), len(checks))
    results = (check_single(*check) for check in checks) if jobs < 2 else (
        checked_in_processes(checks, jobs))
    told: set[object] = set()
    with closing(results):
        for target in targets:
            found = [next(results) for _ in target.combinations]
            files = dict.fromkeys(file for result in found for file in result.files)
            report = combined([result.report for result in found], target.combinations)
            if target.within:
                report = report.within(target.within, told)
            told.update(report.told())
            yield CheckedDescription(target, report, tuple(files))


class Baselines:
    """The baselines of the projects that are checked, each read once."""

    def __init__(self) -> None:
        self._baselines: dict[str, Baseline] = {}

    def of(self, path: str | None, must_exist: bool = True) -> Baseline | None:
        """
        Return the baseline in a file; None without a path.

        :param must_exist: whether a file that does not exist is an error; else it is empty.
        :raises BaselineError: it cannot be read, or is not one.
        """
        if path is None:
            return None
        if path not in self._baselines:
            self._baselines[path] = Baseline.read(path) if (
                must_exist or os.path.lexists(path)) else Baseline(path)
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
