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
The table of the rules about a single attribute: whether it is there, its sign, range and unit.

Each row is one rule: code, severity, what it requires, an example (context, what fails, what
passes), and its check: a function for all rules of the same kind, and its arguments for this one.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from functools import partial
import math
from typing import Any

from urdf_tools.check.indexed_description import AXIS_TYPES
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import has_computed_type
from urdf_tools.check.indexed_description import JOINT_TYPES
from urdf_tools.check.indexed_description import joints_with
from urdf_tools.check.indexed_description import LIMITED_TYPES
from urdf_tools.check.indexed_description import position_ranges
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import lacking
from urdf_tools.check.registry import row
from urdf_tools.check.registry import WARN
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


def _lacks(elements: _Elements, name: str, template: str, description: Description
           ) -> Iterator[Defect]:
    """Yield elements without an attribute, or without text in it if it is one."""
    return lacking(elements(description), name, template)


def _lacks_bound(name: str, description: Description) -> Iterator[Defect]:
    """Yield limits without an attribute that URDF 1.2 no longer requires."""
    for limit in _of_joints('limit')(description):
        misspelt = misspelling(limit, name)
        if name not in limit.attrib and (misspelt or description.version < (1, 2)):
            yield Defect(limit, 'The <limit> of {joint} has no {attribute}', attribute=name,
                         **misspelt)


def _lacks_both(tag: str, first: str, second: str, description: Description) -> Iterator[Defect]:
    """Yield elements of joints that have neither of two attributes."""
    for element in _of_joints(tag)(description):
        if not {first, second} & element.attrib.keys():
            yield Defect(element, 'The <{tag}> of {joint} has neither {first} nor {second}',
                         first=first, second=second,
                         fix=() if element.attrib or len(element) else (RemoveElement(element),))


def _negative(tag: str, names: Sequence[str], template: str, description: Description
              ) -> Iterator[Defect]:
    """Yield numbers below zero in elements of joints."""
    for element in _of_joints(tag)(description):
        for name, value in description.numbers(element, *names).items():
            if value < 0:
                yield Defect(element, template, attribute=name, value=value)


def _values(elements: _Elements, name: str, n: int,
            is_bad: Callable[[tuple[float, ...]], bool], template: str, description: Description
            ) -> Iterator[Defect]:
    """Yield elements with ``n`` bad numbers in an attribute, which is shown as written."""
    for element in elements(description):
        values = description.vector(element, name, n)
        if values is not None and is_bad(values):
            written: dict[str, Any] = {name: FreeText(element.get(name))}
            yield Defect(element, template, attribute=name, **written)


def _inverted(elements: _Elements, lower: str, upper: str, template: str, description: Description
              ) -> Iterator[Defect]:
    """Yield elements in which one number is above another one."""
    for element in elements(description):
        ends = description.numbers(element, lower, upper)
        if len(ends) == 2 and ends[lower] > ends[upper]:
            yield Defect(element, template, **ends, fix=(
                SetAttribute(element, lower, element.attrib[upper]),
                SetAttribute(element, upper, element.attrib[lower])))


def _bounds(what: str, name: str, description: Description) -> Iterator[Defect]:
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


def _on_fixed(tag: str, template: str, description: Description) -> Iterator[Defect]:
    """Yield elements of fixed joints that have no effect there."""
    for joint, element in joints_with(description, tag, ('fixed',)):
        if not has_computed_type(joint):
            values = (description.vector(element, name, 3 if name == 'xyz' else 1)
                      for name in element.attrib)
            is_empty = all(each is not None and not any(each) for each in values)
            yield Defect(element, template, fix=(
                RemoveElement(element),) if is_empty and not len(element) else ())


_joints, _geometry = partial(row, 'joints'), partial(row, 'geometry')
_AXES, _LIMITS = _of_joints('axis', AXIS_TYPES), _of_joints('limit', LIMITED_TYPES)
_MIMICS, _SAFETY = _of_joints('mimic'), _of_joints('safety_controller')

_joints('joint-no-type', ERROR,
        partial(_lacks, lambda description: description.joints, 'type', '{owner} has no type'),
        affects='type attribute joint')

