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


"""The efforts that hold a robot against gravity, as lines of text and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from urdf_tools.dynamics.holding import holding
from urdf_tools.dynamics.holding import payloads
from urdf_tools.dynamics.holding import posture
from urdf_tools.dynamics.holding import SAMPLES
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.model.messages import count
from urdf_tools.model.messages import readable
from urdf_tools.model.messages import table
from urdf_tools.model.robot import Robot

_NO_EFFORT = 1e-9
"""Efforts below this in N m and N are noise."""


class Statics:
    """What gravity asks of the joints of a robot, and what its arms can hold."""

    def __init__(self, robot: Robot):
        self._tree = KinematicTree(robot)
        self._holding, self._payloads = holding(self._tree), [*payloads(self._tree)]

    def lines(self) -> Iterator[str]:
        """Yield a table of the joints that have mass to hold, and what the arms can carry."""
        tree, statics = self._tree, self._holding
        rows = np.flatnonzero(statics.largest > _NO_EFFORT)
        yield from table(('joint', 'largest at', 'at zero', 'largest', 'bound', 'limit'), (
            (tree.velocity_names[row], posture(tree, statics.configurations[row]),
             *(readable(values[row] * (abs(values[row]) > _NO_EFFORT), '.4g') for values in (
                 statics.at_zero, statics.largest, statics.bounds, tree.effort_limit)))
            for row in rows), text_columns=2)
        yield (f'Efforts in N m and N at {count(statics.samples, "configuration")}, payloads at '
               f'{SAMPLES + 2}, with {tree.robot.root} fixed and level')
        for each in self._payloads:
            where = posture(tree, each.configuration)
            everywhere, at_reach = (readable(mass, '.3g') for mass in (
                each.everywhere, each.at_reach))
            yield (f'{each.tool} can hold {everywhere} kg everywhere, limited by {each.joint} at '
                   f'{where}, and {at_reach} kg {each.reach:.3g} m away'
                   if each.everywhere > 0 else
                   f'{each.tool} cannot hold itself at {where}: {each.joint} is too weak')

    def data(self) -> dict[str, Any]:
        """Return the same for JSON, in N m, N, kg and m."""
        statics, names = self._holding, self._tree.variable_names
        limits = self._tree.effort_limit.tolist()
        return {
            'joints': [{
                'joint': name, 'at_zero': statics.at_zero[row], 'largest': statics.largest[row],
                'bound': statics.bounds[row],
                'limit': limits[row] if np.isfinite(limits[row]) else None,
                'configuration': dict(zip(names, statics.configurations[row].tolist()))}
                for row, name in enumerate(self._tree.velocity_names)],
            'samples': statics.samples,
            'payloads': [{
                'tool': each.tool, 'everywhere': each.everywhere, 'joint': each.joint,
                'configuration': dict(zip(names, each.configuration.tolist())),
                'at_reach': each.at_reach, 'reach': each.reach} for each in self._payloads]}
