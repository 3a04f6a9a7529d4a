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

"""Rules about mistakes in launch files, parameters and packages that a table lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from collections.abc import Mapping
from functools import cache
from itertools import chain
from itertools import takewhile
import json
import os
from pathlib import Path
import re
from typing import Any
from typing import NamedTuple

from urdf_tools.check.file_lookup import glob_in
from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.file_lookup import texts_of
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.launch_files import called
from urdf_tools.check.launch_files import constant
from urdf_tools.check.launch_files import launch_files
from urdf_tools.check.launch_files import LaunchFile
from urdf_tools.check.launch_files import Started
from urdf_tools.check.moveit_files import controller_name
from urdf_tools.check.moveit_files import entries_in
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.moveit_files import value_of
from urdf_tools.check.package_files import element_in
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.editing import located
from urdf_tools.model.xml.element import Element

_READ = re.compile(
    'planning_plugin|request_adapters|kinematics_solver|ros__parameters|move_group_name')
"""What a YAML file has that the table may know."""

_DEPENDS = re.compile(r'(?s:<!--.*?-->)|<\w*depend\b[^>]*>\s*([\w-]+)\s*<')

_WORD = re.compile(r'[\w.-]+')

_FILE = re.compile(r'\.(?:py|xml|launch|ya?ml|rviz|urdf|xacro|srdf|sdf|world)\Z')

_KEY = re.compile(r'(?:^|\{) *["\']?([\w/*]+)["\']?:', re.MULTILINE)

_INSTALLED = re.compile(r'install\(\s*DIRECTORY\s+([^)]*?)\s+DESTINATION')

_TARGETS = re.compile(r'install\(\s*TARGETS([^)]*)\)')

_LIBRARY = re.compile(r'<library\s+path="([^"]*)"(?s:(.*?))</library>')

_CLASS = re.compile(r'<class\b[^>]*?\bname="([^"]+)"')

_GIVEN = frozenset(('-t', '--controller-type', '-p', '--param-file', '--ros-args'))
"""Arguments of a spawner that may name the type of a controller."""

_FRAMES = 'ee_frame_name', 'planning_frame', 'robot_link_command_frame'

_VIEW = re.compile(
    r'^ +(?:- )?(Class|Fixed Frame|Description Source(?=: Topic\n +Description Topic:\n'
    r'(?: +\w.*\n){0,4}? +Value: ""\n +Enabled: true)): (\S+)', re.MULTILINE)
"""The classes of displays, empty topics, and the fixed frame, of a configuration of RViz."""

_MAX_TEXT = 100_000
"""Characters of YAML files that patterns see."""

_XACRO = re.compile(r'xacro(?: |\Z)|\$\(command .xacro ')

_COMPUTES = re.compile(
    r'(?i)\bGLOB|foreach|EXECUTABLES?\s*\$|\binclude\(|glob\(.*scripts'
    r'|DIRECTORY[^)]*DESTINATION\s+lib/|(?s:\A(?!.*entry_points).*\bsetup\()')
"""What may install executables without their names."""


class Item(NamedTuple):
    """
    Something in a file that the table may list.

    :ivar text: what the table is compared with.
    :ivar name: what is wrong, if it lists it.
    :ivar more: what its sentence ends with.
    :ivar near: what is probably meant.
    """

    text: str
    name: str
    element: Element
    more: str = ''
    near: str | None = None


@cache
def _table() -> Any:
    """Return the mistakes that are listed, and what they are found with."""
    return json.loads((Path(__file__).parents[1] / 'known_mistakes.json').read_bytes())


@cache
def _listed() -> re.Pattern[str]:
    """Return a pattern with a group for each mistake, called like its place in the list."""
    return re.compile('|'.join(f'(?P<_{place}>{each["match"]})' for place, each in enumerate(
        _table()['mistakes'])))


@RULES.in_category('assets')('known-mistake', WARN)
def known_mistake(description: Description) -> Iterator[Defect]:
    """
    Check for mistakes in launch files, parameters and packages that users have reported.

    Names of packages, executables, plugins, arguments and parameters that are others now; nodes
    without what they need; files, executables and packages that are named and are not there; files
    that cannot be read. What holds since a release of ROS 2 is left out where .md files,
    package.xml, Dockerfile or workflows name older releases only, and packages of ROS 1 are.

    Example: Node(package='robot_state_publisher', executable='state_publisher')
    """
    files = package_files(description)
    manifest = files.own('package.xml')
    for item in () if 'catkin' in manifest and 'ament' not in manifest else (
            *_of_description(description), *_of_launch(description), *_of_package(description),
            *_of_yaml(description), *_of_control(description)):
        match = _listed().fullmatch(item.text)
        of = _table()['mistakes'][int((match.lastgroup or '')[1:])] if match else {}
        if match and files.is_for(of.get('since', '')):
            yield Defect(
                item.element, 'From {release} on, {name:60} {says}{more}' if 'since' in of else
                '{name:60} {says}{more}', name=Name(item.name), says=str(of['says']),
                more=FreeText(item.more), release=of.get('since', '').title(),
                item=item.text.partition('=')[0], write=str(of['write']),
                hint='' if item.near else '{write}', suggestion=item.near,
                severity=ERROR if 'error' in of and (
                    'since' not in of or files.release) else None, consequences=changes(
                    of['program'], of='element', how=of['meets']) if 'program' in of else ())


def _of_description(description: Description) -> Iterator[Item]:
    """Yield what Gazebo, ros2_control and xacro read, as ``tag=text`` or ``tag@name=value``."""
    reporters = [each for each in description.plugins
                 if 'joint-state-publisher' in each.get('filename', '')]
    named = [{(part.text or '').strip() for part in each.findall('joint_name')}
             for each in reporters]
    silent = [name for name in description.moving_joints
              if named and all(named) and not any(name in each for each in named)]
    for element in chain.from_iterable(
            each.iter() for each in (*description.gazebo, *description.ros2_control)):
        inside = '' if element.parent is None or element.tag != 'ros2_control' else (
            element.parent.tag + '/')
        for name, value in (('', element.text or ''), *element.attrib.items()):
            yield Item(f'{inside}{element.tag}{"@" * bool(name)}{name}={value.strip()}',
                       value.strip(), element)
        if element.tag == 'plugin':
            sensor = element.parent if element.parent is not None else element
            body = sensor.parent if sensor.tag == 'sensor' else sensor
            yield Item('\n'.join((
                f'plugin {element.get("filename")} {sensor.get("type", "")} '
                f'{"" if body is None else body.get("reference", "")}',
                *(f'{each.tag}={(each.text or "").strip()}' for each in element.iter()),
                f'unnamed={len(silent) * (element in reporters[:1])}', *_around(description))),
                element.get('filename', ''), element, f': {", ".join(silent)}' * (
                    element in reporters))
    sources = description.document.xacro
    for tag in chain.from_iterable(each.tags for each in (sources.files if sources else ())):
        for name, value in tag.raw.items() if tag.name.startswith('xacro:') else ():
            yield Item(f'{tag.name}@{name}={value}', name, located(Element(
                tag.name, dict(tag.raw), None, tag.line, tag.column, 0), tag.file))


def _of_launch(description: Description) -> Iterator[Item]:
    """Yield what launch files start, call and name."""
    files, used = package_files(description), dict[str, Element]()
    declared = {*files.packages, *chain.from_iterable(
        _DEPENDS.findall(text) for file, text in files.build.items() if file.endswith('.xml'))}
    covered = re.compile('|'.join((*map(re.escape, declared), *(
        _table()['families'][each] for each in declared & _table()['families'].keys()))))
    for file in launch_files(description):
        name = os.path.basename(file.path)
        if name.endswith('.launch') and 'catkin' in files.own('package.xml'):
            continue  # It is for ROS 1.
        if file.error is not None:
            start = len(''.join(file.text.splitlines(True)[:(file.error.line or 1) - 1]))
            yield Item(f'unreadable {file.error.kind.name}', name, file.element(start, 'launch'),
                       file.error.message)
        for node in file.nodes:
            yield from _of_node(description, file, node)
        for word, place in file.words:
            yield Item(f'{"call" if word.endswith("=") else "word"} {word}',
                       re.sub(r'\(\d?|:.*|=\Z', ' ', word).strip() if word.endswith('=') else word,
                       file.element(place, 'text'))
        yield from _of_builders(description, file)
        for value in file.script.descriptions():
            yield Item(f'description {file.script.path(value)}', 'robot_description',
                       file.element(file.script.offset(value), 'parameter'))
        for package, path, place in (*file.shares, *(
                (node.given.get('package', ''), '', node.place) for node in file.nodes), *(
                ('xacro', '', place) for word, place in file.words if _XACRO.match(word))):
            folder, name = files.packages.get(package), os.path.basename(path)
            if package and not covered.fullmatch(package) and files.folder in Path(
                    file.path).parents and package not in used and _WORD.fullmatch(package):
                used[package] = file.element(place, 'package')
            if folder and _FILE.search(path) and name not in files.build.get(
                    str(folder / 'CMakeLists.txt'), ''):
                beside = {each.name: os.path.relpath(each, folder)
                          for depth in ('*', '*/*', '*/*/*') for each in glob_in(folder, depth)}
                if not {name, f'{name}.in', f'{name}.xacro'} & beside.keys():
                    yield Item(f'absent {path}', path, file.element(place, 'path'), package,
                               beside.get(closest(name, beside) or ''))
    for package, element in [*used.items()][:1]:
        yield Item('undeclared', package, element, ', '.join(('', *used)).replace(
            f', {package}', '', 1).replace(', ', ', nor on ', 1))


def _of_builders(description: Description, file: LaunchFile) -> Iterator[Item]:
    """Yield the files that each MoveItConfigsBuilder reads, if they do not exist."""
    script, calls = file.script, [node for node in file.script.nodes if isinstance(node, ast.Call)]
    builders = [call for call in calls if called(call) == 'MoveItConfigsBuilder']
    for call in builders if len(builders) == 1 else ():
        given = {each.arg: each.value for each in call.keywords}
        robot, package = (constant(each and script.value(each)) for each in (
            (*call.args, given.get('robot_name'))[0], given.get('package_name')))
        folder = package_files(description).packages.get(package or f'{robot}_moveit_config')
        paths = {constant(each.value): each.value for node in calls
                 for each in node.keywords if each.arg == 'file_path'}
        if 'robot_description_semantic(' not in file.text and folder and not (
                os.path.lexists(folder / '.setup_assistant')):
            paths[f'config/{robot}.srdf'] = call
        for path, value in paths.items():
            if folder and not os.path.lexists(folder / path):
                yield Item(f'absent {path}', path, file.element(script.offset(value), 'path'),
                           folder.name)


def _of_node(description: Description, file: LaunchFile, node: Started) -> Iterator[Item]:
    """Yield what a launch file says of a node."""
    files, given = package_files(description), node.parameters
    package, name = (node.given.get(key, '') for key in ('package', 'executable'))
    element = file.element(node.place, 'node')
    yield Item(f'node {package}/{name}', f'{package}/{name}', element)
    texts = [text for path, text in files.build.items() if not path.endswith('.xml')
             and Path(path).parent == files.packages.get(package)]
    words = {*_WORD.findall(' '.join(texts).replace('${PROJECT_NAME}', package))}
    if texts and _WORD.fullmatch(name) and words.isdisjoint((name, name + '.py')) and not any(
            map(_COMPUTES.search, texts)):
        yield Item(f'uninstalled {name}', name, element, package, closest(name, words))
    types, spawned = _types(description), [*takewhile(
        lambda each: not each.startswith('-'), node.arguments)] if name == 'spawner' else []
    for controller in () if _GIVEN.intersection(node.arguments) or not types else spawned:
        if _WORD.fullmatch(controller) and controller not in types:
            yield Item(f'untyped {controller}', controller, element, near=closest(
                controller, types))
    for option, awaited in zip(node.arguments, node.arguments[1:]) if name == 'spawner' else ():
        if option in ('-c', '--controller-manager'):
            yield Item('\n'.join((f'awaits {awaited}', *_around(description), ' '.join(
                file.text.split()))), awaited, element)
    yield Item('\n'.join((
        f'start {package}/{name}', '|'.join(node.arguments or ['none']),
        '?' if given is None or '.y' in given else ' '.join(given.split()), *_around(description),
        ' '.join(file.text.split()))), name, element)
    for path in node.files:
        found = [text for file, text in moveit_files(description).texts.items()
                 if file.endswith('/' + os.path.basename(path)) and path.endswith('ml')]
        nodes = {key.rpartition('/')[2] for text in found for key in _KEY.findall(text)}
        own = node.given.get('name', '')
        if len(found) == 1 and 'ros__parameters' not in found[0]:
            yield Item('unread', os.path.basename(path), element)
        elif len(found) == 1 and own and not nodes & {own, '*', '**'}:
            yield Item('of other nodes', os.path.basename(path), element, own)


@once
def _around(description: Description) -> tuple[str, ...]:
    """
    Return what the patterns of nodes that are started know of everything around these.

    Types of controllers with all YAML files, links, executables that are started, words of all
    launch files with plugins of Gazebo, and with <namespace> and tf_odometry if descriptions of
    the package have that; and whether there are moving joints that neither <gazebo> nor
    <ros2_control> may report.
    """
    files = package_files(description)
    moves = description.moving_joints and not (description.gazebo or description.ros2_control)
    texts = ' '.join((*_types(description).values(), *moveit_files(description).texts.values()))
    return (' '.join(texts[:_MAX_TEXT].split()), ' '.join(description.link_names),
            ' '.join(sorted({node.given.get('executable', '') for file in launch_files(description)
                             for node in file.nodes})),
            ' '.join(sorted({*_WORD.findall(' '.join(files.launch.values())), *(
                each.get('filename', '') for each in description.plugins), *(
                    re.findall('<namespace>|tf_odometry', ''.join(package_texts(
                        description, 'urdf', 'xacro', beside='urdf').values())))})),
            'moves' if moves else '')


def _of_package(description: Description) -> Iterator[Item]:
    """Yield what package.xml and CMakeLists.txt of the package name."""
    files = package_files(description)
    path, text = str(files.folder / 'package.xml'), files.own('package.xml')
    for match in _DEPENDS.finditer(text if files.is_first else ''):
        if match[1] and 'condition' not in match[0]:
            yield Item(f'depend {match[1]}', match[1], element_in(
                path, text, match.start(), 'depend'))
    path, text = str(files.folder / 'CMakeLists.txt'), files.own('CMakeLists.txt')
    for match in _INSTALLED.finditer(text if files.is_first else ''):
        for name in match[1].split() if not {*'$#<'} & {*match[1]} else ():
            if not os.path.lexists(files.folder / name.strip('"')):
                yield Item(f'no folder {name}', name, element_in(
                    path, text, match.start(), 'install'))


def _of_yaml(description: Description) -> Iterator[Item]:
    """Yield each parameter in files of controllers and of MoveIt, as ``owner:name=value``."""
    files, package, types = moveit_files(description), package_files(
        description), _types(description)
    named = {file for file, _ in files.loaded}
    tables = [(name, entries) for file, entries in files.written(_READ).items()
              if (name := Path(file).name) in named or package.is_first and (
                  package.folder in Path(file).parents)]
    written: dict[Element, list[str]] = {}
    for owner, entry in ((file, entry) for file, entries in tables for entry in entries
                         if entry.parent is not None):
        inner = [*entry]
        is_list = bool(inner) and not any(each.get('name') for each in inner)
        if entry.get('name') == 'ros__parameters' and not (entry.text or inner) and (
                entry.parent is not None and len(entry.parent) > 1):
            yield Item('beside', 'ros__parameters', entry)
        if not entry.text and not (is_list and entry.get('name')):
            continue
        path, above = [], entry
        while above.parent is not None and above.get('name') != 'ros__parameters':
            path.append(above.get('name', ''))
            above = above.parent
        owner = owner if above.parent is None else controller_name(above).rpartition('/')[2]
        parameter = '.'.join(filter(None, reversed(path)))
        is_value = not entry.get('name')
        place = above if above.parent is None else above.parent
        node = written.setdefault(place, [types.get(owner, owner)])
        if is_list:
            values = ','.join(each.text or '[' * any(not part.get('name') for part in each)
                              for each in inner)
            node.append(f'{parameter}#[{values}]')
            yield Item(f'{node[0]}:{node[-1]}', parameter, entry)
            continue
        node.append(f'{parameter}={entry.text}')
        yield Item(f'{types.get(owner, owner)}:{parameter}{"[]" * is_value}={entry.text}',
                   entry.text or '' if is_value or parameter.endswith('.plugin') else parameter,
                   entry)
        of = parameter.split('.')
        listed = {each.text or '' for each in entries_in(above, 'joints')}
        if listed and of[0] == 'constraints' and of[2:] == ['goal'] and of[1] not in listed and (
                _WORD.fullmatch(of[1])):
            yield Item('unlisted', of[1], entry, near=closest(of[1], listed))
        if description.links and parameter.rpartition('.')[2] in _FRAMES and entry.text not in (
                *description.link_names, 'world', 'map', 'odom'):
            yield Item('unknown frame', entry.text or '', entry,
                       near=closest(entry.text or '', description.link_names))
    for place, lines in written.items():
        yield Item('\n'.join((f'node {lines[0]}', *lines[1:], *_around(description))), lines[0],
                   place)
    root = (*description.topology.roots, '')[0]
    links = ' '.join(package_texts(description, 'urdf', 'xacro').values())
    for file, text in package_texts(description, 'rviz').items() if package.is_first else ():
        view = os.path.basename(file)
        naming = {path: ' '.join(each.split()) for path, each in package.launch.items()
                  if view in each}
        starts = ' '.join(naming.values()) if naming.keys() <= package.launching.keys() else ''
        for match in _VIEW.finditer(text):
            name = match[2].strip('"')
            if f'<link name="{name}"' in links and name not in description.link_names:
                continue  # It is a view of another robot of the package.
            near = match[1] == 'Class' or closest(name, description.link_names)
            yield Item('\n'.join((f'display {match[1]} {name}', f'{view} {near}',
                                  *_around(description), starts)), name,
                       element_in(file, text, match.start(), 'display'),
                       f'; the root of the robot is {root}' * (match[1] == 'Fixed Frame'),
                       near if isinstance(near, str) else None)


def _of_control(description: Description) -> Iterator[Item]:
    """Yield what <ros2_control>, its controllers and those of MoveIt lack."""
    files, package = moveit_files(description), package_files(description)
    listed = {joint.text for file, controller in files.controllers if not file.startswith('ros2_')
              for joint in entries_in(controller, 'joints')}
    others = {word for file, text in files.texts.items()
              if file.endswith('_moveit_controllers.yaml') for word in _WORD.findall(text)}
    passive = {each.get('name') for each in files.elements('passive_joint')}
    for name in files.groups if listed else ():
        lacking = sorted(description.moving_joints.keys()
                         & files.parts(name)[1] - listed - others - passive)
        if lacking:
            yield Item('uncontrolled', ', '.join(lacking), files.controllers[-1][1], name)
    parts = description.robot.findall('ros2_control/joint')
    if parts and all(part.find('state_interface') is None for part in parts):
        yield Item('without states', '<ros2_control>', parts[0])
    classes = {name: (library, folder) for folder in package.packages.values()
               for text in texts_of(description, glob_in(folder, '*.xml')).values()
               for library, inner in _LIBRARY.findall(text) for name in _CLASS.findall(inner)}
    for plugin in description.robot.iterfind('ros2_control/hardware/plugin'):
        name, given = (plugin.text or '').strip(), {
            each.get('name') for each in (plugin.parent or plugin).findall('param')}
        required = [each for each in _table()['hardware'].get(name, ()) if each not in given]
        if required:
            yield Item('lacking', ', '.join(required), plugin, name)
        own, _, kind = name.partition('/')
        near = [each for each in classes if each.endswith(f'/{kind}')]
        if name not in classes and (near or classes and own in package.packages):
            yield Item('unexported', name, plugin, near=(*near, closest(name, classes))[0])
        library, folder = classes.get(name, ('', package.folder))
        cmake = package.build.get(str(folder / 'CMakeLists.txt'), '')
        if re.search(rf'add_library\(\s*{re.escape(library)}\b', cmake) and not any(
                re.search(rf'\b{re.escape(library)}\b|\$', match) for match in _TARGETS.findall(
                    cmake)):
            yield Item('library', library, plugin)
        if library and cmake and 'plugin=' not in package.build.get(
                str(folder / 'package.xml'), '') and 'plugin_description' not in cmake:
            yield Item('no export', name, plugin)


@once
def _types(description: Description) -> Mapping[str, str]:
    """Return the controllers that files of packages give a type, to that."""
    return {controller_name(entry).rpartition('/')[2]: kind
            for entries in moveit_files(description).written(_READ).values() for entry in entries
            if '/' in (kind := value_of(entry, 'type'))}
