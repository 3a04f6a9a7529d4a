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

"""The positions of dependent joints in loops."""

from __future__ import annotations

from collections.abc import Set

from urdf_tools.kinematics import LoopTracker
from urdf_tools.kinematics import Mechanism
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot
from urdf_tools.nodes.joint_state_source.joint_source import JointValues


class PassiveJoints:
    """
    Closes the loops of a robot in the joint states of a :class:`JointSource`.

    :param robot: with loops.
    :ivar fault: a message about loops that stay open, or an empty text.
    """

    def __init__(self, robot: Robot):
        self._mechanism = Mechanism(robot)
        self._tracker = LoopTracker(self._mechanism)
        self.fault = ''
        self._in_loops = {name for group in self._mechanism.groups for name in group.variables}

    def closed(self, values: JointValues, reported: Set[str]) -> JointValues:
        """
        Return the values with positions that close the loops, or else the last ones that did.

        Joints that follow from others in a way that is not known are left out.

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
        known = {*self._tracker.determined(measured)}
        self.fault = self._tracker.unplaced(measured, 'give some of {} in "initial" of loops_file')
        for name in [*given]:
            mimic = tree.mimic.get(name, Mimic(name))
            leader = mimic.joint
            if leader in known:
                position = float(closure.positions[tree.variable_index[leader]])
                given[name] = mimic.multiplier * position + mimic.offset
            elif leader in measured:
                given[name] = mimic.multiplier * given[leader] + mimic.offset
            elif leader in self._in_loops:
                del given[name]
        kept = [index for index, name in enumerate(values.names) if name in given]
        velocities, efforts = (
            [each[index] for index in kept] if each else []
            for each in (values.velocities, values.efforts))
        return JointValues(tuple(given), tuple(given.values()), velocities, efforts)
