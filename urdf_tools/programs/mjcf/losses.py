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

"""What of a description an MJCF model does not have, besides what its parts note."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consequences import KINDS
from urdf_tools.model.loops import LOOP_TAGS
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.importers import ignored_attributes

_READ = frozenset((
    'link', 'joint', 'material', 'inertial', 'visual', 'collision', 'parent', 'child', 'origin',
    'axis', 'limit', 'dynamics', 'mimic', 'transmission', 'geometry', 'mass', 'inertia',
    *LOOP_TAGS))
"""The elements in those of :data:`_OWNERS` that are read; others are noted."""

_OWNERS = ('link', 'joint', 'link/visual', 'link/collision', 'link/inertial')

_IGNORED = {'limit': dict.fromkeys(('acceleration', 'deceleration', 'jerk'), '')}

_OF_GAZEBO = frozenset(('sensor', 'joint'))
"""What is read in ``<gazebo>``: sensors, and joints that close loops."""


def unread(description: Element) -> Iterator[Loss]:
    """Yield the elements and attributes that are not read."""
    owners = (description, *(each for path in _OWNERS for each in description.iterfind(path)))
    for element in (each for owner in owners for each in owner if each.tag not in _READ):
        if element.tag == 'ros2_control':
            yield loss('interface', Impact.IGNORES, element, 'The hardware, the state interfaces '
                       'and the parameters of {element} are left out', is_harmless=True)
            continue
        parts = [element] if element.tag != 'gazebo' else [
            each for each in element if each.tag not in _OF_GAZEBO]
        for each in parts:
            yield loss(each.tag if each.tag in KINDS else 'element', Impact.IGNORES, each,
                       '{element} is left out', is_harmless=True)
    yield from ignored_attributes([description], _IGNORED)
