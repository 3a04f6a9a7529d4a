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

"""Load errors: what Gazebo finds wrong with a converted model, and so does not load it."""

from __future__ import annotations

from collections.abc import Iterator
import re

import numpy as np

from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.programs.gazebo.refusals import Refusal
from urdf_tools.programs.gazebo.traced_xml import Node

_RESERVED = re.compile(r'__.*__')
_TOLERANCE = 10 * np.finfo(float).eps
"""Tolerance of gz-math for the moments of inertia, as a share of half their sum."""

_SCOPED = ('link', 'joint', 'frame', 'model')
"""Children of a model that share one set of names."""

_NAMED = (*_SCOPED, 'visual', 'collision', 'sensor')


def load_errors(document: Node, robot: Robot) -> Iterator[Refusal]:
    """
    Yield why Gazebo does not load a model, as ``gz sdf -k`` does.

    :param document: the ``<sdf>`` element.
    """
    assert robot.element is not None, 'robots of a description have elements'
    model = document[0]
    assert isinstance(model, Node), 'the document has one model'
    links = [child for child in model if child.tag == 'link']
    if not links:
        yield Refusal(robot.element, 'No link is left, and Gazebo does not load an empty model',
                      'Give the links mass, beginning with the root link')
    names = frozenset(child.attrib.get('name', '') for child in model if child.tag in _SCOPED)
    joints = frozenset(
        child.attrib.get('name', '') for child in model if child.tag == 'joint')
    yield from _name_errors(document, robot.element)
    for node in model:
        if node.tag == 'frame':
            yield from _frame_errors(node, names, _source(node, robot.element))
        if node.tag == 'joint':
            yield from _joint_errors(node, names, _source(node, robot.element))
            yield from _mimic_errors(node, joints)
    for link in links:
        source = _source(link, robot.element)
        yield from _pose_errors(link, names, source, robot)
        yield from _mesh_errors(link, source)
        if not _is_valid(link):
            yield Refusal(source, f'Link {quote(link.attrib["name"])} has an inertia that is '
                                  'physically inconsistent, and Gazebo refuses the model',
                          'Compute it with urdf-tools inertia --compute inconsistent')


def _source(node: Node, otherwise: Element) -> Element:
    return node.sources[0][0] if node.sources else otherwise


def _name_errors(document: Node, otherwise: Element) -> Iterator[Refusal]:
    """Yield what is wrong with names; those in plugins and in tags with a prefix are free."""
    refuses_colons = document.attrib['version'] != '1.7'
    pending = [document]
    while pending:
        parent = pending.pop()
        named: dict[str, list[Node]] = {}
        for node in parent:
            name = node.attrib.get('name')
            if node.tag == 'plugin':
                continue
            if name is not None:
                named.setdefault(name, []).append(node)
            if ':' in node.tag:
                continue
            pending.append(node)
            if name is None:
                continue
            source = _source(node, otherwise)
            if node.tag in _NAMED and not name.strip():
                yield Refusal(source, f'The {node.tag} has no name', 'Name it')
            if parent.tag in ('sdf', 'model') and node.tag in _SCOPED and (
                    _RESERVED.fullmatch(name) or name == 'world'):
                yield Refusal(source, f'{quote(name)} is a reserved name in SDFormat', 'Rename it')
            if refuses_colons and '::' in name:
                yield Refusal(source, f'The name {quote(name)} of a <{node.tag}> has two colons, '
                                      'which separate names in SDFormat', 'Rename it')
        for nodes in named.values():
            if len(nodes) > 1:
                yield _equal_names(nodes, parent, otherwise)


def _equal_names(nodes: list[Node], parent: Node, otherwise: Element) -> Refusal:
    sources = [_source(node, otherwise) for node in nodes]
    source = next((source for source in sources if source.tag == 'joint'), sources[-1])
    others = ('link, joint or frame' if parent.tag == 'model' else
              f'part of the same <{parent.tag}>')
    return Refusal(
        source, f'{source.tag.capitalize()} {quote(nodes[0].attrib["name"])} has the name of '
                f'another {others}, and names are unique in SDFormat',
        f'Rename the {source.tag}')


