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

"""Rules about parameters of nodes and plugins in YAML files: their names, releases and types."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import suppress
from fnmatch import fnmatch
from functools import cache
from itertools import chain
import json
from pathlib import Path
import re
from typing import Any
from typing import NamedTuple

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.package_document import package_document
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.known_mistakes import listed
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import spelling_of
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('assets')

_PLUGIN = re.compile(r'(.+\.)(?:plugin|kinematics_solver|primary_controller)')
"""What names a plugin, which reads what is beside it."""

_WORD = re.compile(r'[\w.-]+')


@cache
def _table() -> Any:
    return json.loads((Path(__file__).parents[1] / 'parameters.json').read_bytes())


class _Kind:
    """
    What a node or a plugin reads.

    :ivar types: the names of parameters to their types; ``*`` is any name, ``#`` any number.
    :ivar gone: those that it does not read any more, to the first release without them.
    :ivar instead: what is written in place of those.
    :ivar program: what a parameter of another type is met by, and how; both may be empty.
    """

    def __init__(self, name: str):
        self.name, rows = name, [*_rows(name)]
        self.types = {each: kind for row in rows for kind in _table()['types']
                      for each in ' '.join(row.get(kind, ())).split()}
        self.gone = {each: release for row in rows for release, names in row.get(
            'gone', {}).items() for each in ' '.join(names).split()}
        self.instead = {key: text for row in rows for key, text in row.get('instead', {}).items()}
        self.program = next((row['program'] for row in rows if 'program' in row), ['', ''])
        self.tree: dict[str, Any] = {}
        for each in self.types:
            inner = self.tree
            for part in each.split('.'):
                inner = inner.setdefault(part, {})

    def find(self, path: str) -> tuple[str, str]:
        """Return the parameter that a path is, and of a misspelt one up to where it is meant."""
        inner, parts, found = self.tree, path.split('.'), list[str]()
        for i, part in enumerate(parts):
            plain = part if part in inner else re.sub(r'\d+', '#', part)
            near = '' if plain in inner else next(filter(None, map(spelling_of(tuple(
                each for each in inner if bool(inner[each]) == (i + 1 < len(parts))
                and len(each) > 3)).near, (part, plain))), '')
            if near:
                number = re.search(r'\d+', part)
                return '', '.'.join((*parts[:i], near.replace('#', number[0] if number else '0')))
            found.append(plain if plain in inner else '*')
            inner = inner.get(found[-1], {})
        return '.'.join(found) if '.'.join(found) in self.types else '', ''


def _rows(name: str) -> Iterator[dict[str, Any]]:
    """Yield the row of a kind, and those of the kinds that it is, too."""
    row = _table()['kinds'][name]
    return chain([row], *map(_rows, row.get('is', ())))


_kind = cache(_Kind)


class _Parameter(NamedTuple):
    """A parameter in a file, what reads it below a prefix, and what that calls it."""

    source: Element
    node: Any
    kind: _Kind
    found: str
    near: str
    prefix: str
    beside: Mapping[str, str]
    kinds: Mapping[str, list[_Kind]]

    def has(self, name: str) -> bool:
        """Return whether a parameter, or a table, of this name is beside it."""
        return any(f'{each}.'.startswith(f'{self.prefix}{name}.') for each in self.beside)


def _parameters(description: Description) -> Iterator[_Parameter]:
    """Yield each parameter of a node that is known."""
    document, known = package_document(description), _table()['kinds'].keys()
    for table in () if document is None else document.root.xpath(
            'yaml[@told or @robot][not(parameters[not(@node)]/parameter)]/parameters'):
        values = {each.get('name'): each.text or '' for each in table.iterfind('parameter')}
        names = {'': [_node_kind(table)]}
        for match in filter(None, map(_PLUGIN.fullmatch, values)):
            names.setdefault(match[1], []).append(values[match[0]].replace('::', '/'))
        kinds = {prefix: [*map(_kind, each)] if known >= {*each} else []
                 for prefix, each in names.items()}
        for each in table.iterfind('parameter'):
            name, source = each.get('name'), document.source(each) if document else None
            prefix = next((prefix for depth in range(9, 0, -1) if (
                prefix := ''.join(re.findall(r'[^.]*\.', name)[:depth])) in kinds), '')
            answers = [(kind, *kind.find(name[len(prefix):])) for kind in kinds[prefix]]
            if source is not None and answers:
                yield _Parameter(source, each, *max(answers, key=lambda each: bool(each[1])),
                                 prefix, values, kinds)


def _node_kind(table: Any) -> str:
    """Return what the parameters are of: a controller, or a node as it is started, or called."""
    name, file = table.get('node', ''), table.getparent().get('name')
    started = {f'{each.get("package")}/{each.get("executable")}' for each in (
        table.getroottree().iterfind('launch/node')) if each.get('name') == name or (
            name == '**' and any(given.get('name') == file for given in each.iterfind('file')))}
    usual = (kind for node, kind in _table()['nodes'].items() if fnmatch(name, node))
    return str(table.get('of') if table.get('of') in _table()['kinds'] else '/' if len(
        started) > 1 else next(chain(started, usual), '/'))


@rule('parameter-unknown', WARN)
def parameter_unknown(description: Description) -> Iterator[Defect]:
    """
    Check that parameters of nodes, controllers and plugins are those that they read.

    Reported are names that are almost those of others, names at another level, and parameters
    that a release of ROS 2 does not have any more. Known are Nav2, ros2_controllers and the
    controller manager, robot_localization, slam_toolbox, and many drivers and filters. A node is
    known by what launch files start, or by its usual name. A name beside the correct one is not
    reported.

    Fails in the controller arm in ros2_controllers.yaml: comand_interfaces: [position]
    Passes: command_interfaces: [position]
    """
    yield from listed(description, 'parameter-unknown')
    files, done = package_files(description), set[Element]()
    for each in _parameters(description):
        name, kind, source, near = each.node.get('name'), each.kind, each.source, each.near
        gone, instead = kind.gone.get(each.found, ''), kind.instead.get(each.found, '')
        of_kind: dict[str, Any] = {
            'kind': FreeText(kind.name), 'name': Name(name), 'consequences': changes(
                kind.program[0], of='element', how='ignores it') if kind.program[0] else ()}
        path = name[len(each.prefix):]
        others = [prefix + path for prefix, kinds in each.kinds.items() if bool(prefix) != bool(
            each.prefix) and any(path in kind.types for kind in kinds)]
        if near and not each.has(near):
            place = '.'.join(path.split('.')[:near.count('.') + 1])
            # A key may have dots, and be that of a table.
            while source.parent is not None and len(outer := path[:-len(source.get(
                    'name', '')) - 1]) >= len(place):
                source, path = source.parent, outer
            own = source.get('name', '')
            if source not in done:
                yield Defect(source, '{kind} has no parameter {name:60}', suggestion=(
                    near + path[len(place):])[len(path) - len(own):], **{
                        **of_kind, 'name': Name(own)})
            done.add(source)
        elif gone and files.is_for(gone, source) and (files.release or instead) and not any(
                map(each.has, instead.split())):
            yield Defect(source, 'From {release} on, {kind} has no parameter {name:60}', hint=(
                '{instead}'), release=FreeText(gone.title()), instead=FreeText(
                    instead or 'Leave it out'), **of_kind)
        elif not each.found and not near and len(others) == 1 and others[0] not in each.beside:
            yield Defect(source, '{kind} does not read {name:60} at this level',
                         suggestion=others[0], **of_kind)


@rule('parameter-type', ERROR)
def parameter_type(description: Description) -> Iterator[Defect]:
    """
    Check that parameters of nodes, controllers and plugins have the types that they are read with.

    Nodes end, and controllers and plugins are not loaded, with a parameter of another type: an
    integer is no number with a decimal point, and a text in quotes is neither.

    Fails in ros2_controllers.yaml:
        controller_manager:
          ros__parameters:
            update_rate: 100.0
    Passes:
        controller_manager:
          ros__parameters:
            update_rate: 100
    """
    types = _table()['types']
    for each in _parameters(description):
        values = [*each.node.iterfind('value')] or [each.node]
        given, wanted = {value.get('kind') for value in values}, each.kind.types.get(each.found)
        actual = ''.join(given) + 's' * (values[0] is not each.node)
        texts = [value.text or '' for value in values]
        written = {*texts} if given == {'text'} else {''}
        if len(given) == 1 and actual in types and wanted not in ('any', actual, None) and all(
                texts) and not re.search('[$<{]', ''.join(texts)) and not any(
                    written <= {*_WORD.findall(source.text or '')}
                    for source in each.node.getroottree().iterfind('launch/source')):
            program, effect = each.kind.program
            yield Defect(
                each.source, '{name:60} of {kind} is {actual}, and its type is {wanted}',
                hint='Write {value}', value=FreeText(_written(texts, wanted)[:80]), name=Name(
                    each.node.get('name')), kind=FreeText(each.kind.name),
                actual=FreeText(types[actual]), wanted=FreeText(types[wanted]),
                consequences=changes(program, of='element', how=effect) if program else ())


def _written(texts: list[str], wanted: str) -> str:
    """Return values as a type is written, or what that is."""
    text = ', '.join(texts)
    with suppress(OverflowError, ValueError, KeyError):
        return str({'double': float, 'integer': int}[wanted](float(text)))
    return f'[{", ".join(_written([text], wanted[:-1]) for text in texts)}]' if wanted.endswith(
        's') else f'"{text}"' if wanted == 'text' else str(_table()['types'][wanted])
