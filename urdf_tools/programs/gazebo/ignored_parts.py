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

"""Parts of URDF that are lost in SDFormat, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from urdf_tools.model.loops import LOOP_TAGS
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.extensions import Scope


class LossReason(NamedTuple):
    """
    Why something is lost.

    :param reason: why, without a full stop.
    :param hint: what to do about it; empty if nothing.
    :param cause: the link without mass that it is lost with; None if there is another cause.
    :param is_harmless: the robot looks and moves the same without it.
    """

    reason: str
    hint: str = ''
    cause: Element | None = None
    is_harmless: bool = False


KEPT = LossReason('')
"""Of what is not lost."""


def _harmless(reason: str) -> LossReason:
    return LossReason(reason, is_harmless=True)


ROBOT_PARTS: Mapping[str, LossReason] = {
    'transmission': LossReason('libsdformat does not read transmissions', 'For ros2_control, add '
                               'the plugin gz_ros2_control, which reads <ros2_control>'),
    'ros2_control': LossReason('libsdformat does not read it; the plugin gz_ros2_control reads it '
                               'from the robot_description'),
    'sensor': LossReason('libsdformat reads sensors only below <gazebo>', 'Move it to <gazebo '
                         'reference="LINK"><sensor>'),
    'material': _harmless('no visual that Gazebo keeps uses it'),
    'origin': LossReason('libsdformat reads only the first <origin> of a robot'),
    **dict.fromkeys(LOOP_TAGS, LossReason(
        'libsdformat does not read it', 'Convert the robot with urdf-tools sdf')),
}
"""Children of ``<robot>``."""

JOINT_PARTS: Mapping[str, LossReason] = {
    'safety_controller': LossReason(
        'SDFormat has no soft limits', 'Set them in the controller of the joint'),
    'calibration': _harmless('SDFormat has no reference edges'),
    'mimic': LossReason('libsdformat 12 does not convert mimic joints', 'Use Gazebo Harmonic or '
                        'later, or a mimic plugin'),
}
"""Children of ``<joint>`` of any type."""

ATTRIBUTES: Mapping[tuple[str, str], LossReason] = {
    ('robot', 'version'): _harmless('it is the version of URDF, not of the robot'),
    ('link', 'type'): _harmless('libsdformat does not read it'),
    ('material', 'name'): _harmless('materials of SDFormat have no names'),
    **dict.fromkeys((('limit', 'lower'), ('limit', 'upper')), _harmless(
        'a continuous joint has no position limits')),
    **dict.fromkeys((('limit', 'acceleration'), ('limit', 'deceleration'), ('limit', 'jerk')),
                    LossReason('libsdformat reads URDF 1.0, which does not have this limit')),
    ('origin', 'quat_xyzw'): LossReason(
        'libsdformat reads URDF 1.0, which has only rpy', 'Write rpy'),
}
"""Attributes by the tag of their element."""

TEXTURE = LossReason('libsdformat does not convert textures', 'Put the texture into the mesh '
                     'file, or write a <gazebo> with <visual><material><pbr>')

OTHER_MATERIAL = LossReason('another definition of the material, or a <gazebo>, sets the color')
NAMESPACE = _harmless('it declares an XML namespace, and URDF does not use namespaces')
EMPTY = _harmless('it is empty')
OF_FIXED = _harmless('a fixed joint does not move')
NOT_READ = LossReason('libsdformat does not read it')
NOT_FIRST = LossReason('libsdformat reads only the first element with this tag')
UNREADABLE = LossReason('urdfdom stops reading the link at a part that it cannot parse',
                        'Fix the errors that urdf-tools check reports for the link')
OVERWRITTEN = LossReason('a later element sets the same')
MISPLACED = LossReason(
    'libsdformat writes it into an element that it has deleted, because the <surface> of a later '
    '<gazebo> lacks <contact> or <friction>',
    'Write <contact><ode/></contact><friction><ode/></friction> into the <surface>')
NO_NAMED_SHAPE = LossReason(
    'libsdformat applies it only to shapes that are named after the link, and these have names of '
    'their own', 'Remove the names of the visuals and collisions')
NO_SHAPES = LossReason('the link has no such shape')
FOR_OTHER: Mapping[Scope, LossReason] = {
    Scope.MODEL: LossReason(
        'it applies to the model, but its <gazebo> refers to a part', 'Remove the reference'),
    **{scope: LossReason(f'it applies to a {part}, but its <gazebo> does not refer to one',
                         f'Refer to a {part}') for scope, part in (
        (Scope.LINK, 'link'), (Scope.JOINT, 'joint'), (Scope.LUMPING, 'fixed joint'))}}
"""Why an option is ignored, by what it applies to."""

WORLD_PART = LossReason(
    'the root link world represents the world, which has neither mass nor shapes')


def ignored_in_robot(element: Element, attribute: str | None, is_read: bool) -> LossReason:
    """
    Return why libsdformat ignores a part of a robot outside its ``<gazebo>`` elements.

    :param is_read: the part is an attribute of an element that is converted.
    """
    *_, part, top, _ = (element, element, *element.with_ancestors())
    if attribute is not None and attribute.startswith('xmlns'):
        return NAMESPACE
    if attribute is not None and is_read:
        return ATTRIBUTES.get((element.tag, attribute), NOT_READ)
    if element.tag == 'texture' or element.parent is not None and element.parent.tag == 'texture':
        return TEXTURE
    if top.tag in ROBOT_PARTS:
        return ROBOT_PARTS[top.tag]
    is_first = top.find_tag(part.tag) is part
    if top.tag == 'joint':
        if is_first and top.get('type') == 'fixed' and part.tag in (
                'axis', 'limit', 'dynamics', 'mimic'):
            return OF_FIXED
        return JOINT_PARTS.get(part.tag, NOT_READ if is_first else NOT_FIRST)
    if top.tag == 'link' and part.tag in ('inertial', 'visual', 'collision'):
        if element.tag in ('material', 'color'):
            return OTHER_MATERIAL
        if part.tag == 'inertial' and not is_first:
            return NOT_FIRST
        if element.tag in ('origin', 'geometry', 'mass', 'inertia') or element is part:
            return UNREADABLE
    return NOT_READ


_SCOPES = {**{tag: option.scope for tag, option in OPTIONS.items()},
           'visual': Scope.VISUAL, 'collision': Scope.COLLISION}


def ignored_in_extension(
        element: Element, gazebo: Element, is_for: Scope | None, has_shapes: bool,
        has_takers: bool) -> LossReason:
    """
    Return why libsdformat ignores a part of a ``<gazebo>`` element.

    :param is_for: what the extension refers to: the model, a link or a joint.
    :param has_shapes: the link has a shape that the part may apply to.
    :param has_takers: it applies to one of these shapes.
    """
    child = next(each for each in element.with_ancestors() if each.parent is gazebo)
    scope = _SCOPES.get(child.tag)
    if scope is Scope.NOTHING:
        return NOT_READ
    of_link = scope in (Scope.LINK, Scope.VISUAL, Scope.COLLISION)
    if scope is not None and scope is not is_for and not (of_link and is_for is Scope.LINK):
        return FOR_OTHER[Scope.LINK if of_link else scope]
    if scope not in (Scope.VISUAL, Scope.COLLISION) or has_takers:
        return OVERWRITTEN
    return NO_NAMED_SHAPE if has_shapes else NO_SHAPES
