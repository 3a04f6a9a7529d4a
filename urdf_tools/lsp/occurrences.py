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
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
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
from urdf_tools.lsp.source_text import Cursor
from urdf_tools.lsp.source_text import cursor_at
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.source_text import uri_of
from urdf_tools.lsp.specification import ELEMENTS
from urdf_tools.lsp.specification import fits
from urdf_tools.lsp.specification import is_one_symbol
from urdf_tools.lsp.specification import Kind
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
from urdf_tools.model.xml.syntax_tree import Node

_MAX_DEPTH = 8
_MAX_FILES = 500
_NOT_IN_NAMES = frozenset('<>&"\'${}')
_WORDS = {'arg': 'argument'}

Purpose = Literal['defines', 'refers', 'other']
"""What a value is used for: to define a name of the kind, to refer to one, or anything else."""


class Occurrence(NamedTuple):
    """
    A name in a text.

    :ivar is_changed: whether an expression makes something else of it, too.
    """

    source: Source
    use: Use
    is_changed: bool = False


class NameIndex:
    """
    The names in some files.

    Xacro looks up the symbols of a macro where it is called. So a name that a
    macro does not bind itself is that of each of its callers, and the global one. Where that
    depends on a condition, all that it may be are one symbol: what is renamed together keeps its
    meaning. The name of a link, joint or material may be written where xacro makes it one: as the
    argument of a macro, or as the value of a property.

    :param sources: the files that share names.
    """

    def __init__(self, sources: Iterable[Source]):
        self.sources = list(sources)

    @cached_property
    def callers(self) -> dict[str, list[str]]:
        """The scopes that use what is in a scope, by that."""
        return grouped(call for source in self.sources for call in source.names.calls)

    @cached_property
    def _open_scopes(self) -> set[str]:
        """The macros that include files, whose symbols those see."""
        return set().union(*(source.names.including for source in self.sources))

    @cached_property
    def _namespaces(self) -> set[str]:
        return set().union(*(source.names.namespaces for source in self.sources))

    def uses(self, name: str, kind: Kind) -> Iterator[Occurrence]:
        """Yield the uses of a name, of all its symbols."""
        return (Occurrence(source, use) for source in self.sources
                for use in source.names.of(name) if use.kind == kind
                and (use.how != 'member' or use.scope in self._namespaces))

    def same(self, wanted: Use) -> list[Occurrence]:
        """Return all uses of the symbol of a use."""
        found = list(self.uses(wanted.name, wanted.kind))
        if wanted.kind != 'property':
            return found
        joined = list(self._joined_scopes(found))
        group = reached(_scope(wanted), grouped([*joined, *(pair[::-1] for pair in joined)]))
        return [each for each in found if _scope(each.use) in group]

    def _joined_scopes(self, found: Iterable[Occurrence]) -> Iterator[tuple[str, str]]:
        """Yield pairs of scopes in which a name is the same symbol."""
        by_scope = grouped((_scope(use), use) for _, use, _ in found)
        bound = {scope for scope, inside in by_scope.items()
                 if scope not in self._open_scopes and _binds(inside)}
        for scope, inside in by_scope.items():
            if scope == ANY_MACRO:
                yield from ((scope, other) for other in bound)
            looks_up = scope not in bound or any(use.how == 'reads outside' for use in inside)
            if scope != GLOBAL and (looks_up or any(use.how == 'sets' for use in inside)):
                yield scope, GLOBAL
                yield from ((scope, caller)
                            for caller in reached(scope, self.callers, bound) & bound)

    def parts(self, kind: Kind, is_wanted: Callable[[str], bool]) -> Iterator[Occurrence]:
        """Yield where the wanted names of links, joints or materials are written."""
        links = {use.name for source in self.sources for use in source.names.all
                 if use.kind == 'link' and use.defines}
        for source in self.sources:
            for use in source.names.all:
                if is_wanted(use.name) and fits(kind, use.kind) and (
                        use.kind == kind or kind == 'link' or use.name not in links):
                    yield Occurrence(source, use)
            for node in source.tree.nodes if source.is_xacro else ():
                for symbol, value, start in _passed_values(source, node):
                    purposes = self._purposes(symbol, kind, set()) if is_wanted(value) else set()
                    if purposes - {'other'}:
                        yield Occurrence(source, Use(
                            kind, value, start, start + len(value), GLOBAL,
                            'binds' if 'defines' in purposes else 'reads'), 'other' in purposes)

    def _purposes(self, symbol: Use, kind: Kind, visited: set[Use]) -> set[Purpose]:
        """Return what the value of a symbol is used for, beside names of a kind."""
        found: set[Purpose] = set()
        if len(visited) > _MAX_DEPTH:
            return {'other'}
        for source, use, _ in self.same(symbol):
            if use.how in ('reads', 'reads outside') and use not in visited:
                visited.add(use)
                found |= self._purposes_at(source, cursor_at(source, use.start), kind, visited)
        return found

    def _purposes_at(self, source: Source, cursor: Cursor | None, kind: Kind, visited: set[Use]
                     ) -> set[Purpose]:
        attribute = None if cursor is None else cursor.attribute
        if cursor is None or attribute is None or not is_one_symbol(attribute.value):
            return {'other'}
        node, use = cursor.node, None
        role = role_of(node, attribute.name)
        if role is not None and fits(kind, role.kind):
            return {'defines' if role.defines else 'refers'}
        if node.tag == 'xacro:property' and attribute.name in ('value', 'default'):
            use = _defined_by(source, node)
        elif macro_name(node.tag):
            use = source.names.starting.get(attribute.start)
        return {'other'} if use is None else self._purposes(use, kind, visited)


