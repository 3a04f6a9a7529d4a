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

"""What the verbs share: the description they read, and how they print."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from collections.abc import Sequence
import json
from pathlib import Path
import sys

from urdf_tools.kinematics import resolve_mimic
from urdf_tools.model.document import MAX_BYTES
from urdf_tools.model.loader import load
from urdf_tools.model.references import suggestion
from urdf_tools.model.robot import Robot
from urdf_tools.model.values import parse_number


class CommandError(ValueError):
    """A command that makes no sense for the robot; the text is one sentence for its user."""


def add_description(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say which description to read."""
    parser.add_argument(
        'file', metavar='FILE', help='URDF or xacro file, or - for URDF on standard input')
    parser.add_argument(
        'mappings', metavar='NAME:=VALUE', nargs='*', type=_mapping, help='arguments for xacro')


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the argument that chooses between text and JSON."""
    parser.add_argument(
        '--format', choices=('text', 'json'), default='text', help='default: text')


def description_source(arguments: argparse.Namespace) -> bytes | Path:
    """Return what :func:`~urdf_tools.model.loader.load` is to read."""
    if arguments.file == '-':
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    return Path(arguments.file)


def load_robot(arguments: argparse.Namespace) -> Robot:
    """
    Load the robot, and say on standard error what had to be left out of its description.

    :raises DescriptionError: there is no robot in it.
    """
    robot = load(description_source(arguments), mappings=dict(arguments.mappings))
    for problem in robot.problems:
        place = ':'.join(str(part) for part in (arguments.file, problem.line) if part)
        print(f'{place}: {problem.message}', file=sys.stderr)
    return robot


def add_positions(parser: argparse.ArgumentParser) -> None:
    """Add the argument that places joints."""
    parser.add_argument(
        '--joint', action='append', metavar='NAME=VALUE', type=_position, default=[],
        help='position in radians or metres, repeatable; of a planar joint NAME/x, NAME/y and '
             'NAME/theta, of a floating one NAME/trans_x to NAME/rot_w; default: zero')


def joint_positions(
        arguments: argparse.Namespace, robot: Robot,
        variables: Iterable[str]) -> dict[str, float]:
    """
    Return the positions that were given, by the name of the variable.

    :param variables: the names that there are.
    :raises CommandError: a name is none of them.
    """
    mimic = resolve_mimic(robot)
    positions = {}
    for name, position in arguments.joint:
        if name in mimic:
            raise CommandError(f'Joint {name!r} follows {mimic[name].joint!r}: place that instead')
        positions[known(name, variables, 'moving joint')] = position
    return positions


def known(name: str, names: Iterable[str], what: str) -> str:
    """
    Return a name if it is one of several.

    :raises CommandError: it is not.
    """
    if name not in names:
        hint = suggestion(name, names)
        raise CommandError(f'There is no {what} {name!r}. {hint}'.rstrip())
    return name


def fixed(number: float) -> str:
    """Return a number with six digits after the point, and no minus before zero."""
    return f'{round(number, 6) + 0.0:.6f}'


def print_json(value: object) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def print_table(header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> None:
    """
    Print rows in columns.

    :param left: number of columns, from the left, whose text is aligned left; the others hold
        numbers.
    """
    rows = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))]
        print('  '.join(cells).rstrip())


def _mapping(text):
    name, separator, value = text.partition(':=')
    if not (name and separator):
        raise argparse.ArgumentTypeError(f'{text!r} is not of the form NAME:=VALUE')
    return name, value


def _position(text):
    name, separator, value = text.rpartition('=')
    if not (name and separator):
        raise argparse.ArgumentTypeError(f'{text!r} is not of the form NAME=VALUE')
    try:
        return name, parse_number(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f'{text!r}: {error}') from None
