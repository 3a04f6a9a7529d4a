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

"""What MuJoCo drops or changes of a robot that it compiles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.model.robot import Joint
from urdf_tools.model.shape_records import Mesh
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.accounts import Option
from urdf_tools.programs.importers import summed
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.mujoco.mujoco_model import MujocoModel
from urdf_tools.programs.robot_parts import driven_joints

OPTIONS = (
    Option('discardvisual="false"', 'keeps visual shapes, whose meshes have to be readable, too'),
    Option('fusestatic="false"', 'keeps links of fixed joints, and the mass of the root link'),
    Option('strippath', 'whether the names of mesh files are taken without their folders'),
    Option('balanceinertia="true"', 'repairs inertias that break the triangle inequality'),
    Option('boundmass, boundinertia', 'give each body at least so much'),
    Option('meshdir', 'the folder of the mesh files'))
"""What ``<mujoco><compiler .../></mujoco>`` below ``<robot>`` changes."""

_KEEP = 'Write <mujoco><compiler fusestatic="false"/></mujoco>'


def losses(model: MujocoModel) -> Iterator[Loss]:
    """Yield what is lost or changed."""
    yield from _masses(model)
    yield from _joints(model)
    yield from _shapes(model)
    driven = sorted(driven_joints(model.robot))
    yield from summed(
        'actuator', Impact.DROPS, [model.robot.joints[name].element for name in driven],
        'No joint has an actuator; the description drives {joints:joint}',
        hint='Add them in an MJCF file, or with MjSpec', joints=tuple(map(Name, driven)))
    yield from _harmless(model)


def _masses(model: MujocoModel) -> Iterator[Loss]:
    robot = model.robot
    for name in model.names:
        element = robot.links[name].element
        inertia = model.inertias.get(name)
        written = robot.links[name].inertial
        if name in model.invented and inertia is not None and not (
                model.compiler.fusestatic and model.owners[name] == WORLD):
            yield loss(
                'mass', Impact.CHANGES, element,
                'Link {link} gets {mass:.4g} kg from its collision shapes, at 1000 kg/m^3',
                hint='Give it an <inertial>', link=Name(name), mass=inertia.mass)
        elif name in model.balanced and written is not None:
            yield loss('inertia', Impact.CHANGES, written.element,
                       'The inertia of link {link} is changed by the options of the compiler',
                       link=Name(name))
    if model.compiler.fusestatic:
        yield from _fused(model)


def _fused(model: MujocoModel) -> Iterator[Loss]:
    robot = model.robot
    fixed = [name for name in model.names if model.owners[name] == WORLD and name != WORLD]
    mass = sum(inertial.mass for name in fixed if (inertial := robot.links[name].inertial))
    if fixed and robot.root != WORLD:
        yield loss(
            'base', Impact.DROPS if mass > 0 else Impact.CHANGES,
            [robot.links[name].element for name in fixed
             if name == robot.root or robot.links[name].inertial],
            'The root link {link} is fixed to the world' + (
                ', and the {mass:.4g} kg of {links} are lost' if mass > 0 else ''),
            hint='If the robot moves freely, add a link "world" and a joint of the type floating '
                 'from it to {link}', mass=mass, link=Name(robot.root),
            links=tuple(map(Name, fixed)))
    elif mass > 0:
        yield loss(
            'mass', Impact.DROPS, [robot.links[name].element for name in fixed],
            'The {mass:.4g} kg of {links} are fixed to the world, and lost', hint=_KEEP,
            mass=mass, is_harmless=True, links=tuple(map(Name, fixed)))
    for name in model.names:
        owner = model.owners[name]
        if owner not in (name, WORLD):
            if not model.urdf.release.places_fused and model.inertias[name].mass and not (
                    np.allclose(model.urdf.parents[name].pose, np.eye(4))):
                yield loss(
                    'inertia', Impact.CHANGES, robot.links[name].element,
                    'The inertia of link {link} is misplaced in that of link {owner}',
                    hint='Use MuJoCo 4', link=Name(name), owner=Name(owner))
            yield loss(
                'link', Impact.DROPS, robot.links[name].element,
                'Link {link} is part of link {owner}, and its frame is lost',
                hint=_KEEP, link=Name(name), owner=Name(owner))
        elif owner == WORLD != name != robot.root:
            yield loss(
                'link', Impact.DROPS, robot.links[name].element,
                'Link {link} is part of the {owner}, and its frame is lost',
                hint=_KEEP, link=Name(name), owner=WORLD)


def _joints(model: MujocoModel) -> Iterator[Loss]:
    followers = model.followers
    for joint in model.robot.joints.values():
        made = model.urdf.parents[joint.child]
        element = joint.element
        if not joint.type.dof:
            continue
        if joint.mimic and joint.name not in followers:
            yield loss(
                'mimic', Impact.DROPS, element, '{joint} does not follow {leader}',
                hint='Add <equality><joint joint1="..." joint2="..."/></equality> in an MJCF file',
                joint=element or joint.name, leader=Name(joint.mimic.joint))
        limits = joint.limits
        if limits is None:
            continue
        if _has_limits(joint) and not made.is_limited:
            yield loss(
                'limit', Impact.DROPS, element, (
                    '{joint} is not limited, because its limits are equal'
                    if limits.lower == limits.upper else '{joint} is not limited'),
                hint='Write a lower limit below the upper one, or a fixed joint',
                joint=element or joint.name)
        if limits.velocity is not None:
            yield loss('limit', Impact.DROPS, element, '{joint} has no limit on its velocity',
                       joint=element or joint.name)


def _has_limits(joint: Joint) -> bool:
    limits = joint.limits
    return limits is not None and limits.lower > -1e300 and limits.upper < 1e300


def _shapes(model: MujocoModel) -> Iterator[Loss]:
    links = model.robot.links.values()
    if model.compiler.discardvisual:
        yield from summed(
            'visual', Impact.DROPS, [shape.element for link in links for shape in link.visuals],
            'No visual shape is kept, of {n}',
            hint='Write <mujoco><compiler discardvisual="false"/></mujoco>; their meshes have to '
                 'be binary STL or OBJ')
    yield from summed(
        'collision', Impact.CHANGES, [shape.element for link in links for shape in link.collisions
                                      if isinstance(shape.geometry, Mesh)],
        'Each collision mesh is replaced by its convex hull, {n} of them',
        hint='Write several convex shapes where a hollow matters')
    for element, uri in model.meshes.replaced:
        yield loss(
            'collision', Impact.CHANGES, element,
            'The mesh is that of {uri:120}, which has the same name',
            hint='Give mesh files different names', uri=Name(uri))


def _harmless(model: MujocoModel) -> Iterator[Loss]:
    robot = model.robot
    for of, elements in (
            ('transmission', [each.element for each in robot.transmissions]),
            ('element', [*robot.gazebo, *(each for each in robot.extensions
                                          if each.tag != 'mujoco')]),
            ('material', [each.element for each in robot.materials.values()])):
        for element in elements:
            if element is not None:
                yield loss(of, Impact.IGNORES, element, '{element} is ignored', element=element,
                           is_harmless=True)
