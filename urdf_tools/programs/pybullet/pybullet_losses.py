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

"""What a robot loses in PyBullet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Words
from urdf_tools.model.values import parse_vector
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.accounts import Option
from urdf_tools.programs.importers import ignored_attributes
from urdf_tools.programs.importers import mesh_suffix
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.importers import summed
from urdf_tools.programs.pybullet.pybullet_model import BulletJoint
from urdf_tools.programs.pybullet.pybullet_model import BulletModel
from urdf_tools.programs.pybullet.pybullet_model import shapes
from urdf_tools.programs.pybullet.pybullet_values import number
from urdf_tools.programs.pybullet.pybullet_values import vector

OPTIONS = (
    Option('useFixedBase=True', 'The root link has no mass, and is fixed to the world'),
    Option('flags=URDF_USE_INERTIA_FROM_FILE',
           'The inertia of each link is read from <inertia>, not computed from its shapes'),
    Option('flags=URDF_MERGE_FIXED_LINKS', 'Links on fixed joints become parts of their parents'),
    Option('flags=URDF_USE_SELF_COLLISION', 'Links of the robot collide with one another'),
    Option('globalScaling', 'Lengths are multiplied by it, masses are not'),
    Option('setJointMotorControl2(body, joint, VELOCITY_CONTROL, force=0)',
           'The motor that holds each joint still from the start lets go'))

_HULLS = ('.stl', '.dae', '.obj')

_SINGLE = {
    'mass': ('value',), 'inertia': ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'),
    'limit': ('lower', 'upper', 'effort', 'velocity'), 'dynamics': ('damping', 'friction'),
    'sphere': ('radius',), 'cylinder': ('radius', 'length'), 'capsule': ('radius', 'length')}

_VECTORS = {'origin': ('xyz', 'rpy'), 'axis': ('xyz',), 'box': ('size',)}

MAX_LINKS = 128
"""The most links of a robot whose poses can be asked for (``MAX_DEGREE_OF_FREEDOM``)."""


def losses(model: BulletModel) -> Iterator[Loss]:
    """Find what is lost, changed or invented."""
    if len(model.links) > MAX_LINKS:
        yield loss('model', Impact.CRASHES, model.element,
                   'getLinkState and getBasePositionAndOrientation raise an error, because '
                   'there are {n:link}, more than {most}', n=len(model.links), most=MAX_LINKS,
                   hint='Pass flags=URDF_MERGE_FIXED_LINKS')
    yield from summed(
        'structure', Impact.DROPS, model.apart if model.root is not None else (),
        'Drops {n:link} that no joint connects to the root', hint='Connect them with joints')
    yield from _invented_masses(model)
    yield from _inertias(model)
    yield from _joints(model)
    yield from _collisions(model)
    yield from _misread(model)


def _invented_masses(model: BulletModel) -> Iterator[Loss]:
    for name, link in model.links.items():
        if name != 'world' and link.find_tag('inertial') is None:
            hint = (
                'Give it an <inertial>; a mass of 0 fixes the root link to the world'
                if name == model.root
                else 'Give it an <inertial>, with a mass of 0 for a frame')
            yield loss('mass', Impact.CHANGES, link,
                       '{link} has no <inertial>, and gets a mass of 1 kg', hint=hint, mass=1.0,
                       link=link)
        elif (mass := model.masses[name]) < 0:
            yield loss('mass', Impact.CHANGES, link.find('inertial/mass'),
                       'Simulates {link} with the negative mass {value:g} kg', attribute='value',
                       hint='Write a positive mass', link=link, value=mass)


def _inertias(model: BulletModel) -> Iterator[Loss]:
    shaped = []
    for name, link in model.links.items():
        inertial = link.find_tag('inertial')
        inertia = None if inertial is None else inertial.find_tag('inertia')
        if inertia is None or not model.masses[name]:
            continue
        if model.collisions(link):
            shaped.append(inertia)
            continue
        written = [number(inertia.get(axis, '')) for axis in ('ixx', 'iyy', 'izz')]
        kept = np.trace(model.inertias[name].rotational) / 3
        if max(written) > 2 * kept:
            yield loss(
                'inertia', Impact.CHANGES, inertia,
                '{link} has no collision shape, so its moments of inertia become {kept:.2g} '
                'instead of {written:.2g} kg m^2', link=link, kept=float(kept),
                written=float(np.mean(written)), hint=(
                    'Pass flags=URDF_USE_INERTIA_FROM_FILE, or give the link a collision shape'))
    yield from summed(
        'inertia', Impact.CHANGES, shaped,
        'The inertia of {n:link} is computed from the box around the collision shapes, not read',
        hint='Pass flags=URDF_USE_INERTIA_FROM_FILE')


def _joints(model: BulletModel) -> Iterator[Loss]:
    joints = model.joints.values()
    for joint in joints:
        if joint.type == 'floating':
            yield loss('joint', Impact.CHANGES, joint.element,
                       '{joint} is floating, and becomes a fixed one', joint=joint.element,
                       hint='Load its child link as a body of its own')
        mimic = joint.element.find_tag('mimic')
        if mimic is not None and joint.is_moving:
            yield loss(
                'mimic', Impact.DROPS, mimic, '{joint} does not follow {leader}',
                joint=joint.element, leader=Name(mimic.get('joint', '')), hint=(
                    'Couple the joints with createConstraint and JOINT_GEAR, or command both'))
        if joint.type == 'planar':
            yield from _shifted(model, joint)
        yield from _bounds(joint)
        axis = joint.element.find_tag('axis')
        if axis is not None and joint.is_moving and not any(
                vector(axis.get('xyz', '')) or (0.0,)):
            yield loss('axis', Impact.CRASHES, axis,
                       'The pose of the child link of {joint} is not a number, because its axis '
                       'is zero', joint=joint.element)
    yield from _stored(joints=[joint for joint in joints if joint.is_moving])


def _shifted(model: BulletModel, joint: BulletJoint) -> Iterator[Loss]:
    distance = 0.0 if joint.child not in model.links else float(
        np.linalg.norm(model.inertial_frame(joint.child)[:3, 3]))
    if distance:
        yield loss(
            'joint', Impact.CHANGES, joint.element,
            'Link {child} is shifted by {distance:.3g} m, because its centre of mass is put in '
            'the planar joint', child=Name(joint.child), distance=distance,
            hint='Write two prismatic joints and a revolute one')


def _bounds(joint: BulletJoint) -> Iterator[Loss]:
    limit = joint.element.find_tag('limit')
    if limit is None or joint.type not in (*ONE_DOF, 'planar') or joint.type == 'continuous':
        return
    if joint.type == 'planar':
        if 'lower' in limit.attrib or 'upper' in limit.attrib:
            yield loss('limit', Impact.IGNORES, limit,
                       'The limits of {joint} are ignored, because it is planar',
                       joint=joint.element)
    elif not joint.is_bounded:
        yield loss(
            'limit', Impact.CHANGES, limit,
            '{joint} has no end, because its lower limit of {lower:g} is above the upper one of '
            '{upper:g}', joint=joint.element, lower=joint.lower, upper=joint.upper, hint=(
                'Write both; without them, PyBullet takes lower="0" and upper="-1"'))


def _stored(joints: list[BulletJoint]) -> Iterator[Loss]:
    yield from summed(
        'limit', Impact.IGNORES, [joint.element.find('limit') for joint in joints
                                  if joint.effort or joint.velocity],
        'The effort and velocity limits of {n:joint} are stored, but not applied',
        hint='Pass them to setJointMotorControl2 as force and maxVelocity')
    yield from summed(
        'dynamics', Impact.IGNORES, [joint.element.find('dynamics') for joint in joints
                                     if joint.friction],
        'The friction of {n:joint} is stored, but not simulated',
        hint='Set it as the force of a motor with a target velocity of 0')


def _collisions(model: BulletModel) -> Iterator[Loss]:
    yield from summed(
        'shape', Impact.CHANGES, [
            shape for link in model.links.values() for shape in model.collisions(link)
            if mesh_suffix(shape) in _HULLS and 'concave' not in shape.attrib],
        'The convex hull is taken of {n:collision shape} from mesh files', hint=(
            'Split meshes into convex objects of an .obj file; on a link that stays still, '
            'write <collision concave="yes">'))
    for shape in model.empty:
        yield loss(
            'shape', Impact.DROPS, shape.find('geometry/mesh'), 'Nothing is read of the mesh of '
            '{shape}, whose file is a text or empty', shape=shape,
            hint='Convert it to .obj or binary .stl')
    yield from summed(
        'visual', Impact.CHANGES, [
            link for link in model.links.values()
            if shapes(link, 'collision') and not shapes(link, 'visual')],
        '{n:link} without visual shapes are shown with their collision shapes', is_harmless=True)


def _misread(model: BulletModel) -> Iterator[Loss]:
    """Find numbers that PyBullet reads as others, without a word."""
    reader = Reader()
    owners = (*model.links.values(), *(joint.element for joint in model.joints.values()))
    for element in (each for owner in owners for each in owner.iter()):
        for name in _SINGLE.get(element.tag, ()):
            if name in element.attrib:
                reader.read(element, name, number(element.attrib[name]))
        for name in _VECTORS.get(element.tag, ()):
            text = element.get(name)
            if text is not None and not _is_vector(text):
                values = vector(text) or (0.0, 0.0, 0.0)
                yield loss(
                    'attribute', Impact.CHANGES, element,
                    '{attribute}={text} of {element} is read as {value}', attribute=name,
                    text=Name(text), element=element,
                    value=Words(' '.join(f'{value:g}' for value in values)))
    yield from reader.misread
    yield from ignored_attributes(owners, {'origin': {'quat_xyzw': 'Write rpy instead'}})


@lru_cache(maxsize=4096)
def _is_vector(text: str) -> bool:
    try:
        parse_vector(text, 3)
    except ValueError:
        return False
    return True
