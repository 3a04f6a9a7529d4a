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

"""The topics that ros_gz_bridge bridges, in launch files and YAML files."""

from __future__ import annotations

from collections.abc import Mapping
import os
from pathlib import Path
import re

from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.package_files import element_in
from urdf_tools.check.package_files import package_files
from urdf_tools.check.schema import TABLES
from urdf_tools.model.xml.element import Element

_IN_LAUNCH = re.compile(r'(?<=["\'])([\w/.-]+)@([\w/]+)([@\[\]])(\w+\.[\w.]+)')

_DIRECTIONS = TABLES['directions of bridges']

Bridge = Mapping[str, Element]
"""What is written about a topic that ros_gz_bridge bridges, by the names in its YAML files."""


@once
def bridges(description: Description) -> list[Bridge]:
    """Return the topics that the package, or a launch file of the robot, bridges."""
    files, found = package_files(description), list[Bridge]()
    for path, text in files.launch.items():
        if path in files.launching or files.folder in Path(path).parents:
            for match in _IN_LAUNCH.finditer(text):
                bridge = {name: element_in(path, text, match.start(group), 'bridge')
                          for name, group in (('topic_name', 1), ('ros_type_name', 2),
                                              ('direction', 3), ('gz_type_name', 4))}
                for element, value in zip(bridge.values(), match.groups()):
                    element.text = _DIRECTIONS.get(value, value)
                found.append(bridge)
    for path, text in package_texts(description, 'yaml', beside='config').items():
        is_named = any(os.path.basename(path) in other for other in files.launching.values())
        if '_topic_name' in text and (is_named or files.folder in Path(path).parents):
            for entry in moveit_files(description).entries_in_file(path):
                bridge = {re.sub('^ign_', 'gz_', each.get('name', '')): each for each in entry}
                if 'gz_type_name' in bridge:
                    found.append({'ros_type_name': bridge['gz_type_name'], **bridge, **(
                        {'table': entry} if entry.parent is None else {})})
    return found
