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

"""
What is known about a robot and its package, as one XML document that XPath can search.

::

  <package name folder release root roots simulated template moveit>: root is the first link of
    the robot that is no child, roots their number
    <robot>, <semantic>: the description and the SRDF file, expanded; a <group> also has
      <holds link joint group> of each, and <package> a <moving joint> for each with an axis
    <limits><joint name>, <solvers><entry name>, <positions><entry name>: each in
      joint_limits.yaml, kinematics.yaml and initial_positions.yaml
    <described link>: a link of another robot of the package
    <world file>, <srdf file>: each file of SDF and SRDF of the package
    <xacro file>: the tags of a file of xacro, in one row
    <folder package path>: this package, and those beside it
      <manifest error>: the elements of package.xml, in one row, <build>: the commands of
        CMakeLists.txt, <command name><word>, of both and of setup.py <source>;
        <library path><class name>
      <assistant>: the <entry name> of .setup_assistant
    <launch file name own starts error>: it is in the package, and starts the robot
      <node package executable name namespace condition>: as far as they are given, and in it
        <argument>, <parameters known>: their text, <param name>, <file name>, <remap from to>
      <import module path>: what is imported, and from where in it
      <call name>: <arg name> what it is given
      <declare name default>, <include package path name known><arg name>
      <item name kind>: of a table, <text>, <file package path>
      <tags>: what is written in XML or YAML, <source>: the whole text, with single spaces
    <roslaunch file name own starts error>: the same of ROS 1, with <tags> and <source> only
    <yaml name loaded robot told empty error line>: certainly or probably for controllers of the
        robot; where it is not YAML, why, and the line, with its <source>
      <parameters node path of>: of one node, or of the file; of is a type, node or file
        <table name key>, <parameter name="a.b" kind><value kind>: integer, double, boolean, text,
          list, empty or none
    <controller name type file folder>: each that a file of parameters gives a type
    <commanded file name><joint>: each controller of MoveIt
    <bridge>: each topic of ros_gz_bridge, with elements named as in its YAML files
    <view file name><entry name>: a configuration of RViz

Spaces around texts are left out, characters that XML does not have are spaces, and names of tags
and attributes have a period for what XML does not allow there: ``xacro.include``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from functools import partial
import os
from pathlib import Path
import re
from typing import Any

from urdf_tools.check.bridges import bridges
from urdf_tools.check.file_lookup import glob_in
from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.file_lookup import texts_of
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.launch_files import called
from urdf_tools.check.launch_files import constant
from urdf_tools.check.launch_files import launch_files
from urdf_tools.check.launch_files import LaunchFile
from urdf_tools.check.launch_files import SHARED
from urdf_tools.check.moveit_files import controller_name
from urdf_tools.check.moveit_files import entries_in_text
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.moveit_files import value_of
from urdf_tools.check.package_files import element_in
from urdf_tools.check.package_files import package_files
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.editing import located
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import SourceTag
from urdf_tools.model.xml.xml_parser import XmlParser
from urdf_tools.model.yaml_file import NOT_IN_XML

Source = Element | Callable[[], Element] | None
"""Where something is written, or what finds out; None where nothing is reported."""

_MAX_NODES = 200_000

_READ = re.compile(
    'planning_plugin|request_adapters|kinematics_solver|ros__parameters|move_group_name')
"""What a YAML file of a package beside the own one has that is read."""

_TAG = re.compile(r'(?s:<!--.*?-->)|<(\w+)\b([^>]*)>([^<]*)(?=<)')

_ATTRIBUTE = re.compile(r'([\w:]+)\s*=\s*["\']([^"\']*)')

_COMMAND = re.compile(r'#[^\n]*|(\w+)\s*\(((?:"[^"]*"|[^()"])*)\)')

_WORD = re.compile(r'#[^\n]*|"([^"]*)"|([^\s"]+)')

_LIBRARY = re.compile(r'<library\s+path="([^"]*)"(?s:(.*?))</library>')

_CLASS = re.compile(r'<class\b[^>]*?\bname="([^"]+)"')

_LINK = re.compile(r'<link\s+name="([^"]+)"')

_XACRO = re.compile(r'xacro(?: |\Z)|\$\(command .xacro ')

_SCALARS = {
    'integer': re.compile(r'[-+]?(?:\d+|0[xX][\da-fA-F]+)'),
    'double': re.compile(r'(?i)[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|\.?nan|\.?inf)'),
    'boolean': re.compile('(?i)y|yes|n|no|true|false|on|off')}
"""What rcl takes for a number or a truth value, unless it is in quotes."""

_OF_NODES = 'package', 'executable', 'name', 'namespace', 'condition'


class PackageDocument:
    """
    The document of a description.

    :ivar root: ``<package>``, an element of lxml.
    :ivar nodes: the elements of the robot, to their copies in it.
    :raises DescriptionError: there is too much for it.
    """

    def __init__(self, description: Description):
        from lxml import etree  # It takes long, and only packages need it.
        self._description, self._files = description, package_files(description)
        self._moveit = moveit_files(description)
        self._sources: dict[Any, Source] = {}
        self._located: dict[tuple[str, int, int], Element] = {}
        self._append = etree.SubElement
        self.root = etree.Element('package', {
            'name': _fit(self._files.name or ''), 'folder': _fit(str(self._files.folder)),
            'release': self._files.release, 'root': _fit((*description.topology.roots, '')[0]),
            'roots': str(len(description.topology.roots)),
            'simulated': 'yes' if self._files.is_simulated else 'no',
            'template': 'yes' if description.is_template else 'no',
            'moveit': '1' * self._moveit.is_moveit_1 + '2' * self._moveit.is_moveit_2})
        self._add_robot()
        self._add_folders()
        self._add_documents(package_texts(description, 'sdf', 'world'), 'world')
        self._add_documents(package_texts(description, 'srdf'), 'srdf')
        for file in launch_files(description):
            self._add_launch(file)
        told = {file.path for file in launch_files(description)}
        for path, text in self._files.launch.items():
            if path not in told:
                self._add(self._add(self.root, 'launch', file=path), 'source', text=_spaced(text))
        self._add_parameters()
        for bridge in bridges(description):
            node = self._add(self.root, 'bridge')
            for name, element in bridge.items():
                self._add(node, name, element, element.text)
        if self._files.is_first:
            self._add_views()

    def source(self, node: Any) -> Element | None:
        """Return where an element is written, one for each location; None if nobody is told."""
        source = self._sources.get(node)
        element = source() if callable(source) else source
        return element if element is source or element is None or element.origin is None else (
            self._located.setdefault(element.origin.location, element))

    def _add(self, parent: Any, tag: str, source: Source = None, text: str | None = None,
             **attributes: str) -> Any:
        """Append an element, without its empty attributes."""
        return self._element(parent, tag, {
            name: value for name, value in attributes.items() if value}, source, text)

    def _element(self, parent: Any, tag: str, attributes: Mapping[str, str], source: Source = None,
                 text: str | None = None) -> Any:
        if len(self._sources) >= _MAX_NODES:
            raise DescriptionError(f'There are more than {_MAX_NODES:,} elements')
        text = (text or '').strip() or None
        try:
            node = self._append(parent, tag, attributes)
        except ValueError:
            node = self._append(parent, _named(tag), {
                _named(name): _fit(value) for name, value in attributes.items()})
        try:
            node.text = text
        except ValueError:
            node.text = _fit(text or '')
        self._sources[node] = source
        return node

    def _copy(self, parent: Any, elements: Iterable[Element]) -> dict[Element | None, Any]:
        """Append elements, of which each follows the one around it, and return their copies."""
        copies: dict[Element | None, Any] = {}
        for each in elements:
            copies[each] = self._element(
                copies.get(each.parent, parent), each.tag, each.attrib, each, each.text)
        return copies

    def _add_robot(self) -> None:
        description = self._description
        self.nodes = self._copy(self.root, description.robot.iter())
        for name in description.moving_joints:
            self._add(self.root, 'moving', joint=name)
        if self._moveit.srdf is not None:
            semantic = self._add(self.root, 'semantic')
            copies = self._copy(semantic, self._moveit.srdf.iter())
            for name, group in self._moveit.groups.items():
                parts = (*self._moveit.parts(name), self._moveit.contained(name))
                for kind, names in zip(('link', 'joint', 'group'), parts):
                    for part in sorted(names):
                        self._element(copies[group], 'holds', {kind: part})
        for entries in ('limits', 'solvers', 'positions'):
            for each in getattr(self._moveit, entries):
                self._copy(self._add(self.root, entries), each.iter())
        for source in description.document.xacro.files if description.document.xacro else ():
            file = self._add(self.root, 'xacro', file=source.path)
            for tag in source.tags:
                self._element(file, tag.name, tag.raw, partial(_written, tag))

    def _add_folders(self) -> None:
        files = self._files
        packages = files.packages or {files.name or '': files.folder}
        for package, path in packages.items():
            folder = self._add(self.root, 'folder', package=package, path=str(path))
            own = path == files.folder and files.is_first
            for name, tag in (('package.xml', 'manifest'), ('CMakeLists.txt', 'build'),
                              ('setup.py', 'build')):
                file = str(path / name)
                text = files.build.get(file, '')
                error = _malformed(text) if own and tag == 'manifest' else None
                node = self._add(folder, tag, _place(file, text, error), file=name,
                                 error=error.message if error else '') if text else None
                if node is not None:
                    self._add(node, 'source', text=text.replace('${PROJECT_NAME}', package))
                for match in _TAG.finditer(text) if tag == 'manifest' else ():
                    if match[1]:
                        self._element(node, match[1], dict(_ATTRIBUTE.findall(match[2])), partial(
                            element_in, file, text, match.start(), 'depend') if own else None,
                            match[3])
                for match in _COMMAND.finditer(text) if name == 'CMakeLists.txt' else ():
                    self._add_command(node, match, own, file, package)
            file = str(path / '.setup_assistant')
            with suppress(DescriptionError, RecursionError):
                self._copy(self._add(folder, 'assistant'), entries_in_text(
                    os.path.relpath(file), files.build.get(file, '').encode()) if own else ())
            if self._description.ros2_control:
                for text in texts_of(self._description, glob_in(path, '*.xml')).values():
                    for name, inner in _LIBRARY.findall(text):
                        library = self._add(folder, 'library', path=name)
                        for kind in _CLASS.findall(inner):
                            self._add(library, 'class', name=kind, kind=kind.rpartition('/')[2])

    def _add_command(self, build: Any, match: re.Match[str], own: bool, file: str,
                     package: str) -> None:
        """Append a command of CMake."""
        if match[1]:
            command = self._add(build, 'command', name=match[1].lower())
            for word in _WORD.finditer(match[2]):
                if text := word[1] or word[2]:
                    self._add(command, 'word', partial(
                        element_in, file, match.string, match.start(2) + word.start(), 'install',
                        ) if own else None, text.replace('${PROJECT_NAME}', package))

    def _add_launch(self, file: LaunchFile) -> None:
        files, script = self._files, file.script
        name, folder = os.path.basename(file.path), files.folder
        is_ros_1 = name.endswith('.launch') and 'catkin' in files.own('package.xml')
        error = file.error
        start = len(''.join(file.text.splitlines(True)[:(error.line or 1) - 1])) if error else 0
        launch = self._add(
            self.root, 'roslaunch' if is_ros_1 else 'launch',
            partial(file.element, start, 'launch'), file=file.path, name=name,
            own='yes' if folder in Path(file.path).parents else '',
            starts='yes' if file.path in files.launching else '',
            error=error.kind.name if error else '', message=error.message if error else '')
        self._add(launch, 'source', text=_spaced(file.text))
        if is_ros_1:
            self._copy(self._add(launch, 'tags'), file.entries)
            return
        for node in file.nodes:
            place: Source = partial(file.element, node.place, 'node')
            started = self._element(launch, 'node', {
                key: node.given[key] for key in _OF_NODES if key in node.given}, place)
            given = node.parameters
            self._add(started, 'parameters', place, _spaced(given or ''),
                      known='' if given is None or '.y' in given else 'yes')
            for argument in node.arguments:
                self._add(started, 'argument', place, _path(argument))
            for before, after in node.remaps:
                self._element(started, 'remap', {'from': before, 'to': after}, place)
            for name, text in node.params:
                self._add(started, 'param', place, text, name=name)
            for path in node.files:
                if path.endswith('ml'):
                    self._add(started, 'file', place, name=os.path.basename(path))
        functions = [each for each in script.nodes if isinstance(each, ast.FunctionDef)]
        for part in script.nodes:
            if isinstance(part, ast.expr):
                self._add_expression(launch, file, part, len(functions) > 1)
            elif isinstance(part, (ast.Import, ast.ImportFrom)) and not getattr(part, 'level', 0):
                for name in {getattr(part, 'module', '') or each.name for each in part.names}:
                    self._add(launch, 'import', partial(
                        file.element, script.offset(part), 'import'), module=name.split('.')[0],
                        path='/'.join(name.split('.')[1:]))
        tags = self._add(launch, 'tags')
        self._copy(tags, file.entries)
        for entry in file.entries:
            if entry.tag == 'include':
                self._add_include(launch, entry, entry.get('file', ''), [
                    (each.get('name', ''), each.get('value', '')) for each in entry], True)
            elif entry.tag == 'arg' and (entry.parent is None or entry.parent.tag != 'include'):
                self._add(launch, 'declare', entry, name=entry.get('name', ''),
                          default='yes' if {'default', 'value'} & entry.attrib.keys() else '')
            for text in (entry.text or '', *entry.attrib.values()):
                if text.strip():
                    self._add(launch, 'text', entry, text)
                    self._add_shares(launch, entry, text)

    def _add_expression(self, launch: Any, file: LaunchFile, part: ast.expr, is_local: bool
                        ) -> None:
        """Append what an expression of Python calls, says or names."""
        script = file.script

        def place(tag: str, node: ast.expr = part) -> Source:
            return lambda: file.element(script.offset(node), tag)

        def value(node: ast.expr) -> ast.expr:
            # A name may be another one in each of several functions.
            return node if is_local else script.value(node)

        if isinstance(part, ast.Constant):
            if isinstance(part.value, str) and part.value.strip():
                self._add(launch, 'text', place('text'), part.value)
                self._add_shares(launch, place('package'), part.value)
        elif isinstance(part, ast.Dict):
            for key, each in zip(part.keys, part.values):
                if constant(key):
                    self._add(launch, 'item', place('parameter', each), _path(script.path(each)),
                              name=constant(key), kind=called(script.value(each)))
        if isinstance(part, (ast.Call, ast.BinOp, ast.JoinedStr)):
            self._add_shares(launch, place('path'), script.path(part))
        if isinstance(part, ast.Call):
            call = self._add(launch, 'call', place('text'), name=called(part))
            for each in map(value, part.args):
                self._add(call, 'arg', place('text'), _path(script.path(each)) if isinstance(
                    each, ast.List) else constant(each))
            given = {each.arg: value(each.value) for each in part.keywords}
            first = (*map(value, part.args), *given.values())
            if called(part) == 'DeclareLaunchArgument' and first:
                self._add(launch, 'declare', place('text'), name=constant(given.get(
                    'name', first[0])), default='yes' if 'default_value' in given else '')
            elif called(part) == 'IncludeLaunchDescription' and first:
                path, table = first[0], given.get('launch_arguments')
                while isinstance(table, ast.Call) and isinstance(table.func, ast.Attribute):
                    table = value(table.func.value)
                if isinstance(path, ast.Call) and path.args and called(path).endswith('Source'):
                    path = path.args[0]
                pairs = [*zip(table.keys, table.values)] if isinstance(table, ast.Dict) else []
                self._add_include(launch, place('text'), _path(script.path(path)), [
                    (constant(key), constant(value(each))) for key, each in pairs],
                    table is None or isinstance(table, ast.Dict))
            for keyword in part.keywords:
                self._add(call, 'arg', place('text'), constant(value(keyword.value)),
                          name=keyword.arg or '')

    def _add_include(self, launch: Any, source: Source, path: str,
                     given: list[tuple[str, str]], is_known: bool) -> None:
        """Append a launch file that is included, and what it is given."""
        share = SHARED.search(path)
        include = self._add(
            launch, 'include', source, package=share[1] if share else '', path=(
                share[2] or '') if share else '', name=os.path.basename(path),
            known='yes' if is_known and all(name for name, _ in given) else '')
        for name, text in given:
            self._add(include, 'arg', source, text, name=name)

    def _add_documents(self, texts: Mapping[str, str], tag: str) -> None:
        """Append files of XML that are well-formed."""
        for path, text in texts.items():
            with suppress(DescriptionError, RecursionError):
                root, file = XmlParser(None).parse(text.encode())[0], SourceFile(
                    os.path.relpath(path), text, None)
                self._copy(self._add(self.root, tag, file=path), (
                    located(each, file) for each in root.iter()))

    def _add_shares(self, launch: Any, source: Source, text: str) -> None:
        """Append each package whose shared files, or command, are named, with the path in it."""
        if _XACRO.match(text):
            self._add(launch, 'file', source, package='xacro')
        for match in SHARED.finditer(text):
            self._add(launch, 'file', source, package=match[1], path=match[2] or '')

    def _add_parameters(self) -> None:
        moveit, files = self._moveit, self._files
        named = {os.path.abspath(entry.location('')[0]) for _, entry in moveit.loaded}
        tables = {file: moveit.entries_in_file(file) for file, text in moveit.texts.items()
                  if files.folder in Path(file).parents or _READ.search(text)}
        of_robot = {os.path.abspath(entries[0].location('')[0]): entries
                    for entries in moveit.parameters}
        tables |= {file: entries for file, entries in of_robot.items() if file not in tables}
        types: dict[str, dict[str, str]] = {file: {} for file in tables}
        for file, entries in tables.items():
            for entry in entries:
                if '/' in (kind := value_of(entry, 'type')):
                    name = controller_name(entry).rpartition('/')[2]
                    types[file][name] = kind
                    self._add(self.root, 'controller', name=name, type=kind,
                              file=os.path.basename(file), folder=os.path.dirname(file))
        everywhere = {name: kind for each in types.values() for name, kind in each.items()}
        for file, entries in tables.items():
            name = os.path.basename(file)
            is_own = files.folder in Path(file).parents
            is_told = file in named or files.is_first and is_own
            text, error = moveit.texts.get(file, ' '), moveit.broken.get(file)
            yaml = self._add(
                self.root, 'yaml', _place(file, text, error), name=name, file=file,
                loaded='yes' if file in named else '', robot='yes' if file in of_robot else '',
                told='yes' if is_told else '', error=error.message if error else '',
                line=error.text or '' if error else '',
                empty='' if re.sub('#.*', '', text).strip() else 'yes')
            if error:
                self._add(yaml, 'source', text=_spaced(text))
            self._add_entries(yaml, name, entries, {**everywhere, **types[file]},
                              is_told or is_own or file in of_robot)
        for file, controller in moveit.controllers:
            commanded = self._add(self.root, 'commanded', controller, file=file,
                                  name=controller_name(controller))
            for entry in controller:
                for joint in entry if entry.get('name') == 'joints' else ():
                    self._add(commanded, 'joint', joint, joint.text)

    def _add_entries(self, yaml: Any, name: str, entries: list[Element], types: Mapping[str, str],
                     is_reported: bool) -> None:
        """Append the parameters in a YAML file."""
        nodes: dict[Element | None, tuple[Any, str]] = {}
        for entry in entries:
            source, parent = entry if is_reported else None, entry.parent
            key = entry.get('name', '')
            if parent is None:
                nodes[entry] = self._add(yaml, 'parameters', source, of=name), ''
                continue
            node, prefix = nodes[parent]
            is_list = len(entry) and not any(each.get('name') for each in entry)
            path = f'{prefix}.{key}'.strip('.')
            if key == 'ros__parameters':
                owner = controller_name(entry).rpartition('/')[2]
                node, path = self._add(yaml, 'parameters', parent if is_reported else None,
                                       node=owner, path=_node_path(entry),
                                       of=types.get(owner, owner)), ''
                self._add(node, 'table', source, siblings=str(len(parent) - 1),
                          empty='' if entry.text or len(entry) else 'yes')
            elif entry.text or is_list or not len(entry):
                text = entry.text or ''
                kind = 'list' if is_list else 'none' if entry.get('null') else (
                    'empty' if entry.text is None else 'text' if entry.get('quoted') else next((
                        kind for kind, each in _SCALARS.items() if each.fullmatch(text)), 'text'))
                if key:
                    node = self._add(node, 'parameter', source, text, name=path, kind=kind)
                elif node.tag in ('parameter', 'value'):
                    node = self._add(node, 'value', source, text, kind=kind)
            elif key:
                self._add(node, 'table', source, name=path, key=key)
            nodes[entry] = node, path
        for table in yaml.xpath('parameters[contains(@path, "**")]'):
            self._share(table, [each for each in yaml if each is not table and (
                each.get('node') == table.get('node') != '**')])

    def _share(self, table: Any, others: Iterable[Any]) -> None:
        """Append the parameters of a node in any namespace to those in one, and the reverse."""
        own = [*table]
        for other in others:
            for to, parts in ((table, [*other]), (other, own)):
                known = {each.get('name') for each in to}
                for each in parts:
                    if each.get('name') and each.get('name') not in known:
                        to.append(deepcopy(each))

    def _add_views(self) -> None:
        description = self._description
        texts = package_texts(description, 'rviz')
        for path, text in texts.items():
            view = self._add(self.root, 'view', file=path, name=os.path.basename(path))
            try:
                entries = entries_in_text(os.path.relpath(path), text.encode())
            except (DescriptionError, RecursionError):
                continue  # RViz says so itself.
            self._copy(view, entries)
        others = package_texts(description, 'urdf', 'xacro').values() if texts else ()
        for link in {link for text in others for link in _LINK.findall(text)}:
            if link not in description.link_names:
                self._add(self.root, 'described', link=link)


def _written(tag: SourceTag) -> Element:
    """Return an element for a tag of xacro."""
    return located(Element(tag.name, dict(tag.raw), None, tag.line, tag.column, 0), tag.file)


def _malformed(text: str) -> DescriptionError | None:
    """Return why a text is not XML; None if it is."""
    try:
        XmlParser(None).parse(text.encode())
    except DescriptionError as error:
        return error
    return None


def _place(path: str, text: str, error: DescriptionError | None) -> Element | None:
    """Return an element where a file cannot be read; None if it can."""
    if error is None:
        return None
    file = SourceFile(os.path.relpath(path), text, None)
    return located(Element('text', {}, None, error.line or 1, error.column or 1, 0), file)


def _named(text: str) -> str:
    """Return a name as XML allows it."""
    return re.sub(r'^(?![A-Za-z_])', '_', re.sub(r'[^A-Za-z0-9_.-]', '.', text))


def _fit(text: str) -> str:
    """Return a text without the characters that XML does not have."""
    return NOT_IN_XML.sub(' ', text)


def _spaced(text: str) -> str:
    return ' '.join(text.split())


def _path(path: str) -> str:
    """Return a path with the share of a package as XML writes it."""
    return re.sub(r'\x01([\w-]*)', r'$(find-pkg-share \1)', path)


def _node_path(entry: Element) -> str:
    """Return the name of the node that ros__parameters is of, with its namespaces."""
    return '/'.join(reversed([name for each in entry.with_ancestors() if (
        name := each.get('name', '')) != 'ros__parameters' and name]))


@once
def package_document(description: Description) -> PackageDocument | None:
    """Return the document of a description; None if there is too much for it."""
    try:
        return PackageDocument(description)
    except DescriptionError:
        return None
