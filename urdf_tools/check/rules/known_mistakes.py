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

"""The rule about mistakes in launch files, parameters and packages that a table lists."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from functools import partial
import json
import math
import os
from pathlib import Path
import re
from typing import Any

from urdf_tools.check.file_lookup import glob_in
from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import position_ranges
from urdf_tools.check.loaded_robot import axis_of
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.package_document import package_document
from urdf_tools.check.package_document import PackageDocument
from urdf_tools.check.package_files import is_of_ros_1
from urdf_tools.check.package_files import package_files
from urdf_tools.check.package_files import PackageFiles
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.grammar import missed_calls
from urdf_tools.check.rules.simulation import GAZEBO
from urdf_tools.check.schema import TABLES
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import written
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.installed_files import is_installed
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import spelling_of
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.extensions import DRIVES
from urdf_tools.programs.gazebo.extensions import OPTIONS

_PLACES = 'at', 'if', 'name', 'more', 'near', 'place', 'first'
"""The fields of a mistake that are XPath."""


_OF_ROBOT = re.compile(
    r'\b(?:robot|semantic|moving|described|limits|solvers)\b(?=[/\[*]|\Z| \|)'
    r'|@(?:root|template)\b')
"""What XPath about the description of a robot, or its SRDF file, has."""

_searched: ContextVar[Description] = ContextVar('searched')
"""The description whose document is searched."""


def _texts(found: Any) -> list[str]:
    """Return the texts that XPath has found: one, or those of nodes."""
    return [str(each) if isinstance(each, str) else ''.join(each.itertext()) for each in (
        found if isinstance(found, list) else [found])]


def _one(found: Any) -> str:
    return (*_texts(found), '')[0]


def _like(_: object, found: Any, pattern: str) -> bool:
    """Return whether all of a text is what a regular expression describes."""
    return any(re.fullmatch(pattern, text) for text in _texts(found))


def _first(_: object, pattern: str, found: Any) -> str:
    """Return the first part of a text that a regular expression describes."""
    match = re.search(pattern, _one(found))
    return match[0] if match else ''


def _has(_: object, found: Any, words: Any) -> bool:
    """Return whether a text has a word."""
    word = re.compile(rf'(?<![\w.-]){re.escape(_one(words))}(?![\w.-])')
    return any(map(word.search, _texts(found)))


def _mentions(_: object, names: Any) -> bool:
    """Return whether a description or a program of the package, or beside it, has a name."""
    name = rf'["\'/ ]{re.escape(_one(names))}["\' <]'
    return _written(_, name, 'urdf', 'urdf', 'xacro', 'sdf', 'py')


def _written(_: object, pattern: str, beside: str, *kinds: str) -> bool:
    """Return whether files of the package, and those beside it in a folder, have a text."""
    texts = package_texts(_searched.get(), *kinds, beside=beside).values()
    return any(re.search(pattern, text) for text in texts)


def _without(_: object, names: Any, known: Any) -> list[str]:
    """Return the names, of nodes or with spaces between them, that are not known."""
    words = names.split() if isinstance(names, str) else sorted({*_texts(names)})
    return [name for name in words if name not in map(str.strip, _texts(known))]


def _also(_: object, between: str, names: Any) -> str:
    """Return three names after the first one, each after a text, and how many more there are."""
    others = [*dict.fromkeys(_texts(names))][1:]
    more = f' and {len(others) - 3} more' if len(others) > 3 else ''
    return ''.join(between + name for name in others[:3]) + more


def _files(_: object, folders: Any) -> list[str]:
    """Return the files in a folder, and in folders in it, and in those."""
    folder = Path(_one(folders))
    return [os.path.relpath(file, folder) for depth in ('*', '*/*', '*/*/*')
            for file in glob_in(folder, depth)
            if file.is_file() and _searched.get().may_read(file)]


def _exists(_: object, folders: Any, paths: Any) -> bool:
    """Return whether there is a file in a folder, or it may not be looked for."""
    path = Path(_one(folders), _one(paths))
    return not _searched.get().may_read(path) or os.path.lexists(path)


def _lacks(_: object, folders: Any, path: Any) -> bool:
    """Return whether a folder has neither a file nor one of its name, which may be a template."""
    path = _one(path)
    names = {path, f'{path}.in', f'{path}.xacro'}
    return folders != [] and not _exists(_, folders, path) and not {
        *map(os.path.basename, names)} & {*map(os.path.basename, _files(_, folders))}


def _unread(_: object, found: Any) -> str:
    """Return the argument of xacro, before ``:=``, of which no description has a word."""
    name, xacro = _first(_, r'(?<![\w.$-])\w+(?=:=)', found), _searched.get().document.xacro
    texts = package_texts(_searched.get(), 'urdf', 'xacro', beside='urdf').values()
    word = re.compile(rf'\b{name}\b')
    return '' if not name or not xacro or any(map(word.search, (
        *texts, *(file.text for file in xacro.files)))) else name


def _covers(_: object, names: Any, packages: Any) -> bool:
    """Return whether a package is among some, or one that these depend on."""
    return any(_one(packages) == name or re.fullmatch(
        _table()['families'].get(name, '(?!)'), _one(packages)) for name in _texts(names))


def _installs(_: object, packages: Any, path: Any, at: float = 0) -> bool:
    """Return whether a package installs a file, by its path there, or in the source if 1."""
    files, name = package_files(_searched.get()), _one(packages)
    folder = files.packages.get(name, Path())
    cmake, setup = (files.build.get(os.fspath(folder / file), '') for file in (
        'CMakeLists.txt', 'setup.py'))
    return is_installed(_one(path), name, cmake, setup, int(at))


def _named(_: object, kind: str, names: Any) -> list[Any]:
    """Return the first ``link`` or ``joint`` of the robot that has a name."""
    document, known = package_document(_searched.get()), getattr(_searched.get(), f'{kind}_names')
    element = known.get(_one(names))
    return [document.nodes[element]] if document and element is not None else []


def _joints(_: object, end: str, links: Any) -> list[Any]:
    """Return the joints of which a link is the ``parent`` or the ``child``."""
    document, topology, link = package_document(
        _searched.get()), _searched.get().topology, _one(links)
    found = topology.parent_joints.get(link, ()) if end == 'child' else [
        joint for joint, _ in topology.child_joints.get(link, ())]
    return [document.nodes[joint] for joint in found if document and joint in document.nodes]


def _meant(_: object, kind: str, names: Any) -> str:
    """Return the ``link`` or ``joint`` that a misspelt name means."""
    spelling = getattr(_searched.get(), f'{kind}_spelling')
    return spelling.near(_one(names)) or ''


_LISTS = {**TABLES, **GAZEBO, 'options of gazebo': (*OPTIONS, 'plugin', 'sensor', 'static'),
          'kinds of gazebo': {tag: [option.scope.name, option.kind.name]
                              for tag, option in OPTIONS.items()}}


def _list(_: object, table: str, *keys: Any) -> list[str]:
    """Return the names in a table of the rules or of Gazebo, or in one of its parts."""
    found = [_LISTS[table]]
    for key in keys:
        found = [each.get(name) or {} for each in found for name in _texts(key)]
    return [name for each in found for name in ([each] if isinstance(each, str) else each)]


def _misspelt(_: object, names: Any, known: Any) -> str:
    """Return which of some names, of a list or with spaces between them, a name is almost."""
    name, words = _one(names), known.split() if isinstance(known, str) else _texts(known)
    near = spelling_of(tuple(words)).near(name)
    return near if near and near != name else ''


def _number(_: object, found: Any) -> float:
    """Return the number in a text, or NaN."""
    try:
        return parse_number(_one(found))
    except ValueError:
        return math.nan


def _sources(nodes: Any) -> list[Element]:
    """Return the elements of the robot that are some in the document."""
    document = package_document(_searched.get())
    found = map(document.source, nodes) if document else ()
    return [each for each in found if each is not None]


def _conditional(_: object, nodes: Any) -> bool:
    """Return whether a condition of xacro, or an expression, decides on an element."""
    return any('$' in (each.text or '') or any(
        tag.name in ('xacro:if', 'xacro:unless') for tag in each.origin.tags_around())
        for each in _sources(nodes) if each.origin is not None)


def _bound(_: object, joints: Any, end: float) -> float:
    """Return the lower or, with 1, upper position limit of a joint, infinite without both."""
    description = _searched.get()
    return position_ranges(description).get(
        description.joint_names.get(_one(joints)), (-math.inf, math.inf))[int(end)]


def _axis(_: object, joints: Any, part: float) -> float:
    """Return the x, y or z of the axis of a joint in the frame of the root, by 0, 1 or 2."""
    of_robot = robot(description := _searched.get())
    joint = of_robot.joints.get(_one(joints)) if of_robot else None
    return math.nan if joint is None else float(axis_of(description, joint)[int(part)])


_FUNCTIONS = {
    'like': _like, 'first': _first, 'has': _has, 'without': _without, 'also': _also,
    'exists': _exists, 'installs': _installs, 'files': _files, 'lacks': _lacks, 'covers': _covers,
    'unread': _unread, 'above': lambda _, link: [*moveit_files(_searched.get()).above(_one(link))],
    'list': _list, 'misspelt': _misspelt, 'number': _number, 'bound': _bound,
    'axis': _axis, 'conditional': _conditional, 'named': _named,
    'joints': _joints, 'meant': _meant,
    'missed': lambda _: bool(missed_calls(_searched.get())),
    'drives': lambda _, names: any(map(DRIVES.search, _texts(names))),
    'raw': lambda _, nodes: ''.join(each.text or '' for each in _sources(nodes)),
    'line': lambda _, found: ' '.join(_texts(found)),
    'either': lambda _, *found: next(filter(None, map(_one, found)), ''),
    'mentions': _mentions, 'written': _written,
    'join': lambda _, found: ', '.join(dict.fromkeys(_texts(found))),
    'near': lambda _, name, names, *at: closest(_one(name), _texts(names), *at) or ''}
"""What XPath lacks; their names begin with ``f:``."""


_FOLDER = Path(__file__).parents[1]


@cache
def _table() -> Any:
    """Return the rules of mistakes that are listed, and the packages that others depend on."""
    return json.loads((_FOLDER / 'known_mistakes.json').read_bytes())


@cache
def rows() -> list[dict[str, Any]]:
    """Return the mistakes that are listed."""
    return [row for file in sorted((_FOLDER / 'mistakes').iterdir())
            for row in json.loads(file.read_bytes())]


class Mistake:
    """
    A row of the table.

    :ivar tag: that of the element of the robot which has what it finds; None if others may.
    :ivar is_of_robot: whether it has to be known what is in the description of the robot.
    :param row: its fields, as the table says.
    """

    def __init__(self, row: Mapping[str, Any]):
        from lxml import etree
        functions = {('f', name): function for name, function in _FUNCTIONS.items()}
        since = 'From {release} on, ' if 'since' in row else ''
        self.row = row
        within = re.match(r'robot/(\w+)', row['at'])
        self.tag = within and within[1]
        texts = map(str, (*row.values(), *row.get('values', {}).values()))
        self.is_of_robot = any(map(_OF_ROBOT.search, texts))
        self.template = row.get('template', f'{since}{{name:60}} {{says}}{{more}}')
        self.find = {field: etree.XPath(path, extensions=functions, namespaces={
            'f': 'f', 're': 'http://exslt.org/regular-expressions'})
            for field, path in (*row.items(), *row.get('values', {}).items())
            if field in _PLACES or field in row.get('values', {})}

    def defects(self, document: PackageDocument, files: PackageFiles) -> Iterator[Defect]:
        """Yield a defect for each place where a description, or its package, has it."""
        row, find = self.row, self.find
        for found in find['at'](document.root):
            # An attribute is not found with what is around it.
            attribute = str(getattr(found, 'attrname', None) or '')
            node = found.getparent() if attribute else found
            text = str(found) if attribute else next(filter(None, (
                *map(node.get, ('executable', 'filename', 'name')), node.text)), '')
            given = {'at': node, 'attribute': attribute, 'text': text}
            places = find['place'](node, **given)[:1] if 'place' in find else [node]
            element = document.source(places[0]) if places else None
            is_told = 'says' not in row or not node.xpath('ancestor::yaml[not(@told)]')
            if element is None or not is_told or 'if' in find and not find['if'](
                    node, **given) or not files.is_for(row.get('since', ''), element):
                continue
            said = {field: path(node, **given) for field, path in find.items()
                    if field not in ('at', 'if', 'place')}
            name, near = ', '.join(_texts(said.get('name', text))), said.get('near', '')
            near = near if isinstance(near, str) else closest(name, _texts(near))
            values: dict[str, Any] = {
                field: FreeText(_one(said[field])) if field in row.get('free', ()) else _value(
                    said[field], document) for field in row.get('values', ())}
            if 'says' in row:
                values = {'name': Name(name), 'says': row['says'], 'write': row['write'],
                          'more': FreeText(', '.join(_texts(said.get('more', '')))),
                          'item': name, 'release': row.get('since', '').title()}
            if 'first' in said:
                first = document.source(said['first'][0])
                values['position'] = FreeText(
                    '' if first is None else first.position_beside(element))
            yield Defect(
                element, self.template, suggestion=near, hint='' if near else row.get(
                    'hint', '{write}' if 'says' in row else ''), severity=INFO if (
                        'info' in row) else WARN if 'warn' in row else ERROR if (
                            'error' in row and ('since' not in row or files.release)) else None,
                consequences=written(row['consequences']) if 'consequences' in row else changes(
                    row['program'], of=row.get('of', 'element'), how=row[
                        'meets']) if 'program' in row else () if 'says' in row else None, **values)


def _value(found: Any, document: PackageDocument) -> Element | Name | list[Name] | float | None:
    """Return what a sentence names: an element, a number, a name, or several."""
    if isinstance(found, float):
        return found
    if isinstance(found, list) and len(found) == 1 and not isinstance(found[0], str):
        return document.source(found[0])
    names = [*map(Name, _texts(found))]
    return names[0] if len(names) == 1 else names


@cache
def mistakes(rule: str) -> list[Mistake]:
    """Return the rows of the table that a rule reports."""
    return [Mistake(row) for row in rows() if rule in row.get('rule', 'known-mistake').split()]


def listed(description: Description, rule: str) -> Iterator[Defect]:
    """Yield the mistakes of a rule in the table."""
    # The document takes time, and a robot without the elements that a rule is about needs none.
    files = package_files(description)
    of_rule = [each for each in mistakes(rule) if not (files.is_alone and each.is_of_robot) and (
        each.tag is None or each.tag in description.tags)]
    document = package_document(description) if of_rule else None
    for mistake in of_rule if document else ():
        if document and files.is_for(mistake.row.get('since', '')):
            _searched.set(description)
            yield from [*mistake.defects(document, files)]


@RULES.in_category('assets')('known-mistake', WARN)
def known_mistake(description: Description) -> Iterator[Defect]:
    """
    Check for mistakes in launch files, parameters and packages that users have reported.

    Names of packages, executables, plugins, arguments and parameters that are others now; nodes
    without what they need; files, executables and packages that are named and are not there; files
    that cannot be read. What holds since a release of ROS 2 is left out where .md files,
    package.xml, Dockerfile or workflows name older releases only. Packages of ROS 1 have mistakes
    of their own, which packages of ROS 2 are not searched for.

    Example: Node(package='robot_state_publisher', executable='state_publisher')
    """
    manifest = package_files(description).own('package.xml')
    yield from listed(description, 'ros-1' if is_of_ros_1(manifest) else 'known-mistake')


for _code, _rule in _table()['rules'].items():
    RULES.state(_code, Severity[_rule['severity']], _rule['category'], _rule['text'],
                partial(listed, rule=_code), affects=_rule.get('affects', ''),
                subject=_rule.get('subject', ''))
