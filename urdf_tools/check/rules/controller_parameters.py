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

"""The rule about the parameters of controllers of ros2_control, in YAML files."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.moveit_files import controller_name
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.yaml_entries import value_of
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('assets')

_spelling = cache(Spelling)

_TABLE = 'ros__parameters'


@cache
def _known() -> Mapping[str, Any]:
    """Return each type of controller to its parameters; tables of parameters are tables again."""
    import yaml  # It takes long, and few descriptions have such files.
    return dict(yaml.safe_load(Path(__file__).with_suffix('.yaml').read_bytes()))


@rule('controller-parameter-misspelt', WARN, ignores('ros2_control', of='element'),
      fix='Correct the name', source='ros2_controllers, the files `*_parameters.yaml`')
def controller_parameter_misspelt(description: Description) -> Iterator[Defect]:
    """
    Check that no parameter of a controller has almost the name of one that the controller reads.

    Known are the controllers of ros2_controllers, from Foxy to Rolling, and the controller
    manager. The files are ros2_controllers.yaml and its older names beside the SRDF file, those
    that plugins of Gazebo name, and those with joints of this robot in its package and, for a
    description with <ros2_control>, in the packages beside it. The type of a controller may be in
    another one of these files. A name beside the correct one is not reported.

    Fails in the controller arm in ros2_controllers.yaml: comand_interfaces: [position]
    Passes: command_interfaces: [position]
    """
    files = moveit_files(description).parameters
    everywhere = _types([entry for entries in files for entry in entries])
    for entries in files:
        types = {**everywhere, **_types(entries)}
        for entry in entries:
            name, own = controller_name(entry).rpartition('/')[2], entry.get('name', '')
            if own != _TABLE and _spelling((_TABLE,)).near(own):
                yield Defect(entry, 'Parameters are read from {table}, not {name}',
                             table=FreeText(_TABLE), name=Name(own), suggestion=_TABLE)
            elif own == _TABLE:
                kind = types.get(name, name)
                yield from _misspelt(entry, kind, _known().get(kind) or {})


def _types(entries: list[Element]) -> dict[str, str]:
    """Return the names of controllers to their types, as far as they are there."""
    return {controller_name(entry): kind for entry in entries if '/' in (
        kind := value_of(entry, 'type'))}


def _misspelt(table: Element, kind: str, known: Mapping[str, Any]) -> Iterator[Defect]:
    """Yield the misspelt parameters in a table of a controller; names may have dots."""
    names = {entry.get('name', '') for entry in table}
    for entry in table:
        *outer, name = entry.get('name', '').split('.')
        inner = known
        for part in outer:
            inner = inner.get(part, inner.get('*')) or {}
        is_table = any(each.get('name') for each in entry)
        near = None if name in inner else _spelling(tuple(
            each for each, parts in inner.items()
            if bool(parts) == is_table and len(each) > 3)).near(name)
        correct = '.'.join((*outer, near or ''))
        if near and correct not in names:
            yield Defect(entry, '{kind} has no parameter {name:60}', kind=FreeText(kind),
                         name=Name(entry.get('name', '')), suggestion=correct)
        elif is_table:
            yield from _misspelt(entry, kind, inner.get(name, inner.get('*')) or {})
