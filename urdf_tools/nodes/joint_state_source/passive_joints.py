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

"""The positions of joints in loops that follow from others."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from urdf_tools.kinematics import LoopTracker
from urdf_tools.kinematics import Mechanism
from urdf_tools.model.robot import Robot
from urdf_tools.nodes.joint_state_source.joint_source import JointValues


class PassiveJoints:
    """
    Closes the loops of a robot in what a :class:`JointSource` gives.

    :param robot: with loops.
    """

    def __init__(self, robot: Robot):
        self._mechanism = Mechanism(robot)
        self._tracker = LoopTracker(self._mechanism)
        self._in_loops = {
            name for group in self._mechanism.groups for name in group.variables}

    def closed(self, values: JointValues, reported: Set[str]) -> JointValues:
        """
        Return the values with positions that close the loops, the last ones if there are none.

        :param reported: names of the joints that are measured; in loops without any, the
            independent ones count.
        """
        given = dict(zip(values.names, values.positions))
        measured = {
            name for group in self._mechanism.groups
            for name in reported & {*group.variables} or (
                {*self._mechanism.independent} & {*group.variables})}
        if not measured <= given.keys():
            return values
        tree = self._mechanism.tree
        closure = self._tracker.update(tree.configuration({
            name: position for name, position in given.items()
            if name in tree.variable_index}), measured)
        for name in given:
            mimic = tree.mimic[name] if name in tree.mimic else None
            leader = name if mimic is None else mimic.joint
            if leader in self._in_loops:
                position = float(closure.positions[tree.variable_index[leader]])
                given[name] = position if mimic is None else (
                    mimic.multiplier * position + mimic.offset)
        return replace(values, positions=tuple(given.values()))