def _frame_errors(frame: Node, names: frozenset[str], source: Element) -> Iterator[Refusal]:
    link = frame.attrib.get('attached_to', '')
    if not link or link in names or link == '__model__' or '::' in link:
        return
    of_lumping = '' if frame.is_copy else 'that lumping leaves '
    yield Refusal(source, f'The frame {quote(frame.attrib.get("name", ""))} {of_lumping}is '
                          f'attached to link {quote(link)}, which does not arrive',
                  'Attach it to another link' if frame.is_copy else
                  f'Give link {quote(link)} mass')


def _joint_errors(joint: Node, names: frozenset[str], source: Element) -> Iterator[Refusal]:
    for role in ('parent', 'child'):
        end = joint.first(role)
        name = '' if end is None else (end.text or '').strip()
        if name not in names and name != 'world' and '::' not in name:
            yield Refusal(source, f'The {role} {quote(name)} of joint '
                                  f'{quote(joint.attrib.get("name", ""))} does not arrive',
                          'Name a link that Gazebo gets')
    axis = joint.first('axis')
    xyz = None if axis is None else axis.first('xyz')
    if xyz is not None and not any(map(float, (xyz.text or '').split())) and not xyz.is_copy:
        yield Refusal(source, f'The axis of joint {quote(joint.attrib["name"])} is zero',
                      'Write a unit vector')


def _mimic_errors(joint: Node, joints: frozenset[str]) -> Iterator[Refusal]:
    axis = joint.first('axis')
    mimic = None if axis is None else axis.first('mimic')
    if mimic is None or mimic.is_copy:
        return
    name, leader = joint.attrib['name'], mimic.attrib['joint']
    if leader == name:
        yield Refusal(mimic.sources[0][0], f'Joint {quote(name)} mimics itself',
                      'Name another joint')
    elif leader not in joints:
        yield Refusal(mimic.sources[0][0], f'Joint {quote(name)} mimics {quote(leader)}, which '
                                           'does not arrive', 'Name a joint that Gazebo gets')


def _pose_errors(
        link: Node, names: frozenset[str], source: Element, robot: Robot) -> Iterator[Refusal]:
    pose = link.first('pose')
    above = None if pose is None else pose.attrib.get('relative_to')
    if above is not None and above not in names:
        joint = robot.joints.get(above)
        kind = JointType.FIXED.value if joint is None else joint.type.value
        yield Refusal(source, f'The pose of link {quote(link.attrib["name"])} refers to joint '
                              f'{quote(above)}, which SDFormat has not, because it is {kind}',
                      'Use three joints for a planar joint, and none for a floating one')


def _mesh_errors(link: Node, source: Element) -> Iterator[Refusal]:
    for node in link.walk():
        if node.tag == 'uri' and not node.is_copy and not (node.text or '').strip():
            yield Refusal(source, f'A mesh of link {quote(link.attrib["name"])} has no file name',
                          'Write filename="package://..."')


def _is_valid(link: Node) -> bool:
    inertial = link.first('inertial')
    inertia = None if inertial is None else inertial.first('inertia')
    mass = None if inertial is None else inertial.first('mass')
    if inertia is None or mass is None:
        return True
    values = [float(child.text or 0) for child in inertia]
    ixx, ixy, ixz, iyy, iyz, izz = values
    matrix: Array = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    if not np.isfinite(matrix).all() or float(mass.text or 0) < 0:
        return False
    tolerance = _TOLERANCE * max(np.trace(matrix), 0.0) / 2
    moments = np.linalg.eigvalsh(matrix)
    return bool(moments[0] >= -tolerance and moments[0] + moments[1] + tolerance >= moments[2])