def reached(start: str, edges: Mapping[str, Iterable[str]], last: Iterable[str] = ()) -> set[str]:
    """
    Return what can be reached along edges, with the start.

    :param last: what is not left again, but the start.
    """
    found = {start}
    pending = [start]
    while pending:
        new = set(edges.get(pending.pop(), ())) - found
        found |= new
        pending += new.difference(last)
    return found


def _scope(use: Use) -> str:
    return GLOBAL if use.how == 'member' else use.scope


def _binds(uses: list[Use]) -> bool:
    """Return whether a scope binds a name before it is looked up there."""
    if any(use.how in ('parameter', 'passes') for use in uses):
        return True
    first = min((use.start for use in uses if use.how == 'binds'), default=-1)
    return first >= 0 and not any(use.start < first for use in uses if use.how == 'reads')


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
            for use in source.names.of(parameter):
                if params and use.how == 'parameter' and node.start < use.start < node.tag_end:
                    yield use, default, params.value_start + start
    elif macro_name(node.tag):
        for attribute in node.attributes:
            use = source.names.starting.get(attribute.start)
            if use is not None and use.how == 'passes':
                yield use, attribute.value, attribute.value_start


def _defined_by(source: Source, node: Node) -> Use | None:
    named = node.attribute('name')
    return None if named is None else source.names.starting.get(named.value_start)


def may_make(template: str, name: str) -> bool:
    """
    Return whether a text with expressions may expand to a name.

    An expression alone may expand to any name.
    """
    return re.fullmatch(pattern_of(template, '.*'), name, re.DOTALL) is not None


def name_at(project: Project, source: Source, offset: int) -> Use | None:
    """Return the name at an offset, or None."""
    use = None if cursor_at(source, offset) is None else source.names.at(offset)
    if use is None or use.kind != 'link or joint':
        return use
    is_link = any(other.name == use.name for _, other in project.definitions(source, 'link')
                  if other.kind == 'link')
    return use._replace(kind='link' if is_link else 'joint')


def index_near(project: Project, source: Source, name: Use) -> NameIndex:
    """Return the files that may share a name with one."""
    return NameIndex(project.sharing(source, name.kind))


def index_of(project: Project, source: Source, name: Use) -> NameIndex:
    """
    Return all files that share a name.

    Those that share names with a file that has it may be more than those of the first one.
    """
    index = NameIndex(())
    known: dict[str, Source] = {}
    done: set[str] = set()
    pending = {source.path: source}
    while pending and len(known) < _MAX_FILES:
        path, new = pending.popitem()
        done.add(path)
        before = len(known)
        known.update((other.path, other) for other in project.sharing(new, name.kind))
        if len(known) > before:
            index = NameIndex(known.values())
            pending = {each.source.path: each.source for each in occurrences_of(index, name)
                       if each.source.path not in done}
    return index


def occurrences_of(index: NameIndex, name: Use) -> list[Occurrence]:
    """Return the occurrences of a name in some files."""
    if not name.is_symbol:
        return list(index.parts(name.kind, name.name.__eq__))
    # A parameter with a default is also one that is read.
    found = sorted(index.same(name), key=lambda each: each.use.defines)
    return list({(each.source.path, each.use.start): each for each in found}.values())


def definitions_of(index: NameIndex, name: Use) -> list[Occurrence]:
    """Return where a name is defined: in the macro that uses it, if that binds it."""
    written = [each for each in occurrences_of(index, name) if each.use.defines]
    bound = [each for each in written if each.use.scope == name.scope]
    return written if name.how == 'reads outside' else bound or written


def definitions_at(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], offset: int
        ) -> list[types.Location]:
    """
    Return where the name at an offset is defined, the most likely location first.

    :param robots: what the file was expanded to, for names that xacro makes.
    """
    name = name_at(project, source, offset)
    if name is None:
        return list(_file_at(project, source, offset))
    found = definitions_of(index_near(project, source, name), name)
    if found or name.is_symbol:
        return [location(each) for each in sorted(
            found, key=lambda each: each.source is not source)]
    return [project.location(each) for robot in robots
            for each in robot.definitions(name.kind, name.name)]


def location(found: Occurrence) -> types.Location:
    """Return an occurrence as a location of the protocol."""
    return types.Location(
        uri_of(found.source.path), found.source.positions.range(found.use.start, found.use.end))


