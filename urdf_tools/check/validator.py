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

from collections.abc import Collection
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
import os
from pathlib import Path

import numpy as np

from urdf_tools.check.file_lookup import FileLookup
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.loaded_robot import loops_error
from urdf_tools.check.moveit_stand_in import stand_in
from urdf_tools.check.program_accounts import accounts_of
from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import RENAMED
from urdf_tools.check.rules import RULES
from urdf_tools.findings.consequences import applicable
from urdf_tools.findings.consequences import Consequence
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consumers import with_dependencies
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.report import Report
from urdf_tools.findings.report_builder import ReportBuilder
from urdf_tools.findings.rules import AnyRule
from urdf_tools.findings.rules import defects
from urdf_tools.findings.rules import Rule
from urdf_tools.findings.suppressions import Suppressions
from urdf_tools.findings.verdict import verdicts
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.trust import XacroBudget
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.xml_parser import garbage_collection_paused
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.effects import Effects
from urdf_tools.programs.summaries import verdict_of
from urdf_tools.xacro.description_files import open_document
from urdf_tools.xacro.description_files import renamed

TEXT_CATEGORIES = tuple(category for category in CATEGORIES if category != 'assets')
"""The categories of rules that need only the text of the description."""

MAX_PER_RULE = 50
"""Number of findings reported per rule; further ones are counted."""

RULE_OF_ERROR = {
    ErrorKind.UNREADABLE: 'file-unreadable',
    ErrorKind.XACRO: 'xacro-failed',
    ErrorKind.TOO_LARGE: 'xml-too-large',
    ErrorKind.ENTITY: 'xml-entity',
    ErrorKind.MALFORMED: 'xml-malformed',
    ErrorKind.REPAIRED: 'xml-forgiven',
}
"""Code of the rule that a description breaks by not being readable."""

ALWAYS_APPLIED = frozenset((*RULE_OF_ERROR.values(), 'internal-error')) - {'xml-forgiven'}
"""Rules that say that a description was not validated, which no selection of others hides."""

_NOT_OF_MOVEIT = frozenset(code for code, rule in RULES.items() if not (
    code in ALWAYS_APPLIED or rule.text.context.endswith(('.srdf', '.yaml'))))
"""Rules that are not about files of MoveIt."""

UNREADABLE = ALWAYS_APPLIED | {'root-not-robot'}
"""Rules about what is no description, for whomever a check is."""


def validate(path: str | os.PathLike[str], *, categories: Collection[str] = CATEGORIES,
             ignore: Collection[str] = (), arguments: Mapping[str, str] | None = None,
             resources: ResourceResolver | None = None, consumers: Collection[str] = (),
             max_per_rule: int = MAX_PER_RULE, budget: XacroBudget | None = None,
             loops_file: str | None = None, srdf: str | None = None,
             optional: Collection[str] = (), mappings: Mapping[str, str] | None = None) -> Report:
    """
    Find the defects of a URDF or xacro file.

    A file that cannot be read, expanded or parsed is a finding, not an exception. Settings files
    and baselines, which ``urdf-tools check`` looks for, are not read: what they say is given here.

    :param path: the file, as :func:`urdf_tools.load` takes it; of an SRDF file, names are compared
        with those in it and in the YAML files beside it.
    :param categories: categories of the rules to apply, of
        :data:`~urdf_tools.check.registry.CATEGORIES`.
    :param ignore: codes of rules not to apply.
    :param arguments: values of the xacro arguments of the file.
    :param resources: finds packages, meshes and textures; by default in the environment and
        around the file.
    :param consumers: programs of :data:`~urdf_tools.findings.consumers.CONSUMERS`: what one of
        them refuses is an error, what it loses a warning, and what affects only others is left
        out. By default all count, and what is wrong for some is a note at least.
    :param max_per_rule: number of findings reported per rule; further ones are counted.
    :param budget: the resources that xacro may use.
    :param loops_file: YAML file of loops beside the description.
    :param srdf: an SRDF file of this robot in another folder: only this file and the YAML files
        beside it are checked.
    :param optional: names of arguments that are ignored if the file does not have them.
    :param mappings: the former name of ``arguments``.
    """
    path = os.fsdecode(path)
    arguments = renamed(arguments, mappings)
    resources = resources or ResourceResolver(os.path.dirname(path) or '.')
    if srdf is None and path.endswith(('.srdf', '.srdf.xacro')):
        return _of_names(path, resources, ignore)
    try:
        document = open_document(path, arguments=arguments, packages=resources.lookup,
                                 budget=budget, optional=optional)
        return validate_document(
            document, categories=categories, consumers=consumers, max_per_rule=max_per_rule,
            ignore=ignore if srdf is None else {*ignore, *_NOT_OF_MOVEIT}, resources=resources,
            file=Path(path), loops_file=loops_file, srdf=srdf, asks_programs=srdf is None)
    except MemoryError as error:
        return _unreadable(error, path, ignore)
    except DescriptionError as error:
        source = path if error.text is not None else error.source or path
        report = _unreadable(error, source, ignore)
        folder, name = os.path.split(path)
        srdf = srdf or os.path.join(folder, name.split('.')[0] + '.srdf')
        is_wanted = error.kind is ErrorKind.XACRO and 'assets' in categories
        is_read = is_wanted and os.path.isfile(srdf) and (
            resources.lookup.trust.is_full or not os.path.islink(srdf))
        names = _of_names(srdf, resources, ignore).findings if is_read else ()
        return replace(report, findings=report.findings + names, counts={
            level: report.counts[level] + sum(each.severity is level for each in names)
            for level in Severity})


