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

from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consumers import READERS
from urdf_tools.findings.consumers import with_dependencies
from urdf_tools.findings.message import Words
from urdf_tools.findings.report import Report
from urdf_tools.findings.report_builder import ReportBuilder
from urdf_tools.findings.rules import AnyRule
from urdf_tools.findings.rules import defects
from urdf_tools.findings.suppressions import Suppressions
from urdf_tools.findings.verdict import Verdict
from urdf_tools.garbage_collection import garbage_collection_paused
from urdf_tools.model.document import Document
from urdf_tools.model.document import read_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.loader import open_document
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xacro_limits import XacroBudget
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import NEWEST
from urdf_tools.validation.file_lookup import FileLookup
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.loaded_robot import loops_error
from urdf_tools.validation.modelled_verdicts import modelled_verdict
from urdf_tools.validation.registry import CATEGORIES
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.rules import RULES

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


def validate(
        path: str | os.PathLike[str], *, categories: Collection[str] = CATEGORIES,
        ignore: Collection[str] = (), mappings: Mapping[str, str] | None = None,
        resources: ResourceResolver | None = None, consumers: Collection[str] = (),
        max_per_rule: int = MAX_PER_RULE, budget: XacroBudget | None = None,
        asks_models: bool = False, loops_file: str | None = None) -> Report:
    """
    Find the defects of a URDF or xacro file.

    A file that cannot be read, expanded or parsed is a finding, not an exception. Settings files
    and baselines, which ``urdf-tools check`` looks for, are not read: what they say is given here.

    :param path: the file, as :func:`urdf_tools.load` takes it.
    :param categories: categories of the rules to apply, of
        :data:`~urdf_tools.validation.registry.CATEGORIES`.
    :param ignore: codes of rules not to apply.
    :param mappings: xacro arguments.
    :param resources: finds packages, meshes and textures; by default in the environment and
        around the file.
    :param consumers: programs of :data:`~urdf_tools.findings.consumers.CONSUMERS`; findings that
        affect only others are left out. By default none is.
    :param max_per_rule: number of findings reported per rule; further ones are counted.
    :param budget: what the expansion of xacro may take.
    :param asks_models: the report also says what programs make of the robot.
    :param loops_file: YAML file of loops beside the description.
    """
    path = os.fsdecode(path)
    resources = resources or ResourceResolver(os.path.dirname(path) or '.')
    try:
        document = open_document(
            path, mappings=mappings, packages=resources.lookup, budget=budget)
    except DescriptionError as error:
        return _unreadable(error, path if error.text is not None else error.source or path, ignore)
    return validate_document(
        document, categories=categories, ignore=ignore, consumers=consumers,
        max_per_rule=max_per_rule, resources=resources,
        context=Context(resources, Path(path)) if asks_models else None, loops_file=loops_file)


def validates(
        text: str | bytes, *, source: str = '', categories: Collection[str] = TEXT_CATEGORIES,
        ignore: Collection[str] = (), resources: ResourceResolver | None = None,
        consumers: Collection[str] = (), max_per_rule: int = MAX_PER_RULE,
        asks_models: bool = False, loops_file: str | None = None) -> Report:
    """
    Find the defects of the text of a URDF description.

    A text that cannot be parsed is a finding, not an exception.

    :param text: the description, as :func:`urdf_tools.loads` takes it.
    :param source: where it came from, for messages.
    :param categories: categories of the rules to apply. By default not those that read the files
        that the text refers to, as the text may come from an untrusted source.
    :param ignore: codes of rules not to apply.
    :param resources: finds meshes and textures; by default in the packages of the environment.
    :param consumers: programs of :data:`~urdf_tools.findings.consumers.CONSUMERS`; findings that
        affect only others are left out. By default none is.
    :param max_per_rule: number of findings reported per rule; further ones are counted.
    :param asks_models: the report also says what programs make of the robot.
    :param loops_file: YAML file of loops beside the description.
    """
    try:
        document = read_document(text, source)
    except DescriptionError as error:
        return _unreadable(error, source, ignore)
    return validate_document(
        document, categories=categories, ignore=ignore, resources=resources,
        consumers=consumers, max_per_rule=max_per_rule,
        context=Context(resources or ResourceResolver()) if asks_models else None,
        loops_file=loops_file)


