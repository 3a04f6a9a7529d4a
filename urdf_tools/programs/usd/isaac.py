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
What becomes of a robot in Isaac Lab: what the converter writes, and the order of the joints.

PhysX numbers the joints of an articulation breadth first, with the fixed ones merged. Importers
before that of Isaac Sim 6 keep joints in a map by name, so that those of one link are sorted.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.robot_parts import command_interfaces
from urdf_tools.programs.usd import account as usd_account

VERSION = '3.0'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in Isaac Lab."""
    found = replace(usd_account(source, context), program='isaac', version=VERSION)
    if source.robot is None or not found.loads:
        return found
    orders = joint_orders(source.robot)
    return replace(found, joint_orders=orders,
                   losses=(*found.losses, *_differences(source.robot, orders)))


def joint_orders(robot: Robot) -> dict[str, Sequence[str]]:
    """
    Return the orders of the moving joints, each by its name.

    ``description`` and ``ros2_control`` are as written, the latter of those that it commands;
    ``isaac`` is that of Isaac Lab, and ``isaac_sorted`` with an importer that sorts by name.
    """
    moving = {joint.name for joint in robot.tree
              if joint.type not in (JointType.FIXED, JointType.FLOATING)}
    commanded = [joint.get('name', '') for joint, names in command_interfaces(robot) if names]
    return {
        'description': [name for name in robot.joints if name in moving],
        'ros2_control': [name for name in dict.fromkeys(commanded) if name in moving],
        'isaac': _breadth_first(robot, [name for name in robot.joints if name in moving]),
        'isaac_sorted': _breadth_first(robot, sorted(moving))}


def _breadth_first(robot: Robot, names: Sequence[str]) -> list[str]:
    """Return moving joints breadth first; those of one link are in the order of the names."""
    above = welded(robot)
    below = grouped((above[robot.joints[name].parent], name) for name in names)
    bases = [joint.child for joint in robot.tree if joint.type is JointType.FLOATING]
    order = [name for link in (robot.root, *bases) for name in below.get(link, ())]
    for name in order:
        order += below.get(robot.joints[name].child, ())
    return order


def _differences(robot: Robot, orders: Mapping[str, Sequence[str]]) -> Iterator[Loss]:
    """Yield that joints have another order than in the description or in ros2_control."""
    order = orders['isaac']
    known = [name for name in order if name in orders['ros2_control']]
    others = [*(['the description'] if order != orders['description'] else []),
              *(['<ros2_control>'] if known != orders['ros2_control'] else [])]
    if not others:
        return
    is_sorted = orders['isaac_sorted'] != order
    yield loss(
        'joint', Impact.CHANGES, robot.element,
        'Isaac Lab numbers the joints breadth first, in another order than {where}: {order}'
        + (', or with importers before Isaac Sim 6 {other}' if is_sorted else ''),
        hint='Map observations and actions by the names of joints',
        where=' and '.join(others), order=tuple(map(Name, order)),
        other=tuple(map(Name, orders['isaac_sorted'])))
