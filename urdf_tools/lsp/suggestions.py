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

"""What may be written at the cursor: elements, attributes, names, packages and files."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from itertools import islice
import os

from lsprotocol import types

from urdf_tools.lsp.cursor import Cursor
from urdf_tools.lsp.cursor import cursor_at
from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.name_roles import Kind
from urdf_tools.lsp.name_roles import parameters
from urdf_tools.lsp.name_roles import role_of
from urdf_tools.lsp.name_roles import substitution_at
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.lsp.specification import attribute_text
from urdf_tools.lsp.specification import ATTRIBUTES
from urdf_tools.lsp.specification import definition
from urdf_tools.lsp.specification import element_text
from urdf_tools.lsp.specification import ELEMENTS
from urdf_tools.lsp.specification import JOINT_TYPES
from urdf_tools.lsp.specification import own_parent
from urdf_tools.lsp.specification import type_text
from urdf_tools.meshes.mesh_facts import FORMATS
from urdf_tools.model.syntax_tree import Node
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.schema import Tag

TRIGGERS = ('<', ' ', '"', "'", '/', ':', '{', '(')
"""The characters after which an editor asks."""

_MAX_ITEMS = 1000
_MAX_ENTRIES = 5000
_IMAGES = ('.png', '.jpg', '.jpeg', '.tga', '.bmp', '.tif', '.tiff', '.gif')
_XACRO = tuple(name for name in ELEMENTS if name.startswith('xacro:'))

_Item = types.CompletionItem
_ItemKind = types.CompletionItemKind


class Suggestions:
    """
    Completes a file at an offset.

    :param robots: what the file was expanded to, for names that xacro makes.
    :param snippets: whether the client takes snippets.
    """

    def __init__(self, project: Project, source: Source, robots: Sequence[ExpandedRobot],
                 snippets: bool):
        self._project = project
        self._source = source
        self._robots = robots
        self._snippets = snippets

    def at(self, offset: int) -> types.CompletionList:
        """Return the suggestions at an offset."""
        cursor = cursor_at(self._source, offset)
        items = [] if cursor is None else list(islice(self._items(cursor, offset), _MAX_ITEMS))
        return types.CompletionList(len(items) == _MAX_ITEMS, items)

    def _items(self, cursor: Cursor, offset: int) -> Iterator[_Item]:
        if cursor.part == 'tag' and cursor.node is not None:
            yield from self._elements(cursor, offset)
        elif cursor.part == 'closing' and cursor.node is not None:
            yield self._item(cursor.node.tag + '>', _ItemKind.Class, cursor.start, cursor.end)
        elif cursor.part == 'attribute' and cursor.node is not None:
            yield from self._attributes(cursor, offset)
        elif cursor.part == 'value' and cursor.node is not None:
            yield from self._values(cursor, cursor.node, offset)
        elif cursor.part == 'content' and cursor.node is not None:
            begin = self._source.text.rfind('>', 0, offset) + 1
            opening, content, start = substitution_at(
                self._source.text[begin:offset], offset - begin)
            if opening:
                yield from self._substitution(begin, cursor.node, opening, start, offset)

    def _item(self, label: str, kind: types.CompletionItemKind, start: int, end: int,
              text: str | None = None, detail: str = '', is_snippet: bool = False) -> _Item:
        edit = types.TextEdit(
            self._source.positions.range(start, end), label if text is None else text)
        return _Item(
            label, kind=kind, detail=detail or None, text_edit=edit, filter_text=label,
            insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None)

    def _elements(self, cursor: Cursor, offset: int) -> Iterator[_Item]:
        node = cursor.node
        assert node is not None
        parent = own_parent(node)
        if parent is None:
            yield self._element('robot', ROBOT, '', cursor, offset)
            return
        tag = None if self._source.is_semantic else definition(parent)
        if tag is not None:
            present = {child.tag for child in parent.children if child is not node}
            for name, child in tag.children.items():
                if name not in present or name in tag.many:
                    yield self._element(name, child, parent.tag, cursor, offset)
        if self._source.is_xacro:
            for name in _XACRO:
                yield self._item(
                    name, _ItemKind.Keyword, cursor.start, offset, detail=element_text(name))
            macros = {named.attribute.value: named.node for _, named in reversed(
                self._project.definitions(self._source, 'macro'))}
            for macro in reversed(macros.values()):
                yield self._macro(macro, cursor, offset)

    def _element(self, name: str, tag: Tag | None, parent: str, cursor: Cursor, offset: int
                 ) -> _Item:
        text = None
        if self._snippets and tag is not None and cursor.node and not cursor.node.attributes:
            given = ''.join(
                f' {attribute}="${number}"' for number, attribute in enumerate(
                    (word for word in tag.required if word in tag.attributes), 1))
            text = name + given
            if not cursor.node.finished:
                text += f'>$0</{name}>' if tag.children else '/>'
        return self._item(
            name, _ItemKind.Class, cursor.start, offset, text, element_text(name, parent),
            text is not None)

    def _macro(self, macro: Node, cursor: Cursor, offset: int) -> _Item:
        name = f'xacro:{macro.get("name")}'
        names = [parameter for stars, parameter in parameters(macro) if not stars]
        text = None
        if self._snippets and cursor.node and not cursor.node.attributes and not any(
                character in name + ''.join(names) for character in '$}\\'):
            text = name + ''.join(
                f' {parameter}="${number}"' for number, parameter in enumerate(names, 1))
            if not cursor.node.finished:
                text += '/>'
        return self._item(name, _ItemKind.Function, cursor.start, offset, text,
                          'macro: ' + ', '.join(names), text is not None)

    def _attributes(self, cursor: Cursor, offset: int) -> Iterator[_Item]:
        node = cursor.node
        assert node is not None
        has_value = cursor.attribute is not None and cursor.attribute.value_start >= 0
        present = {attribute.name for attribute in node.attributes
                   if attribute is not cursor.attribute}
        tag = definition(node)
        names = list(() if tag is None else tag.attributes) or [
            key.partition('@')[2] for key in ATTRIBUTES if key.startswith(f'{node.tag}@')]
        if node.tag.startswith('xacro:') and node.tag not in ELEMENTS:
            names = [parameter for _, named in self._project.definitions(self._source, 'macro')
                     if named.attribute.value == node.tag[6:].rpartition('.')[2]
                     for stars, parameter in parameters(named.node) if not stars]
        for name in names:
            if name not in present:
                detail = '. '.join(filter(None, (
                    type_text(tag, name), attribute_text(node.tag, name))))
                text = f'{name}="$1"' if self._snippets and not has_value else None
                yield self._item(name, _ItemKind.Property, cursor.start, offset, text, detail,
                                 text is not None)

    def _values(self, cursor: Cursor, node: Node, offset: int) -> Iterator[_Item]:
        assert cursor.attribute is not None
        attribute = cursor.attribute.name
        opening, _, start = substitution_at(
            cursor.attribute.value, offset - cursor.attribute.value_start)
        if opening:
            yield from self._substitution(cursor.start, node, opening, start, offset)
            return
        if node.tag == 'xacro:insert_block':
            for name in _blocks(node):
                yield self._item(name, _ItemKind.Variable, cursor.start, cursor.end)
        if (node.tag, attribute) == ('joint', 'type'):
            for name, text in JOINT_TYPES.items():
                yield self._item(name, _ItemKind.EnumMember, cursor.start, cursor.end, detail=text)
        elif attribute == 'filename':
            yield from self._files(cursor, node, offset)
        role = role_of(node, attribute)
        if role is not None and (not role.defines or role.kind == 'material'):
            names = self._names(role.kind)
            if node.tag == 'mimic':
                names = self._leaders(node, names)
            for name in names:
                yield self._item(name, _ItemKind.Reference, cursor.start, cursor.end,
                                 detail=role.kind)

    def _leaders(self, mimic: Node, names: Iterable[str]) -> list[str]:
        """Return the joints that a joint can follow: others, of one degree of freedom."""
        own = mimic.parent.get('name') if mimic.parent is not None else ''
        joints = {named.attribute.value: named.node.get('type')
                  for _, named in self._project.definitions(self._source, 'joint')}
        for robot in self._robots:
            joints.update(robot.joint_types())
        return [name for name in names if name != own and (
            joints.get(name, '') not in ('fixed', 'floating', 'planar'))]

    def _names(self, kind: Kind) -> Iterable[str]:
        names = [named.attribute.value
                 for _, named in self._project.definitions(self._source, kind)]
        for robot in self._robots:
            names += robot.names(kind)
        return dict.fromkeys(filter(None, names))

    def _substitution(self, text: int, node: Node, opening: str, start: int, offset: int
                      ) -> Iterator[_Item]:
        begin = text + start
        typed = self._source.text[begin:offset]
        if opening == '${':
            while typed and not (typed[0].isalnum() or typed[0] == '_'):
                begin, typed = begin + 1, typed[1:]
            word = len(typed) - len(typed.rstrip(
                'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'))
            begin = offset - word
            for name, detail in self._symbols(node).items():
                yield self._item(name, _ItemKind.Variable, begin, offset, detail=detail)
            return
        command, space, _ = typed.partition(' ')
        if not space:
            for word_, detail in (('find', 'folder of a package'), ('arg', 'argument')):
                yield self._item(word_, _ItemKind.Keyword, begin, offset, detail=detail)
        elif command == 'arg':
            for name in self._names('arg'):
                yield self._item(name, _ItemKind.Variable, begin + 4, offset, detail='argument')
        elif command == 'find':
            for name in self._packages():
                yield self._item(name, _ItemKind.Module, begin + 5, offset, detail='package')

    def _symbols(self, node: Node) -> dict[str, str]:
        """Return what an expression in an element can use, with what it is."""
        macros = [outer for outer in node.ancestors() if outer.tag == 'xacro:macro']
        found = {parameter: 'parameter of the macro'
                 for macro in macros for _, parameter in parameters(macro)}
        for _, named in self._project.definitions(self._source, 'property'):
            around = next(
                (outer for outer in named.node.ancestors() if outer.tag == 'xacro:macro'), None)
            # One of another macro is only seen there, unless it is handed out.
            if around is None or around in macros or named.node.get('scope'):
                found.setdefault(named.attribute.value, 'property')
        found.pop('', None)
        return found

    def _packages(self) -> list[str]:
        return self._project.resolver(self._source).package_names()

    def _files(self, cursor: Cursor, node: Node, offset: int) -> Iterator[_Item]:
        typed = cursor.typed
        endings = ('.xacro',) if node.tag == 'xacro:include' else (
            _IMAGES if node.tag == 'texture' else tuple(FORMATS))
        scheme = 'package://'
        if node.tag == 'xacro:include':
            folder = os.path.dirname(self._source.path)
            prefix = ''
            if '$' in typed:
                return
        elif typed.startswith(scheme) and '/' in typed[len(scheme):]:
            name, _, typed = typed[len(scheme):].partition('/')
            found = self._project.resolver(self._source).find_package(name)
            if found is None:
                return
            folder, prefix = str(found), f'{scheme}{name}/'
        else:
            for name in self._packages():
                yield self._item(f'{scheme}{name}/', _ItemKind.Module, cursor.start, offset,
                                 detail='package')
            return
        inner = typed.rpartition('/')[0]
        if '..' in inner.split('/') or '\0' in inner:
            return
        for name, is_folder in _entries(os.path.join(folder, inner)):
            if is_folder or name.lower().endswith(endings):
                path = f'{inner}/{name}' if inner else name
                yield self._item(
                    prefix + path + ('/' if is_folder else ''),
                    _ItemKind.Folder if is_folder else _ItemKind.File, cursor.start, offset)


def _blocks(node: Node) -> Iterator[str]:
    """Yield the blocks that a call hands to the macros around an element."""
    for outer in node.ancestors():
        if outer.tag == 'xacro:macro':
            yield from (name for stars, name in parameters(outer) if stars)


def _entries(folder: str) -> list[tuple[str, bool]]:
    """Return the entries of a folder and whether each is a folder; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name, entry.is_dir()) for entry in islice(entries, _MAX_ENTRIES)
                          if not entry.name.startswith('.'))
    except OSError:
        return []
