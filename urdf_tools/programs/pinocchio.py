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
How Pinocchio 4.1 loads a robot, which it reads with urdfdom.

Read in ``src/parsers/urdf/model.cpp``: ``buildModelFromUrdf`` with its default arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from math import inf
from typing import Any

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.losses import refusal
from urdf_tools.model.grouping import grouped
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.importers import BOUNDED
from urdf_tools.programs.importers import is_number
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import joint_parts
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.urdfdom import bodies_of
from urdf_tools.programs.urdfdom import kept_parts
from urdf_tools.programs.urdfdom import link_inertias_of
from urdf_tools.programs.urdfdom import losses
from urdf_tools.programs.urdfdom.reading import refusals
from urdf_tools.programs.urdfdom.reading import Tree

VERSION = '4.1.0'

_MINOR = 2
"""The urdfdom 6 of its wheels reads URDF 1.0 to 1.2."""

_MAX_COPIES = 1000


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in Pinocchio."""
    robot, root = source.robot, source.root
    causes = tuple(_causes(root))
    # Pinocchio normalises axes.
    read = [each for each in losses(root, _MINOR) if 'length' not in each.arguments]
    if robot is None:
        return Account('pinocchio', VERSION, None, None, causes, losses=tuple(read))
    moving = [joint for joint in robot.tree if joint.type.dof]
    copies = _copies(robot, moving)
    fixed = {name for name, top in welded(robot).items() if top == robot.root}
    return Account('pinocchio', VERSION, parts_of(robot), _parts(robot, copies, fixed), causes,
                   'fixed', robot.links.keys() - {joint.child for joint in moving},
                   (*_losses(robot, copies, fixed), *read), options_of('pinocchio'))


def _causes(root: Element) -> Iterator[Loss]:
    tree = Tree(root)
    late = [joint for link, (joint, parent) in tree.joints.items() if link in tree.order and (
        tree.order[link] <= tree.order.get(parent, inf))]
    yield from (each for each in refusals(root, _MINOR)
                if each.impact is not Impact.CRASHES or not late)
    if late:
        yield refusal(late[0], 'The parent of {joint} comes after its child')
    for link, (joint, _) in tree.joints.items():
        if link in tree.order and joint.get('type') in ONE_DOF:
            yield from _negative(joint)


def _negative(joint: Element) -> Iterator[Loss]:
    for tag, name in (('limit', 'effort'), ('limit', 'velocity'), ('dynamics', 'friction')):
        part = joint.find_tag(tag)
        text = '' if part is None else part.get(name, '')
        if is_number(text) and float(text) < 0:
            yield refusal(part, '{attribute} of {element} is negative', of=tag, attribute=name)


def _copies(robot: Robot, moving: list[Joint]) -> dict[Joint, int]:
    """Return how often each moving joint is added: for each path of joints from the root."""
    below = grouped((joint.parent, joint.child) for joint in robot.joints.values())
    left = Counter(chain.from_iterable(below.values()))
    paths, ordered = Counter({robot.root: 1}), [robot.root]
    for name in ordered:
        for child in below.get(name, ()):
            paths[child] += paths[name]
            left[child] -= 1
            ordered += [child] * (not left[child])
    return {joint: max(1, min(paths[joint.child], _MAX_COPIES)) for joint in moving}


def _parts(robot: Robot, copies: dict[Joint, int], fixed: set[str]) -> Parts:
    moving = [joint for joint, n in copies.items() for _ in range(n)]
    limited = [joint for joint in moving if joint.type.value in ONE_DOF]
    counts: dict[str, Any] = joint_parts(limited)
    # Inverted limits count as limits, too.
    counts['position_limits'] = sum(joint.type.value in BOUNDED for joint in limited)
    # All copies of a link are at the same pose.
    times = {joint.child: n for joint, n in copies.items()}
    inertias = {name: inertia.scaled(times.get(name, 1))
                for name, inertia in link_inertias_of(robot).items() if name not in fixed}
    body = body_at_zero(inertias, link_frames(robot))
    if any(each.mass < 0 for each in inertias.values()):
        # It divides by a positive mass, the least that there is, once for each sum: unknown.
        body = SpatialInertia(body.mass, np.full(3, np.nan), np.full((3, 3), np.nan))
    return replace(
        kept_parts(robot), **counts, links=len(moving), moving_joints=len(moving),
        fixed_joints=0, mimic=0, body=body)


def _losses(robot: Robot, copies: dict[Joint, int], fixed: set[str]) -> Iterator[Loss]:
    mass = sum(body.mass for body in bodies_of(robot) if body.name in fixed)
    root = robot.links[robot.root]
    if mass:
        yield loss('base', Impact.CHANGES, root.element, 'Fixes {link} to the world, and leaves '
                   'out its mass and that of what is fixed to it', mass=mass)
    for joint, n in copies.items():
        if n > 1:
            inertial = robot.links[joint.child].inertial
            yield loss('structure', Impact.CHANGES, joint.element, 'Adds {joint} and its child '
                       '{copies} times, once for each path of joints from the root', copies=n,
                       mass=(n - 1) * (0.0 if inertial is None else inertial.mass))
        if joint.mimic is not None:
            yield loss('mimic', Impact.DROPS, joint.element, '{joint} follows no joint')
        if joint.type is JointType.PLANAR and joint.axis != (0.0, 0.0, 1.0):
            yield loss('joint', Impact.CHANGES, joint.element,
                       '{joint} moves in the plane of x and y, whatever its axis')
