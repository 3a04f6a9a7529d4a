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

"""Keyframes besides ``home``, which other joints than those named keep."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from xml.etree.ElementTree import Element as Node

import numpy as np

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.mjcf.bodies import Bodies
from urdf_tools.programs.mjcf.bodies import with_mimic
from urdf_tools.programs.mjcf.devices import Actuator
from urdf_tools.programs.mjcf.xml import add


def states_of(srdf: Element | None) -> dict[str, dict[str, float]]:
    """
    Return the states of groups in an SRDF file by name, each with positions of joints.

    Those of several groups with one name are one; joints with several variables are left out.

    :param srdf: the outermost element.
    """
    states: dict[str, dict[str, float]] = {}
    for state in () if srdf is None else srdf.findall_tag('group_state'):
        positions = states.setdefault(state.get('name', ''), {})
        for joint in state.findall_tag('joint'):
            with suppress(ValueError):  # What is no number, the rules about SRDF files report.
                positions[joint.get('name', '')] = parse_number(joint.get('value', ''))
    return states


def write_states(keyframe: Node, bodies: Bodies, actuators: list[Actuator],
                 states: Mapping[str, Mapping[str, float]]) -> None:
    """
    Append keyframes, in which position actuators hold the positions.

    :param states: name of each to positions of joints in rad and m; others are as in ``home``,
        which is not one of them.
    """
    home = keyframe.find('key')
    if home is None:
        return
    start = iter(map(float, home.get('qpos', '').split()))
    slots = [(names, [next(start) for _ in names])
             for names in map(variable_names, bodies.robot.tree)]
    tree = KinematicTree(bodies.robot)
    at_home = {name: value for slot in slots for name, value in zip(*slot)}
    for name, given in states.items():
        positions = with_mimic(tree, tree.variable_names, np.array([
            {**at_home, **given}[variable] for variable in tree.variable_names]))
        # MuJoCo orders the variables of a floating joint otherwise, and none is given.
        qpos = [positions[names[0]] if len(names) == 1 else value
                for names, values in slots for value in values]
        add(keyframe, 'key', {'name': name, 'qpos': qpos, 'ctrl': [
            positions[each.joint.name] if each.kind == 'position' else 0.0
            for each in actuators] or None})
