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

"""An index of the names that xacro looks up, which groups their uses by symbol."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.symbol_uses import ANY_MACRO
from urdf_tools.lsp.symbol_uses import GLOBAL
from urdf_tools.lsp.symbol_uses import Use
from urdf_tools.model.grouping import grouped


class Occurrence(NamedTuple):
    """A name in a text."""

    source: Source
    start: int
    end: int
    defines: bool = False
    closes: bool = False


class SymbolIndex:
    """
    The macros, properties, parameters and arguments of some files.

    Xacro looks the symbols of a macro up where it is called, whoever calls it. So a name that a
    macro does not bind itself is that of each of its callers, and the global one. Where that
    depends on a condition, all that it may be are one symbol: what is renamed together keeps its
    meaning.

    :param sources: the files that share names.
    """

    def __init__(self, sources: Iterable[Source]):
        self.sources = list(sources)

    @cached_property
    def callers(self) -> dict[str, set[str]]:
        """The scopes that use what is in a scope, by that."""
        found: dict[str, set[str]] = {}
        for source in self.sources:
            for scope, caller in source.symbols.calls:
                found.setdefault(scope, set()).add(caller)
        return found

    @cached_property
    def _open_scopes(self) -> set[str]:
        """The macros that include files, whose symbols those see."""
        return set().union(*(source.symbols.including for source in self.sources))

    @cached_property
    def _namespaces(self) -> set[str]:
        return set().union(*(source.symbols.namespaces for source in self.sources))

    def uses(self, name: str, kind: str) -> Iterator[tuple[Source, Use]]:
        """Yield the uses of a name, of all its symbols."""
        return ((source, use) for source in self.sources
                for use in source.symbols.uses.get(name, ()) if use.kind == kind
                and (use.how != 'member' or use.scope in self._namespaces))

    def same(self, wanted: Use) -> list[tuple[Source, Use]]:
        """Return all uses of the symbol of a use."""
        uses = list(self.uses(wanted.name, wanted.kind))
        if wanted.kind != 'property':
            return uses
        groups = self._groups(uses)
        group = groups.of(_scope(wanted))
        return [(source, use) for source, use in uses if groups.of(_scope(use)) == group]

    def with_callers(self, scope: str, last: Collection[str] = ()) -> set[str]:
        """
        Return a scope and its direct and indirect callers.

        :param last: scopes whose own callers do not count.
        """
        found = {scope}
        pending = [scope]
        while pending:
            new = self.callers.get(pending.pop(), set()) - found
            found |= new
            pending += new.difference(last)
        return found

    def _groups(self, uses: list[tuple[Source, Use]]) -> _Groups:
        groups = _Groups()
        by_scope = grouped((_scope(use), use) for _, use in uses)
        bound = {scope for scope, inside in by_scope.items()
                 if scope not in self._open_scopes and _binds(inside)}
        for scope, inside in by_scope.items():
            if scope == ANY_MACRO:
                for other in bound:
                    groups.join(scope, other)
            looks_up = scope not in bound or any(use.how == 'reads outside' for use in inside)
            if scope != GLOBAL and (looks_up or any(use.how == 'sets' for use in inside)):
                groups.join(scope, GLOBAL)
                for caller in self.with_callers(scope, bound) & bound:
                    groups.join(scope, caller)
        return groups


def _scope(use: Use) -> str:
    return GLOBAL if use.how == 'member' else use.scope


def _binds(uses: list[Use]) -> bool:
    """Return whether a scope binds a name before it is looked up there."""
    if any(use.how in ('parameter', 'passes') for use in uses):
        return True
    first = min((use.start for use in uses if use.how == 'binds'), default=-1)
    return first >= 0 and not any(use.start < first for use in uses if use.how == 'reads')


class _Groups:
    """Scopes that share a symbol."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def of(self, scope: str) -> str:
        while scope in self._above:
            scope = self._above[scope]
        return scope

    def join(self, scope: str, other: str) -> None:
        top, above = self.of(scope), self.of(other)
        if top != above:
            self._above[top] = above
