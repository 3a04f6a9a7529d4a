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

"""Joints of the SDFormat document, and the frames that lumping leaves of them."""

from __future__ import annotations

from urdf_tools.model.attributes import read_number
from urdf_tools.model.element import Element
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.programs.gazebo.bodies_of_robot import axis_of
from urdf_tools.programs.gazebo.bodies_of_robot import Body
from urdf_tools.programs.gazebo.bodies_of_robot import WORLD
from urdf_tools.programs.gazebo.extension_insertion import extend_joint
from urdf_tools.programs.gazebo.extensions import Extensions
from urdf_tools.programs.gazebo.gazebo_model import SDF_TYPES
from urdf_tools.programs.gazebo.sdf_values import gz_math_rpy
from urdf_tools.programs.gazebo.sdf_values import number_text
from urdf_tools.programs.gazebo.sdf_values import numbers_text
from urdf_tools.programs.gazebo.targets import Target
from urdf_tools.programs.gazebo.traced_xml import Item
from urdf_tools.programs.gazebo.traced_xml import items_of
from urdf_tools.programs.gazebo.traced_xml import Node


def write_joint(model: Node, body: Body, extensions: Extensions, target: Target) -> None:
    """Append the parent joint of a body to the model, unless libsdformat has no type for it."""
    joint, parent = body.joint, body.parent
    if joint is None or parent is None or joint.type not in SDF_TYPES:
        return
    element = joint.element
    is_locked = joint.type is JointType.FIXED and joint.name in extensions.revolute
    node = model.add('joint', None, items_of(element, 'name', 'type'))
    node.attrib.update({
        'type': 'revolute' if is_locked else SDF_TYPES[joint.type], 'name': joint.name})
    pose = _write_pose(node, body)
    pose.attrib['relative_to'] = '__model__' if parent.name == WORLD else parent.name
    node.add('parent', parent.name, items_of(_part(element, 'parent'), 'link'))
    node.add('child', body.name, items_of(_part(element, 'child'), 'link'))
    if is_locked:
        axis = node.add('axis')
        limit, dynamics = axis.add('limit'), axis.add('dynamics')
        limit.add('lower', '0')
        limit.add('upper', '0')
        dynamics.add('damping', '0')
        dynamics.add('friction', '0')
    elif joint.type is not JointType.FIXED:
        _write_axis(node.add('axis'), joint, target)
    extend_joint(node, extensions)


def write_frames(model: Node, body: Body) -> None:
    """Append the frames that remain of a lumped body and its joint."""
    joint, link, parent = body.joint, body.link, body.parent
    assert joint is not None and parent is not None, 'a lumped link has a joint'
    frame = model.add('frame', None, items_of(joint.element, 'name'))
    frame.attrib.update({'name': joint.name, 'attached_to': parent.name})
    _write_pose(frame, body)
    frame = model.add('frame', None, items_of(link.element, 'name'))
    frame.attrib.update({'name': link.name, 'attached_to': joint.name})
    frame.add('pose', numbers_text((0.0,) * 6))


def _write_pose(node: Node, body: Body) -> Node:
    origin = None if body.joint is None else _part(body.joint.element, 'origin')
    return node.add(
        'pose', numbers_text((*body.origin.xyz, *gz_math_rpy(body.origin.quaternion))),
        items_of(origin, 'xyz', 'rpy', 'quat_xyzw'))


def _write_axis(axis: Node, joint: Joint, target: Target) -> None:
    element = joint.element
    source = _part(element, 'axis')
    axis.sources = items_of(source)
    axis.add('xyz', numbers_text(axis_of(joint)), items_of(source, 'xyz'))
    if target.has_mimic:
        _write_mimic(axis, _part(element, 'mimic'))
    _write_limit(axis.add('limit'), joint, _part(element, 'limit'))
    _write_dynamics(axis.add('dynamics'), _part(element, 'dynamics'))


def _write_dynamics(dynamics: Node, source: Element | None) -> None:
    if source is not None:
        dynamics.sources = items_of(source)
        for name in ('damping', 'friction'):
            dynamics.add(name, number_text(_number(source, name)), _attribute(source, name))


def _write_limit(limit: Node, joint: Joint, source: Element | None) -> None:
    if source is None:
        return
    limit.sources = items_of(source)
    if joint.type is not JointType.CONTINUOUS:
        low, high = ('lower', 'upper')
        if _number(source, low) > _number(source, high):
            low, high = high, low
        limit.add('lower', number_text(_number(source, low)), _attribute(source, low))
        limit.add('upper', number_text(_number(source, high)), _attribute(source, high))
    for name in ('effort', 'velocity'):
        limit.add(name, number_text(_number(source, name)), _attribute(source, name))


def _write_mimic(axis: Node, source: Element | None) -> None:
    if source is None:
        return
    mimic = axis.add('mimic', None, items_of(source, 'joint'))
    mimic.attrib['joint'] = source.get('joint', '')
    for name, default in (('multiplier', 1.0), ('offset', 0.0)):
        mimic.add(name, number_text(_number(source, name, default)), _attribute(source, name))


def _number(element: Element, name: str, default: float = 0.0) -> float:
    return read_number(element, name) if name in element.attrib else default


def _attribute(element: Element, name: str) -> tuple[Item, ...]:
    return ((element, name),) if name in element.attrib else ()


def _part(element: Element | None, tag: str) -> Element | None:
    return None if element is None else element.find(tag)
