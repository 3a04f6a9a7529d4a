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

"""Rules about one attribute or child: whether it is there, its sign and range."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from functools import partial
import math
from operator import attrgetter
from typing import Any

from urdf_tools.check.indexed_description import AXIS_TYPES
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import has_computed_type
from urdf_tools.check.indexed_description import JOINT_TYPES
from urdf_tools.check.indexed_description import joints_of_type
from urdf_tools.check.indexed_description import joints_with
from urdf_tools.check.indexed_description import LIMITED_TYPES
from urdf_tools.check.indexed_description import position_ranges
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import lacking
from urdf_tools.check.registry import rows
from urdf_tools.check.registry import without
from urdf_tools.check.schema import misspelling
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.message import FreeText
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element

_Elements = Callable[[Description], Iterable[Element]]


def _of_joints(tag: str, types: Collection[str] = JOINT_TYPES) -> _Elements:
    """Return what returns the first child with a tag of each joint of one of these types."""
    return lambda description: (each for _, each in joints_with(description, tag, types))


def _meshes(description: Description) -> Iterator[Element]:
    return (shape for _, geometry in description.shapes for shape in geometry or ()
            if shape.tag == 'mesh')


_ELEMENTS: Mapping[str, _Elements] = {
    'link': attrgetter('links'), 'joint': attrgetter('joints'),
    'joint with axis': partial(joints_of_type, types=AXIS_TYPES),
    'joint with limit': partial(joints_of_type, types=LIMITED_TYPES),
    'inertial': attrgetter('inertials'), 'transmission': attrgetter('transmissions'),
    'axis': _of_joints('axis', AXIS_TYPES),
    'limit': _of_joints('limit', LIMITED_TYPES), 'mimic': _of_joints('mimic'),
    'safety_controller': _of_joints('safety_controller'), 'mesh': _meshes,
    'shape': lambda description: (owner for owner, _ in description.shapes)}
"""What the elements of a rule are called, to what returns them."""

_BAD: Mapping[str, Callable[[tuple[float, ...]], bool]] = {
    'no length': lambda values: math.hypot(*values) < 1e-9, 'zero': lambda values: 0 in values,
    'negative': lambda values: min(values) < 0}


def _lacks(description: Description, elements: str, name: str, template: str) -> Iterator[Defect]:
    """Yield elements without an attribute, or without text in it if it is one."""
    return lacking(_ELEMENTS[elements](description), name, template)


def _lacks_child(description: Description, elements: str, tag: str, template: str
                 ) -> Iterator[Defect]:
    """Yield elements without a child."""
    for element in _ELEMENTS[elements](description):
        if element.find(tag) is None:
            yield Defect(element, template, owner=element, type=element.get('type', ''),
                         **misspelling(element, tag))


def _lacks_bound(description: Description, name: str) -> Iterator[Defect]:
    """Yield limits without an attribute that URDF 1.2 no longer requires."""
    for limit in _of_joints('limit')(description):
        misspelt = misspelling(limit, name)
        if name not in limit.attrib and (misspelt or description.version < (1, 2)):
            yield Defect(limit, 'The <limit> of {joint} has no {attribute}', attribute=name,
                         **misspelt)


def _lacks_both(description: Description, tag: str, first: str, second: str) -> Iterator[Defect]:
    """Yield elements of joints that have neither of two attributes."""
    for element in _of_joints(tag)(description):
        if not {first, second} & element.attrib.keys():
            yield Defect(element, 'The <{tag}> of {joint} has neither {first} nor {second}',
                         first=first, second=second,
                         fix=() if element.attrib or len(element) else (RemoveElement(element),))


def _negative(description: Description, tag: str, names: Sequence[str], template: str
              ) -> Iterator[Defect]:
    """Yield numbers below zero in elements of joints."""
    for element in _of_joints(tag)(description):
        for name, value in description.numbers(element, *names).items():
            if value < 0:
                yield Defect(element, template, attribute=name, value=value)


def _values(description: Description, elements: str, name: str, n: int, bad: str, template: str
            ) -> Iterator[Defect]:
    """Yield elements with ``n`` bad numbers in an attribute, which is shown as written."""
    for element in _ELEMENTS[elements](description):
        values = description.vector(element, name, n)
        if values is not None and _BAD[bad](values):
            written: dict[str, Any] = {name: FreeText(element.get(name))}
            yield Defect(element, template, attribute=name, **written)


def _inverted(description: Description, elements: str, lower: str, upper: str, template: str
              ) -> Iterator[Defect]:
    """Yield elements in which one number is above another one."""
    for element in _ELEMENTS[elements](description):
        ends = description.numbers(element, lower, upper)
        if len(ends) == 2 and ends[lower] > ends[upper]:
            yield Defect(element, template, **ends, fix=(
                SetAttribute(element, lower, element.attrib[upper]),
                SetAttribute(element, upper, element.attrib[lower])))


def _bounds(description: Description, what: str, name: str) -> Iterator[Defect]:
    """Yield limits whose first bad bound of effort and velocity is ``name``."""
    passive = {extension.get('reference') for extension in description.gazebo
               if extension.find('springStiffness') is not None}
    limits = [*joints_with(description, 'limit', (*LIMITED_TYPES, 'continuous'))]
    is_driven = any(description.number(limit, 'effort') for _, limit in limits)
    for joint, limit in limits:
        lower, upper = position_ranges(description).get(joint, (-1, 1))
        bad = {each: value
               for each, value in description.numbers(limit, 'effort', 'velocity').items()
               if (value < 0 if what == 'negative' else value == 0)}
        if name != next(iter(bad), None) or what == 'zero' and (
                lower == upper or joint.get('name') in passive
                or is_driven and joint.get('type') == 'continuous' and bad.keys() == {'effort'}):
            continue
        values = ', '.join(f'{value:g}' for value in bad.values() if value)
        template = ('The {bounds} limits of {joint} are {what}' if len(bad) > 1 else
                    'The {bounds} limit of {joint} is {what}')
        yield Defect(limit, template + (' ({values})' if values else ''),
                     bounds=' and '.join(bad), what=what, values=FreeText(values), **bad)


def _on_fixed(description: Description, tag: str, template: str) -> Iterator[Defect]:
    """Yield elements of fixed joints that have no effect there."""
    for joint, element in joints_with(description, tag, ('fixed',)):
        if not has_computed_type(joint):
            values = (description.vector(element, name, 3 if name == 'xyz' else 1)
                      for name in element.attrib)
            is_empty = all(each is not None and not any(each) for each in values)
            yield Defect(element, template, fix=(
                RemoveElement(element),) if is_empty and not len(element) else ())


_UNTIMED_IF_ZERO = changes(
    'moveit', of='joint', how='cannot time-parameterize a trajectory',
    when=Condition('if the velocity limit is zero', lambda description, defect: (
        description.number(defect.element, 'velocity') == 0)))
_CLAMPED = changes('ros2_control', of='joint', how='clamps commands to zero',
                   setting='with enforce_command_limits, the default from Kilted on')

_CONSEQUENCES = {
    **dict.fromkeys(('limit-zero-effort', 'limit-zero-velocity'), (_UNTIMED_IF_ZERO, _CLAMPED)),
    **{code: (refuses('urdf_parser_py', when=without(name)),) for code, name in (
        ('link-no-name', 'name'), ('joint-no-name', 'name'), ('mimic-no-joint', 'joint'),
        ('mesh-no-filename', 'filename'))}}
"""What programs without a model do because of them."""

rows('attributes', {
    'lacks': _lacks, 'lacks child': _lacks_child, 'lacks bound': _lacks_bound,
    'lacks both': _lacks_both, 'values': _values, 'negative': _negative, 'inverted': _inverted,
    'bounds': _bounds, 'on fixed': _on_fixed}, _CONSEQUENCES)
