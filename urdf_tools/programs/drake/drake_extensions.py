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

"""What Drake refuses of the elements that are its own: ``detail_common.cc``."""

from __future__ import annotations

from collections.abc import Container
from collections.abc import Mapping
from collections.abc import Sequence

from urdf_tools.findings.message import Name
from urdf_tools.model.element import Element
from urdf_tools.programs.drake.drake_attributes import Attributes
from urdf_tools.programs.importers import WORLD

_FORCES = {
    'drake:linear_bushing_rpy': (
        'drake:bushing_', 'frameA frameC',
        'torque_stiffness torque_damping force_stiffness force_damping', ''),
    'drake:linear_spring_damper': (
        'drake:linear_spring_damper_', 'body_A body_B', 'p_AP p_BQ',
        'free_length stiffness damping'),
    'drake:ball_constraint': ('drake:ball_constraint_', 'body_A body_B', 'p_AP p_BQ', '')}
"""Elements between two bodies, or frames, to how the tags of their children begin and end."""

_CURVES = {'drake:line_segment': ('length',), 'drake:circular_arc': ('radius', 'angle')}

_GROUP = 'drake:collision_filter_group'


def check_extensions(
        reader: Attributes, children: Mapping[str, Sequence[Element]], links: Container[str],
        frames: set[str]) -> None:
    """
    Check the children of a robot that only Drake reads.

    :param children: by their tags.
    :param frames: the names of frames, to which those of ``<frame>`` are added.
    """
    _check_groups(reader, children.get(_GROUP, ()), links)
    for frame in children.get('frame', ()):
        name = reader.required(frame, 'name', 'element')
        link = reader.required(frame, 'link', 'element')
        reader.pose_of(frame)
        if name == '':
            reader.refuse(frame, '{element} has no name', of='name', attribute='name')
        if link is not None and link != WORLD:
            _check_end(reader, frame, 'link', links)
        if name and link != WORLD:
            reader.claim(frames, name, frame)
    for tag, parts in _FORCES.items():
        for element in children.get(tag, ()):
            _check_force(reader, element, *parts, frames if 'frame' in parts[1] else links)


def check_actuator(reader: Attributes, actuator: Element) -> None:
    """Check what Drake reads of the ``<actuator>`` of a transmission."""
    for tag, names in (('rotor_inertia', ['value']), ('gear_ratio', ['value']),
                       ('controller_gains', ['p', 'd'])):
        child = actuator.find_tag(f'drake:{tag}')
        for name in names:
            reader.required(child, name, 'element')
            value = reader.scalar(child, name, 1.0)
            if child is not None and tag == 'controller_gains' and value < 0:
                reader.crash(child, '{attribute}={value:g} of {element} is negative',
                             of='actuator', attribute=name, value=value)


def check_path(reader: Attributes, joint: Element) -> None:
    """Check what Drake reads of a screw or curvilinear ``<drake:joint>``."""
    if joint.get('type') == 'screw':
        pitch = reader.require(joint, 'drake:screw_thread_pitch', 'element')
        reader.required(pitch, 'value', 'element')
        reader.scalar(pitch, 'value', 0.0)
        return
    for tag in ('initial_tangent', 'plane_normal'):
        reader.vector(joint.find_tag(f'drake:{tag}'), 'xyz', (1.0, 0.0, 0.0))
    curves = reader.require(joint, 'drake:curves', 'element')
    if curves is not None and not len(curves):
        reader.refuse(curves, '{element} is empty', of='element')
    for curve in () if curves is None else curves:
        names = _CURVES.get(curve.tag, ())
        if not names:
            reader.refuse(curve, '{element} is no curve', of='element')
        for name in names:
            reader.required(curve, name, 'element')
            if reader.scalar(curve, name, 1.0) <= 0 and name != 'angle':
                reader.refuse(curve, '{attribute} of {element} is not positive', of='element',
                              attribute=name)


def _check_groups(
        reader: Attributes, groups: Sequence[Element], links: Container[str]) -> None:
    names: set[str] = set()
    read = [group for group in groups if group.get('ignore') != 'true'
            and reader.required(group, 'name', 'element')]
    for group in read:
        if '::' in group.attrib['name']:
            reader.refuse(group, 'The name of {element} has a "::"', of='name', attribute='name')
        reader.claim(names, group.attrib['name'], group)
        if not any(each.get('link') or each.get('name') for each in group if each.tag in (
                'drake:member', 'drake:member_group')):
            reader.refuse(group, '{element} has no members', of='element')
    for group in read:
        for tag, attribute, known in (
                ('member', 'link', links), ('member_group', 'name', names),
                ('ignored_collision_filter_group', 'name', names)):
            for member in group.findall_tag(f'drake:{tag}'):
                if reader.required(member, attribute, 'element'):
                    _check_end(reader, member, attribute, known)


def _check_end(
        reader: Attributes, element: Element, attribute: str, known: Container[str]) -> None:
    name = element.attrib[attribute]
    if name not in known or name == WORLD and element.tag != 'frame':
        reader.refuse(element, '{element} refers to {name}, which does not exist', of='element',
                      attribute=attribute, name=Name(name))


def _check_force(
        reader: Attributes, element: Element, start: str, ends: str, vectors: str, numbers: str,
        known: Container[str]) -> None:
    between = []
    for end in ends.split():
        child = reader.require(element, start + end, 'element')
        between.append(reader.required(child, 'name', 'element'))
        if child is not None and between[-1] is not None:
            _check_end(reader, child, 'name', known)
    if element.tag == 'drake:ball_constraint' and between[0] == between[1]:
        reader.refuse(element, '{element} joins a body with itself', of='element')
    for name in (*vectors.split(), *numbers.split()):
        child = reader.require(element, start + name, 'element')
        if child is None or reader.required(child, 'value', 'element') is None:
            continue
        values = (reader.scalar(child, 'value', 1.0),) if name in numbers.split() else (
            reader.vector(child, 'value', (1.0, 1.0, 1.0)))
        if not name.startswith('p_') and min(values) < 5e-324 * (name == 'free_length'):
            note = reader.crash if vectors.startswith('torque') else reader.refuse
            note(child, 'The value of {element} is too small', of='element', attribute='value')
