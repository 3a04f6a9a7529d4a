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

"""Names in a model that SDFormat does not accept: empty, reserved, scoped or not unique."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
import re
from typing import Any
from typing import NamedTuple

from urdf_tools.findings.message import Name
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.model import GazeboModel

SCOPED = ('link', 'joint', 'frame', 'model')
"""Children of a model that share one set of names."""

_NAMED = (*SCOPED, 'visual', 'collision', 'sensor')

_UNIQUE = frozenset((*_NAMED, 'light', 'particle_emitter', 'projector'))

_RESERVED = re.compile(r'__.*__|world')


class Part(NamedTuple):
    """
    An element of the document that may have a name.

    :param element: the element of the description that it comes from.
    """

    tag: str
    name: str | None
    element: Element


def parts_of_model(model: GazeboModel) -> Iterator[Part]:
    """
    Yield the links, joints and frames of a model, and what is copied to it.

    Frames are left out where no link remains for them.
    """
    for body in model.links:
        if body.joint is not None and body.joint.name in model.joints:
            yield Part('joint', body.joint.name, body.joint_element)
        yield Part('link', body.name, body.element)
    if model.links and not model.release.is_12_3:
        for body in model.lumped:
            yield Part('frame', body.joint_element.get('name'), body.joint_element)
            yield Part('frame', body.name, body.element)
    yield from _parts_of(model.copied(''))


def name_errors(model: GazeboModel, parts: Iterable[Part]) -> Iterator[Loss]:
    """
    Yield what is wrong with names.

    Those in plugins and in tags with a prefix are free.

    :param parts: those of the model.
    """
    for parent, siblings in _siblings(model, parts):
        named: dict[tuple[str, str], list[Part]] = {}
        for part in siblings:
            if part.name is None or part.tag == 'plugin':
                continue
            is_shared = model.release.is_12_3 or parent == 'model' and part.tag in SCOPED
            if is_shared or part.tag in _UNIQUE:
                named.setdefault(('' if is_shared else part.tag, part.name), []).append(part)
            if ':' not in part.tag:
                yield from _errors_of(part, parent, model.release.has_mimic)
        for same in named.values():
            if len(same) > 1:
                yield _not_unique(same, parent)


def _siblings(
        model: GazeboModel, parts: Iterable[Part]) -> Iterator[tuple[str, Iterable[Part]]]:
    """Yield the children of each element whose names must be unique, with the tag of it."""
    yield 'sdf', (Part('model', model.robot.name, model.element),)
    yield 'model', parts
    for body in model.links:
        shapes = (Part(tag, shape.name, shape.element)
                  for tag, shapes in body.shapes.items() for shape in shapes)
        yield 'link', (*shapes, *_parts_of(model.copied(body.name)))
    yield from (('joint', _parts_of(model.copied(joint))) for joint in model.joints)
    pending = [child for extensions in model.applied.values() for extension in extensions
               for child in extension.element if child.tag not in OPTIONS]
    while pending:
        element = pending.pop()
        if len(element) and element.tag != 'plugin' and ':' not in element.tag:
            yield element.tag, _parts_of(element)
            pending.extend(element)


def _parts_of(elements: Iterable[Element]) -> Iterator[Part]:
    return (Part(element.tag, element.get('name'), element) for element in elements)


def _errors_of(part: Part, parent: str, refuses_colons: bool) -> Iterator[Loss]:
    name = part.name or ''
    if part.tag in _NAMED and not name.strip():
        yield _error(part, 'The {kind} has no name', 'Name the {kind}')
    if parent in ('sdf', 'model') and part.tag in SCOPED and _RESERVED.fullmatch(name):
        yield _error(part, 'The name {name} is reserved in SDFormat', 'Rename the {kind}')
    if refuses_colons and '::' in name:
        yield _error(part, 'The name {name} of the {kind} contains "::", which separates scopes '
                     'in SDFormat', 'Rename the {kind}')


def _not_unique(same: list[Part], parent: str) -> Loss:
    # A joint is the easiest to rename, as little refers to it.
    tags = [part.element.tag for part in same]
    part = same[tags.index('joint') if 'joint' in tags else -1]
    return _error(
        part, '{owner} {name} has the same name as another link, joint or frame, but names are '
        'unique in SDFormat' if parent == 'model' else '{owner} {name} has the same name as '
        'another part of the same <{parent}>, but names are unique in SDFormat',
        'Rename the {tag}', owner=part.element.tag.capitalize(), parent=parent)


def _error(part: Part, template: str, hint: str, **arguments: Any) -> Loss:
    return refusal(part.element, template, hint=hint, of='name', kind=part.tag,
                   name=Name(part.name or ''), **arguments)
