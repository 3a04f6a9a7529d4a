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
  urdf-tools diff robot.urdf robot.xml --same
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import asdict
from dataclasses import is_dataclass
from functools import partial
import math

import numpy as np

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import load_robot
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.arguments import two_descriptions
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_result
from urdf_tools.dynamics.comparison import compare
from urdf_tools.dynamics.comparison import Difference
from urdf_tools.equivalence.comparison import Comparison
from urdf_tools.equivalence.comparison import Disparity
from urdf_tools.equivalence.comparison import KINDS
from urdf_tools.equivalence.differences import compare_robots
from urdf_tools.findings.formats.sarif import physical_location
from urdf_tools.findings.formats.sarif import sarif_log
from urdf_tools.findings.formats.terminal import MAX_LINES
from urdf_tools.findings.message import as_data
from urdf_tools.model.messages import count
from urdf_tools.model.messages import location
from urdf_tools.model.messages import quote
from urdf_tools.model.messages import readable
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import read_file

_UNITS = {'mass': ' kg', 'centre of mass': ' m', 'inertia': ' kg m^2'}

OPTIONS = {
    'inputs': {'shown': ('the robots',)}, '--format': {'choices': ('text', 'json', 'sarif')},
    '--tolerance': {'shown': [f'{name}={kind.tolerance:g} {kind.unit}'
                              for name, kind in KINDS.items() if kind.unit]},
    '--ignore': {'complete': KINDS}}


def run(arguments: argparse.Namespace) -> int:
    """Print the differences, and return 1 if there are any."""
    inputs = two_descriptions(arguments)
    first, second = (load_robot(each) for each in inputs)
    if arguments.same:
        return _compare_motion(arguments, inputs, first, second)
    if arguments.format == 'sarif' or arguments.map or arguments.tolerance or arguments.ignore:
        raise CommandError('--map, --tolerance, --ignore and SARIF need --same')
    differences = compare(first, second)
    print_result(arguments.format, lambda: {'differences': [*map(_as_data, differences)]},
                 _lines(differences) if differences else ['The robots are the same'])
    return 1 if differences else 0


def _compare_motion(arguments: argparse.Namespace, inputs: Sequence[argparse.Namespace],
                    first: Robot, second: Robot) -> int:
    """Print whether both are the same robot, and return 1 if they are not."""
    for kind in (*arguments.ignore, *dict(arguments.tolerance)):
        known(kind, KINDS, 'kind of difference')
    try:
        found = compare_robots(
            first, second, [resources_of(each).resolve_for_use for each in inputs],
            dict(_pairs(arguments.map)), dict(arguments.tolerance), arguments.ignore)
    except KeyError as error:
        raise CommandError(str(error)) from None
    sources = first.source, second.source
    if arguments.format == 'sarif':
        print_json(_as_sarif(found, sources))
    else:
        print_result(arguments.format, partial(_motion_as_data, found, sources),
                     _motion_lines(found, sources))
    return int(bool(found.differences))


def _pairs(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of names in ``--map``, and in the lines of files that it names."""
    for text in given:
        lines = [text] if '=' in text else read_file(text).decode('utf-8', 'replace').splitlines()
        for line in lines:
            name, separator, other = line.partition('=')
            if separator:
                yield name.strip(), other.strip()
            elif line.strip():
                raise CommandError(f'{line!r} is not of the form NAME=NAME')


def _locations(each: Disparity, sources: Sequence[str]
               ) -> list[tuple[str, int | None, int | None]]:
    return [(source, None, None) if element is None else element.location(source)
            for element, source in zip(each.elements, sources)]


def _motion_lines(found: Comparison, sources: tuple[str, str]) -> Iterator[str]:
    number = len(found.differences)
    names = ' and '.join(map(location, sources))
    yield f'{names} are ' + (
        f'not the same robot: {count(number, "difference")}' if number else 'the same robot')
    shares = [f'{what} {100 * share:.2g} %' for what, share in found.measured.items()
              if what != 'distance']
    yield ', '.join([f'At equal joint positions: bodies up to '
                     f'{_length(found.measured["distance"])} apart', *shares])
    shown: Counter[str] = Counter()
    for each in found.differences:
        shown[each.kind] += 1
        if shown[each.kind] <= MAX_LINES:
            places = (location(*place[:2]) for place in _locations(each, sources))
            yield f'{", ".join(places)}: {each.message} [{each.kind}]'
    yield from (f'{total - MAX_LINES} more of {kind}; --format json has all'
                for kind, total in shown.items() if total > MAX_LINES)
    yield from (f'Not compared: {each}' for each in found.unknown[:MAX_LINES])
    if found.matching.proposed:
        yield 'Matched by where they are: ' + ' '.join(
            f'--map {name}={other}' for name, other in found.matching.proposed.items())


def _motion_as_data(found: Comparison, sources: tuple[str, str]) -> dict[str, object]:
    return {
        'same': not found.differences, 'measured': found.measured, 'furthest': found.furthest,
        'joints': found.matching.joints, 'proposed': found.matching.proposed,
        'not_compared': list(map(str, found.unknown)),
        'differences': [{
            'kind': each.kind, 'message': each.message, 'names': each.names,
            'effect': each.effect, 'unit': KINDS[each.kind].unit, 'tolerance': each.tolerance,
            'arguments': as_data(each.message.arguments),
            'locations': [dict(zip(('file', 'line', 'column'), place))
                          for place in _locations(each, sources)]} for each in found.differences]}


def _as_sarif(found: Comparison, sources: tuple[str, str]) -> dict[str, object]:
    results = []
    for each in found.differences:
        first, second = ({'physicalLocation': physical_location(*place)}
                         for place in _locations(each, sources))
        results.append({
            'ruleId': f'same-{each.kind}', 'level': 'error', 'message': {'text': each.message},
            'locations': [first], 'relatedLocations': [
                {**second, 'message': {'text': 'the other robot'}}]})
    return sarif_log([{'id': f'same-{name}', 'shortDescription': {'text': kind.summary}}
                      for name, kind in KINDS.items()], results)


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
    return f'{readable(metres * 1000, ".4g")} mm'


def _angle(radians: float) -> str:
    return f'{readable(radians * 1000, ".4g")} mrad'


def _value(value: object) -> str:
    """Return a value as short text."""
    if value is None:
        return 'none'
    if isinstance(value, np.ndarray) and value.ndim == 2:
        value = value[np.triu_indices(len(value))]
    if isinstance(value, (tuple, np.ndarray)):
        return ' '.join(map(_value, value))
    if isinstance(value, float):
        return readable(value, '.6g') if math.isfinite(value) else 'none'
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