def _of_names(srdf: str, resources: ResourceResolver, ignore: Collection[str]) -> Report:
    """Return the report on what the files of MoveIt disagree on, for want of a description."""
    return validate_document(
        stand_in(srdf, resources), categories=('assets',), resources=resources, srdf=srdf,
        ignore={*ignore, *_NOT_OF_MOVEIT}, asks_programs=False)


def validates(
        text: str | bytes, *, source: str = '', categories: Collection[str] = TEXT_CATEGORIES,
        ignore: Collection[str] = (), resources: ResourceResolver | None = None,
        consumers: Collection[str] = (), max_per_rule: int = MAX_PER_RULE,
        file: Path | None = None, loops_file: str | None = None,
        asks_programs: bool = True) -> Report:
    """
    Find the defects of the text of a URDF description.

    A text that cannot be parsed is a finding, not an exception.

    :param text: the description, as :func:`urdf_tools.loads` takes it.
    :param source: where it came from, for messages.
    :param categories: categories of the rules to apply. By default not those that read the files
        that the text refers to, as the text may come from an untrusted source.
    :param ignore: codes of rules not to apply.
    :param resources: finds meshes and textures; by default in the packages of the environment.
    :param consumers: programs of :data:`~urdf_tools.findings.consumers.CONSUMERS`: what one of
        them refuses is an error, what it loses a warning, and what affects only others is left
        out. By default all count, and what is wrong for some is a note at least.
    :param max_per_rule: number of findings reported per rule; further ones are counted.
    :param file: the description, beside which programs look for files; None if it is no file.
    :param loops_file: YAML file of loops beside the description.
    :param asks_programs: whether findings say what programs with a model do, which takes longer
        than the rules.
    """
    try:
        return validate_document(
            read_document(text, source), categories=categories, ignore=ignore,
            resources=resources, consumers=consumers, max_per_rule=max_per_rule, file=file,
            loops_file=loops_file, asks_programs=asks_programs)
    except (DescriptionError, MemoryError) as error:
        return _unreadable(error, source, ignore)


# Numbers may be of any size, and overflow to infinity.
@np.errstate(over='ignore', divide='ignore', invalid='ignore')
@garbage_collection_paused()
def validate_document(document: Document, *, categories: Collection[str] = TEXT_CATEGORIES,
                      ignore: Collection[str] = (), resources: ResourceResolver | None = None,
                      consumers: Collection[str] = (), max_per_rule: int = MAX_PER_RULE,
                      file: Path | None = None, loops_file: str | None = None,
                      asks_programs: bool = True, srdf: str | None = None) -> Report:
    """Find the defects of a parsed description; see :func:`validates`."""
    resources = resources or ResourceResolver()
    reads_files = 'assets' in categories
    description = Description(
        document, FileLookup(resources.resolve) if reads_files else _resolve_nothing,
        Context(resources, file, reads_files), loops_file, srdf)
    accounts, failures = accounts_of(description, consumers) if asks_programs else (None, {})
    collector = _Collector(
        description, Effects(accounts, consumers), consumers, max_per_rule, ignore)
    candidates = RULES.values() if document.root.tag == 'robot' else [RULES['root-not-robot']]
    collector.apply([rule for rule in candidates if rule.category in categories])
    for program, error in failures.items():
        collector.add(RULES['internal-error'], Defect(
            description.robot, 'The model of {program} failed: {error}', program=program,
            error=FreeText(f'{type(error).__name__}: {error}')))
    if 'programs' in categories:
        collector.add_unreported()
    report = collector.report(accounts)
    is_unread = not reads_files and any(
        element.tag in ('mesh', 'texture') for element in document.root.iter())
    return replace(report, unread='meshes and textures') if is_unread else report


