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

"""Rules about the parameters of navigation, localisation and odometry: their frames."""

from __future__ import annotations

from collections.abc import Iterator
import os
from pathlib import Path
import re

from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('assets')

_BASES = ('base_frame', 'base_frame_id', 'base_link_frame', 'robot_base_frame')
"""The parameters of Nav2, slam_toolbox, robot_localization and controllers that name the base."""


def _parameters(description: Description, names: tuple[str, ...]) -> Iterator[Element]:
    """Yield the entries of these names in the YAML files of the package and those beside it."""
    files = package_files(description)
    for path, text in package_texts(description, 'yaml', beside='config').items():
        is_own = files.folder in Path(path).parents or any(
            os.path.basename(path) in other for other in files.launching.values())
        if is_own and any(name in text for name in names):
            for entry in moveit_files(description).entries_in_file(path):
                if entry.get('name') in names and entry.text:
                    yield entry


@rule('parameter-frame-unknown', WARN)
def parameter_frame_unknown(description: Description) -> Iterator[Defect]:
    """
    Check that the base that parameters of navigation name is a link of the robot.

    Where it is not, and no description or launch file of the package has it, nothing connects it
    with the robot, and costmaps and filters wait for it.

    Example: robot_base_frame: base_link, and the root of the robot is base_footprint
    """
    roots = [name for name, link in description.link_names.items()
             if description.topology.parent_joint(name) is None and link is not None]
    if description.is_template or len(roots) != 1:
        return
    files = package_files(description)
    texts = [*files.launch.values(), *package_texts(
        description, 'urdf', 'xacro', 'sdf', 'py', beside='urdf').values()]
    for entry in _parameters(description, _BASES):
        name = (entry.text or '').strip().rpartition('/')[2]
        if name and name not in description.link_names and not is_expression(name) and not any(
                re.search(rf'["\'/ ]{re.escape(name)}["\' <]', text) for text in texts):
            yield Defect(entry, '{parameter} is {name}, which is no link of the robot, whose root '
                         'is {root}', parameter=FreeText(entry.get('name', '')),
                         name=Name(name), root=Name(roots[0]),
                         suggestion=description.link_spelling.near(name))
