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

"""Fixed-joint lumping: the children of fixed joints become parts of their parents."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import JointType
from urdf_tools.programs.gazebo.extensions import Extensions
from urdf_tools.programs.gazebo.sdf_values import compose
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import Item
from urdf_tools.programs.urdfdom.bodies import MassProperties
from urdf_tools.programs.urdfdom.bodies import WORLD
from urdf_tools.programs.urdfdom.values import urdfdom_rotation
from urdf_tools.types import Array


def is_reducible(body: Body, extensions: Extensions) -> bool:
    """Return whether the parent joint of a body is fixed and no ``<gazebo>`` keeps it."""
    joint = body.joint
    return (joint is not None and joint.type is JointType.FIXED
            and joint.name not in extensions.preserved and joint.name not in extensions.revolute)


def lump_fixed_joints(root: Body, extensions: Extensions) -> tuple[Body, ...]:
    """
    Lump bodies into their parents, the lowest first, as ``ReduceFixedJoints`` does.

    :return: the lumped bodies in this order; ``parent`` is what each is lumped into first.
    """
    lumped = []
    for body in _in_lumping_order(root, extensions):
        parent = body.parent
        if parent is not None and parent.name != WORLD and is_reducible(body, extensions):
            _lump_masses(body, parent)
            body.lumped_into = parent
            lumped.append(body)
    _move_to_ends(root)
    return tuple(lumped)


def _in_lumping_order(root: Body, extensions: Extensions) -> Iterator[Body]:
    """Yield bodies on fixed joints before their parents, and others after them."""
    pending = [(root, False)]
    while pending:
        body, is_entered = pending.pop()
        if is_entered:
            yield body
        else:
            pending.append((body, True))
        # First those on fixed joints; the others once the body is done.
        pending.extend((child, False) for child in reversed(body.children)
                       if is_reducible(child, extensions) is not is_entered)


def _lump_masses(body: Body, parent: Body) -> None:
    if body.inertial is None:
        return
    if parent.inertial is None:
        parent.inertial = MassProperties(0.0, Pose(), np.zeros((3, 3)), [])
    into = parent.inertial
    whole, own = into.in_link_frame, body.inertial.in_link_frame
    mass = whole.mass + own.mass
    undefined_by = into.undefined_by or body.inertial.undefined_by or (body if mass == 0 else None)
    rotation, offset = urdfdom_rotation(body.origin.quaternion), np.array(body.origin.xyz)
    # In the steps of libsdformat: their rounding decides whether Gazebo accepts point masses.
    # It divides by a mass of zero, and masses that overflow give no number there, either.
    with np.errstate(all='ignore'):
        at = rotation @ own.com
        turned = rotation @ (own.rotational + own.mass * _of_point(own.com)) @ rotation.T
        added = turned + own.mass * (_of_point(at + offset) - _of_point(at))
        com = (whole.com * whole.mass + (at + offset) * own.mass) * np.divide(1.0, mass)
        total = whole.rotational + whole.mass * _of_point(whole.com) + added
        to_frame = urdfdom_rotation(into.origin.quaternion)
        matrix = to_frame.T @ (total - mass * _of_point(com)) @ to_frame
    x, y, z = map(float, com)
    parent.inertial = MassProperties(mass, Pose((x, y, z), into.origin.quaternion), matrix,
                                     _joined(into.sources, body.inertial.sources), undefined_by)


def _of_point(position: Array) -> Array:
    """Return the inertia about the origin of 1 kg at a position."""
    x, y, z = position
    return np.array([[z * z + y * y, -(x * y), -(z * x)],
                     [-(x * y), z * z + x * x, -(z * y)],
                     [-(z * x), -(z * y), y * y + x * x]])


def _joined(left: list[Item], right: list[Item]) -> list[Item]:
    """Return the longer list extended by the other, so that long chains take linear time."""
    shorter, longer = sorted((left, right), key=len)
    longer.extend(shorter)
    return longer


def _move_to_ends(root: Body) -> None:
    """Move the shapes and child joints of lumped bodies to the bodies that they end in."""
    ends: dict[Body, tuple[Body, Pose]] = {}
    for body in list(root.walk()):
        if body.lumped_into is None:
            continue
        into, pose = ends.get(body.lumped_into, (body.lumped_into, Pose()))
        pose = compose(pose, body.origin)
        ends[body] = into, pose
        body.lumped_into = into
        for tag, shapes in body.shapes.items():
            for shape in shapes:
                shape.name = shape.name or body.name
                shape.origin = compose(pose, shape.origin)
                into.shapes[tag].append(shape)
        for child in body.children:
            if child.lumped_into is None:
                child.origin = compose(pose, child.origin)
                child.parent = into
