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
What urdfdom 4 keeps of a robot, with which ROS reads URDF.

So do robot_state_publisher, RViz, MoveIt, ros2_control, kdl_parser and Pinocchio, and Gazebo's
conversion begins with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from math import sqrt

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.importers import BOUNDED
from urdf_tools.programs.importers import repeated
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import cached_for_latest
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import formats_of
from urdf_tools.programs.urdfdom.bodies import read_bodies
from urdf_tools.programs.urdfdom.reading import declared_minor
from urdf_tools.programs.urdfdom.reading import numbers
from urdf_tools.programs.urdfdom.reading import refusals
from urdf_tools.programs.urdfdom.reading import stops
from urdf_tools.programs.urdfdom.reading import Tree
from urdf_tools.programs.urdfdom.reading import UNMOVED

VERSION = '4.0'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in urdfdom."""
    kept = None if source.robot is None else kept_parts(source.robot)
    return Account('urdfdom', VERSION, source.parts, kept, tuple(refusals(source.root)), 'free',
                   losses=tuple(losses(source.root)))


@cached_for_latest
def bodies_of(robot: Robot) -> tuple[Body, ...]:
    """Return the links as urdfdom reads them."""
    return tuple(read_bodies(robot).walk())


@cached_for_latest
def kept_parts(robot: Robot) -> Parts:
    """Return the parts of the model that urdfdom reads."""
    bodies = bodies_of(robot)
    return replace(
        parts_of(robot), actuators=0,
        body=body_at_zero(link_inertias_of(robot), link_frames(robot)),
        visuals=formats_of(bodies, 'visual'), collisions=formats_of(bodies, 'collision'))


@cached_for_latest
def link_inertias_of(robot: Robot) -> dict[str, SpatialInertia]:
    """Return the inertia of each link with an ``<inertial>`` in its own frame."""
    return {body.name: body.inertial.turned(body.inertial.origin.rotation)
            for body in bodies_of(robot) if body.inertial is not None}


_SINCE: Mapping[str, int] = {'quat_xyzw': 1, 'acceleration': 2, 'deceleration': 2, 'jerk': 2}
"""Attributes to the minor number of the first version of URDF that has them."""


def losses(root: Element, newest: int = 0) -> Iterator[Loss]:
    """
    Yield what a description loses in a release of urdfdom.

    :param newest: the minor number of the newest version of URDF that the release reads.
    """
    minor = min(declared_minor(root) or 0, newest)
    yield from Tree(root).losses
    defined: dict[str, list[str]] = {}
    for material in root.findall_tag('material'):
        defined.setdefault(material.get('name', ''), _looks(material))
    for link in root.findall_tag('link'):
        if link in stops(root, minor):
            yield _loss_of_link(link, *stops(root, minor)[link])
        for visual in link.findall_tag('visual'):
            yield from _losses_of_material(visual, defined)
    for joint in root.findall_tag('joint'):
        yield from _losses_of_joint(joint)
    for part in chain(root.findall_tag('link'), root.findall_tag('joint'),
                      root.findall_tag('material')):
        for element in part.iter():
            yield from _ignored_in(element, minor)


def _loss_of_link(link: Element, part: Element, error: Loss) -> Loss:
    """Return the loss of a link from a part on that cannot be read."""
    parts = [each for tag in ('inertial', 'visual', 'collision') for each in link.findall_tag(tag)]
    rest = tuple(parts[parts.index(part):] if part in parts else parts)
    of = 'inertia' if part.tag == 'inertial' else part.tag
    return loss(of, Impact.DROPS, (error.element, *rest), 'Drops {part} and the rest of {link}, '
                'because {reason:end}', attribute=error.attribute, link=link, part=f'<{part.tag}>',
                reason=error.message, advice=error.hint)


def _losses_of_material(visual: Element, defined: dict[str, list[str]]) -> Iterator[Loss]:
    material = visual.find_tag('material')
    if material is None or 'name' not in material.attrib:
        return
    name, looks = material.attrib['name'], _looks(material)
    first = defined.setdefault(name, looks) if looks else defined.get(name)
    if not first:
        yield loss('colour', Impact.CHANGES, material, 'Shows {visual} without a colour, as '
                   'material {name} is not defined')
    elif looks and looks != first:
        yield loss('colour', Impact.CHANGES, material, 'Shows {visual} in the colour of the first '
                   'material {name}')


def _looks(material: Element) -> list[str]:
    """Return the colour and the texture of a material."""
    return [text for child in material for text in (child.get('rgba'), child.get('filename'))
            if text]


def _losses_of_joint(joint: Element) -> Iterator[Loss]:
    kind = joint.get('type', '')
    limit, axis = joint.find_tag('limit'), joint.find_tag('axis')
    for name in ('lower', 'upper') if kind in BOUNDED else ():
        if limit is not None and name not in limit.attrib:
            yield loss('limit', Impact.CHANGES, limit, 'Takes 0 for {attribute} of {limit}',
                       attribute=name)
    if axis is None or kind in UNMOVED:
        return
    try:
        length = sqrt(sum(value * value for value in numbers(axis.get('xyz', '0 0 0'), 3)))
    except ValueError:
        return
    if not length:
        yield loss('axis', Impact.CHANGES, axis, 'Keeps an axis of zero, so that {joint} cannot '
                   'move')
    elif abs(length - 1) > 1e-3:
        yield loss('axis', Impact.CHANGES, axis, 'Keeps the length {length:.4g} of {axis}, by '
                   'which some programs scale positions and others do not', length=length)


def _ignored_in(element: Element, minor: int) -> Iterator[Loss]:
    """Yield the children and attributes of an element that urdfdom does not read."""
    of = 'shape' if element.tag == 'geometry' else 'element'
    for child in repeated(element, element):
        yield loss(of, Impact.IGNORES, child, 'Ignores {child}, as it reads only the first',
                   child=child)
    for name, since in _SINCE.items():
        if name in element.attrib and since > minor:
            yield loss('attribute' if since == 1 else 'limit', Impact.IGNORES, element,
                       'Ignores {attribute} of {element}, which is URDF 1.{since}', since=since,
                       attribute=name)