# Numbers may be of any size, and overflow to infinity.
@np.errstate(over='ignore', divide='ignore', invalid='ignore')
@garbage_collection_paused()
def validate_document(
        document: Document, *, categories: Collection[str] = TEXT_CATEGORIES,
        ignore: Collection[str] = (), resources: ResourceResolver | None = None,
        consumers: Collection[str] = (), max_per_rule: int = MAX_PER_RULE,
        context: Context | None = None, loops_file: str | None = None) -> Report:
    """
    Find the defects of a parsed description.

    The other parameters are those of :func:`validates`.

    :param context: what programs need to know besides the robot, if the report shall say what
        they make of it.
    """
    resolve = FileLookup((resources or ResourceResolver()).resolve)
    description = Description(
        document, resolve if 'assets' in categories else _resolve_nothing, loops_file)
    candidates = RULES.values() if document.root.tag == 'robot' else [RULES['root-not-robot']]
    rules = [rule for rule in candidates if rule.check is not None
             and rule.category in categories and rule.code not in ignore]
    builder = ReportBuilder(max_per_rule, document.xacro)
    if document.malformed is not None:
        _add_error(builder, document.malformed, ignore)
    suppressions = Suppressions(document)
    wanted = with_dependencies(consumers)
    for rule in rules:
        for broken, defect, consequences in defects(
                rule, description, RULES['internal-error'], partial(Defect, document.root)):
            if ((suppressions.is_empty
                 or not suppressions.suppress(broken.code, defect.element))
                    and (not wanted or _affects(broken, consequences, wanted))):
                builder.add_defect(broken, defect, consequences, consumers)
    error = loops_error(description)
    if error is not None and 'loop-unreadable' not in ignore:
        builder.add_error(RULES['loop-unreadable'], error)
    _add_unused(builder, suppressions, {rule.code for rule in rules}, ignore)
    modelled = {} if context is None else _modelled(builder, description, context, consumers)
    report = replace(builder.build(document.source, suppressions.count, document),
                     modelled=modelled)
    is_unread = 'assets' not in categories and any(
        element.tag in ('mesh', 'texture') for element in document.root.iter())
    return replace(report, unread='meshes and textures') if is_unread else report


def _affects(
        rule: AnyRule, consequences: Consequences, wanted: Collection[str]) -> bool:
    """Return whether a defect affects one of the wanted programs, or all programs alike."""
    return not rule.consequences or any(
        each.program in wanted and each.impact > Impact.ACCEPTS for each in consequences)


def _modelled(
        builder: ReportBuilder, description: Description, context: Context,
        consumers: Collection[str]) -> dict[str, Verdict]:
    """Return what programs make of the robot; a model that fails is a finding."""
    found = {}
    for model in NEWEST:
        program = READERS.get(model, model)
        if consumers and program not in consumers:
            continue
        try:
            verdict = modelled_verdict(model, description, context)
        except Exception as error:  # It is reported as a finding.
            builder.add_defect(RULES['internal-error'], Defect(
                description.robot, 'The model of {program} failed: {error}', program=program,
                error=Words(f'{type(error).__name__}: {error}')), ())
        else:
            if verdict is not None:
                found[program] = verdict
    return found


def _resolve_nothing(uri: str) -> Path:
    raise ResourceError(f'File {quote(uri)} is not checked', '', 'scheme')


def _unreadable(error: DescriptionError, source: str, ignore: Collection[str]) -> Report:
    builder = ReportBuilder(MAX_PER_RULE)
    _add_error(builder, error, ignore)
    return builder.build(source)


def _add_error(
        builder: ReportBuilder, error: DescriptionError, ignore: Collection[str]) -> None:
    rule = RULES[RULE_OF_ERROR[error.kind]]
    if rule.code not in ignore:
        builder.add_error(rule, error)


def _add_unused(
        builder: ReportBuilder, suppressions: Suppressions, applied: Collection[str],
        ignore: Collection[str]) -> None:
    """Add the findings about suppressions that match no finding of the applied rules."""
    for suppression, code in suppressions.unused:
        rule = RULES['suppression-unused' if code in RULES else 'suppression-unknown']
        if rule.code in ignore:
            continue
        if code not in RULES:
            builder.add_comment(rule, suppression, "Rule '{code}' does not exist", code)
        elif code in applied:
            builder.add_comment(rule, suppression, 'No {code} finding to ignore here', code)
