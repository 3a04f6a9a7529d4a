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

"""The SDFormat document of a model: its links, its joints, and the frames that lumping leaves."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable

import numpy as np

from urdf_tools.model.pose import Pose
from urdf_tools.model.records import INERTIA
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.values import read_number
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.extension_insertion import extend_joint
from urdf_tools.programs.gazebo.extension_insertion import extend_link
from urdf_tools.programs.gazebo.extension_insertion import extend_model
from urdf_tools.programs.gazebo.extension_references import move_extensions
from urdf_tools.programs.gazebo.extensions import Extensions
from urdf_tools.programs.gazebo.loop_joints import LoopJoint
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.model import SDF_TYPES
from urdf_tools.programs.gazebo.releases import Release
from urdf_tools.programs.gazebo.sdf_values import gz_math_rpy
from urdf_tools.programs.gazebo.sdf_values import number_text
from urdf_tools.programs.gazebo.sdf_values import numbers_text
from urdf_tools.programs.gazebo.sdf_values import short_numbers_text
from urdf_tools.programs.gazebo.shape_writer import write_shapes
from urdf_tools.programs.gazebo.traced_xml import Node
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.urdfdom.bodies import attribute_items
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import items_of
from urdf_tools.programs.urdfdom.bodies import MassProperties
from urdf_tools.programs.urdfdom.bodies import WORLD
from urdf_tools.programs.urdfdom.values import lenient_vector
from urdf_tools.programs.urdfdom.values import urdfdom_rpy


def write_model(model: GazeboModel) -> Node:
    """
    Return the ``<sdf>`` element of a model; once, as the extensions are moved.

    :raises DescriptionError: libsdformat repeats too much of the description.
    """
    for body in model.lumped:
        assert body.parent is not None, 'it is lumped into its parent'
        move_extensions(body, body.parent, model.extensions, model.release)
    document = Node('sdf', None, version=model.release.sdf_version)
    node = document.add('model', None, items_of(model.element, 'name'), name=model.robot.name)
    for body in model.links:
        _write_link(node, body, model)
    extend_model(node, model.extensions, model.release)
    for joint in () if model.loops is None else model.loops.joints:
        _write_loop(node, joint)
    if not model.release.is_12_3:
        for body in model.lumped:
            _write_frames(node, body, model.release)
    origin = model.element.find('origin')
    if origin is not None:
        pose = pose_from(lenient_vector(origin.get('xyz')), lenient_vector(origin.get('rpy')))
        node.put('pose', numbers_text((*pose.xyz, *urdfdom_rpy(pose.quaternion))),
                 items_of(origin, 'xyz', 'rpy'))
    return document


def _write_link(parent: Node, body: Body, model: GazeboModel) -> None:
    """Append a link to the model, after its joint."""
    link = Node('link', None, items_of(body.link.element, 'name'), name=body.name)
    if body.joint is not None:
        frame = body.joint.name
        # Of a name of spaces, libsdformat keeps nothing.
        link.add('pose', None, (), **({'relative_to': frame} if frame.strip() else {}))
        _write_joint(parent, body, model.extensions, model.release)
    assert body.inertial is not None, 'links without mass are not written'
    _write_inertial(link, body.inertial)
    write_shapes(link, body, model.extensions)
    extend_link(link, model.extensions)
    parent.append(link)


def _write_inertial(link: Node, properties: MassProperties) -> None:
    inertial = link.add('inertial', None, properties.sources)
    inertial.add('pose', numbers_text(_numbers_of(properties.origin)))
    inertial.add('mass', number_text(properties.mass))
    inertia = inertial.add('inertia')
    for name, value in zip(INERTIA, properties.matrix[np.triu_indices(3)].tolist()):
        inertia.add(name, number_text(value))


def _write_joint(model: Node, body: Body, extensions: Extensions, release: Release) -> None:
    """Append the parent joint of a body to the model, unless libsdformat has no type for it."""
    joint, parent = body.joint, body.parent
    if joint is None or parent is None or joint.type not in SDF_TYPES:
        return
    element = body.joint_element
    is_locked = joint.type is JointType.FIXED and joint.name in extensions.revolute
    node = model.add('joint', None, items_of(element, 'name', 'type'),
                     type='revolute' if is_locked else SDF_TYPES[joint.type], name=joint.name)
    _write_pose(node, body, relative_to='__model__' if parent.name == WORLD else parent.name)
    node.add('parent', parent.name, items_of(element.find('parent'), 'link'))
    node.add('child', body.name, items_of(element.find('child'), 'link'))
    if is_locked:
        axis = node.add('axis')
        for tag, names in ('limit', ('lower', 'upper')), ('dynamics', ('damping', 'friction')):
            part = axis.add(tag)
            for name in names:
                part.add(name, '0')
    elif joint.type is not JointType.FIXED:
        _write_axis(node.add('axis'), body, release)
    extend_joint(node, extensions)


def _write_loop(model: Node, joint: LoopJoint) -> None:
    """Append a joint that closes a loop to the model."""
    element = joint.loop.element
    written = [] if element is None else list(element.iter())
    node = model.add('joint', None, [
        (each, name) for each in written for name in (None, *each.attrib) if name != 'link'],
        name=joint.name, type=joint.type)
    node.add('pose', numbers_text(_numbers_of(joint.pose)), relative_to=joint.child)
    for tag, link, name in (
            ('parent', joint.loop.parent, joint.parent), ('child', joint.loop.child, joint.child)):
        node.add(tag, name, [(each, 'link') for each in written if each.get('link') == link])
    for tag, vector in zip(('axis', 'axis2'), joint.axes):
        node.add(tag).add('xyz', numbers_text(vector))


def _write_frames(model: Node, body: Body, release: Release) -> None:
    """Append the frames that represent a lumped body and its joint."""
    joint, parent = body.joint, body.parent
    assert joint is not None and parent is not None, 'a lumped link has a joint'
    frame = model.add('frame', None, items_of(body.joint_element, 'name'), name=joint.name,
                      attached_to=parent.name)
    _write_pose(frame, body, short_numbers_text if release.rounds_frames else numbers_text)
    model.add('frame', None, items_of(body.element, 'name'), name=body.name,
              attached_to=joint.name).add('pose', numbers_text((0.0,) * 6))


def _write_pose(node: Node, body: Body, text: Callable[[Iterable[float]], str] = numbers_text,
                **attributes: str) -> None:
    node.add('pose', text(_numbers_of(body.origin)), items_of(
        body.joint_element.find('origin'), 'xyz', 'rpy', 'quat_xyzw'), **attributes)


def _numbers_of(pose: Pose) -> tuple[float, ...]:
    return (*pose.xyz, *gz_math_rpy(pose.quaternion))


def _write_axis(axis: Node, body: Body, release: Release) -> None:
    element = body.joint_element
    source = element.find('axis')
    axis.sources = items_of(source)
    axis.add('xyz', numbers_text(body.axis), items_of(source, 'xyz'))
    mimic = element.find('mimic') if release.has_mimic else None
    if mimic is not None:
        node = axis.add('mimic', None, items_of(mimic, 'joint'), joint=mimic.get('joint', ''))
        _write_numbers(node, mimic, multiplier=1.0, offset=0.0)
    _write_limit(axis.add('limit'), body.joint, element.find('limit'))
    dynamics, source = axis.add('dynamics'), element.find('dynamics')
    if source is not None:
        dynamics.sources = items_of(source)
        _write_numbers(dynamics, source, damping=0.0, friction=0.0)


def _write_limit(limit: Node, joint: Joint | None, source: Element | None) -> None:
    if source is None:
        return
    limit.sources = items_of(source)
    if joint is not None and joint.type is not JointType.CONTINUOUS:
        ends = sorted(('lower', 'upper'), key=lambda name: _number(source, name))
        for tag, name in zip(('lower', 'upper'), ends):
            limit.add(tag, number_text(_number(source, name)), attribute_items(source, name))
    _write_numbers(limit, source, effort=0.0, velocity=0.0)


def _write_numbers(node: Node, source: Element, **defaults: float) -> None:
    """Append attributes of the source that are numbers as elements."""
    for name, default in defaults.items():
        node.add(name, number_text(_number(source, name, default)), attribute_items(source, name))


def _number(element: Element, name: str, default: float = 0.0) -> float:
    return read_number(element, name) if name in element.attrib else default
