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
How MuJoCo loads a robot when it compiles its URDF.

A description is read (``reading``) as ``src/xml/xml_urdf.cc`` does, with the options of
``<mujoco><compiler>``, and compiled (``model``) as ``src/user/user_model.cc``,
``user_objects.cc`` and ``user_mesh.cc`` do; here the result is compared with the description.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.message import Name
from urdf_tools.model.records import Mesh
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.importers import ignored_attributes
from urdf_tools.programs.importers import summed
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.mujoco.model import MujocoModel
from urdf_tools.programs.mujoco.reading import DRIVEN
from urdf_tools.programs.mujoco.reading import RELEASES
from urdf_tools.programs.mujoco.reading import UrdfJoint
from urdf_tools.programs.robot_parts import driven_joints
from urdf_tools.programs.tables import TABLES


@np.errstate(all='ignore')  # Numbers may be infinite.
def account(source: Source, context: Context, version: str = '4.0') -> Account:
    """Return what becomes of a robot in MuJoCo."""
    if source.root.tag.lower() == 'mujoco':  # MJCF
        return Account('mujoco', version, None)
    model = MujocoModel(source.root, RELEASES[version], context)
    floats = any(joint.type == 'floating' for joint in model.joints)
    merged = {name for name, owner in model.owners.items() if model.compiler.fusestatic and (
        owner != name or name == WORLD)}
    return Account('mujoco', version, source.parts, model.parts, model.causes,
                   'free' if floats else 'fixed', merged,
                   tuple(losses(model, source.root, source.robot)),
                   options_of('mujoco'))


_READ = frozenset(TABLES['elements of mujoco'])
"""The elements in ``<robot>``, ``<link>`` and ``<joint>`` that MuJoCo reads."""


def losses(model: MujocoModel, description: Element, robot: Robot | None) -> Iterator[Loss]:
    """
    Yield what is lost or changed.

    :param description: the outermost element.
    :param robot: the robot as our loader reads it.
    """
    yield from model.meshes.losses
    yield from _masses(model)
    for joint in model.urdf.joints:
        yield from _of_joint(model, joint)
    limits = [joint.element.find_tag('limit') for joint in model.urdf.joints if joint.moves]
    yield from summed(
        'limit', Impact.DROPS,
        [limit for limit in limits if limit is not None and 'velocity' in limit.attrib],
        'The velocity limits of {n:joint} are not read')
    yield from _shapes(model)
    yield from _at_base(model)
    if robot is not None:
        driven = sorted(driven_joints(robot))
        yield from summed(
            'actuator', Impact.DROPS, [robot.joints[name].element for name in driven],
            'No joint has an actuator; the description drives {joints:joint}',
            hint='Add them in an MJCF file, or with MjSpec', joints=tuple(map(Name, driven)))
    yield from ignored_attributes([description])
    yield from _harmless(description)


def _masses(model: MujocoModel) -> Iterator[Loss]:
    for name in model.names:
        body, inertia = model.urdf.bodies[name], model.inertias.get(name)
        if name in model.invented and inertia is not None and not (
                model.compiler.fusestatic and model.owners[name] == WORLD):
            is_known = not np.isnan(inertia.mass)
            yield loss('mass', Impact.CHANGES, body.written('mass'),
                       'Link {link} gets {mass:.4g} kg from its collision shapes, at 1000 kg/m^3'
                       if is_known else 'Link {link} gets its mass from its collision shapes',
                       hint='Give it an <inertial>', link=Name(name),
                       mass=inertia.mass if is_known else 0.0)
        elif name in model.balanced and body.inertia is not None:
            yield loss('inertia', Impact.CHANGES, body.written('inertia'), 'The inertia of link '
                       '{link} is changed by the options of the compiler', link=Name(name))
    if model.compiler.fusestatic:
        yield from _fused(model)


