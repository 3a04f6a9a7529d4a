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
"""Rules, each of which finds one kind of defect, their registry, and faults in them."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property
import inspect
from itertools import chain
import json
import os
from pathlib import Path
import re
from textwrap import dedent
import traceback
from typing import Any
from typing import Generic
from typing import NamedTuple
from typing import TypeVar

from urdf_tools.findings.consequences import applicable
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import written
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Fix
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.message import fields_of
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import SAID_WITH
from urdf_tools.model.errors import is_lack_of_memory
from urdf_tools.model.messages import location
from urdf_tools.model.xml.element import Element

Checked = TypeVar('Checked')
DefectT = TypeVar('DefectT', bound='Defect')
Check = TypeVar('Check', bound=Callable[..., Any])


class Defect:
    """
    A violation that a rule yields; each subject adds its location.

    :param template: what is wrong, with fields for names and numbers, without a full stop.
    :param hint: what to write instead, a template, too; by default that of the sentence in the
        table, or else the hint of the rule.
    :param suggestion: the name that was probably meant; by default the hint is that it was.
    :param severity: its severity; by default that of the rule.
    :param consequences: replace those of the rule.
    :param arguments: the values of the fields of the templates.
    """

    def __init__(self, template: str, *, hint: str = '', suggestion: str | None = None,
                 severity: Severity | None = None, consequences: Consequences | None = None,
                 **arguments: object):
        self.template = template
        self.severity = severity
        self.arguments = arguments
        self.hint = hint or SAID_WITH.get(template, {}).get('hint', '')
        self._suggestion = suggestion
        self._consequences = consequences

    def consequences(self, rule: AnyRule, seen: object) -> Consequences:
        """Return its effects on each program, as far as they depend on this instance."""
        stated = rule.consequences if self._consequences is None else self._consequences
        return applicable(stated, seen, self)

    def texts(self, rule: AnyRule) -> tuple[Message, str]:
        """Return the message and the hint."""
        values = self.arguments
        if self._suggestion:
            values = {**values, 'suggestion': Name(self._suggestion)}
        hint = self.hint or ('Did you mean {suggestion}?' if self._suggestion else '')
        return (Message(self.template, **values),
                Message(hint, **values) if hint else rule.fix)


class ElementDefect(Defect):
    """
    A defect of an element of a description.

    A field of its templates that no argument fills in is the element: ``{tag}`` is its tag, and
    any other one the element, or the nearest one around it, that has the name of the field as its
    tag, such as ``{joint}``.

    :param element: the element at fault.
    :param fix: the changes to the text that fix it; empty unless there is exactly one safe fix.
    :param attribute: the attribute at fault, also as an argument; by default one that the fix
        changes, or that the arguments name or have the value of.
    :param at: an element inside of it that is the cause.
    :ivar elements: the cause, and the element at fault if that is another one.
    """

    def __init__(self, element: Element, template: str, *, fix: Fix = (), attribute: str = '',
                 at: Element | None = None, **options: Any):
        super().__init__(template, **options)
        if attribute:
            self.arguments['attribute'] = attribute
        self.elements = (element,) if at is None else (at, element)
        self.element = self.elements[0]
        self.fix = fix
        self.attribute = attribute

    def texts(self, rule: AnyRule) -> tuple[Message, str]:
        """Return the message and the hint."""
        for name in fields_of(self.template) + fields_of(self.hint):
            found = self.element.tag if name == 'tag' else enclosing(self.element, name)
            if found is not None:
                self.arguments.setdefault(name, found)
        return super().texts(rule)


class RuleText(NamedTuple):
    """
    What a rule says to its reader; each part but the first may be empty.

    :param summary: what the rule requires, one sentence.
    :param reason: why it does.
    :param context: what ``fails`` and ``passes`` are part of, such as ``a revolute joint``.
    :param fails: an example that violates the rule.
    :param passes: the same example without the defect.
    :param example: how it comes about, in words, where no fragment can show it.
    """

    summary: str
    reason: str
    context: str
    fails: str
    passes: str
    example: str = ''


@dataclass(frozen=True)
class Rule(Generic[Checked, DefectT]):
    """
    One kind of defect.

    :param code: stable name, such as ``limit-inverted``.
    :param severity: the severity of its findings by default.
    :param category: one of those of its registry.
    :param says: its text, or the docstring of its check, see :meth:`Registry.in_category`.
    :param fix: what to do instead, a sentence without a full stop; by default the hint of its
        findings.
    :param source: where the consequences were read, if they were not only seen.
    :param consequences: what a violation does to programs without a model.
    :param affects: the kinds of what the accounts of programs with a model say because of it, of
        :data:`~urdf_tools.findings.consequences.KINDS`, separated by spaces, or ``any``; empty
        if it affects no program.
    :param subject: the tag of an element around the defect, or of elements inside, at which
        accounts say so, too.
    :param check: finds the defects; None if the parser finds them.
    """

    code: str
    severity: Severity
    category: str
    says: str | RuleText = field(repr=False)
    fix: str = field(default='', repr=False)
    source: str = field(default='', repr=False)
    consequences: Consequences = field(default=(), repr=False)
    affects: str = ''
    subject: str = ''
    check: Callable[[Checked], Iterable[DefectT]] | None = field(default=None, repr=False)

    @cached_property
    def text(self) -> RuleText:
        """What the rule says."""
        return self.says if isinstance(self.says, RuleText) else _text_in(self.says)


def _text_in(docstring: str) -> RuleText:
    text, _, example = inspect.cleandoc(docstring).partition('\n\nExample: ')
    text, _, examples = text.partition('\n\nFails in ')
    context, _, both = examples.partition(':')
    fails, _, passes = both.partition('\nPasses')
    summary, *reason = (' '.join(part.split()) for part in text.split('\n\n'))
    claim = summary.removeprefix('Check that ')
    return rule_text(claim[:1].upper() + claim[1:], (context, fails, passes.removeprefix(':')),
                     ' '.join(reason))._replace(example=' '.join(example.split()))


def rule_text(summary: str, example: tuple[str, str, str] = ('', '', ''), reason: str = ''
              ) -> RuleText:
    """
    Return what a rule says.

    :param example: a context, what fails in it, and what passes; instead of all of the latter,
        ``with`` and an attribute or element that replaces the first one of its name, or tag, in
        the former.
    """
    context, *fragments = example
    fails, passes = (dedent(fragment).strip() for fragment in fragments)
    if passes.startswith('with'):
        passes = _with_part(fails, dedent(passes.removeprefix('with')).strip())
    return RuleText(summary, reason, context, fails, passes)


def _with_part(text: str, part: str) -> str:
    """Return an example with a part in place of the attribute or element like it."""
    tag, name = re.findall(r'^<?([\w:]+)( name="[^"]*")?', part)[0]
    if not part.startswith('<'):
        return re.sub(rf'(?<=\s){tag}="[^"]*"', lambda _: part, text, count=1)
    rest = rf'(?=[\s/>])(?:[^<>]*/>|.*?</{tag}>)'
    same = re.search(f'<{tag}{re.escape(name)}{rest}', text, re.DOTALL) or re.search(
        f'<{tag}{rest}', text, re.DOTALL)
    return text.replace(same[0], part, 1) if same else text


AnyRule = Rule[Any, Any]
"""A rule, whatever it is about."""


class Registry(Mapping[str, Rule[Checked, DefectT]]):
    """
    The rules about one subject by their codes, grouped by category.

    :param categories: the categories of the rules, in their order.
    :param texts: a JSON file with what rules say beside their docstrings, by code: ``fix`` and
        ``source`` as parameters of a :class:`Rule`, ``consequences`` without a condition as in
        :func:`~urdf_tools.findings.consequences.written`, and the parameters of
        :func:`rule_text` for rules without a docstring.
    """

    def __init__(self, categories: Sequence[str], texts: Path):
        self.categories = tuple(categories)
        self.texts: dict[str, dict[str, Any]] = json.loads(texts.read_bytes())
        self._rules: dict[str, Rule[Checked, DefectT]] = {}

    def __getitem__(self, code: str) -> Rule[Checked, DefectT]:
        return self._rules[code]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(
            self._rules, key=lambda code: self.categories.index(self._rules[code].category)))

    def __len__(self) -> int:
        return len(self._rules)

    def add(self, rule: Rule[Checked, DefectT]) -> None:
        """
        Register a rule.

        :raises ValueError: there is no such category, or the code is not unique.
        """
        if rule.category not in self.categories:
            raise ValueError(f'Category {rule.category!r} does not exist')
        if rule.code in self._rules:
            raise ValueError(f'The rule {rule.code!r} is registered twice')
        self._rules[rule.code] = rule

    def state(self, code: str, severity: Severity, category: str, says: str | RuleText,
              check: Callable[[Checked], Iterable[DefectT]] | None, *consequences: Consequences,
              **options: str) -> None:
        """Register a rule with its fix, source and consequences in the file of texts as well."""
        texts = self.texts.get(code, {})
        options.update((name, texts[name]) for name in ('fix', 'source') if name in texts)
        self.add(Rule(code, severity, category, says, check=check, consequences=(
            *written(texts.get('consequences', ())), *chain(*consequences)), **options))

    def in_category(self, category: str) -> Callable[..., Callable[[Check], Check]]:
        """
        Return the decorator that registers the rules of a category.

        It takes the code and the severity of a rule, its consequences, and the options that are
        parameters of a :class:`Rule` and not in the file of texts. The first paragraph of the
        function's docstring is the summary of the rule, then come its reason, and last
        ``Fails in CONTEXT: `` and ``Passes: ``, each with an example on the same line or below,
        or ``Passes with `` and a part of it as in :func:`rule_text`; or ``Example: `` and one in
        words. With ``finds=False`` the function finds nothing: others report what the rule is
        about.

        :raises ValueError: there is no such category, or the code of a rule is not unique.
        """
        def rule(code: str, severity: Severity, *consequences: Consequences, finds: bool = True,
                 **options: str) -> Any:
            def register(check: Check) -> Check:
                self.state(code, severity, category, check.__doc__ or '',
                           check if finds else None, *consequences, **options)
                return check
            return register
        return rule

    def unwanted(self, select: Collection[str], ignore: Collection[str]) -> list[str]:
        """Return the rules that codes and categories exclude; a code overrides a category."""
        return [code for code, rule in self.items() if code in ignore or code not in select and (
                    rule.category in ignore or select and rule.category not in select)]


CODE = 'internal-error'
"""The rule that reports faults, whatever is checked."""

HINT = 'Report the bug, with the description or the recording that causes it'

_PACKAGE = os.path.join(Path(__file__).parent.parent, '')


class Faults:
    """
    Exceptions in the parts of a check, which go on with the next part.

    Several parts that fail with the same exception in the same line have one fault.
    """

    def __init__(self) -> None:
        self._parts: dict[tuple[str, str], list[str]] = {}
        self._tracebacks: dict[tuple[str, str], str] = {}

    @contextmanager
    def contained(self, part: str) -> Iterator[None]:
        """
        End a block at an exception, which is noted, and go on after the block.

        :param part: what the block does, such as ``rule limit-inverted``.
        :raises MemoryError: there is not enough memory.
        """
        try:
            yield
        except Exception as error:
            self.add(part, error)

    def add(self, part: str, error: Exception) -> None:
        """
        Note an exception.

        :raises MemoryError: it is a lack of memory.
        """
        if is_lack_of_memory(error):
            raise MemoryError from error
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames
               if frame.filename.startswith(_PACKAGE) and frame.filename != __file__]
        frame = (own or frames)[-1]
        key = (location(os.path.basename(frame.filename), frame.lineno),
               f'{type(error).__name__}: {error}')
        self._tracebacks.setdefault(key, ''.join(traceback.format_exception(error)))
        parts = self._parts.setdefault(key, [])
        if part not in parts:
            parts.append(part)

    def defects(self, rule: Rule[Checked, DefectT], checked: Checked
                ) -> Iterator[tuple[DefectT, Consequences]]:
        """Yield the defects that a rule finds, each with its effects on programs."""
        try:
            for defect in rule.check(checked) if rule.check is not None else ():
                consequences: Consequences = ()
                with self.contained(f'a condition of rule {rule.code}'):
                    consequences = defect.consequences(rule, checked)
                yield defect, consequences
        except Exception as error:
            self.add(f'rule {rule.code}', error)

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each fault: which parts failed, and where."""
        for (where, error), parts in self._parts.items():
            first = f'{parts[0][:1].upper()}{parts[0][1:]}'
            yield Finding(
                CODE, Severity.ERROR, Message(
                    '{parts:and} failed at {location}: {error}', parts=(first, *parts[1:]),
                    location=FreeText(where), error=FreeText(error)),
                HINT, traceback=self._tracebacks[where, error])
