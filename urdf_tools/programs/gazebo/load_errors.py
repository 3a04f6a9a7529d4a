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

"""Load errors: the reasons why Gazebo does not load the model of a robot."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from math import acos
from math import cos
from math import hypot
from math import inf
from math import pi
from math import sqrt

import numpy as np

from urdf_tools.findings.message import Name
from urdf_tools.model.messages import quote
from urdf_tools.model.records import Mesh
from urdf_tools.model.robot import JointType
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.gazebo.attribute_errors import sensor_errors
from urdf_tools.programs.gazebo.copied_errors import errors_in_copies
from urdf_tools.programs.gazebo.copied_errors import include_errors
from urdf_tools.programs.gazebo.copied_errors import is_known
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.model import INSTEAD_OF
from urdf_tools.programs.gazebo.name_errors import name_errors
from urdf_tools.programs.gazebo.name_errors import parts_of_model
from urdf_tools.programs.gazebo.name_errors import SCOPED
from urdf_tools.programs.gazebo.sdf_values import number_text
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import WORLD
from urdf_tools.types import Array

_TOLERANCE = 10 * float(np.finfo(float).eps)
"""Tolerance of gz-math for the moments of inertia, as a share of half their sum."""

_SHORTEST = 1e-6
"""The length up to which libsdformat takes an axis for zero."""


def load_errors(model: GazeboModel, context: Context | None) -> Iterator[Loss]:
    """
    Yield why Gazebo does not load a model, as ``gz sdf -k`` does.

    :param context: where to look for the models that it includes; nowhere without one.
    """
    parts = list(parts_of_model(model))
    names = {part.name for part in parts if part.tag in SCOPED}
    yield from name_errors(model, parts)
    if not model.is_static and not any(part.tag == 'link' for part in parts):
        yield _empty(model)
    yield from _errors_below_dropped(model, names)
    yield from errors_in_copies(model, names)
    joints = {part.name for part in parts if part.tag == 'joint'}
    for body in model.links:
        yield from _joint_errors(model, body, names, joints)
        yield from _mesh_errors(body)
    yield from _inertia_errors(model)
    yield from sensor_errors(model)
    yield from include_errors(model, context)


def _empty(model: GazeboModel) -> Loss:
    lost = next(iter(model.lost.values()), None)
    if lost is None:
        return refusal(
            model.element, "The only link is 'world', which represents the world itself, so the "
            'model is empty', hint='Add a link', of='link')
    return refusal(
        lost.element, 'Link {name} has no mass, so Gazebo drops it with everything below it, and '
        'no link is left' if lost.children else
        'Link {name} has no mass, so Gazebo drops it, and no link is left',
        hint='Give the link a mass', of='mass', brief='no link with mass')


def _errors_below_dropped(
        model: GazeboModel, names: Collection[str | None]) -> Iterator[Loss]:
    """Yield which dropped links have frames of lumping or joints attached that remain."""
    kept: dict[Body, list[Body]] = {}
    lumped = model.lumped if model.links and not model.release.is_12_3 else ()
    for body in (*lumped, *model.joints.values()):
        parent = body.parent
        if parent is not None and parent.name != WORLD and not is_known(parent.name, names):
            kept.setdefault(model.lost.get(parent.name, parent), []).append(body)
    for cause, bodies in kept.items():
        remaining = [f'joint {quote(body.joint_element.get("name", ""))}'
                     if body.lumped_into is None else f'the frame of link {quote(body.name)}'
                     for body in bodies]
        yield refusal(cause.element, 'Gazebo drops link {name}, which has no mass, but keeps what '
                      'is attached to it or below it: {remaining}', remaining=remaining,
                      hint='Give the link a mass', of='mass', brief='link without mass')


def _joint_errors(model: GazeboModel, body: Body, names: Collection[str | None],
                  joints: Collection[str | None]) -> Iterator[Loss]:
    joint = body.joint
    if joint is None or body.parent is None:
        return
    element = body.joint_element
    if joint.name not in model.joints:
        if joint.name.strip() and joint.name not in names:
            yield refusal(element, 'Joint {name} is {type}, a type that SDFormat does not have, '
                          'so link {link} is attached to nothing', type=joint.type.value,
                          link=Name(body.name), hint='{advice}', advice=INSTEAD_OF[joint.type],
                          of='type')
        return
    if joint.type is JointType.FIXED:
        return
    if hypot(*body.axis) <= _SHORTEST:
        yield refusal(element.child('axis'), 'The axis of {joint} is zero',
                      hint='Write a unit vector', of='axis')
    mimic = element.find('mimic') if model.release.has_mimic else None
    if mimic is None:
        return
    leader = mimic.get('joint', '')
    if leader == joint.name:
        yield refusal(mimic, '{joint} mimics itself', hint='Name another joint', of='mimic')
    elif leader not in joints:
        yield refusal(mimic, '{joint} mimics joint {leader}, which is not in the model',
                      leader=Name(leader), hint='Name a joint that Gazebo keeps', of='mimic')


def _mesh_errors(body: Body) -> Iterator[Loss]:
    for shape in (*body.shapes['collision'], *body.shapes['visual']):
        geometry = shape.source.geometry
        if isinstance(geometry, Mesh) and not geometry.filename.strip():
            yield refusal(shape.element.child('geometry')[0],
                          'A mesh of link {name} has no file name', name=Name(body.name),
                          hint='Write filename="package://..."', of='mesh')


def _inertia_errors(model: GazeboModel) -> Iterator[Loss]:
    for body in model.links:
        properties = body.inertial
        if properties is None:
            continue
        if properties.mass < 0:
            mass = body.element.find('inertial/mass')  # Lumping may have added to it.
            yield refusal(body.element if mass is None else mass, '{link} has a negative mass',
                          hint='Write a positive mass in kg', of='inertia')
        elif not _is_valid(properties.matrix):
            yield _inertia_error(model, body, properties.undefined_by)


def _inertia_error(model: GazeboModel, body: Body, undefined_by: Body | None) -> Loss:
    if undefined_by is not None and undefined_by.parent is not None:
        return refusal(undefined_by.element, 'Link {name} is lumped into link {into}, and both '
                       'together have no mass, so that their centre of mass is not a number',
                       into=Name(undefined_by.parent.name), of='mass',
                       hint='Remove the <inertial> of the link, or give it a mass')
    own = [(member, member.link.inertial) for member in model.members[body]
           if member.link.inertial is not None]
    guilty, inertial = next(
        (each for each in own if not _is_valid(each[1].matrix)), (body, None))
    element = None if inertial is None or inertial.element is None else (
        inertial.element.find('inertia'))
    return refusal(guilty.element if element is None else element,
                   'The inertia of link {name}, which is lumped into link {into}, is physically '
                   'inconsistent' if guilty is not body else
                   'The inertia of link {name}, with the links that are lumped into it, is '
                   'physically inconsistent' if inertial is None else
                   'The inertia of link {name} is physically inconsistent',
                   name=Name(guilty.name), into=Name(body.name), of='inertia',
                   hint='Compute it with urdf-tools inertia --compute inconsistent')


def _is_valid(matrix: Array) -> bool:
    """Return whether gz-math accepts an inertia matrix (``MassMatrix3::IsValid``)."""
    # Gazebo reads what is written, with 16 digits.
    rows = [float(number_text(float(value))) for value in matrix.flat]
    xx, xy, xz, _, yy, yz, *_, zz = rows
    if not all(value == 0 or np.finfo(float).tiny <= abs(value) < inf for value in rows):
        return False
    margin = _TOLERANCE * abs(xx + yy + zz) / 2
    minor = xx * yy - xy * xy
    determinant = (zz * yy - yz * yz) * xx - (zz * xy - xz * yz) * xy + (yz * xy - xz * yy) * xz
    least, middle, most = _moments(xx, yy, zz, xy, xz, yz)
    of_moments = _TOLERANCE * abs(least + middle + most) / 2
    return min(xx, minor, determinant) + margin >= 0 and (
        least + of_moments >= 0 and least + middle + of_moments >= most)


def _moments(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> list[float]:
    """Return the principal moments in the order of size, with the rounding of gz-math."""
    tolerance = 1e-6 * max(xx, yy, zz)
    if max(abs(xy), abs(xz), abs(yz)) <= tolerance:
        return sorted((xx, yy, zz))
    b, c = xx + yy + zz, xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz
    d = xx * (yz * yz) + yy * (xz * xz) + zz * (xy * xy) - xx * yy * zz - 2 * xy * xz * yz
    p = b * b - 3 * c
    if p < tolerance * tolerance:
        return [b / 3] * 3
    with np.errstate(all='ignore'):
        q = 2 * np.float64(b) ** 3 - 9 * b * c - 27 * d
        angle = acos(max(-1.0, min(1.0, 0.5 * q / np.float64(p) ** 1.5)))
    return sorted((b + 2 * sqrt(p) * cos(each / 3)) / 3
                  for each in (angle, angle + 2 * pi, angle - 2 * pi))
