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
How PyBullet loads a robot with ``loadURDF(path)`` and no other argument.

``model`` reads a description as ``UrdfParser.cpp`` in ``examples/Importers/ImportURDFDemo`` does,
and makes a body of it as in ``BulletUrdfImporter.cpp`` and ``URDF2Bullet.cpp`` beside it; here is
what that body lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.message import Name
from urdf_tools.model.records import UNLIMITED
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.importers import BOUNDED
from urdf_tools.programs.importers import ignored_attributes
from urdf_tools.programs.importers import mesh_suffix
from urdf_tools.programs.importers import misread
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import summed
from urdf_tools.programs.pybullet.model import BulletJoint
from urdf_tools.programs.pybullet.model import BulletModel
from urdf_tools.programs.pybullet.model import number
from urdf_tools.programs.pybullet.model import vector
from urdf_tools.programs.tables import TABLES

VERSION = '3.2.7'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in PyBullet."""
    model = BulletModel(source.root, context)
    has_base = model.root is not None and bool(model.masses[model.root])
    return Account('pybullet', VERSION, source.parts, model.parts, tuple(model.refusals),
                   'free' if has_base else 'fixed', losses=tuple(losses(model)),
                   options=options_of('pybullet'))


_NUMBERS: Mapping[str, Sequence[str]] = TABLES['numbers of pybullet']
"""Elements to the attributes that are read as numbers, whatever is written."""

_VECTORS = ('xyz', 'rpy', 'size')

_STEPS = 240
"""Steps a second; a damping times the step, over the inertia, above two reverses a motion."""

MAX_LINKS = 128
"""The most links of a robot whose poses can be asked for (``MAX_DEGREE_OF_FREEDOM``)."""


def losses(model: BulletModel) -> Iterator[Loss]:
    """Find what is lost, changed or invented."""
    if len(model.links) > MAX_LINKS:
        yield loss('model', Impact.CRASHES, model.element, 'getLinkState and '
                   'getBasePositionAndOrientation raise an error, because there are {n:link}, '
                   'more than {maximum}', maximum=MAX_LINKS, n=len(model.links))
    apart = [link for name, link in model.links.items()
             if name not in model.below and model.root is not None]
    yield from summed('structure', Impact.DROPS, apart, 'Drops {n:link} that no joint connects to '
                      'the root', hint='Connect them with joints')
    yield from _inertias(model)
    yield from _joints(model)
    yield from _collisions(model)
    yield from _misread(model)


def _inertias(model: BulletModel) -> Iterator[Loss]:
    shaped = []
    for name, link in model.links.items():
        inertial = link.find_tag('inertial')
        if inertial is None and name != 'world':
            yield loss('mass', Impact.CHANGES, link, '{link} has no <inertial>, and gets a mass '
                       'of 1 kg', mass=1.0)
        inertia = None if inertial is None else inertial.find_tag('inertia')
        if inertia is None or not model.masses[name]:
            continue
        if model.collisions(link):
            shaped.append(inertia)
            continue
        written = [number(inertia.get(axis, '')) for axis in ('ixx', 'iyy', 'izz')]
        kept = np.trace(model.inertias[name].rotational) / 3
        if max(written) > 2 * kept:
            yield loss('inertia', Impact.CHANGES, inertia, '{link} has no collision shape, so its '
                       'moments of inertia become {kept:.2g} instead of {written:.2g} kg m^2',
                       kept=float(kept), written=float(np.mean(written)))
    yield from summed('inertia', Impact.CHANGES, shaped, 'The inertia of {n:link} is computed '
                      'from the box around the collision shapes, not read')


def _joints(model: BulletModel) -> Iterator[Loss]:
    for joint in model.joints.values():
        element = joint.element
        limit, axis, mimic = map(element.find_tag, ('limit', 'axis', 'mimic'))
        if joint.type == 'floating':
            yield loss('joint', Impact.CHANGES, element, '{joint} is floating, and becomes a '
                       'fixed one')
        if not joint.is_moving:
            continue
        if mimic is not None:
            yield loss('mimic', Impact.DROPS, mimic, '{joint} does not follow {leader}',
                       leader=Name(mimic.get('joint', '')), hint='Couple the joints with '
                       'createConstraint and JOINT_GEAR, or command both')
        distance = 0.0 if joint.type != 'planar' or joint.child not in model.links else float(
            np.linalg.norm(model.inertial_frame(joint.child)[:3, 3]))
        if distance:
            yield loss('joint', Impact.CHANGES, element, 'Link {child} is shifted by '
                       '{distance:.3g} m, because its centre of mass is put in the planar joint',
                       child=Name(joint.child), distance=distance)
        if limit is not None and joint.type in BOUNDED and not joint.is_bounded:
            yield loss('limit', Impact.CHANGES, limit, '{joint} has no end, because its lower '
                       'limit of {lower:g} is above the upper one of {upper:g}', lower=joint.lower,
                       upper=joint.upper)
        if axis is not None and not any(vector(axis.get('xyz', '')) or (0.0,)):
            yield loss('axis', Impact.CRASHES, axis, 'The pose of the child link of {joint} is '
                       'not a number, because its axis is zero')
    yield from _stored([joint for joint in model.joints.values() if joint.is_moving])
    yield from _damped(model)


def _damped(model: BulletModel) -> Iterator[Loss]:
    """Yield joints whose damping, a torque of the step before, is too large for what they move."""
    carried = {name: body.transformed(model.frames[name])
               for name, body in model.inertias.items() if name in model.frames}
    for name, joint in reversed(model.below.items()):
        if joint is not None and name in carried:
            body, frame = carried[name], model.frames[name]
            written = joint.element.find_tag('axis') or joint.element
            axis = frame[:3, :3] @ (vector(written.get('xyz', '1 0 0')) or (1.0, 0.0, 0.0))
            inertia = body.mass if joint.type == 'prismatic' else float(
                axis @ body.about(frame[:3, 3]) @ axis) / max(float(axis @ axis), 1e-9)
            if joint.type in ONE_DOF and joint.damping > max(2 * _STEPS * inertia, 0):
                yield loss('dynamics', Impact.CHANGES, joint.element.find('dynamics'),
                           'A damping of {damping:g} is too large for {joint}, which has an '
                           'inertia of {inertia:.2g} and becomes unstable',
                           damping=joint.damping, inertia=inertia, most=_STEPS * inertia)
            carried[joint.parent] = carried.get(joint.parent, SpatialInertia.zero()) + body


def _stored(joints: list[BulletJoint]) -> Iterator[Loss]:
    yield from summed(
        'limit', Impact.IGNORES, [joint.element.find('limit') for joint in joints
                                  if any(0 != limit < UNLIMITED
                                         for limit in (joint.effort, joint.velocity))],
        'The effort and velocity limits of {n:joint} are stored, but not applied')
    yield from summed('dynamics', Impact.IGNORES,
                      [joint.element.find('dynamics') for joint in joints if joint.friction],
                      'The friction of {n:joint} is stored, but not simulated')


def _collisions(model: BulletModel) -> Iterator[Loss]:
    yield from summed(
        'shape', Impact.CHANGES, [
            shape for link in model.links.values() for shape in model.collisions(link)
            if mesh_suffix(shape) and 'concave' not in shape.attrib],
        'The convex hull is taken of {n:collision shape} from mesh files', hint=(
            'Split meshes into convex objects of an .obj file; on a link that stays still, '
            'write <collision concave="yes">'))
    for shape in model.empty:
        yield loss('shape', Impact.DROPS, shape.find('geometry/mesh'), 'Nothing is read of the '
                   'mesh of {shape}, whose file is a text, empty or unreadable', shape=shape)


def _misread(model: BulletModel) -> Iterator[Loss]:
    """Find numbers that PyBullet silently misreads."""
    owners = (*model.links.values(), *(joint.element for joint in model.joints.values()))
    for element in (each for owner in owners for each in owner.iter()):
        for name in _NUMBERS.get(element.tag, ()):
            text = element.get(name)
            if text is not None:
                yield from misread(element, name, (vector(text) or (0.0, 0.0, 0.0)) if (
                    name in _VECTORS) else (number(text),))
    yield from ignored_attributes(owners, ('quat_xyzw',))
