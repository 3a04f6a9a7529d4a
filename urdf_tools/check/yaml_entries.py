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

"""YAML files as elements with source locations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.resources import read_regular_file
from urdf_tools.model.xml.editing import located
from urdf_tools.model.xml.element import Element

if TYPE_CHECKING:
    from urdf_tools.model.xml.element_sources import SourceFile
    import yaml

MAX_YAML = 2**18
"""Largest YAML file that is read; real ones stay below 20 kB."""

_MAX_ENTRIES = 20_000
"""Most entries of a YAML file, whose aliases can repeat them without end."""


def entries_of(path: Path, shown: str) -> list[Element]:
    """
    Return the entries of a YAML file, from the outside in.

    :raises DescriptionError: it cannot be read, is not YAML or has too many entries.
    """
    # It takes long, and few descriptions have such a file.
    from urdf_tools.model.yaml_file import YamlFile
    entries: list[Element] = []
    try:
        data, _ = read_regular_file(path, MAX_YAML + 1)
        file = YamlFile(shown, data=data, most=MAX_YAML)
        if file.root is not None:
            _collect(file.root, '', None, file.file, entries)
    except (OSError, RecursionError) as error:
        raise DescriptionError(getattr(error, 'strerror', None) or str(error)) from None
    return entries


def entry_of(entry: Element, name: str) -> Element | None:
    """Return the entry of this name in a table of YAML, or None."""
    return next((inner for inner in entry if inner.get('name') == name), None)


def entries_in(entry: Element, name: str) -> list[Element]:
    """Return what an entry in a table of YAML holds; nothing if there is none."""
    found = entry_of(entry, name)
    return [] if found is None else [*found]


def value_of(entry: Element, name: str) -> str:
    """Return the text of an entry in a table of YAML; empty if there is none."""
    found = entry_of(entry, name)
    return '' if found is None else found.text or ''


def element_at(tag: str, attributes: dict[str, str], entry: Element,
               parent: Element | None = None) -> Element:
    """Return an element at the location of an entry."""
    assert entry.origin is not None
    return located(Element(tag, attributes, parent, entry.line, entry.column, 0),
                   entry.origin.tag.file)


def _collect(node: yaml.Node, name: str, parent: Element | None, file: SourceFile,
             found: list[Element], key: yaml.Node | None = None) -> None:
    """Append an entry for a node of YAML, with its text or its entries, and for those inside."""
    if len(found) >= _MAX_ENTRIES:
        raise DescriptionError(f'It has more than {_MAX_ENTRIES} entries')
    mark = (key or node).start_mark
    entry = located(Element('entry', {'name': name} if name else {}, parent, mark.line + 1,
                            mark.column + 1, 0), file)
    found.append(entry)
    if node.id == 'scalar':
        entry.text = str(node.value)
    elif node.id == 'sequence':
        for value in node.value:
            _collect(value, '', entry, file, found)
    else:
        for inner, value in node.value:
            name = str(inner.value) if inner.id == 'scalar' else ''
            _collect(value, name, entry, file, found, inner)
