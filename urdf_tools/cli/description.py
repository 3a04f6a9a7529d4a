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
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
import json
from math import isfinite
from pathlib import Path
import sys

import numpy as np

from urdf_tools.kinematics import ConfigurationSpace
from urdf_tools.kinematics import resolve_mimic
from urdf_tools.model.document import Document
from urdf_tools.model.document import MAX_BYTES
from urdf_tools.model.document import read_document
from urdf_tools.model.loader import build_robot
from urdf_tools.model.loader import open_document
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import did_you_mean
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


def open_description(arguments: argparse.Namespace) -> Document:
    """
    Read the description.

    :raises DescriptionError: it cannot be read, expanded or parsed.
    """
    if arguments.file == '-':
        return read_document(sys.stdin.buffer.read(MAX_BYTES + 1), 'standard input')
    return open_document(Path(arguments.file), mappings=dict(arguments.mappings))


def load_robot(arguments: argparse.Namespace) -> Robot:
    """
    Load the robot that :func:`open_description` and :func:`make_robot` give.

    :raises DescriptionError: there is no robot in it.
    """
    return make_robot(open_description(arguments))


def make_robot(document: Document) -> Robot:
    """
    Make the robot, and say on standard error what had to be left out of its description.

    :raises DescriptionError: there is no robot in it.
    """
    robot = build_robot(document)
    for problem in robot.problems:
        place = ':'.join(str(part) for part in (document.source, problem.line) if part)
        print(f'{place}: {problem.message}', file=sys.stderr)
    return robot


def add_positions(parser: argparse.ArgumentParser) -> None:
    """Add the argument that places joints."""
    parser.add_argument(
        '--joint', action='append', metavar='NAME=VALUE', type=_position, default=[],
        help='position in radians or metres, repeatable; of a planar joint NAME/x, NAME/y and '
             'NAME/theta, of a floating one NAME/trans_x to NAME/rot_w; default: zero')


def joint_positions(
        arguments: argparse.Namespace, robot: Robot) -> dict[str, float]:
    """
    Return the positions that were given, by the name of the variable.

    :raises CommandError: the robot has no such variable.
    """
    mimic = resolve_mimic(robot)
    variables = ConfigurationSpace(robot).variable_names
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
        hint = did_you_mean(name, names)
        raise CommandError(f'There is no {what} {name!r}. {hint}'.rstrip())
    return name


def fixed(value: float) -> str:
    """Return a number with six digits after the point, and no minus before zero."""
    if abs(value) >= 1e9:
        return f'{value:.6g}'
    return f'{round(value, 6) + 0.0:.6f}'


def print_json(value: object) -> None:
    """Print a value, which may hold arrays, as JSON; numbers that are not finite become null."""
    print(json.dumps(_plain(value), indent=2, ensure_ascii=False, allow_nan=False))


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


def number(text: str) -> float:
    """Return the number of an argument."""
    try:
        return parse_number(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def positive_number(text: str) -> float:
    """Return the positive number of an argument."""
    value = number(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f'{text} is not positive')
    return value


def named_number(text: str, parse: Callable[[str], float], form: str) -> tuple[str, float]:
    """
    Return the name and the number of an argument.

    :param form: what it should look like, such as ``NAME=VALUE``.
    """
    name, separator, value = text.rpartition('=')
    if not (name and separator):
        raise argparse.ArgumentTypeError(f'{text!r} is not of the form {form}')
    return name, parse(value)


def _mapping(text):
    name, separator, value = text.partition(':=')
    if not (name and separator):
        raise argparse.ArgumentTypeError(f'{text!r} is not of the form NAME:=VALUE')
    return name, value


def _position(text):
    return named_number(text, number, 'NAME=VALUE')


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    return value
