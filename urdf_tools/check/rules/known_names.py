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

"""Rules about names of packages, executables, plugins and parameters that have become others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
import json
from pathlib import Path
import re
from typing import Any

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.launch_files import launch_files
from urdf_tools.check.moveit_files import controller_name
from urdf_tools.check.moveit_files import entries_in_text
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
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('assets')

_READ = re.compile('planning_plugin|request_adapters|kinematics_solver|ros__parameters')
"""What a YAML file has that the table may know."""

DEPENDS = re.compile(r'<\w*depend\b[^>]*>\s*([\w-]+)\s*<')


@cache
def known_names() -> Any:
    """Return what packages offer, and which names are others than before."""
    return json.loads(Path(__file__).with_suffix('.json').read_bytes())


@cache
def _outdated() -> re.Pattern[str]:
    """Return a pattern with a group for each outdated name, called like its place in the list."""
    return re.compile('|'.join(f'(?P<_{place}>{each["match"]})' for place, each in enumerate(
        known_names()['outdated'])))


@rule('name-outdated', WARN, fix='Write what has taken its place',
      source='release notes of ros2_control, ros2_controllers, MoveIt, launch_ros and ros_gz')
def name_outdated(description: Description) -> Iterator[Defect]:
    """
    Check that what is named still exists: packages, arguments, plugins, parameters.

    They are those in launch files, package.xml, files of controllers and MoveIt, and for Gazebo
    and ros2_control in the description. What holds since a release is not reported in a package
    whose README, package.xml, Dockerfile or workflows name older releases only; packages for ROS 1
    are left out.

    Example: planning_plugin: ompl_interface/OMPLPlanner
    """
    files, done = package_files(description), set()
    manifest = files.own('package.xml')
    for item, name, element in () if 'catkin' in manifest and 'ament' not in manifest else (
            *_of_description(description), *_of_packages(description), *_of_yaml(description)):
        match = _outdated().fullmatch(item)
        of = known_names()['outdated'][int((match.lastgroup or '')[1:])] if match else {}
        if match and files.is_for(of['since']) and (match.lastgroup, element.location('')[0]) not in done:
            done.add((match.lastgroup, element.location('')[0]))
            yield Defect(
                element, 'From {release} on, {name:60} {says}' if of['since'] else
                '{name:60} {says}', name=Name(name), says=FreeText(of['says']),
                release=FreeText(of['since'].title()), write=FreeText(of['write']), hint='{write}',
                consequences=changes(of['program'], of='element', how=of['meets']) if (
                    'program' in of) else ())


def _of_description(description: Description) -> Iterator[tuple[str, str, Element]]:
    """Yield each item in what is written for Gazebo and ros2_control, its name and element."""
    for element in chain.from_iterable(
            each.iter() for each in (*description.gazebo, *description.ros2_control)):
        if element.text and element.text.strip():
            yield f'{element.tag}={element.text.strip()}', element.text.strip(), element
        for name, value in element.attrib.items():
            yield f'{element.tag}@{name}={value}', value, element


def _of_packages(description: Description) -> Iterator[tuple[str, str, Element]]:
    """Yield each item in launch files, and what the package depends on."""
    for file in launch_files(description):
        for node in file.nodes:
            package, name = (node.given.get(key, '') for key in ('package', 'executable'))
            yield f'node {package}/{name}', f'{package}/{name}', file.element(node.place, 'node')
        for word, place in file.words:
            kind = 'call' if word.endswith('=') else 'word'
            yield f'{kind} {word}', word.rpartition('(')[2], file.element(place, 'text')
    path, text = str(package_files(description).folder / 'package.xml'), package_files(
        description).own('package.xml')
    for match in DEPENDS.finditer(text if package_files(description).is_first else ''):
        if 'condition' not in match[0]:
            yield f'depend {match[1]}', match[1], element_in(path, text, match.start(), 'depend')


def _of_yaml(description: Description) -> Iterator[tuple[str, str, Element]]:
    """Yield each parameter in files of controllers and of MoveIt."""
    files = moveit_files(description)
    is_first, named = package_files(description).is_first, {file for file, _ in files.loaded}
    tables = [(name, entries) for file, entries in files.written(_READ)
              if (name := Path(file).name) in named or is_first]
    types = {controller_name(entry).rpartition('/')[2]: kind for _, entries in tables
             for entry in entries if '/' in (kind := value_of(entry, 'type'))}
    for file, entries in tables:
        for entry in entries:
            path, above = [], entry
            while above.parent is not None and above.get('name') != 'ros__parameters':
                path.append(above.get('name', ''))
                above = above.parent
            owner = controller_name(above).rpartition('/')[2] if above.parent is not None else file
            if entry.text and path:
                value = ('' if path[0] else '[]') + f'={entry.text}'
                yield (f'{types.get(owner, owner)}:{".".join(filter(None, reversed(path)))}{value}',
                       next(filter(None, path)) if path[0] else entry.text, entry)
