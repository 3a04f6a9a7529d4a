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
Print the differences between two robots.

For example:
  urdf-tools diff old.urdf robot.urdf
  urdf-tools diff robot.urdf.xacro robot.urdf.xacro prefix:=left_
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import asdict
from dataclasses import is_dataclass
import math

import numpy as np

from urdf_tools.cli.arguments import add_format
from urdf_tools.cli.arguments import add_two_descriptions
from urdf_tools.cli.arguments import load_robot
from urdf_tools.cli.arguments import two_descriptions
from urdf_tools.cli.output import print_result
from urdf_tools.dynamics.comparison import compare
from urdf_tools.dynamics.comparison import Difference
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote

_UNITS = {'mass': ' kg', 'centre of mass': ' m', 'inertia': ' kg m^2'}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    add_two_descriptions(parser, 'the robots')
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the differences, and return 1 if there are any."""
    first, second = (load_robot(each) for each in two_descriptions(arguments))
    differences = compare(first, second)
    print_result(arguments.format, lambda: {'differences': [*map(_as_data, differences)]},
                 _lines(differences) if differences else ['The robots are the same'])
    return 1 if differences else 0


def _lines(differences: Sequence[Difference]) -> Iterator[str]:
    moved = [each for each in differences if each.part == 'frame']
    furthest = max(moved, key=lambda each: each.after, default=None)
    for each in differences:
        if each.part == 'element':
            yield f'<{each.name}>: {each.before or each.after} {each.what}'
        elif each.part != 'frame':
            yield _line(each)
        elif each is furthest:
            turned = max(other.after[1] for other in moved)
            yield (f'at zero: {count(len(moved), "frame")} moved, by up to '
                   f'{_length(each.after[0])} ({each.name}) and {_angle(turned)}')


def _line(each: Difference) -> str:
    start = f'{each.part} {quote(each.name, 200)}: {each.what}'
    if each.what in ('added', 'removed'):
        return start
    if each.what == 'renamed':
        return f'{start} from {quote(each.before, 200)}'
    if each.is_move:
        distance, angle = each.after
        return f'{start} by {_length(distance)}, {_angle(angle)}'
    before, after = _value(each.before), _value(each.after)
    return f'{start} {before} -> {after}{_UNITS.get(each.what, "")}'


def _length(metres: float) -> str:
    return f'{metres * 1000:.4g} mm'


def _angle(radians: float) -> str:
    return f'{radians * 1000:.4g} mrad'


def _value(value: object) -> str:
    """Return a value as short text."""
    if value is None:
        return 'none'
    if isinstance(value, np.ndarray) and value.ndim == 2:
        value = value[np.triu_indices(len(value))]
    if isinstance(value, (tuple, np.ndarray)):
        return ' '.join(map(_value, value))
    if isinstance(value, float):
        return f'{value:.6g}' if math.isfinite(value) else 'none'
    if is_dataclass(value) and not isinstance(value, type):
        inner = ' '.join(_value(each) for each in vars(value).values()
                         if isinstance(each, (str, float, tuple)))
        return f'{type(value).__name__.lower()} {inner}'
    return quote(value, 200) if type(value) is str else str(getattr(value, 'value', value))


def _as_data(each: Difference) -> dict[str, object]:
    before, after = _plain(each.before), _plain(each.after)
    if each.is_move:
        before, after = None, dict(zip(('distance', 'angle'), each.after))
    return {'part': each.part, 'name': each.name, 'what': each.what, 'before': before,
            'after': after}


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        data = {name: item for name, item in asdict(value).items() if name != 'element'}
        return {'type': type(value).__name__.lower(), **data}
    return value
