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

"""Load errors of frames, joints and models that ``<gazebo>`` elements add to the model."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from pathlib import Path

from urdf_tools.findings.message import Name
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.traced_xml import value_of
from urdf_tools.programs.urdfdom.bodies import WORLD

_MODEL = '__model__'
"""The frame of the model, which is attached to its first link."""

_PATHS = ('GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'SDF_PATH')
"""Environment variables with the folders that ``sdf::findFile`` looks in, as Gazebo sets it up."""

_MANIFESTS = ('model.config', 'manifest.xml')
"""What a folder has that is a model (``getModelFilePath`` in ``parser.cc``)."""


def errors_in_copies(model: GazeboModel, names: Collection[str | None]) -> Iterator[Loss]:
    """
    Yield what is wrong with elements that are copied to the model.

    :param names: those of the links, joints and frames of the model.
    """
    attached = _attachments(model)
    for element in model.copied(''):
        if element.tag == 'frame':
            yield from _frame_errors(element, names, attached)
        elif element.tag == 'joint':
            yield from _joint_errors(element, model, names, attached)


def _attachments(model: GazeboModel) -> Mapping[str, str]:
    """Return the names of joints and frames, each with the name that it is attached to."""
    attached = {name: body.name for name, body in model.joints.items()}
    for body in () if model.release.is_12_3 else model.lumped:
        attached[body.joint_element.get('name', '')] = attached[body.name] = body.end.name
    attached[_MODEL] = root = model.links[0].name if model.links else ''
    for element in model.copied(''):
        name = element.get('name', '')
        if element.tag == 'frame':
            attached[name] = element.get('attached_to') or root
        elif element.tag == 'joint':
            attached[name] = _end_of(element, 'child', model)
    return attached


def _link_of(name: str, attached: Mapping[str, str]) -> str | None:
    """Return the link that a frame ends at, or None if it is attached to itself."""
    seen = set()
    while name in attached:
        if name in seen:
            return None
        seen.add(name)
        name = attached[name]
    return name


def is_known(name: str, names: Collection[str | None]) -> bool:
    """Return whether a name exists in the model, or belongs to a nested model."""
    return name in names or '::' in name


def _frame_errors(element: Element, names: Collection[str | None],
                  attached: Mapping[str, str]) -> Iterator[Loss]:
    name, link = element.get('name', ''), element.get('attached_to', '')
    if link and link != _MODEL and not is_known(link, names):
        yield refusal(element, 'Frame {name} is attached to {link}, which is not in the model',
                      link=Name(link), hint='Attach it to a link that Gazebo keeps', of='link')
    elif _link_of(name, attached) is None:
        yield refusal(element, 'Frame {name} is attached to itself',
                      hint='Attach it to a link', of='link')


def _joint_errors(joint: Element, model: GazeboModel, names: Collection[str | None],
                  attached: Mapping[str, str]) -> Iterator[Loss]:
    name = joint.get('name', '')
    ends = {role: _end_of(joint, role, model) for role in ('parent', 'child')}
    for role, end in ends.items():
        if not (is_known(end, names) or role == 'parent' and end == WORLD
                or end == _MODEL and not model.release.is_12_3):
            yield refusal(joint, 'The {role} of joint {name} is {end}, which is not in the model',
                          role=role, end=Name(end), of='structure',
                          hint='Name a link that Gazebo keeps')
            return
    if name in ends.values():
        yield refusal(joint, 'Joint {name} names itself as one of its ends',
                      hint='Name two links', of='structure')
        return
    parent, child = (_link_of(end, attached) for end in ends.values())
    if parent == child is not None:
        yield refusal(joint, 'The parent and the child of joint {name} are both part of link '
                      '{link} in Gazebo', hint='Keep a fixed joint between them with '
                      '<preserveFixedJoint>, or remove the joint', of='structure',
                      link=Name(child))


def _end_of(joint: Element, role: str, model: GazeboModel) -> str:
    """Return the link that an end of a copied joint names, after lumping."""
    element = joint.find(role)
    if element is None:
        return ''
    name = value_of(element)
    is_moved = not model.release.is_12_3 and model.end_name(name) != name
    return model.end_name(name) if is_moved else (element.text or '').strip()


def include_errors(model: GazeboModel, context: Context | None) -> Iterator[Loss]:
    """Yield which included models Gazebo does not find; models on a server count as found."""
    for reference in model.applied:
        for element in model.copied(reference):
            if element.tag != 'include':
                continue
            uri = element.findtext('uri', '').strip()
            if not uri:
                yield refusal(element, 'An <include> has no <uri>',
                              hint='Write the model that it includes', of='attribute')
            elif context is not None and not uri.startswith(('http://', 'https://')) and (
                    not _exists(uri, context)):
                yield refusal(element, 'The model of an <include>, {uri:200}, does not exist in '
                              'a folder of {variable}', uri=Name(uri), variable=_PATHS[0],
                              hint='Add the folder that has it to {variable}', of='model')


def _exists(uri: str, context: Context) -> bool:
    path = uri.partition('://')[2] or uri
    folders = [folder for name in _PATHS for folder in context.resolver.lookup.paths(name)]
    return any(context.finds(folder / path / name) for folder in (*folders, Path('/'))
               for name in ('', *_MANIFESTS))
