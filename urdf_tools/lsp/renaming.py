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

"""Rename the name at the cursor, with everything that refers to it."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
import keyword

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.occurrences import files_of
from urdf_tools.lsp.occurrences import may_make
from urdf_tools.lsp.occurrences import NameAtCursor
from urdf_tools.lsp.occurrences import Occurrence
from urdf_tools.lsp.occurrences import occurrences_of
from urdf_tools.lsp.occurrences import PartNames
from urdf_tools.lsp.occurrences import SymbolIndex
from urdf_tools.lsp.occurrences import target_at
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.specification import ELEMENTS
from urdf_tools.lsp.symbol_uses import GLOBAL
from urdf_tools.lsp.symbol_uses import Use
from urdf_tools.model.messages import quote

_NOT_IN_NAMES = frozenset('<>&"\'${}')
_WORDS = {'arg': 'argument'}


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
