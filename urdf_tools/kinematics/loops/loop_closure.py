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

"""Groups of coupled loops, and the results of closing them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.loops.loop_constraints import LoopConstraints
from urdf_tools.kinematics.loops.loop_solver import Unknowns
from urdf_tools.kinematics.moving_frames import FLOATING
from urdf_tools.model.loops import Loop
from urdf_tools.types import Array
from urdf_tools.types import BoolArray
from urdf_tools.types import Indices


@dataclass(frozen=True)
class Closure:
    """
    The result of closing one configuration, or B of them.

    :param positions: closed configurations; the last ones on the way where the loops cannot be
        closed, shape (n,) or (B, n).
    :param distances: how far each loop is from closed at what was asked for, in m, (L,) or (B, L).
    :param angles: likewise in rad.
    :param closed: whether the loops are closed where that was asked for, shape () or (B,).
    :param singular: which groups of loops stayed where they were because branches meet there,
        such as at a dead centre: what is known does not tell on which one to go on, shape (G,) or
        (B, G).
    :param iterations: evaluations of the equations.
    """

    positions: Array
    distances: Array
    angles: Array
    closed: npt.NDArray[np.bool_]
    singular: npt.NDArray[np.bool_]
    iterations: int

    def first(self) -> Closure:
        """Return the closure of the first of the configurations."""
        return Closure(self.positions[0], self.distances[0], self.angles[0],
                       np.asarray(self.closed[0]), self.singular[0], self.iterations)

    def worst(self) -> int:
        """Return the index of the loop with the largest closure error."""
        sizes = np.maximum(self.distances, self.angles)
        return int(np.argmax(sizes.max(axis=0) if sizes.ndim == 2 else sizes))


@dataclass(frozen=True, eq=False)
class Measured:
    """
    The variables determined by some measured ones.

    :ivar given: the variables that are measured.
    :ivar unknowns: the variables that follow.
    :ivar kept: indices of all variables in loops that are not measured, shape (k,).
    :ivar overdetermined: whether the measured ones of a group follow from others, shape (G,).
    :ivar enough: whether all of a group follow, shape (G,).
    """

    given: Unknowns
    unknowns: Unknowns
    kept: Indices
    overdetermined: BoolArray
    enough: BoolArray


@dataclass(frozen=True)
class LoopGroup:
    """
    Coupled loops: joints move several of them.

    :ivar loops: the loops.
    :ivar variables: names of the variables that change them.
    :ivar rank: number of variables that they determine.
    :ivar is_decided: whether the start is the only way to assemble them near the initial
        positions.
    :ivar is_closed: whether they are closed at the start; if not, no way to close them was found.
    :ivar spins: names of the variables that only spin rods about their own axes.
    """

    loops: tuple[Loop, ...]
    variables: tuple[str, ...]
    rank: int
    is_decided: bool = True
    is_closed: bool = True
    spins: tuple[str, ...] = ()

    @property
    def mobility(self) -> int:
        """Return the degrees of freedom that are left, without turns of rods."""
        return len(self.variables) - self.rank - len(self.spins)


def coupled_loops(constraints: LoopConstraints,
                  velocities: Mapping[int, int]) -> list[tuple[list[int], list[int]]]:
    """
    Return the coupled loops and the variables that change them, as indices.

    :param velocities: index of the velocity of each variable of one degree of freedom.
    """
    indices_of = {velocity: {index} for index, velocity in velocities.items()}
    frames = constraints.tree.frames
    for frame in frames.of_kinds[FLOATING].tolist():
        first, variable = int(frames.velocities[frame]), int(frames.variables[frame])
        indices_of |= dict.fromkeys(range(first, first + 6), {*range(variable, variable + 7)})
    sets: list[tuple[set[int], set[int]]] = []
    for loop, moves in enumerate(constraints.moves):
        loops, variables = {loop}, {
            index for velocity in np.flatnonzero(moves).tolist()
            for index in indices_of[velocity]}
        others = []
        for each in sets:
            if each[1] & variables:
                loops, variables = loops | each[0], variables | each[1]
            else:
                others.append(each)
        sets = [*others, (loops, variables)]
    return [(sorted(loops), sorted(variables)) for loops, variables in sorted(
        sets, key=lambda each: min(each[0]))]
