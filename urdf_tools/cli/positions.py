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

"""The positions of joints that verbs take."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from collections.abc import Mapping
from math import isfinite
import sys

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import named_number
from urdf_tools.cli.output import print_lines
from urdf_tools.kinematics import KinematicTree
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot


def add_positions(parser: argparse.ArgumentParser) -> None:
    """Add the option for joint positions."""
    parser.add_argument(
        '--joint', action='append', metavar='NAME=VALUE', type=named_number('NAME=VALUE'),
        default=[], help='position of a joint in radians or metres; repeatable; NAME/x, NAME/y '
        'and NAME/theta for a planar joint, NAME/trans_x to NAME/rot_w for a floating joint; '
        'default: 0')


def joint_positions(arguments: argparse.Namespace, robot: Robot) -> dict[str, float]:
    """
    Return the given positions by the name of the variable, in radians or metres.

    Positions outside the limits of a joint, or not finite, are remarked on standard error.

    :raises CommandError: the robot does not have the variable, or it belongs to a mimic joint; a
        quaternion is zero.
    """
    tree = KinematicTree(robot)
    positions = dict(arguments.joint)
    try:
        tree.batch(tree.configuration(positions))
    except (KeyError, ValueError) as error:
        raise CommandError(str(error)) from None
    print_lines(_remarks(tree, positions), sys.stderr)
    return positions


def _remarks(tree: KinematicTree, positions: Mapping[str, float]) -> Iterator[str]:
    """Yield remarks on given positions, and on the joints that follow them."""
    moved = dict(positions)
    for name, mimic in tree.mimic.items():
        position = mimic.multiplier * positions.get(mimic.joint, 0.0) + mimic.offset
        if not isfinite(position):
            yield (f'Position of joint {quote(name)}, which mimics {quote(mimic.joint)}, is not '
                   f'finite: {mimic.multiplier:g} * {positions.get(mimic.joint, 0.0):g} '
                   f'{mimic.offset:+g}')
        elif mimic.joint in positions:
            moved[name] = position
    for name, position in moved.items():
        joint = tree.robot.joints.get(name)
        limits = joint.limits if joint else None
        if joint and limits and not limits.lower <= position <= limits.upper:
            yield (f'Position {position:g} of joint {quote(name)} is outside its limits '
                   f'{limits.lower:g} to {limits.upper:g} {joint.type.unit}')
