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

"""Load errors: the reasons why Gazebo does not load the model of a robot."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from math import acos
from math import cos
from math import hypot
from math import inf
from math import pi
from math import sqrt
from pathlib import Path
import re
from typing import NamedTuple

import numpy as np

from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import refusal
from urdf_tools.findings.message import Name
from urdf_tools.model.messages import quote
from urdf_tools.model.records import Mesh
from urdf_tools.model.robot import JointType
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo.document import number_text
from urdf_tools.programs.gazebo.document import value_of
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.model import INSTEAD_OF
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.tables import TABLES
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.reading import refusals as urdfdom_refusals
from urdf_tools.programs.urdfdom.reading import Tree
from urdf_tools.types import Array

_CHECKED = TABLES['elements of SDFormat']
"""
Parent to the children that SDFormat defines in it.

What SDFormat does not define in a parent, such as a plugin in a link, it does not check.
"""

_REQUIRED = TABLES['attributes of SDFormat']
"""The required attributes of these children; the others require a name."""

_EXAMPLES = {'filename': 'the library of the plugin', 'name': 'a name of its own'}

_SENSORS = frozenset(TABLES['sensors of SDFormat'])
"""The types of sensors that a libsdformat from 12 to 15 knows."""

_SCOPED = ('link', 'joint', 'frame', 'model')
"""Children of a model that share one set of names."""

_NAMED = (*_SCOPED, 'visual', 'collision', 'sensor')

_UNIQUE = frozenset((*_NAMED, 'light', 'particle_emitter', 'projector'))

_RESERVED = re.compile(r'__.*__|world')

_MODEL = '__model__'
"""The frame of the model, which is attached to its first link."""

_PATHS = ('GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'SDF_PATH')
"""Environment variables with the folders that ``sdf::findFile`` looks in, as Gazebo sets it up."""

_MANIFESTS = ('model.config', 'manifest.xml')
"""What a folder has that is a model (``getModelFilePath`` in ``parser.cc``)."""

_TOLERANCE = 10 * float(np.finfo(float).eps)
"""Tolerance of gz-math for the moments of inertia, as a share of half their sum."""

_SHORTEST = 1e-6
"""The length up to which libsdformat takes an axis for zero."""


def refusals(root: Element) -> Iterator[Loss]:
    """Yield why libsdformat, which reads URDF with urdfdom 4, converts nothing of a robot."""
    if root.tag == 'sdf':  # It is not a URDF, and Gazebo reads it.
        if 'version' not in root.attrib:
            yield refusal(root, '<sdf> has no version')
        return
    yield from urdfdom_refusals(root)
    for element in (*root.findall_tag('link'), *root.findall_tag('joint')):
        if not element.get('name'):
            yield refusal(element, 'The {tag} has no name')
    for joints in Tree(root).several_parents:
        yield refusal([joint.child('child') for joint in joints], '{n:joint} have the same child')


def attribute_errors(model: GazeboModel) -> Iterator[Loss]:
    """Yield which required attributes are missing, so that libsdformat reads no model."""
    for element in _checked(model):
        for attribute in _REQUIRED.get(element.tag, ('name',)):
            is_empty = attribute in element.attrib
            # An empty name is an error of names.
            if not element.get(attribute) and not (
                    is_empty and attribute == 'name' and element.tag in _NAMED):
                yield refusal(
                    element, 'The {tag} {name} has {no} {missing}'
                    if attribute != 'name' and element.get('name') else
                    'The {tag} has {no} {missing}', missing=attribute, of='attribute',
                    no='an empty' if is_empty else 'no', hint='Write {missing}= with {example}',
                    example=_EXAMPLES.get(attribute, f'the type of the {element.tag}'))


def _checked(model: GazeboModel) -> Iterator[Element]:
    """Yield the elements whose attributes are checked."""
    for reference in model.applied:
        parent = 'joint' if reference in model.joints else 'link' if reference else 'model'
        yield from _checked_in(parent, model.copied(reference))


def _checked_in(parent: str, elements: Iterable[Element]) -> Iterator[Element]:
    for element in elements:
        if element.tag in _CHECKED.get(parent, ()):
            yield element
            yield from _checked_in(element.tag, element)


class _Part(NamedTuple):
    """
    An element of the document that may have a name.

    :param element: the element of the description that it comes from.
    """

    tag: str
    name: str | None
    element: Element


def _parts_of(elements: Iterable[Element]) -> list[_Part]:
    return [_Part(element.tag, element.get('name'), element) for element in elements]


class LoadErrors:
    """
    Why Gazebo does not load a model, as ``gz sdf -k`` does.

    :param context: where to look for the models that it includes; nowhere without one.
    """

    def __init__(self, model: GazeboModel, context: Context | None):
        self._model = model
        self._context = context
        self._parts = list(self._parts_of_model())
        self._names = {part.name for part in self._parts if part.tag in _SCOPED}
        self._attached = self._attachments()

    def all(self) -> Iterator[Loss]:
        """Yield all errors."""
        model = self._model
        yield from self._name_errors()
        if not model.is_static and not any(part.tag == 'link' for part in self._parts):
            yield self._empty()
        yield from self._errors_below_dropped()
        for element in model.copied(''):
            if element.tag == 'frame':
                yield from self._frame_errors(element)
            elif element.tag == 'joint':
                yield from self._copied_joint_errors(element)
        for body in model.links:
            yield from self._joint_errors(body)
            yield from _mesh_errors(body)
        for body in model.links:
            yield from self._inertia_errors(body)
        yield from self._sensor_errors()
        for reference in model.applied:
            for element in model.copied(reference):
                if element.tag == 'include':
                    yield from self._include_errors(element)

    def _parts_of_model(self) -> Iterator[_Part]:
        """
        Yield the links, joints and frames of a model, and what is copied to it.

        Frames are left out where no link remains for them.
        """
        model = self._model
        for body in model.links:
            if body.joint is not None and body.joint.name in model.joints:
                yield _Part('joint', body.joint.name, body.joint_element)
            yield _Part('link', body.name, body.element)
        for body in self._frames():
            yield _Part('frame', body.joint_element.get('name'), body.joint_element)
            yield _Part('frame', body.name, body.element)
        yield from _parts_of(model.copied(''))

    def _frames(self) -> tuple[Body, ...]:
        """Return the lumped bodies of which frames remain."""
        model = self._model
        return model.lumped if model.links and not model.release.is_12_3 else ()

    def _attachments(self) -> Mapping[str, str]:
        """Return the names of joints and frames, each with the name that it is attached to."""
        model = self._model
        attached = {name: body.name for name, body in model.joints.items()}
        for body in self._frames():
            attached[body.joint_element.get('name', '')] = attached[body.name] = body.end.name
        attached[_MODEL] = root = model.links[0].name if model.links else ''
        for element in model.copied(''):
            name = element.get('name', '')
            if element.tag == 'frame':
                attached[name] = element.get('attached_to') or root
            elif element.tag == 'joint':
                attached[name] = self._end_of(element, 'child')
        return attached

    def _name_errors(self) -> Iterator[Loss]:
        """Yield what is wrong with names; those in plugins and in tags with a prefix are free."""
        for parent, siblings in self._siblings():
            named: dict[tuple[str, str], list[_Part]] = {}
            for part in siblings:
                if part.name is None or part.tag == 'plugin':
                    continue
                is_shared = self._model.release.is_12_3 or (
                    parent == 'model' and part.tag in _SCOPED)
                if is_shared or part.tag in _UNIQUE:
                    named.setdefault(('' if is_shared else part.tag, part.name), []).append(part)
                if ':' not in part.tag:
                    yield from self._errors_of_name(part, parent)
            for same in named.values():
                if len(same) > 1:
                    yield _not_unique(same, parent)

    def _siblings(self) -> Iterator[tuple[str, Iterable[_Part]]]:
        """Yield the children of each element whose names must be unique, with the tag of it."""
        model = self._model
        yield 'sdf', (_Part('model', model.robot.name, model.element),)
        yield 'model', self._parts
        for body in model.links:
            shapes = (_Part(tag, shape.name, shape.element)
                      for tag, shapes in body.shapes.items() for shape in shapes)
            yield 'link', (*shapes, *_parts_of(model.copied(body.name)))
        yield from (('joint', _parts_of(model.copied(joint))) for joint in model.joints)

    def _errors_of_name(self, part: _Part, parent: str) -> Iterator[Loss]:
        tag, element, name = part.tag, part.element, Name(part.name or '')
        if tag in _NAMED and not name.strip():
            yield refusal(element, 'The {part} has no name', part=tag)
        if parent in ('sdf', 'model') and tag in _SCOPED and _RESERVED.fullmatch(name):
            yield refusal(element, 'The name {name} is reserved in SDFormat', part=tag, name=name)
        if self._model.release.has_mimic and '::' in name:
            yield refusal(element, 'The name {name} of the {part} contains "::", which separates '
                          'scopes in SDFormat', part=tag, name=name)

    def _empty(self) -> Loss:
        lost = next(iter(self._model.lost.values()), None)
        if lost is None:
            return refusal(self._model.element, "The only link is 'world', which represents the "
                           'world itself, so the model is empty')
        return refusal(
            lost.element, 'Link {name} has no mass, so Gazebo drops it with everything below it, '
            'and no link is left' if lost.children else
            'Link {name} has no mass, so Gazebo drops it, and no link is left',
            hint='Give the link a mass', of='mass', brief='no link with mass')

    def _errors_below_dropped(self) -> Iterator[Loss]:
        """Yield which dropped links have frames of lumping or joints attached that remain."""
        kept: dict[Body, list[str]] = {}
        for body in (*self._frames(), *self._model.joints.values()):
            parent = body.parent
            if parent is not None and parent.name != WORLD and not self._is_known(parent.name):
                kept.setdefault(self._model.lost.get(parent.name, parent), []).append(
                    f'joint {quote(body.joint_element.get("name", ""))}'
                    if body.lumped_into is None else f'the frame of link {quote(body.name)}')
        for cause, remaining in kept.items():
            yield refusal(cause.element, 'Gazebo drops link {name}, which has no mass, but keeps '
                          'what is attached to it or below it: {remaining}', remaining=remaining)

    def _is_known(self, name: str) -> bool:
        """Return whether a name exists in the model, or belongs to a nested model."""
        return name in self._names or '::' in name

    def _frame_errors(self, frame: Element) -> Iterator[Loss]:
        """Yield what is wrong with a frame that is copied to the model."""
        link = frame.get('attached_to', '')
        if link and link != _MODEL and not self._is_known(link):
            yield refusal(frame, 'Frame {name} is attached to {link}, which is not in the model',
                          link=Name(link))
        elif self._link_of(frame.get('name', '')) is None:
            yield refusal(frame, 'Frame {name} is attached to itself')

    def _copied_joint_errors(self, joint: Element) -> Iterator[Loss]:
        """Yield what is wrong with a joint that is copied to the model."""
        ends = {role: self._end_of(joint, role) for role in ('parent', 'child')}
        for role, end in ends.items():
            if not (self._is_known(end) or role == 'parent' and end == WORLD
                    or end == _MODEL and not self._model.release.is_12_3):
                yield refusal(joint, 'The {role} of joint {name} is {end}, which is not in the '
                              'model', role=role, end=Name(end))
                return
        parent, child = map(self._link_of, ends.values())
        if joint.get('name', '') in ends.values():
            yield refusal(joint, 'Joint {name} names itself as one of its ends')
        elif parent == child is not None:
            yield refusal(joint, 'The parent and the child of joint {name} are both part of link '
                          '{link} in Gazebo', link=Name(child))

    def _link_of(self, name: str) -> str | None:
        """Return the link that a frame ends at, or None if it is attached to itself."""
        met = set()
        while name in self._attached:
            if name in met:
                return None
            met.add(name)
            name = self._attached[name]
        return name

    def _end_of(self, joint: Element, role: str) -> str:
        """Return the link that an end of a copied joint names, after lumping."""
        element = joint.find(role)
        if element is None:
            return ''
        name = value_of(element)
        end = name if self._model.release.is_12_3 else self._model.end_name(name)
        return (element.text or '').strip() if end == name else end

    def _joint_errors(self, body: Body) -> Iterator[Loss]:
        """Yield what is wrong with the joint above a link."""
        model, joint = self._model, body.joint
        if joint is None or body.parent is None:
            return
        element = body.joint_element
        if joint.name not in model.joints:
            if joint.name.strip() and joint.name not in self._names:
                yield refusal(element, 'Joint {name} is {type}, a type that SDFormat does not '
                              'have, so link {link} is attached to nothing', type=joint.type.value,
                              link=Name(body.name), advice=INSTEAD_OF[joint.type])
            return
        if joint.type is JointType.FIXED:
            return
        if hypot(*body.axis) <= _SHORTEST:
            yield refusal(element.child('axis'), 'The axis of {joint} is zero',
                          hint='Write a unit vector', of='axis')
        mimic = element.find('mimic') if model.release.has_mimic else None
        if mimic is None:
            return
        leader = mimic.get('joint', '')
        if leader == joint.name:
            yield refusal(mimic, '{joint} mimics itself', hint='Name another joint', of='mimic')
        elif not any(part.tag == 'joint' and part.name == leader for part in self._parts):
            yield refusal(mimic, '{joint} mimics joint {leader}, which is not in the model',
                          leader=Name(leader))

    def _inertia_errors(self, body: Body) -> Iterator[Loss]:
        properties = body.inertial
        if properties is None or properties.mass >= 0 and _is_valid(properties.matrix):
            return
        lumped = properties.undefined_by
        if properties.mass < 0:
            mass = body.element.find('inertial/mass')  # Lumping may have added to it.
            yield refusal(body.element if mass is None else mass, '{link} has a negative mass')
        elif lumped is not None and lumped.parent is not None:
            yield refusal(lumped.element, 'Link {name} is lumped into link {into}, and both '
                          'together have no mass, so that their centre of mass is not a number',
                          into=Name(lumped.parent.name))
        else:
            yield self._inconsistent(body)

    def _inconsistent(self, body: Body) -> Loss:
        guilty = next((each for each in self._model.bodies.values() if (
            each.end is body and each.link.inertial is not None
            and not _is_valid(each.link.inertial.matrix))), None)
        owner = body if guilty is None else guilty
        element = None if guilty is None else guilty.element.find('inertial/inertia')
        return refusal(
            owner.element if element is None else element,
            'The inertia of link {name}, with the links that are lumped into it, is physically '
            'inconsistent' if guilty is None else
            'The inertia of link {name} is physically inconsistent' if guilty is body else
            'The inertia of link {name}, which is lumped into link {into}, is physically '
            'inconsistent', name=Name(owner.name), into=Name(body.name), of='inertia',
            hint='Compute it with urdf-tools inertia --compute invalid')

    def _sensor_errors(self) -> Iterator[Loss]:
        """Yield which sensors have a type that libsdformat does not know."""
        for element in _checked(self._model):
            kind = element.get('type')
            if element.tag == 'sensor' and kind and kind not in _SENSORS:
                near = closest(kind, _SENSORS)
                yield refusal(
                    element, 'The {tag} {name} has the unknown type {type}'
                    if element.get('name') else 'The {tag} has the unknown type {type}',
                    type=Name(kind), near=Name(near or ''), of='attribute',
                    hint='Did you mean {near}?' if near else 'Write one that SDFormat defines')

    def _include_errors(self, include: Element) -> Iterator[Loss]:
        """Yield whether Gazebo finds no included model; those on a server count as found."""
        uri = include.findtext('uri', '').strip()
        if not uri:
            yield refusal(include, 'An <include> has no <uri>')
        elif self._context is not None and not uri.startswith(('http://', 'https://')) and (
                not _exists(uri, self._context)):
            yield refusal(include, 'The model of an <include>, {uri:200}, does not exist in a '
                          'folder of {variable}', uri=Name(uri), variable=_PATHS[0])


def _not_unique(same: list[_Part], parent: str) -> Loss:
    # A joint is the easiest to rename, as little refers to it.
    part = next((each for each in same if each.element.tag == 'joint'), same[-1])
    return refusal(
        part.element, '{owner} {name} has the same name as another link, joint or frame, but '
        'names are unique in SDFormat' if parent == 'model' else '{owner} {name} has the same '
        'name as another part of the same <{parent}>, but names are unique in SDFormat',
        owner=part.element.tag.capitalize(), name=Name(part.name or ''), parent=parent, of='name',
        hint='Rename the {tag}')


def _mesh_errors(body: Body) -> Iterator[Loss]:
    for shape in (*body.shapes['collision'], *body.shapes['visual']):
        geometry = shape.source.geometry
        if isinstance(geometry, Mesh) and not geometry.filename.strip():
            yield refusal(shape.element.child('geometry')[0],
                          'A mesh of link {name} has no file name', name=Name(body.name))


def _exists(uri: str, context: Context) -> bool:
    path = uri.partition('://')[2] or uri
    folders = [folder for name in _PATHS for folder in context.resolver.lookup.paths(name)]
    return any(context.finds(folder / path / name) for folder in (*folders, Path('/'))
               for name in ('', *_MANIFESTS))


def _is_valid(matrix: Array) -> bool:
    """Return whether gz-math accepts an inertia matrix (``MassMatrix3::IsValid``)."""
    # Gazebo reads what is written, with 16 digits.
    rows = [float(number_text(float(value))) for value in matrix.flat]
    xx, xy, xz, _, yy, yz, *_, zz = rows
    if not all(value == 0 or np.finfo(float).tiny <= abs(value) < inf for value in rows):
        return False
    margin = _TOLERANCE * abs(xx + yy + zz) / 2
    minor = xx * yy - xy * xy
    determinant = (zz * yy - yz * yz) * xx - (zz * xy - xz * yz) * xy + (yz * xy - xz * yy) * xz
    small, middle, large = _moments(xx, yy, zz, xy, xz, yz)
    of_moments = _TOLERANCE * abs(small + middle + large) / 2
    return min(xx, minor, determinant) + margin >= 0 and (
        small + of_moments >= 0 and small + middle + of_moments >= large)


def _moments(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> list[float]:
    """Return the principal moments in the order of size, with the rounding of gz-math."""
    tolerance = 1e-6 * max(xx, yy, zz)
    if max(abs(xy), abs(xz), abs(yz)) <= tolerance:
        return sorted((xx, yy, zz))
    b, c = xx + yy + zz, xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz
    d = xx * (yz * yz) + yy * (xz * xz) + zz * (xy * xy) - xx * yy * zz - 2 * xy * xz * yz
    p = b * b - 3 * c
    if p < tolerance * tolerance:
        return [b / 3] * 3
    with np.errstate(all='ignore'):
        q = 2 * np.float64(b) ** 3 - 9 * b * c - 27 * d
        angle = acos(max(-1.0, min(1.0, 0.5 * q / np.float64(p) ** 1.5)))
    return sorted((b + 2 * sqrt(p) * cos(each / 3)) / 3
                  for each in (angle, angle + 2 * pi, angle - 2 * pi))
