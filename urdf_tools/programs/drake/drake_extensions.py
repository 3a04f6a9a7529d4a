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

from collections import Counter
from collections.abc import Container
from math import inf

from urdf_tools.findings.message import Name
from urdf_tools.model.element import Element
from urdf_tools.programs.drake.drake_attributes import Attributes
from urdf_tools.programs.importers import WORLD

_CHILDREN = {
    'linear_bushing_rpy': ('bushing', 'frameA frameC torque_stiffness torque_damping '
                                      'force_stiffness force_damping'),
    'linear_spring_damper': ('linear_spring_damper',
                             'body_A body_B p_AP p_BQ free_length stiffness damping'),
    'ball_constraint': ('ball_constraint', 'body_A body_B p_AP p_BQ')}
"""Elements to how the tags of the children begin and end that they must have."""

_VALUES = {
    **dict.fromkeys(('mesh_resolution_hint', 'hydroelastic_modulus', 'rotor_inertia',
                     'gear_ratio', 'screw_thread_pitch'), ('value', 1, -inf)),
    **dict.fromkeys(('hunt_crossley_dissipation', 'mu_dynamic', 'mu_static', 'relaxation_time',
                     'hydroelastic_margin', 'linear_spring_damper_stiffness',
                     'linear_spring_damper_damping'), ('value', 1, 0.0)),
    **dict.fromkeys(('point_contact_stiffness', 'linear_spring_damper_free_length'),
                    ('value', 1, 5e-324)),
    **dict.fromkeys(('bushing_torque_stiffness', 'bushing_torque_damping',
                     'bushing_force_stiffness', 'bushing_force_damping'), ('value', 3, 0.0)),
    **dict.fromkeys(('linear_spring_damper_p_AP', 'linear_spring_damper_p_BQ',
                     'ball_constraint_p_AP', 'ball_constraint_p_BQ'), ('value', 3, -inf)),
    'controller_gains': ('p d', 1, 0.0)}
"""Elements to the attributes that they must have, how many numbers these are, and the least."""

_OBSOLETE = ('diffuse_map', 'soft_hydroelastic')

_GROUP = 'drake:collision_filter_group'


def check_extensions(
        reader: Attributes, root: Element, links: Container[str], frames: set[str]) -> None:
    """
    Check the elements of a robot that only Drake reads.

    :param frames: the names of frames, to which those of ``<frame>`` are added.
    """
    for frame in root.findall_tag('frame'):
        name = reader.required(frame, 'name', 'element')
        link = reader.required(frame, 'link', 'element')
        reader.pose_of(frame)
        if link not in (None, WORLD):
            _check_name(reader, frame, 'link', links)
        if name and link != WORLD:
            reader.claim(frames, name, frame)
        elif name == '':
            reader.refuse(frame, '{element} has no name', of='name', attribute='name')
    groups = Counter(group.get('name', '') for group in root.findall_tag(_GROUP))
    known: dict[str, tuple[str, Container[str]]] = {
        'member': ('link', links), 'member_group': ('name', groups),
        'ignored_collision_filter_group': ('name', groups),
        'bushing_frameA': ('name', frames), 'bushing_frameC': ('name', frames),
        **{f'{tag}_body_{end}': ('name', links) for end in 'AB' for tag in (
            'linear_spring_damper', 'ball_constraint')}}
    for element in (each for each in root.iter() if each.tag.startswith('drake:')):
        tag = element.tag.removeprefix('drake:')
        start, ends = _CHILDREN.get(tag, ('', ''))
        for end in ends.split():
            reader.require(element, f'drake:{start}_{end}', 'element')
        if tag in known:
            _check_name(reader, element, *known[tag])
        if tag in ('accepting_renderer', 'collision_filter_group'):
            reader.required(element, 'name', 'element')
        if tag in _OBSOLETE:
            reader.refuse(element, 'Drake reads no {element}', of='element')
        if tag in ('illustration_properties', 'perception_properties') and element.get(
                'enabled', 'true') not in ('true', 'false'):
            reader.refuse(element, '{attribute} of {element} is neither true nor false',
                          of='element', attribute='enabled')
        _check_values(reader, element, tag)
    for group in root.findall_tag(_GROUP):
        name = group.get('name')
        if name and group.get('ignore') != 'true' and (
                '::' in name or groups[name] > 1 or not any(
                    each.tag.startswith('drake:member') and (each.get('link') or each.get('name'))
                    for each in group)):
            reader.refuse(group, '{element} has no members, or no name of its own', of='element')


def _check_values(reader: Attributes, element: Element, tag: str) -> None:
    names, number, least = _VALUES.get(tag, ('', 1, 0.0))
    for name in names.split():
        reader.required(element, name, 'element')
        if min(reader.vector(element, name, (1.0,) * number)) < least:
            note = reader.crash if tag[:8] in ('bushing_', 'controll') else reader.refuse
            note(element, '{attribute} of {element} is too small', of='element', attribute=name)


def _check_name(
        reader: Attributes, element: Element, attribute: str, known: Container[str]) -> None:
    name = reader.required(element, attribute, 'element')
    if name is not None and (name not in known or name == WORLD):
        reader.refuse(element, '{element} refers to {name}, which does not exist', of='element',
                      attribute=attribute, name=Name(name))