def _file_at(project: Project, source: Source, offset: int) -> Iterator[types.Location]:
    """Yield the file, or the manifest of the package, that the value at an offset names."""
    cursor = cursor_at(source, offset)
    if cursor is None or cursor.attribute is None or cursor.part != 'value':
        return
    resolver = project.resolver(source)
    name = cursor.attribute.value
    path: str | os.PathLike[str] | None
    if cursor.node.tag == 'xacro:include':
        path = project.included_path(source, name)
    elif cursor.attribute.name == 'filename' and '$' not in name:
        try:
            path = resolver.resolve(name)
        except ResourceError:
            return  # A diagnostic says why.
    else:
        folder = resolver.find_package(package_at(cursor.attribute, offset))
        path = folder and folder / 'package.xml'
    if path and os.path.isfile(path):
        yield types.Location(
            uri_of(os.fspath(path)), types.Range(types.Position(0, 0), types.Position(0, 0)))


class RenameError(JsonRpcException):
    """A name that cannot be changed; the text is one sentence for the user."""

    CODE = int(types.LSPErrorCodes.RequestFailed)


def renamable_at(project: Project, source: Source, offset: int) -> Use:
    """
    Return the name at an offset.

    :raises RenameError: there is none that can be changed.
    """
    name = name_at(project, source, offset)
    if name is None:
        raise RenameError('Only the names of links, joints, materials, macros, properties and '
                          'arguments can be changed')
    if '$' in name.name:
        raise RenameError(f'The name {quote(name.name)} is made by an expression; change what '
                          'the expression uses')
    return name


def renamed(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], name: Use,
        new_name: str, is_editable: Callable[[str], bool]) -> list[Occurrence]:
    """
    Return every occurrence of a name that must be changed.

    :param robots: what the file was expanded to.
    :param is_editable: returns whether a file belongs to the user.
    :raises RenameError: the new name is not possible, or an occurrence is not editable.
    """
    word = _WORDS.get(name.kind, name.kind)
    if not new_name.strip() or _NOT_IN_NAMES & set(new_name) or any(map(str.isspace, new_name)):
        raise RenameError(f'{quote(new_name)} cannot be a name: write one without spaces, '
                          'quotes and any of <>&${}')
    is_word = new_name.isidentifier() and not keyword.iskeyword(new_name)
    if (name.kind == 'property' and (not is_word or new_name.startswith('__'))
            or name.kind == 'macro' and f'xacro:{new_name}' in ELEMENTS
            or name.is_symbol and not new_name.replace('-', '_').isidentifier()):
        raise RenameError(f'{quote(new_name)} cannot be the name of a {word} of xacro')
    index = index_of(project, source, name)
    found = occurrences_of(index, name)
    if not any(each.use.defines for each in found):
        raise RenameError(f'{word.capitalize()} {quote(name.name)} is not defined in '
                          'these files, or an expression makes its name')
    if name.is_symbol:
        _check_symbol(index, name, new_name)
    else:
        _check_part(index, robots, name, new_name)
    for each in found:
        if each.is_changed:
            raise RenameError(f'The name {quote(name.name)} is handed to an expression that '
                              'makes something else of it, too')
        if not is_editable(each.source.path):
            raise RenameError(f'The name {quote(name.name)} is also written in '
                              f'{quote(each.source.path, 200)}, which is outside of the '
                              'workspace')
    return found


def _check_part(
        index: NameIndex, robots: Sequence[ExpandedRobot], name: Use, new_name: str) -> None:
    """Check that the new name is unused, and that no expression makes the old one."""
    is_taken = any(use.defines for _, use, _ in index.uses(new_name, name.kind)) or any(
        new_name in robot.names(name.kind) for robot in robots)
    if is_taken and new_name != name.name:
        raise RenameError(f'The name {quote(new_name)} exists already')
    templates = (raw for robot in robots for raw in robot.templates(name.kind, name.name))
    if not robots:
        templates = (each.use.name for each in index.parts(
            name.kind, lambda text: '$' in text and not is_one_symbol(text)))
    for template in templates:
        if may_make(template, name.name):
            raise RenameError(f'The name {quote(name.name)} is also made by '
                              f'{quote(template)}; change what the expression uses')


def _check_symbol(index: NameIndex, name: Use, new_name: str) -> None:
    """Check that the new name is unused in the scope of the symbol."""
    if new_name == name.name:
        return
    scopes = {use.scope for _, use, _ in index.same(name)}
    for _, other, _ in index.uses(new_name, name.kind):
        if name.kind != 'property' or GLOBAL in scopes or (
                scopes & reached(other.scope, index.callers)):
            raise RenameError(f'The name {quote(new_name)} exists already')
    for source in index.sources:
        for use in source.names.all:
            if use.how == 'makes' and use.kind == name.kind and may_make(use.name, name.name):
                raise RenameError(f'The name {quote(name.name)} may also be made by an '
                                  f'expression in {quote(source.path, 200)}')
