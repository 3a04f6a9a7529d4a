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
"""Validate a description: apply every rule and report the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from functools import cached_property
import os
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.check.file_lookup import FileLookup
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import Same
from urdf_tools.check.loaded_robot import in_gazebo
from urdf_tools.check.loaded_robot import loops_error
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.registry import Defect
from urdf_tools.check.rules import RULES
from urdf_tools.check.schema import TABLES
from urdf_tools.findings.consequences import applicable
from urdf_tools.findings.consequences import Consequence
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consequences import with_dependencies
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import in_order
from urdf_tools.findings.finding import Instance
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.finding import trace
from urdf_tools.findings.finding import trace_comment
from urdf_tools.findings.finding import trace_error
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.report import refusals
from urdf_tools.findings.report import Report
from urdf_tools.findings.report import Verdict
from urdf_tools.findings.report import verdicts
from urdf_tools.findings.rules import AnyRule
from urdf_tools.findings.rules import CODE
from urdf_tools.findings.rules import Faults
from urdf_tools.findings.rules import Rule
from urdf_tools.findings.suppressions import Suppressions
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.formats.description_files import argument_texts
from urdf_tools.formats.description_files import open_document
from urdf_tools.formats.loader import read_description
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import quote
from urdf_tools.model.messages import shortened
from urdf_tools.model.package_lookup import is_manifest
from urdf_tools.model.package_lookup import package_name
from urdf_tools.model.resources import CachingResolver
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Comment
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.xml_parser import garbage_collection_paused
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import judged
from urdf_tools.programs.models import NEWEST
from urdf_tools.programs.models import with_reported
from urdf_tools.programs.summaries import Effects
from urdf_tools.programs.summaries import reasons_of
from urdf_tools.programs.summaries import verdict_of
from urdf_tools.xacro.files import XacroBudget

TEXT_CATEGORIES = tuple(category for category in CATEGORIES if category != 'assets')
"""The categories of rules that need only the text of the description."""

MAX_PER_RULE = 50
"""Number of findings reported per rule; further ones are counted."""

RULE_OF_ERROR = {
    ErrorKind[name]: code for name, code in TABLES['rules of errors'].items()}
"""Code of the rule that a description breaks by not being readable."""

ALWAYS_APPLIED = frozenset((*RULE_OF_ERROR.values(), CODE)) - {'xml-forgiven'}
"""Rules that say that a description was not validated, which no selection of others hides."""

_OF_LAUNCH = 'known-mistake', 'launch-call-refused', 'launch-moveit-file-missing'
"""Rules that an SRDF file without its description is checked with, too."""

_NOT_OF_MOVEIT = frozenset(code for code, rule in RULES.items() if not (
    code in (*ALWAYS_APPLIED, *_OF_LAUNCH, 'shapes-overlap')
    or rule.text.context.endswith(('.srdf', '.yaml'))))
"""Rules that are not about files of MoveIt."""

_OF_SRDF_ALONE = frozenset((*TABLES['rules of an SRDF file alone'], *_OF_LAUNCH, CODE))
"""Rules that need no description."""

_OF_PACKAGE_ALONE = frozenset((*TABLES['rules of a package alone'], *_OF_LAUNCH, CODE))
"""Rules about a package that has no description."""

_OF_URDF = frozenset(TABLES['rules of URDF alone'])
"""Rules about how URDF is written and read, which say nothing about other formats."""

UNREADABLE = ALWAYS_APPLIED | {'root-not-robot'}
"""Rules reported whichever programs are selected."""


def validate(path: str | os.PathLike[str], *, categories: Collection[str] = CATEGORIES,
             ignore: Collection[str] = (), arguments: Mapping[str, object] | None = None,
             resources: ResourceResolver | None = None, consumers: Collection[str] = (),
             max_per_rule: int = MAX_PER_RULE, budget: XacroBudget | None = None,
             loops_file: str | None = None, srdf: str | None = None,
             optional: Collection[str] = (), same: Same | None = None) -> Report:
    """
    Find the defects of a URDF or xacro file.

    A file that cannot be read, expanded or parsed is a finding, not an exception. Settings files
    and baselines, which ``urdf-tools check`` looks for, are not read: what they say is given here.

    :param path: the file, as :func:`urdf_tools.load` takes it; of an SRDF file, and of the package
        of a package.xml, only what needs no description is checked.
    :param categories: categories of the rules to apply, of
        :data:`~urdf_tools.check.registry.CATEGORIES`.
    :param ignore: codes of rules not to apply.
    :param arguments: values of the xacro arguments of the file.
    :param resources: finds packages, meshes and textures; by default in the environment and
        around the file.
    :param consumers: programs of :data:`~urdf_tools.findings.consequences.CONSUMERS`: what one of
        them refuses is an error, what it loses a warning, and what affects only others is left
        out. By default all count, and what is wrong for some is a note at least.
    :param max_per_rule: number of findings reported per rule; further ones are counted.
    :param budget: the resources that xacro may use.
    :param loops_file: YAML file of loops beside the description.
    :param srdf: an SRDF file of this robot in another folder: only this file and the YAML files
        beside it are checked.
    :param optional: names of arguments that are ignored if the file does not have them.
    :param same: a file that has to be the same robot, and tolerances by kind of difference.
    """
    if isinstance(path, Robot):
        raise TypeError('validate() takes a path. Did you mean validates(robot.document)?')
    path = os.fsdecode(path)
    texts = argument_texts(arguments or {})
    resources = resources or ResourceResolver(os.path.dirname(path) or '.')
    package = package_name(Path(path).parent) if is_manifest(path) else None
    if package or srdf is None and path.endswith(('.srdf', '.srdf.xacro')):
        needed = _OF_PACKAGE_ALONE if package else _OF_SRDF_ALONE
        return replace(validates(
            b'<robot/>', source=path, categories=('assets',), resources=resources,
            srdf=None if package else path, ignore={*RULES, *ignore} - needed.difference(ignore),
            asks_programs=False, arguments=texts), package=package or '')
    try:
        document = open_document(path, arguments=texts, resources=resources,
                                 budget=budget, optional=optional)
        return validates(
            document, categories=categories, consumers=consumers, max_per_rule=max_per_rule,
            ignore=ignore if srdf is None else {*ignore, *_NOT_OF_MOVEIT}, resources=resources,
            file=Path(path), loops_file=loops_file, srdf=srdf, asks_programs=srdf is None,
            arguments=texts, same=same)
    except Exception as error:
        return failed(error, path, ignore)


# Numbers may be of any size, and overflow to infinity.
@np.errstate(over='ignore', divide='ignore', invalid='ignore')
@garbage_collection_paused()
def validates(
        text: str | bytes | Document, *, source: str = '',
        categories: Collection[str] = TEXT_CATEGORIES, ignore: Collection[str] = (),
        resources: ResourceResolver | None = None, consumers: Collection[str] = (),
        max_per_rule: int = MAX_PER_RULE, file: Path | None = None, loops_file: str | None = None,
        asks_programs: bool = True, srdf: str | None = None,
        arguments: Mapping[str, str] = {}, same: Same | None = None) -> Report:
    """
    Find the defects of the text of a URDF description.

    A text that cannot be parsed is a finding, not an exception. What raises an exception, a rule
    or the model of a program, is a finding, too, and hides no other.

    :param text: the description, as :func:`urdf_tools.loads` takes it, or parsed.
    :param source: where the text came from, for messages.
    :param categories: categories of the rules to apply. By default not those that read the files
        that the text refers to, as the text may come from an untrusted source.
    :param ignore: codes of rules not to apply.
    :param resources: finds meshes and textures; by default in the packages of the environment.
    :param consumers: programs of :data:`~urdf_tools.findings.consequences.CONSUMERS`: what one of
        them refuses is an error, what it loses a warning, and what affects only others is left
        out. By default all count, and what is wrong for some is a note at least.
    :param max_per_rule: number of findings reported per rule; further ones are counted.
    :param file: the description, beside which programs look for files; None if it is not a file.
    :param loops_file: YAML file of loops beside the description.
    :param asks_programs: whether findings say what programs with a model do, which takes longer
        than the rules.
    :param srdf: an SRDF file of this robot in another folder.
    :param arguments: values of the xacro arguments of the SRDF file, where the description has
        none.
    :param same: a file that has to be the same robot, and tolerances by kind of difference.
    """
    if isinstance(text, Document):
        source = text.source
    try:
        resources = CachingResolver(resources or ResourceResolver())
        document = text if isinstance(text, Document) else read_description(
            text, source, resources)
        reads_files = 'assets' in categories
        description = Description(
            document, FileLookup(resources.resolve) if reads_files else _resolve_nothing,
            Context(resources, file, reads_files), loops_file, srdf, arguments, same)
        check = _Check(description, consumers, max_per_rule, ignore)
        is_converted = isinstance(document, ConvertedDocument)
        # Programs read what is converted only as the URDF that it becomes.
        if asks_programs and (consumers or not is_converted):
            check.ask_programs()
        candidates = RULES.values() if document.root.tag == 'robot' else [RULES['root-not-robot']]
        check.apply([rule for rule in candidates if rule.category in categories
                     and not (is_converted and rule.code in _OF_URDF)])
        if 'programs' in categories:
            check.add_unreported()
        report = check.report()
        if is_converted:
            # Fixes are changes of URDF.
            report = replace(report, findings=tuple(
                replace(finding, fix=(), has_fix=False) for finding in report.findings))
    except Exception as error:
        return failed(error, source, ignore)
    is_unread = not reads_files and any(
        element.tag in ('mesh', 'texture') for element in document.root.iter())
    return replace(report, unread='meshes and textures') if is_unread else report


def failed(error: Exception, source: str, ignore: Collection[str] = ()) -> Report:
    """
    Return the report on a description that an exception keeps from being checked.

    :param error: why: it cannot be read, there is not enough memory, or the check has a fault.
    :param source: the description.
    :param ignore: codes of rules not to apply.
    """
    faults = Faults()
    findings = _Findings(MAX_PER_RULE, ignore)
    if not isinstance(error, DescriptionError):
        try:
            faults.add('the check', error)
        except MemoryError:
            error = DescriptionError(
                'There is not enough memory to check it', ErrorKind.UNREADABLE,
                hint='Raise the limit on memory (ulimit -v)')
    if isinstance(error, DescriptionError):
        source = source if error.text is not None else error.source or source
        rule = RULES[RULE_OF_ERROR[error.kind]]
        findings.add_error(rule, error, rule.severity)
    return findings.report(source, faults)


class _Check:
    """
    The check of a description: what rules find, with what programs do at the same elements.

    :param programs: the programs that the check is for; empty if it is for all.
    """

    def __init__(self, description: Description, programs: Collection[str], max_per_rule: int,
                 ignore: Collection[str]):
        self._description = description
        self._document = description.document
        self._programs = programs
        self._wanted = with_dependencies(programs)
        self._ignore = ignore
        self._faults = Faults()
        self._accounts: dict[str, Account] | None = None
        self._unjudged: dict[str, Verdict] = {}
        self._effects = Effects(None, programs)
        self._suppressions = Suppressions(self._document)
        self._findings = _Findings(max_per_rule, ignore, self._document)

    def ask_programs(self) -> None:
        """
        Make the accounts of the programs, of which a description that is too large has none.

        There are none of a template, whose macros are still to be expanded.
        """
        description = self._description
        if description.robot.tag != 'robot' or description.is_template or description.is_part:
            return
        accounts: dict[str, Account] = {}
        loaded = None
        with self._faults.contained('the loader'):
            loaded = robot(description)
        source = Source.of_document(self._document, loaded)
        readers = judged(self._programs or NEWEST, source)[0]
        wanted = with_dependencies(readers)
        self._unjudged = {
            name: Verdict(parts=(f'reads the {source.format} itself, and was not judged',))
            for name in self._programs if name not in readers}
        for program in (name for name in (*NEWEST, 'isaac', 'genesis', 'newton')
                        if name in wanted):
            with self._faults.contained(f'the model of {program}'), suppress(DescriptionError):
                # The rules use the conversion for Gazebo, too.
                conversion = in_gazebo(description) if program == 'gazebo' else None
                accounts[program] = account_of(program, source, description.context) if (
                    conversion is None) else with_reported(
                        program, conversion.account, source.root)
        self._accounts = accounts
        with self._faults.contained('the effects on programs'):
            self._effects = Effects(accounts, self._programs)

    def apply(self, rules: Collection[Rule[Description, Defect]]) -> None:
        """Apply rules, and those about the text and its comments."""
        applied = [rule for rule in rules
                   if rule.check is not None and rule.code not in self._ignore]
        if self._document.malformed is not None:
            self._add_error(self._document.malformed, RULE_OF_ERROR[self._document.malformed.kind])
        for rule in applied:
            for defect, consequences in self._faults.defects(rule, self._description):
                with self._faults.contained(f'the report of rule {rule.code}'):
                    self._add(rule, defect, consequences)
        with self._faults.contained('the reader of loops'):
            error = loops_error(self._description)
            if error is not None:
                self._add_error(error, 'loop-unreadable')
        with self._faults.contained('the reader of comments'):
            self._add_unused({rule.code for rule in applied})

    def add_unreported(self) -> None:
        """Add refusals and, of the programs that the check is for, losses without a finding."""
        same: dict[tuple[str, Element, str], tuple[Loss, list[Consequence]]] = {}
        lowest = min(Impact) if self._programs else Impact.REFUSES
        losses: list[tuple[Consequence, Loss]] = []
        with self._faults.contained('the losses of programs'):
            losses += self._effects.unreported(lowest)
        for consequence, loss in losses:
            refuses = consequence.impact >= Impact.REFUSES
            code = 'program-refuses' if refuses else 'program-changes'
            if code in self._ignore or not refuses and loss.is_harmless:
                continue
            element = self._document.root if loss.element is None else loss.element
            self._effects.words[id(loss)] = loss.message
            with self._faults.contained(f'the model of {consequence.program}'):
                same.setdefault((code, element, loss.message), (loss, []))[1].append(consequence)
        for (code, element, _), (loss, consequences) in same.items():
            with self._faults.contained(f'the model of {consequences[0].program}'):
                severity = Severity.ERROR if refuses_own(element, consequences) else None
                self._add(RULES[code], _LossDefect(element, loss, severity), tuple(consequences))

    def report(self) -> Report:
        """Return the findings, and the verdict of each program."""
        accounts, reasons, modelled = self._accounts or {}, {}, {**self._unjudged}
        shares = Counter(refusals(self._findings.listed))
        for program, account in accounts.items():
            with self._faults.contained(f'the verdict of {program}'):
                reasons[program] = reasons_of(account, self._effects.words)
                shares.update(reasons[program])
        for program in reasons:
            with self._faults.contained(f'the verdict of {program}'):
                modelled[program] = verdict_of(accounts[program], reasons[program], shares)
        report = self._findings.report(
            self._document.source, self._faults, self._suppressions.count)
        return report if self._accounts is None else replace(
            report, programs=verdicts(report.findings, modelled, self._programs))

    def _add(self, rule: Rule[Description, Defect], defect: Defect, consequences: Consequences
             ) -> None:
        """Add a finding, unless a comment suppresses it or it affects no program."""
        of_models: Consequences = ()
        with self._faults.contained(f'the effects of rule {rule.code} on programs'):
            of_models = self._effects.of(rule, *defect.elements, attribute=defect.attribute,
                                         words=str if self._findings.is_full(rule.code) else
                                         cache(lambda: defect.texts(rule)[0]))
        consequences = (*self._relevant(consequences), *of_models)
        if self._suppressions.suppress(rule.code, defect.element):
            return
        severity = self._severity(
            rule, rule.severity if defect.severity is None else defect.severity, consequences)
        if severity is not None:
            self._findings.add_defect(rule, defect, severity, consequences)

    def _relevant(self, consequences: Consequences) -> Consequences:
        return tuple(each for each in consequences
                     if not self._programs or each.program in self._wanted)

    def _severity(self, rule: AnyRule, severity: Severity, consequences: Consequences
                  ) -> Severity | None:
        """
        Return the severity of a finding for the programs that the check is for.

        Without such programs, what two refuse is a warning at least.

        :return: None if it does not affect them.
        """
        if not self._programs:
            refusing = {each.program for each in consequences
                        if each.is_certain and each.impact >= Impact.REFUSES}
            return max(severity, Severity.WARN) if len(refusing) > 1 else severity
        if rule.code in UNREADABLE:
            return severity
        worst = max((each.impact for each in consequences
                     if each.is_certain and not each.is_harmless), default=Impact.ACCEPTS)
        if worst >= Impact.REFUSES:
            return Severity.ERROR
        if worst > Impact.WARNS and (
                rule.affects or rule.category == 'programs' or not rule.consequences):
            return Severity.WARN
        if self._effects.are_known and not consequences and (rule.affects or any(
                each.impact > Impact.WARNS for each in rule.consequences)):
            return None
        return min(severity, Severity.WARN)

    def _add_error(self, error: DescriptionError, code: str) -> None:
        """Add the finding about an error that does not keep a description from being checked."""
        rule = RULES[code]
        consequences = (*self._relevant(applicable(rule.consequences, self._description, None)),
                        *self._effects.of(rule, self._document.root))
        severity = self._severity(rule, rule.severity, consequences)
        if severity is not None:
            self._findings.add_error(rule, error, severity, consequences)

    def _add_unused(self, applied: Collection[str]) -> None:
        """Add the findings about suppressions that match no finding of the applied rules."""
        for suppression, code in self._suppressions.unused:
            is_known = code in RULES
            rule = RULES['suppression-unused' if is_known else 'suppression-unknown']
            if is_known and code not in applied:
                continue
            message = Message('No {code} finding to ignore here' if is_known else
                              "Rule '{code}' does not exist", code=code)
            comment = suppression.comment
            parent = comment.parent if isinstance(comment, Comment) else None
            self._findings.add(Finding(
                rule.code, rule.severity, message, rule.fix,
                '' if parent is None else shortened(parent.path), comment.line, comment.column,
                trace=trace_comment(suppression)))


def refuses_own(element: Element, consequences: Iterable[Consequence]) -> bool:
    """Return whether a program refuses what is written for it alone, so that nobody can use it."""
    return any(each.impact >= Impact.REFUSES and enclosing(element, each.program) is not None
               for each in consequences)


class _LossDefect(Defect):
    """What a program does to a description, as its account says."""

    def __init__(self, element: Element, loss: Loss, severity: Severity | None):
        super().__init__(element, '', attribute=loss.attribute or '', severity=severity)
        self._loss = loss

    def texts(self, rule: AnyRule) -> tuple[Message, str]:
        """Return the message and the hint."""
        return self._loss.message, self._loss.hint or rule.fix


class _Findings:
    """
    Collects the findings of a report, of each rule a limited number.

    Findings about elements that come from one location in a xacro file are one finding with
    several instances.

    :param max_per_rule: number of findings kept per rule; further ones are counted.
    :param ignore: codes of rules whose findings are left out.
    :param document: the description, if it could be read.
    :ivar listed: the findings.
    """

    def __init__(self, max_per_rule: int, ignore: Collection[str],
                 document: Document | None = None):
        self._max_per_rule = max_per_rule
        self._ignore = ignore
        self._document = document
        self._xacro = None if document is None else document.xacro
        self._instances: dict[tuple[object, ...], list[Instance]] = {}
        self._of_element: Counter[tuple[object, ...]] = Counter()
        self.listed: list[Finding] = []
        self._of_rule: Counter[str] = Counter()
        self._of_severity = [0] * len(Severity)

    def add(self, finding: Finding) -> None:
        """Add a finding, or only count it beyond the limit."""
        if finding.code in self._ignore:
            return
        if not self.is_full(finding.code):
            if finding.trace is None and 0 < (finding.line or 0) <= len(self._lines):
                finding = replace(finding, excerpt=self._lines[(finding.line or 0) - 1])
            self.listed.append(finding)
        self._count(finding.code, finding.severity)

    def add_error(self, rule: AnyRule, error: DescriptionError, severity: Severity,
                  consequences: Consequences = ()) -> None:
        """Add the finding of a rule about a description that cannot be read."""
        self.add(Finding(
            rule.code, severity, Message('{error}', error=FreeText(error.message)),
            error.hint or rule.fix, error.element, error.line, error.column, consequences,
            trace=trace_error(error)))

    def add_defect(self, rule: Rule[Any, Any], defect: Defect, severity: Severity,
                   consequences: Consequences) -> None:
        """Add the finding of a rule about a defect."""
        element = defect.element
        if element.origin is None and self.is_full(rule.code):
            self._count(rule.code, severity)
            return
        message, hint = defect.texts(rule)
        source = trace(
            element, message, defect.fix, defect.attribute,
            {} if self._xacro is None else self._xacro.properties)
        line, column = element.line, element.column
        if source is not None:
            _, line, column = source.location
            # Several findings about one element are several findings about its source, too.
            kind = rule.code, severity, source.location
            self._of_element[(*kind, element)] += 1
            instances = self._instances.setdefault(
                (*kind, self._of_element[(*kind, element)]), [])
            instances += source.instances
            if len(instances) > 1:
                return
            source = source._replace(instances=instances)
        self.add(Finding(
            rule.code, severity, message, hint, shortened(element.path), line, column,
            consequences, defect.fix, source))

    def report(self, source: str, faults: Faults, suppressed: int = 0) -> Report:
        """
        Return the report, with the findings in file order.

        :param source: the name of the description.
        :param suppressed: number of findings that comments suppress.
        """
        for finding in faults.findings():
            self.add(finding)
        findings = in_order(self.listed, source, () if self._xacro is None else (
            file.path for file in self._xacro.files))
        return Report(
            source, findings, dict(zip(Severity, self._of_severity)), {
                code: number - self._max_per_rule for code, number in self._of_rule.items()
                if number > self._max_per_rule}, suppressed, self._document,
            robot='' if self._document is None else self._document.root.get('name', ''))

    @cached_property
    def _lines(self) -> list[str]:
        """The lines of the description."""
        return [] if self._document is None else (
            self._document.data.decode('utf-8', 'replace').split('\n'))

    def is_full(self, code: str) -> bool:
        """Return whether further findings of a rule are only counted."""
        return self._of_rule[code] >= self._max_per_rule

    def _count(self, code: str, severity: Severity) -> None:
        self._of_rule[code] += 1
        self._of_severity[severity] += 1


def _resolve_nothing(uri: str) -> Path:
    raise ResourceError(f'File {quote(uri)} is not checked', '', 'scheme')