def _fused(model: MujocoModel) -> Iterator[Loss]:
    bodies, parents = model.urdf.bodies, model.urdf.parents
    roots = dict.fromkeys(name for name in model.names if name not in parents)
    fixed = [name for name in model.names if model.owners[name] == WORLD and name != WORLD]
    mass = sum(inertia.mass for name in fixed if (inertia := bodies[name].inertia))
    if fixed and WORLD not in roots:
        yield loss(
            'base', Impact.DROPS if mass > 0 else Impact.CHANGES,
            [bodies[name].element for name in fixed if name in roots or bodies[name].inertia],
            'The root link {link} is fixed to the world, and the {mass:.4g} kg of {links} are lost'
            if mass > 0 else 'The root link {link} is fixed to the world',
            hint='If the robot moves freely, add a link "world" and a joint of the type floating '
                 'from it to {link}', mass=mass, link=Name(next(iter(roots))),
            links=tuple(map(Name, fixed)))
    elif mass > 0:
        yield loss('mass', Impact.DROPS, [bodies[name].element for name in fixed],
                   'The {mass:.4g} kg of {links} are fixed to the world, and lost', mass=mass,
                   is_harmless=True, links=tuple(map(Name, fixed)))
    for name in model.names:
        owner, element = model.owners[name], bodies[name].element
        if owner == name or name in roots:
            continue
        if name in model.misplaced:
            yield loss('inertia', Impact.CHANGES, element, 'The inertia of link {link} is '
                       'misplaced in that of link {owner}, as position and rotation between them '
                       'are mixed up', link=Name(name), owner=Name(owner),
                       setting='before 4.0' * model.compiler.release.is_4)
        yield loss(
            'link', Impact.DROPS, element, 'Link {link} is part of the {owner}, and its frame is '
            'lost' if owner == WORLD else 'Link {link} is part of link {owner}, and its frame is '
            'lost', hint='Write <mujoco><compiler fusestatic="false"/></mujoco>', link=Name(name),
            owner=WORLD if owner == WORLD else Name(owner))


def _of_joint(model: MujocoModel, joint: UrdfJoint) -> Iterator[Loss]:
    element = joint.element
    if not joint.moves:
        return
    mimic, limit = element.find_tag('mimic'), element.find_tag('limit')
    if mimic is not None and joint.name not in model.followers:
        yield loss('mimic', Impact.DROPS, mimic, '{joint} does not follow {leader}',
                   hint='Add <equality><joint joint1="..." joint2="..."/></equality> in an MJCF '
                        'file', leader=Name(mimic.get('joint', '')))
    if limit is None:
        return
    if joint.type in ('revolute', 'prismatic') and not joint.is_limited:
        lower, upper = (0.0 if isnan(each) else each for each in (joint.lower, joint.upper))
        yield loss(
            'limit', Impact.DROPS, limit,
            '{joint} is not limited, because its limits are equal' if lower == upper else
            '{joint} is not limited, because it has only one limit'
            if isnan(joint.upper - joint.lower) else
            '{joint} is not limited, because its lower limit is above its upper one',
            hint='Write a lower limit below the upper one, or a fixed joint')
    elif joint.type == 'continuous' and joint.is_limited:
        yield loss('limit', Impact.CHANGES, limit, '{joint} is limited, although it is continuous')
    text = limit.get('effort', '').strip()
    if joint.type in DRIVEN and text and (not joint.effort or text.startswith('-')):
        yield loss(
            'limit', Impact.CHANGES if joint.effort else Impact.IGNORES, limit,
            'The limit on the effort of {joint} is {effort:g}, without its sign'
            if joint.effort else
            'The effort of {joint} is not limited, because its limit is zero',
            attribute='effort', effort=joint.effort)


def _shapes(model: MujocoModel) -> Iterator[Loss]:
    links = [model.urdf.bodies[name] for name in model.names]
    if model.compiler.discardvisual:
        yield from summed('visual', Impact.DROPS, [
            visual for link in links for visual in link.element.findall_tag('visual')],
            'Drops {n:visual shape}')
    yield from summed(
        'collision', Impact.CHANGES, [
            geom.element for link in links for geom in link.geoms
            if isinstance(geom.shape, Mesh) and not geom.is_visual],
        'Each collision mesh is replaced by its convex hull, {n} of them')


def _at_base(model: MujocoModel) -> Iterator[Loss]:
    """Yield which joints of a fixed base join links that collide, as the world is no parent."""
    body: dict[str, str] = {}
    solid: dict[str, bool] = {}
    joints = []
    for name in model.names:
        joint = model.urdf.parents.get(name)
        body[name] = WORLD if joint is None else name if joint.moves else body[joint.parent]
        has_shape = any(not geom.is_visual for geom in model.urdf.bodies[name].geoms)
        solid[body[name]] = solid.get(body[name], False) or has_shape
        if joint is not None and joint.moves and body[joint.parent] == WORLD:
            joints.append(joint)
    for joint in joints:
        if solid[WORLD] and solid[joint.child]:
            yield loss('collision', Impact.CHANGES, joint.element, 'Links {parent} and {child}, '
                       'which {joint} joins, can collide, as the first is fixed to the world',
                       parent=Name(joint.parent), child=Name(joint.child))


def _harmless(description: Element) -> Iterator[Loss]:
    owners = (description, *description.findall_tag('link'), *description.findall_tag('joint'))
    for element in (each for owner in owners for each in owner if each.tag not in _READ):
        of = element.tag if element.tag in ('transmission', 'material') else 'element'
        yield loss(of, Impact.IGNORES, element, '{element} is ignored', is_harmless=True)
