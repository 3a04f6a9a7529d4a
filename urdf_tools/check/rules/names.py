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

"""Rules about the names of links, joints, materials and shapes."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import re

from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.indexed_description import once
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import on_element
from urdf_tools.check.registry import repeated
from urdf_tools.check.registry import rows
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.schema import TABLES
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.finding import Fix
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import SourceLocation

rule = RULES.in_category('names')

_Calls = tuple[tuple[SourceLocation, ...], ...]
_Appearance = tuple[tuple[float, ...] | None, str | None]


def _duplicates_but_of_calls(description: Description, tag: str) -> Iterator[Defect]:
    """Yield the repeated names, once for all that result from the same two macro calls."""
    for element, first in _repeated(description.robot.findall(tag)):
        calls = _calls(element, first)
        alike = _repeated_by_calls(description)[calls]
        if not calls:
            yield _duplicate(element, first)
        elif alike[0] is element:
            yield Defect(
                element, '{kind} {name} is already defined by the call of the macro {where}'
                + (', with {others:other name}' if len(alike) > 1 else ''), attribute='name',
                kind=element.tag.capitalize(), name=Name(first.get('name')),
                where=FreeText(f'at {calls[0][-1]}'), others=len(alike) - 1,
                hint='Give the calls different names or prefixes')


rows('names', {'duplicate': _duplicates_but_of_calls})


def _calls(*elements: Element) -> _Calls:
    """Return the macro calls that generated elements from the same tag; empty if none did."""
    origins = [each.origin for each in elements if each.origin is not None and each.origin.calls]
    is_same = len({id(origin.tag) for origin in origins}) == 1 and len(origins) == len(elements)
    return tuple(origin.calls for origin in reversed(origins)) if is_same else ()


@once
def _repeated_by_calls(description: Description) -> Mapping[_Calls, list[Element]]:
    """Return the links and joints whose names two calls of a macro repeat."""
    return grouped((_calls(element, first), element) for element, first in (
        *_repeated(description.links), *_repeated(description.joints)))


def _repeated(elements: Iterable[Element]) -> Iterator[tuple[Element, Element]]:
    """Yield each element with the name of an earlier one, and the first element of that name."""
    return repeated((element.get('name'), element) for element in elements)


def _duplicate(element: Element, first: Element, fix: Fix = ()) -> Defect:
    return Defect(element, '{kind} {name} is already defined {where}', attribute='name',
                  kind=element.tag.capitalize(), name=Name(first.get('name')),
                  where=FreeText(first.position_beside(element)), fix=fix)


@rule('duplicate-material-name', ERROR, affects='name material colour')
def duplicate_material_name(description: Description) -> Iterator[Defect]:
    """
    Check that each material is defined once below <robot>, and the same in every visual.

    A visual may repeat the definition of its material. If colour or texture differ, Drake
    refuses the description and other readers disagree about the colour, which is a warning.
    Differences of 1e-10 are those of rounding.

    Fails in a robot:
        <material name="m"><color rgba="1 0 0 1"/></material>
        <material name="m"><color rgba="1 0 0 1"/></material>
    Passes:
        <material name="m"><color rgba="1 0 0 1"/></material>
        <link name="base_link"><visual>
          <material name="m"><color rgba="1 0 0 1"/></material>
        </visual></link>
    """
    for material, first in _repeated(description.materials):
        is_same = _appearance(description, first) == _appearance(description, material)
        yield _duplicate(material, first, fix=(RemoveElement(material),) if is_same else ())
    defined = {material.get('name'): material for material in reversed(description.materials)}
    for visual in description.robot.iterfind('link/visual'):
        used = child(visual, 'material')
        appearance = _appearance(description, used)
        if used is None or not any(appearance) or not used.get('name'):
            continue
        first = defined.setdefault(used.get('name'), used)
        if _appearance(description, first) != appearance:
            yield Defect(used, '{material} differs from its definition {where}', severity=WARN,
                         where=FreeText(first.position))


def _appearance(description: Description, material: Element | None) -> _Appearance:
    """Return the colour, but for what Drake takes for rounding, and the texture."""
    texture = child(material, 'texture')
    rgba = description.vector(child(material, 'color'), 'rgba', 4)
    return (rgba and tuple(round(value, 10) for value in rgba),
            None if texture is None else texture.get('filename') or None)


_ROOTED = on_element('if it is that of a link and begins with "/"', lambda part: (
    part.tag == 'link' and part.get('name').startswith('/')))


@rule('name-bad-characters', WARN,
      changes('rviz', of='link', how='cannot use the frame', when=_ROOTED), affects='name')
def name_bad_characters(description: Description) -> Iterator[Defect]:
    """
    Check that the names of links and joints are valid frame names and work in other formats.

    A "/" inside a name, as in left/wheel, is only noted, as is a digit at the start.

    Fails in a robot: <link name="left wheel"/>
    Passes with name="left_wheel-1.2"
    """
    for element in (*description.links, *description.joints):
        name = element.get('name', '')
        if re.fullmatch('[A-Za-z_.-][A-Za-z0-9_.-]*', name) or is_expression(name):
            continue
        for pattern, severity, template in TABLES['characters of bad names']:
            if match := re.search(pattern, name):
                yield Defect(
                    element, template, attribute='name',
                    part=element, character=Name(match.group()), severity=Severity[severity],
                    hint='Begin it with a letter or "_"' if match.group().isdigit() else '')
                break


def is_conventional_root(link: str) -> bool:
    """Return whether a link has a name that is usual for a root, maybe with a prefix."""
    return any(link == name or link.endswith('_' + name) for name in TABLES['conventional roots'])
