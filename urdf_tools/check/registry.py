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
"""The registry of the rules about a description, and what their files share."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from functools import partial
import json
from pathlib import Path
from typing import Any

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.schema import definition
from urdf_tools.check.schema import misspelling
from urdf_tools.check.schema import TEXT
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.rules import ElementDefect as Defect
from urdf_tools.findings.rules import Registry
from urdf_tools.findings.rules import rule_text
from urdf_tools.model.xml.element import Element

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO

CATEGORIES = (
    'xml', 'names', 'structure', 'joints', 'inertia', 'geometry', 'extensions', 'assets',
    'programs')
"""
The categories of rules.

Only ``assets`` reads files that the description refers to; ``programs`` are findings of the models
of programs where no rule finds anything.
"""

RULES: Registry[Description, Defect] = Registry(
    CATEGORIES, Path(__file__).with_name('rule_texts.json'))

_ROWS = json.loads(Path(__file__).with_name('rule_rows.json').read_bytes())

__all__ = [
    'CATEGORIES', 'Check', 'Defect', 'ERROR', 'INFO', 'RULES', 'WARN',
    'first_of', 'on_element', 'repeated', 'row', 'rows']

Check = Callable[[Description], Iterator[Defect]]
"""The check of a rule."""


def first_of(elements: Sequence[Element], template: str, **options: Any) -> Defect:
    """
    Return one defect that represents the same defect of several elements.

    :param template: the message, which is given the number of elements.
    :param options: those of a :class:`Defect`.
    """
    if len(elements) > 1:
        template += ', first of {occurrences} occurrences'
    return Defect(elements[0], template, occurrences=len(elements), **options)


def row(category: str, code: str, severity: Severity, check: Check | None = None,
        *consequences: Consequences, **options: str) -> None:
    """
    Register a rule that is a row of a table, because others have the same kind of check.

    All that it says is in the file of texts: the parameters of
    :func:`~urdf_tools.findings.rules.rule_text`, ``fix`` and ``source``.

    :param check: None if others than the rules report it.
    :param options: ``affects``, ``subject`` as in a decorator.
    """
    texts = RULES.texts[code]
    says = rule_text(texts['summary'], texts.get('example', ('', '', '')), texts.get('reason', ''))
    RULES.state(code, severity, category, says, check, *consequences, **options)


def rows(part: str, checks: Mapping[str, Callable[..., Iterator[Defect]]],
         consequences: Mapping[str, Sequence[Consequences]] | None = None) -> None:
    """
    Register the rules of a part of ``rule_rows.json``, which is a table of rules by category.

    Each entry is one rule: its code, its severity, what it affects, and its check: a function for
    all rules of the same kind, and its arguments for this one. Others than the rules report one
    without a check.

    :param checks: the functions by the names in the table.
    :param consequences: those of rules that depend on the instance.
    """
    for category, rules in _ROWS[part].items():
        for code, entry in rules.items():
            check = partial(checks[entry['check']], **entry.get('with', {})
                            ) if 'check' in entry else None
            row(category, code, Severity[entry['severity']], check,
                *(consequences or {}).get(code, ()), affects=entry.get('affects', ''),
                subject=entry.get('subject', ''))


def on_element(text: str, holds: Callable[[Any], bool]) -> Condition:
    """Return a condition on the element of a defect."""
    return Condition(text, lambda description, defect: holds(defect.element))


IN_COLLISION = on_element(
    'in a <collision>', lambda part: enclosing(part, 'collision') is not None)


def of_joint_type(kind: str) -> Condition:
    """Return the condition that a defect is in a joint of a type."""
    return on_element(f'if the joint is {kind}', lambda joint: joint.get('type') == kind)


def all_of(*conditions: Condition) -> Condition:
    """Return the condition that several conditions hold."""
    return Condition(
        ' '.join(condition.text for condition in conditions), lambda description, defect: all(
            condition.holds(description, defect) for condition in conditions))


def without(attribute: str) -> Condition:
    """Return the condition that an attribute is missing, rather than empty."""
    return on_element(f'if {attribute}= is missing', lambda part: attribute not in part.attrib)


def lacking(elements: Iterable[Element], name: str, template: str) -> Iterator[Defect]:
    """
    Yield a defect of each element that has no such attribute, or no text in it.

    :param template: the message, with fields ``owner`` and ``parent``, the one around it.
    """
    for element in elements:
        is_text = definition(element).attributes[name] == TEXT
        if name not in element.attrib or is_text and not element.get(name):
            yield Defect(element, template, owner=element, parent=element.parent,
                         **misspelling(element, name))


def repeated(keyed: Iterable[tuple[str | None, Element]]) -> Iterator[tuple[Element, Element]]:
    """Yield each element with the key of an earlier one, and the first element of that key."""
    first: dict[str, Element] = {}
    for key, element in keyed:
        if key and first.setdefault(key, element) is not element:
            yield element, first[key]