_joints('axis-no-xyz', ERROR, partial(_lacks, _AXES, 'xyz', 'The axis of {parent} has no xyz'),
        affects='any')

_joints('axis-zero', ERROR,
        partial(_values, _AXES, 'xyz', 3, lambda xyz: math.hypot(*xyz) < 1e-9,
                'The axis of {joint} is zero'), affects='any')

_joints('axis-on-fixed', INFO, partial(_on_fixed, 'axis', '{joint} is fixed but has an <axis>'))
_joints('limit-on-fixed', INFO, partial(_on_fixed, 'limit', '{joint} is fixed but has a <limit>'))

_joints('limit-no-effort', ERROR, partial(_lacks_bound, 'effort'), affects='any')

_joints('limit-no-velocity', ERROR, partial(_lacks_bound, 'velocity'), affects='any')

_joints('limit-inverted', ERROR,
        partial(_inverted, _LIMITS, 'lower', 'upper',
                'The lower limit of {joint}, {lower:g}, is above its upper limit, {upper:g}'),
        affects='any')

_joints('limit-negative-effort', ERROR, partial(_bounds, 'negative', 'effort'), affects='any')

_joints('limit-negative-velocity', ERROR, partial(_bounds, 'negative', 'velocity'), affects='any')

_UNTIMED_IF_ZERO = changes(
    'moveit', of='joint', how='cannot time-parameterize a trajectory',
    when=Condition('if the velocity limit is zero', lambda description, defect: (
        description.number(defect.element, 'velocity') == 0)))
_CLAMPED = changes('ros2_control', of='joint', how='clamps commands to zero',
                   setting='with enforce_command_limits, the default from Kilted on')

_joints('limit-zero-effort', WARN, partial(_bounds, 'zero', 'effort'), _UNTIMED_IF_ZERO, _CLAMPED,
        affects='any')

_joints('limit-zero-velocity', WARN, partial(_bounds, 'zero', 'velocity'), _UNTIMED_IF_ZERO,
        _CLAMPED, affects='any')

_joints('acceleration-jerk-negative', ERROR,
        partial(_negative, 'limit', ('acceleration', 'deceleration', 'jerk'),
                'The {attribute} limit of {joint} is negative ({value:g})'))

_joints('dynamics-empty', ERROR, partial(_lacks_both, 'dynamics', 'damping', 'friction'),
        affects='any')

_joints('dynamics-negative', WARN,
        partial(_negative, 'dynamics', ('damping', 'friction'),
                'The {attribute} of {joint} is negative ({value:g})'), affects='any')

_joints('calibration-empty', INFO, partial(_lacks_both, 'calibration', 'rising', 'falling'))

_joints('safety-no-k-velocity', ERROR,
        partial(_lacks, _SAFETY, 'k_velocity', 'The {owner} has no k_velocity'), affects='any')

_joints('soft-limits-inverted', WARN,
        partial(_inverted, _SAFETY, 'soft_lower_limit', 'soft_upper_limit',
                'The soft lower limit of {joint}, {soft_lower_limit:g}, is above its soft upper '
                'limit, {soft_upper_limit:g}'))

_joints('mimic-no-joint', ERROR,
        partial(_lacks, _MIMICS, 'joint', 'The <mimic> of {parent} names no joint'),
        refuses('urdf_parser_py', when=without('joint')), affects='any')

_joints('mimic-zero-multiplier', WARN,
        partial(_values, _MIMICS, 'multiplier', 1, lambda values: values[0] == 0,
                '{joint} mimics with multiplier 0, so it never moves'))

_geometry('mesh-no-filename', ERROR,
          partial(_lacks, _meshes, 'filename', 'The {owner} has no filename'),
          refuses('urdf_parser_py', when=without('filename')), affects='any')

_geometry('mesh-scale-zero', ERROR,
          partial(_values, _meshes, 'scale', 3, lambda scale: 0 in scale,
                  'The scale of the {mesh} contains a zero ({scale})'), affects='any')

_geometry('mesh-scale-negative', INFO,
          partial(_values, _meshes, 'scale', 3, lambda scale: min(scale) < 0,
                  'The scale of the {mesh} is negative ({scale})'))
