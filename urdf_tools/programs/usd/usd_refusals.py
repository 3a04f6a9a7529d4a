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

"""Why urdf-usd-converter refuses a description (``_impl/urdf_parser/parser.py``)."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from functools import lru_cache

from urdf_tools.findings.message import Name
from urdf_tools.model.element import Element
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal

_NUMBERS: Mapping[str, tuple[str, ...]] = {
    'mass': ('value',), 'inertia': ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'),
    'limit': ('lower', 'upper', 'effort', 'velocity'), 'mimic': ('multiplier', 'offset'),
    'dynamics': ('damping', 'friction'), 'calibration': (
        'reference_position', 'rising', 'falling'),
    'safety_controller': ('soft_lower_limit', 'soft_upper_limit', 'k_position', 'k_velocity')}
"""Attributes that have to be numbers, by the tags of their elements."""

_LENGTHS = ('radius', 'length')

_VECTORS = {'size': 3, 'xyz': 3, 'rpy': 3}
"""Attributes that have to be vectors in each element, also of other languages."""

_VECTORS_IN = {('mesh', 'scale'): 3, ('color', 'rgba'): 4}

_READABLE = (ErrorKind.INVALID, ErrorKind.LOOP)
"""Problems of descriptions that are well-formed XML."""


def refusals(robot: Robot) -> Iterator[Loss]:
    """Yield why the converter refuses a description."""
    root = robot.element
    assert root is not None, 'robots of a description have elements'
    for problem in robot.problems:
        # It skips declarations, wherever they are.
        if problem.kind not in _READABLE and 'declaration' not in problem.message:
            yield refusal(root, 'Line {line} is not well-formed XML', line=problem.line or 1,
                          hint='Mend what urdf-tools check reports')
    if root.get('xmlns'):
        yield refusal(root, 'The default namespace {name} makes it no <robot>', attribute='xmlns',
                      name=Name(root.attrib['xmlns']), hint='Remove xmlns')
    for element in root.iter():
        yield from _unreadable(element)
        for name in (element.tag, *element.attrib):
            prefix, colon, _ = name.partition(':')
            if colon and prefix not in ('xml', 'xmlns') and not _declares(
                    element, f'xmlns:{prefix}'):
                yield refusal(element, 'The prefix {prefix} of {name} is not declared',
                              prefix=Name(prefix), name=Name(name),
                              hint='Declare it in <robot>')
    for element in (root, *root.iterfind('material')):
        if not element.get('name'):
            yield refusal(element, 'A <{tag}> of the robot has no name', tag=element.tag,
                          hint='Write name="..."')
    for tag in ('link', 'joint', 'material'):
        seen = set()
        for element in root.iterfind(tag):
            if element.get('name') in seen:
                yield refusal(element, 'Another {tag} has the name {name}', tag=tag,
                              name=Name(element.get('name', '')), hint='Rename one of them')
            seen.add(element.get('name'))
    for joint in root.iterfind('joint'):
        axis, mimic = joint.find('axis'), joint.find('mimic')
        if joint.get('type') != 'fixed' and axis is not None and axis.get('xyz') and (
                set(_floats(axis.get('xyz', ''))) == {0.0}):
            yield refusal(axis, 'The axis of {joint} is zero', joint=joint,
                          hint='Write a unit vector')
        if mimic is not None and mimic.get('joint') not in ('', *robot.joints):
            yield refusal(mimic, '{joint} mimics {leader}, which does not exist', joint=joint,
                          leader=Name(mimic.get('joint', '')), hint='Name a joint of this robot')


def _declares(element: Element, name: str) -> bool:
    """Return whether an element, or one around it, has an attribute."""
    at: Element | None = element
    while at is not None and name not in at.attrib:
        at = at.parent
    return at is not None


def _unreadable(element: Element) -> Iterator[Loss]:
    """Yield the attributes that are no numbers; those of other languages are read, too."""
    is_shape = element.parent is not None and element.parent.tag == 'geometry'
    if is_shape and element.tag in ('sphere', 'cylinder'):
        for attribute in ('radius', 'length')[:1 + (element.tag == 'cylinder')]:
            if attribute not in element.attrib:
                yield refusal(element, 'A {tag} has no {attribute}', tag=element.tag,
                              attribute=attribute, hint='Write {attribute}="..."')
    for name, text in element.attrib.items():
        n = _VECTORS.get(name) or _VECTORS_IN.get((element.tag, name)) or (
            name in _LENGTHS or name in _NUMBERS.get(element.tag, ()))
        if n and len(_floats(text)) != n:
            yield refusal(
                element, 'It reads {attribute}={text} of each element as {n:number}',
                attribute=name, text=Name(text), n=int(n),
                hint='Write numbers with a decimal point, separated by spaces')


@lru_cache(maxsize=4096)
def _floats(text: str) -> tuple[float, ...]:
    """Return the numbers of a text; none if one of them is no number in Python."""
    try:
        return tuple(float(part) for part in text.split())
    except ValueError:
        return ()