class _Collector:
    """
    Collects what rules find, with what the accounts of programs say at the same elements.

    :param programs: the programs that the check is for; empty if it is for all.
    """

    def __init__(self, description: Description, effects: Effects, programs: Collection[str],
                 max_per_rule: int, ignore: Collection[str]):
        self._description = description
        self._document = description.document
        self._effects = effects
        self._programs = programs
        self._wanted = with_dependencies(programs)
        self._ignore = ignore
        self._suppressions = Suppressions(self._document, RENAMED)
        self._builder = ReportBuilder(max_per_rule, self._document.xacro)

    def apply(self, rules: Collection[Rule[Description, Defect]]) -> None:
        """Apply rules, and those about the text and its comments."""
        applied = [rule for rule in rules
                   if rule.check is not None and rule.code not in self._ignore]
        if self._document.malformed is not None:
            self._add_error(self._document.malformed, RULE_OF_ERROR)
        for rule in applied:
            for broken, defect, consequences in defects(
                    rule, self._description, RULES['internal-error'],
                    partial(Defect, self._document.root)):
                self.add(broken, defect, consequences)
        error = loops_error(self._description)
        if error is not None:
            self._add_error(error, {error.kind: 'loop-unreadable'})
        self._add_unused({rule.code for rule in applied})

    def add(self, rule: Rule[Description, Defect], defect: Defect,
            consequences: Consequences = ()) -> None:
        """Add a finding, unless a comment suppresses it or it affects no program."""
        consequences = (*self._relevant(consequences),
                        *self._effects.of(rule, *defect.elements, attribute=defect.attribute))
        if self._suppressions.suppress(rule.code, defect.element):
            return
        severity = self._severity(
            rule, rule.severity if defect.severity is None else defect.severity, consequences)
        if severity is not None:
            self._builder.add_defect(rule, defect, severity, consequences)

    def add_unreported(self) -> None:
        """Add refusals and, of the programs that the check is for, losses without a finding."""
        same: dict[tuple[str, Element, str], tuple[Loss, list[Consequence]]] = {}
        least = min(Impact) if self._programs else Impact.REFUSES
        for consequence, loss in self._effects.unreported(least):
            refuses = consequence.impact >= Impact.REFUSES
            code = 'program-refuses' if refuses else 'program-changes'
            if code not in self._ignore and (refuses or not loss.is_harmless):
                element = self._document.root if loss.element is None else loss.element
                same.setdefault((code, element, loss.message), (loss, []))[1].append(consequence)
        for (code, element, _), (loss, consequences) in same.items():
            self.add(RULES[code], _LossDefect(element, loss), tuple(consequences))

    def report(self, accounts: Mapping[str, Account] | None) -> Report:
        """Return the findings, and the verdict of each program."""
        report = self._builder.build(
            self._document.source, self._suppressions.count, self._document)
        if accounts is None:
            return report
        modelled = {program: verdict_of(account, self._effects.codes)
                    for program, account in accounts.items()}
        return replace(report, programs=verdicts(report.findings, modelled, self._programs))

    def _relevant(self, consequences: Consequences) -> Consequences:
        return tuple(each for each in consequences
                     if not self._programs or each.program in self._wanted)

    def _severity(self, rule: AnyRule, severity: Severity, consequences: Consequences
                  ) -> Severity | None:
        """
        Return the severity of a finding for the programs that the check is for.

        :return: None if it does not affect them.
        """
        if not self._programs or rule.code in UNREADABLE:
            return severity
        worst = max((each.impact for each in consequences
                     if each.is_certain and not each.is_harmless), default=Impact.ACCEPTS)
        if worst >= Impact.REFUSES:
            return Severity.ERROR
        if worst > Impact.WARNS and (rule.affects or rule.category == 'programs'):
            return Severity.WARN
        if self._effects.are_known and not consequences and (rule.affects or any(
                each.impact > Impact.WARNS for each in rule.consequences)):
            return None
        return min(severity, Severity.WARN)

    def _add_error(self, error: DescriptionError, codes: Mapping[ErrorKind, str]) -> None:
        rule = RULES[codes[error.kind]]
        if rule.code in self._ignore:
            return
        consequences = (*self._relevant(applicable(rule.consequences, self._description, None)),
                        *self._effects.of(rule, self._document.root))
        severity = self._severity(rule, rule.severity, consequences)
        if severity is not None:
            self._builder.add_error(rule, error, severity, consequences)

    def _add_unused(self, applied: Collection[str]) -> None:
        """Add the findings about suppressions that match no finding of the applied rules."""
        for suppression, code in self._suppressions.unused:
            is_known = code in RULES
            rule = RULES['suppression-unused' if is_known else 'suppression-unknown']
            if rule.code not in self._ignore and code not in RENAMED and (
                    code in applied or not is_known):
                self._builder.add_comment(
                    rule, suppression, 'No {code} finding to ignore here' if is_known else
                    "Rule '{code}' does not exist", code)


class _LossDefect(Defect):
    """What a program does to a description, as its account says."""

    def __init__(self, element: Element, loss: Loss):
        super().__init__(element, '', attribute=loss.attribute or '')
        self._loss = loss

    def texts(self, rule: AnyRule) -> tuple[Message, str]:
        """Return the message and the hint."""
        return self._loss.message, self._loss.hint or rule.fix


def _resolve_nothing(uri: str) -> Path:
    raise ResourceError(f'File {quote(uri)} is not checked', '', 'scheme')


def _unreadable(error: DescriptionError | MemoryError, source: str, ignore: Collection[str]
                ) -> Report:
    """Return the report on a text that no program can read."""
    if isinstance(error, MemoryError):
        error = DescriptionError('There is not enough memory to check it', ErrorKind.UNREADABLE,
                                 hint='Raise the limit on memory (ulimit -v)')
    elif error.text is None:
        source = error.source or source
    builder = ReportBuilder(MAX_PER_RULE)
    rule = RULES[RULE_OF_ERROR[error.kind]]
    if rule.code not in ignore:
        builder.add_error(rule, error)
    return builder.build(source)
