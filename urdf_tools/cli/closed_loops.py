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

"""The loops of a robot in the output of verbs."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
import sys

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.output import print_lines
from urdf_tools.kinematics import LoopTracker
from urdf_tools.kinematics import Mechanism
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.messages import readable
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array


def closed_positions(mechanism: Mechanism, given: Mapping[str, float]) -> Array:
    """
    Return the configuration in which the loops are closed, shape (n,).

    Positions of which some follow from others are taken as they are, with a remark.

    :param given: positions of variables; those that are not determined move least.
    :raises CommandError: the loops cannot be closed, or it is not known how.
    """
    positions = mechanism.tree.configuration(given)
    inside = {name for group in mechanism.groups for name in group.variables}
    measured = [name for name in given if name in inside]
    tracker = LoopTracker(mechanism)
    is_overdetermined = mechanism.is_overdetermined(measured)
    closure = (tracker.update if is_overdetermined else mechanism.close)(positions, measured)
    undecided = tracker.undecided(measured)
    if undecided:
        raise CommandError(
            'The loops can be assembled in several ways near their initial positions; give some '
            f'of {name_list(undecided)} in "initial" of a file for --loops')
    if is_overdetermined:
        print_lines((f'Loop {quote(name)} is open by {opening}'
                     for name, opening in openings(mechanism, closure.positions)), sys.stderr)
        return closure.positions
    unclosable = tracker.unclosable()
    if unclosable:
        raise CommandError(f'No positions were found that close loops {name_list(unclosable)}')
    if closure.singular.any():
        names = name_list(mechanism.branching(closure.singular, measured))
        raise CommandError(
            'The loops start where branches meet (a singular configuration), and these positions '
            f'do not tell on which to go on; give some of {names} in "initial" of a file for '
            '--loops')
    if not closure.closed:
        loop = closure.worst()
        raise CommandError(
            f'Loop {quote(mechanism.loops[loop].name)} cannot be closed at these positions: it '
            f'stays open by {_opening(closure.distances[loop], closure.angles[loop])}')
    return closure.positions


def openings(mechanism: Mechanism, positions: Array) -> Iterator[tuple[str, str]]:
    """Yield the name and the closing error of each loop that is open at a configuration."""
    for loop, distance, angle in zip(mechanism.loops, *mechanism.errors(positions)):
        if max(distance, angle) > 1e-6:
            yield loop.name, _opening(distance, angle)


def _opening(distance: float, angle: float) -> str:
    parts = [f'{readable(1e3 * size, ".3g")} {unit}' for size, unit in (
        (distance, 'mm'), (angle, 'mrad')) if size > 1e-6]
    return ' and '.join(parts) or 'less than 0.001 mm'


def loop_lines(robot: Robot) -> Iterator[str]:
    """Yield a line for each loop, and one for coupled loops."""
    mechanism = Mechanism(robot)
    for group in mechanism.groups:
        for loop in group.loops:
            yield f'loop {loop.name}: {loop.type.value} of {loop.parent} and {loop.child}'
        free = [name for name in group.variables if name in mechanism.independent]
        rest = [name for name in group.variables if name in mechanism.dependent]
        follow = 'follows' if len(rest) == 1 else 'follow'
        yield f'    mobility {group.mobility}: ' + (
            f'{name_list(rest)} {follow} from {name_list(free)}' if free and rest else
            f'{name_list(rest)} cannot move' if rest else
            f'nothing follows from {name_list(free)}' if free else 'no joint moves it')
        if group.spins:
            rods = 'turns a rod' if len(group.spins) == 1 else 'turn rods'
            yield f'    {name_list(group.spins)} only {rods} between balls'
        if not group.is_decided and group.is_closed:
            yield ('    can be assembled in several ways near the initial positions: which one, '
                   f'only measured or initial positions of {name_list(rest)} tell')
    for name, opening in openings(mechanism, mechanism.tree.neutral()):
        yield f'    {name} is open by {opening} at position zero'
    for name, opening in openings(mechanism, mechanism.start):
        yield f'    {name} stays open by {opening}: no positions were found that close it'
