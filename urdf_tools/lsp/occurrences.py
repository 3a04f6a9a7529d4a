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
"""The name at the cursor in all files that share it: occurrences, definitions, renaming."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from functools import cached_property
import keyword
import os
import re
from typing import Literal
from typing import NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.expressions import pattern_of
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import cursor_at
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.source_text import uri_of
from urdf_tools.lsp.specification import ELEMENTS
from urdf_tools.lsp.specification import fits
from urdf_tools.lsp.specification import is_one_symbol
from urdf_tools.lsp.specification import Kind
from urdf_tools.lsp.specification import Named
from urdf_tools.lsp.specification import package_at
from urdf_tools.lsp.specification import parameter_defaults
from urdf_tools.lsp.specification import role_of
from urdf_tools.lsp.symbol_uses import ANY_MACRO
from urdf_tools.lsp.symbol_uses import GLOBAL
from urdf_tools.lsp.symbol_uses import macro_name
from urdf_tools.lsp.symbol_uses import Use
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.xml.syntax_tree import Attribute
from urdf_tools.model.xml.syntax_tree import Node
_MAX_DEPTH = 8
_MAX_FILES = 500
_NOT_IN_NAMES = frozenset('<>&"\'${}')
_WORDS = {'arg': 'argument'}
_XACRO_FILE = re.compile(r'[\w.-]+\.xacro\b')

Purpose = Literal['defines', 'refers', 'other']
"""What a value is used for: to define a name of the kind, to refer to one, or anything else."""


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

    Xacro looks up the symbols of a macro where it is called. So a name that a
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


class PartNames:
    """
    The names of links, joints or materials in some files.

    A name may be written where xacro makes it one: as the argument of a macro, or as the value of
    a property.

    :ivar defined: kind and name of what is defined as it is written.
    """

    def __init__(self, index: SymbolIndex, kind: Kind):
        self._index = index
        self._kind = kind
        self._named = [(source, named) for source in index.sources for named in source.named]
        self.defined = {(named.role.kind, named.attribute.value) for _, named in self._named
                        if named.role.defines}

    def templates(self) -> Iterator[str]:
        """Yield the names with expressions and text in them."""
        for each, _ in self._written('$', lambda name: '$' in name and not is_one_symbol(name)):
            yield each.source.text[each.start:each.end]

    def occurrences(self, name: str) -> Iterator[tuple[Occurrence, set[Purpose]]]:
        """Yield the occurrences of a name, with their purposes."""
        return self._written(name, name.__eq__)

    def _written(self, part: str, is_wanted: Callable[[str], bool]
                 ) -> Iterator[tuple[Occurrence, set[Purpose]]]:
        """
        Yield the occurrences of the wanted names.

        :param part: a text that each of them contains.
        """
        for source, named in self._named:
            attribute, role = named.attribute, named.role
            if is_wanted(attribute.value) and self._is_of_kind(named):
                defines = role.defines and role.kind == self._kind
                yield (Occurrence(source, attribute.value_start, attribute.value_end, defines),
                       {'defines' if defines else 'refers'})
        for source in self._index.sources:
            for node in source.tree.nodes if source.is_xacro and part in source.text else ():
                for use, value, start in _passed_values(source, node):
                    purposes = self._purposes(use, set()) if is_wanted(value) else set()
                    if purposes - {'other'}:
                        yield (Occurrence(source, start, start + len(value),
                                          'defines' in purposes), purposes)

    def _is_of_kind(self, named: Named) -> bool:
        if named.role.kind == 'link or joint' and self._kind == 'joint':
            return ('link', named.attribute.value) not in self.defined
        return fits(self._kind, named.role.kind)

    def _purposes(self, symbol: Use, visited: set[Use]) -> set[Purpose]:
        """Return what the value of a symbol is used for."""
        found: set[Purpose] = set()
        if len(visited) > _MAX_DEPTH:
            return {'other'}
        for source, use in self._index.same(symbol):
            if use.how in ('reads', 'reads outside') and use not in visited:
                visited.add(use)
                cursor = cursor_at(source, use.start)
                if cursor is None or cursor.node is None or cursor.attribute is None:
                    found.add('other')
                else:
                    found |= self._purposes_at(source, cursor.node, cursor.attribute, visited)
        return found

    def _purposes_at(self, source: Source, node: Node, attribute: Attribute, visited: set[Use]
                     ) -> set[Purpose]:
        is_whole = is_one_symbol(attribute.value)
        role = role_of(node, attribute.name)
        if is_whole and role is not None and fits(self._kind, role.kind):
            return {'defines' if role.defines else 'refers'}
        if is_whole and node.tag == 'xacro:property' and attribute.name in ('value', 'default'):
            use = _defined_by(source, node)
        else:
            use = source.symbols.at(attribute.start) if is_whole and macro_name(node.tag) else None
        return {'other'} if use is None else self._purposes(use, visited)


def _passed_values(source: Source, node: Node) -> Iterator[tuple[Use, str, int]]:
    """Yield the symbols that an element gives a value, the value, and where that is written."""
    if node.tag in ('xacro:property', 'xacro:arg'):
        use = _defined_by(source, node)
        for attribute in node.attributes:
            if use is not None and attribute.name in ('value', 'default'):
                yield use, attribute.value, attribute.value_start
    elif node.tag == 'xacro:macro':
        params = node.attribute('params')
        for parameter, default, start in parameter_defaults(node):
            for use in source.symbols.uses.get(parameter, ()):
                if params and use.how == 'parameter' and node.start < use.start < node.tag_end:
                    yield use, default, params.value_start + start
    elif macro_name(node.tag):
        for attribute in node.attributes:
            use = source.symbols.at(attribute.start)
            if use is not None and use.how == 'passes':
                yield use, attribute.value, attribute.value_start


def _defined_by(source: Source, node: Node) -> Use | None:
    named = node.attribute('name')
    return None if named is None else source.symbols.at(named.value_start)


def may_make(template: str, name: str) -> bool:
    """
    Return whether a text with expressions may expand to a name.

    An expression alone may expand to any name.
    """
    return re.fullmatch(pattern_of(template, '.*'), name, re.DOTALL) is not None


class NameAtCursor(NamedTuple):
    """
    A name at the cursor, with its offsets in the text.

    :ivar use: the symbol of xacro; None for the name of a link, joint or material.
    """

    kind: Kind
    name: str
    start: int
    end: int
    use: Use | None = None


def target_at(project: Project, source: Source, offset: int) -> NameAtCursor | None:
    """Return the name at an offset, or None."""
    cursor = cursor_at(source, offset)
    if cursor is None:
        return None
    use = source.symbols.at(offset)
    if use is not None:
        return NameAtCursor(use.kind, use.name, use.start, use.end, use)
    if cursor.part != 'value' or cursor.node is None or cursor.attribute is None:
        return None
    role = role_of(cursor.node, cursor.attribute.name)
    name = cursor.attribute.value
    if role is None or not name:
        return None
    kind = role.kind
    if kind == 'link or joint':
        is_link = any(named.attribute.value == name
                      for _, named in project.definitions(source, 'link')
                      if named.role.kind == 'link')
        kind = 'link' if is_link else 'joint'
    return NameAtCursor(kind, name, cursor.start, cursor.end)


def files_near(project: Project, source: Source, target: NameAtCursor) -> SymbolIndex:
    """Return the files that may share a name with one, with their symbols."""
    return SymbolIndex(
        project.related(source) if target.use is None else project.expanded_with(source))


def files_of(project: Project, source: Source, target: NameAtCursor) -> SymbolIndex:
    """
    Return all files that share a name, with their symbols.

    Those that share names with a file that has it may be more than those of the first one.
    """
    index = SymbolIndex(())
    known: dict[str, Source] = {}
    done: set[str] = set()
    pending = {source.path: source}
    while pending and len(known) < _MAX_FILES:
        path, new = pending.popitem()
        done.add(path)
        before = len(known)
        known.update((other.path, other) for other in files_near(project, new, target).sources)
        if len(known) > before:
            index = SymbolIndex(known.values())
            pending = {each.source.path: each.source for each in occurrences_of(index, target)
                       if each.source.path not in done}
    return index


def occurrences_of(index: SymbolIndex, target: NameAtCursor) -> dict[Occurrence, set[Purpose]]:
    """Return the occurrences of a name in some files, and their purposes."""
    found: dict[Occurrence, set[Purpose]] = {}
    if target.use is None:
        for each, purposes in PartNames(index, target.kind).occurrences(target.name):
            found.setdefault(each, set()).update(purposes)
        return found
    uses: dict[tuple[str, int], Occurrence] = {}
    for source, use in index.same(target.use):
        if use.defines or (source.path, use.start) not in uses:
            uses[source.path, use.start] = Occurrence(
                source, use.start, use.end, use.defines, use.how == 'closes')
    return {each: {'defines' if each.defines else 'refers'} for each in uses.values()}


def definitions_of(index: SymbolIndex, target: NameAtCursor) -> list[Occurrence]:
    """Return where a name is defined: in the macro that uses it, if that binds it."""
    written = [each for each in occurrences_of(index, target) if each.defines]
    use = target.use
    if use is None or use.how == 'reads outside':
        return written
    bound = {(source.path, each.start) for source, each in index.same(use)
             if each.defines and each.scope == use.scope}
    return [each for each in written if (each.source.path, each.start) in bound] or written


def given_in_launch_files(
        project: Project, sources: Iterable[Source], name: str) -> Iterator[Occurrence]:
    """
    Yield where launch files of a workspace pass an argument to xacro files.

    :param sources: the xacro files; launch files that name only others are left out.
    """
    names = {os.path.basename(source.path) for source in sources}
    escaped = re.escape(name)
    pattern = re.compile(rf'(?<![\w.-])({escaped}):=|'
                         rf'\bmappings\s*=\s*\{{[^{{}}]*["\']({escaped})["\']\s*:')
    for path in project.launch_files():
        source = project.source(path)
        if source is not None and name in source.text and 'xacro' in source.text:
            named = set(_XACRO_FILE.findall(source.text))
            if not named or named & names:
                yield from (Occurrence(source, *match.span(match.lastindex or 0))
                            for match in pattern.finditer(source.text))


def definitions_at(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], offset: int
        ) -> list[types.Location]:
    """
    Return where the name at an offset is defined, the most likely location first.

    :param robots: what the file was expanded to, for names that xacro makes.
    """
    target = target_at(project, source, offset)
    if target is not None:
        index = files_near(project, source, target)
        found = sorted(definitions_of(index, target), key=lambda each: each.source is not source)
        if target.kind == 'arg':
            found += given_in_launch_files(project, index.sources, target.name)
        if found or target.use is not None:
            return list(map(location, found))
        return [project.location(each) for robot in robots
                for each in robot.definitions(target.kind, target.name)]
    cursor = cursor_at(source, offset)
    if cursor is None or cursor.node is None or cursor.attribute is None or (
            cursor.part != 'value'):
        return []
    return list(_file_at(project, source, cursor.node, cursor.attribute, offset))


def location(found: Occurrence) -> types.Location:
    """Return an occurrence as a location of the protocol."""
    return types.Location(
        uri_of(found.source.path), found.source.positions.range(found.start, found.end))


def _file_at(
        project: Project, source: Source, node: Node, attribute: Attribute, offset: int
        ) -> Iterator[types.Location]:
    """Yield the file, or the manifest of the package, that a value names."""
    resolver = project.resolver(source)
    path: str | os.PathLike[str] | None
    if node.tag == 'xacro:include':
        path = project.included_path(source, attribute.value)
    elif attribute.name == 'filename' and '$' not in attribute.value:
        try:
            path = resolver.resolve(attribute.value)
        except ResourceError:
            return  # A diagnostic says why.
    else:
        folder = resolver.find_package(package_at(attribute, offset))
        path = folder and folder / 'package.xml'
    if path and os.path.isfile(path):
        yield types.Location(
            uri_of(os.fspath(path)), types.Range(types.Position(0, 0), types.Position(0, 0)))


class RenameError(JsonRpcException):
    """A name that cannot be changed; the text is one sentence for the user."""

    CODE = int(types.LSPErrorCodes.RequestFailed)


def renamable_at(project: Project, source: Source, offset: int) -> NameAtCursor:
    """
    Return the name at an offset.

    :raises RenameError: there is none that can be changed.
    """
    target = target_at(project, source, offset)
    if target is None:
        raise RenameError('Only the names of links, joints, materials, macros, properties and '
                          'arguments can be changed')
    if '$' in target.name:
        raise RenameError(f'The name {quote(target.name)} is made by an expression; change what '
                          'the expression uses')
    return target


def renamed(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], target: NameAtCursor,
        new_name: str, is_editable: Callable[[str], bool]) -> list[Occurrence]:
    """
    Return every occurrence of a name that must be changed.

    :param robots: what the file was expanded to.
    :param is_editable: returns whether a file belongs to the user.
    :raises RenameError: the new name is not possible, or an occurrence is not editable.
    """
    index = files_of(project, source, target)
    _check_name(target, new_name)
    found = occurrences_of(index, target)
    if not any('defines' in purposes for purposes in found.values()):
        raise RenameError(f'{_word(target).capitalize()} {quote(target.name)} is not defined in '
                          'these files, or an expression makes its name')
    if target.use is None:
        _check_part(index, robots, target, new_name)
        if any('other' in purposes for purposes in found.values()):
            raise RenameError(f'The name {quote(target.name)} is handed to an expression that '
                              'makes something else of it, too')
    elif new_name != target.name:
        _check_symbol(index, target, target.use, new_name)
    for occurrence in found:
        if not is_editable(occurrence.source.path):
            raise RenameError(f'The name {quote(target.name)} is also written in '
                              f'{quote(occurrence.source.path, 200)}, which is outside of the '
                              'workspace')
    return list(found)


def _word(target: NameAtCursor) -> str:
    return _WORDS.get(target.kind, target.kind)


def _check_name(target: NameAtCursor, new_name: str) -> None:
    if not new_name.strip() or _NOT_IN_NAMES & set(new_name) or any(map(str.isspace, new_name)):
        raise RenameError(f'{quote(new_name)} cannot be a name: write one without spaces, '
                          'quotes and any of <>&${}')
    is_word = new_name.isidentifier() and not keyword.iskeyword(new_name)
    if (target.kind == 'property' and (not is_word or new_name.startswith('__'))
            or target.kind == 'macro' and f'xacro:{new_name}' in ELEMENTS
            or target.use is not None and not new_name.replace('-', '_').isidentifier()):
        raise RenameError(f'{quote(new_name)} cannot be the name of a {_word(target)} of xacro')


def _check_part(
        index: SymbolIndex, robots: Sequence[ExpandedRobot], target: NameAtCursor, new_name: str
        ) -> None:
    """Check that the new name is unused, and that no expression makes the old one."""
    names = PartNames(index, target.kind)
    is_taken = (target.kind, new_name) in names.defined or any(
        new_name in robot.names(target.kind) for robot in robots)
    if is_taken and new_name != target.name:
        raise RenameError(f'The name {quote(new_name)} exists already')
    templates = names.templates() if not robots else (
        raw for robot in robots for raw in robot.templates(target.kind, target.name))
    for template in templates:
        if may_make(template, target.name):
            raise RenameError(f'The name {quote(target.name)} is also made by '
                              f'{quote(template)}; change what the expression uses')


def _check_symbol(index: SymbolIndex, target: NameAtCursor, use: Use, new_name: str) -> None:
    """Check that the new name is unused in the scope of the symbol."""
    scopes = {other.scope for _, other in index.same(use)}
    for _, other in index.uses(new_name, target.kind):
        if target.kind != 'property' or GLOBAL in scopes or (
                scopes & index.with_callers(other.scope)):
            raise RenameError(f'The name {quote(new_name)} exists already')
    for source in index.sources:
        for template in source.symbols.templates[target.kind]:
            if may_make(template, target.name):
                raise RenameError(f'The name {quote(target.name)} may also be made by an '
                                  f'expression in {quote(source.path, 200)}')
