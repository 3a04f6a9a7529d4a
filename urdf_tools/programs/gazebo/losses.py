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

"""What Gazebo drops, ignores and changes of a robot, and why."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from itertools import takewhile
from typing import NamedTuple

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.model.loops import IN_FILE
from urdf_tools.model.loops import LOOP_TAGS
from urdf_tools.model.robot import JointType
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo.document import Node
from urdf_tools.programs.gazebo.document import value_of
from urdf_tools.programs.gazebo.extensions import KEEP_JOINT
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.extensions import Scope
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.model import INSTEAD_OF
from urdf_tools.programs.gazebo.model import is_world
from urdf_tools.programs.gazebo.model import LossReason
from urdf_tools.programs.gazebo.model import SDF_TYPES
from urdf_tools.programs.importers import BOUNDED
from urdf_tools.programs.robot_parts import suffix_of
from urdf_tools.programs.tables import TABLES
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import Item
from urdf_tools.programs.urdfdom.bodies import items_of


_KINDS: Mapping[str, str] = TABLES['kinds of elements']
"""Tags of elements to the kinds of what is lost with them."""

_MAX_TAG = 40

_MESHES = ('.dae', '.obj', '.stl', '.gltf', '.glb')


def _harmless(reason: str) -> LossReason:
    return LossReason(reason, is_harmless=True)


_NOT_READ = LossReason('libsdformat does not read it')
_NOT_FIRST = LossReason('libsdformat reads only the first element with this tag')
_OF_FIXED = _harmless('a fixed joint does not move')
_WORLD = LossReason('the root link world represents the world, which has neither mass nor shapes')

_REASONS: Mapping[str, LossReason] = {
    what: LossReason(**each) for what, each in TABLES['parts that libsdformat loses'].items()}
"""Why it loses ``PARENT/CHILD`` and ``TAG@ATTRIBUTE``."""

_LOOP = LossReason('libsdformat does not read it', 'Convert the robot with urdf-tools sdf')

_FOR_OTHER: Mapping[Scope, LossReason] = {
    Scope.MODEL: LossReason(
        'it applies to the model, but its <gazebo> refers to a part', 'Remove the reference'),
    **{scope: LossReason(
        f'it applies to a {what}, but its <gazebo> does not refer to one', f'Refer to a {what}')
        for scope, what in (
            (Scope.LINK, 'link'), (Scope.JOINT, 'joint'), (Scope.LUMPING, 'fixed joint'))}}
"""Why an option is ignored, by what it applies to."""

_SCOPES = {**{tag: option.scope for tag, option in OPTIONS.items()},
           'visual': Scope.VISUAL, 'collision': Scope.COLLISION}


class _Part(NamedTuple):
    """
    What becomes of a child of ``<robot>``, such as a link, a joint or a ``<gazebo>`` element.

    :param dropped: why it is lost with all that is below it; None if it is not.
    :param is_lumped: it is a part of another link.
    :param ignored: why all of its content is ignored; None if it is not.
    :param scope: what a ``<gazebo>`` element applies to.
    """

    dropped: LossReason | None = None
    is_lumped: bool = False
    ignored: LossReason | None = None
    scope: Scope | None = None


def losses_of(model: GazeboModel, document: Node, context: Context | None) -> Iterator[Loss]:
    """
    Yield what is lost or changed; all that is dropped with a massless link is one loss.

    :param document: the model as it is written.
    :param context: where to look for meshes; nowhere without one.
    """
    dropped: dict[Element, list[Element]] = {}
    for element, attribute, why, impact in _Losses(model, document).topmost():
        if why.cause is None:
            yield _loss(element, attribute, why, impact)
        elif attribute is None:
            dropped.setdefault(why.cause, []).append(element)
    for cause, elements in dropped.items():
        links = [model.bodies[each.get('name', '')].link for each in elements
                 if each.tag == 'link' and each is not cause]
        yield loss(
            'link', Impact.DROPS, cause, 'Gazebo drops {link}, which has no mass, with '
            '{links:link} and {joints:joint} at and below it' if links else
            'Gazebo drops {link}, which has no mass', hint='Give the link a mass',
            mass=sum(link.inertial.mass for link in links if link.inertial is not None),
            links=len(links), joints=sum(each.tag == 'joint' for each in elements))
    yield from _changes(model, context)
    yield from _lumped(model)


_OF_LINK = ('bodyName', 'body_name', 'linkName', 'link_name')
"""Elements in plugins that name a link; below its own reference, the first one is corrected."""


def _lumped(model: GazeboModel) -> Iterator[Loss]:
    """Yield what is meant for links that are parts of others: sensors, plugins, gravity."""
    written: dict[str, Element] = {}
    for gazebo in model.robot.gazebo:
        body = model.bodies.get(gazebo.get('reference', ''))
        into = None if body is None else body.lumped_into or body
        gravity = gazebo.find_tag('gravity')
        if into and into is not body and (pose := gazebo.find('sensor/pose')) is not None:
            yield loss('sensor', Impact.CHANGES, gazebo, 'The {pose} in {link} is lost, as the '
                       'link is merged into {into}', pose=pose, into=Name(into.name),
                       link=Name(gazebo.get('reference', '')))
        if into and gravity is not None and value_of(gravity) != value_of(
                written.setdefault(into.name, gravity)):
            yield loss('dynamics', Impact.CHANGES, gravity, '{element} differs from that of '
                       'another link that is part of {into}, and one of them is used',
                       into=Name(into.name))
        for element in (each for plugin in gazebo.iter('plugin') for each in plugin):
            part = model.bodies.get(value_of(element)) if (
                element.tag in _OF_LINK[body is not None:]) else None
            if part is not None and part.lumped_into is not None:
                yield loss('plugin', Impact.DROPS, element, '{plugin} looks for {link}, which is '
                           'merged into {into}, and finds no such link', link=Name(part.name),
                           into=Name(part.lumped_into.name))


def _loss(element: Element, attribute: str | None, why: LossReason, impact: Impact) -> Loss:
    tag = element.tag
    kind = _KINDS.get(tag, 'element') if attribute is None else (
        'name' if (tag, attribute) == ('material', 'name') else 'attribute')
    part = f'<{tag[:_MAX_TAG]}>' + (f' {attribute[:_MAX_TAG]}' if attribute else '')
    return loss(kind, impact, element,
                'Loop {name}: {reason}' if kind == 'loop' else '{part}: {reason}',
                hint='{advice}' if why.hint else '', attribute=attribute, part=part,
                reason=why.reason, advice=why.hint, is_harmless=why.is_harmless)


class _Losses:
    """The elements and attributes of a description that the document of its model lacks."""

    def __init__(self, model: GazeboModel, document: Node):
        self._model = model
        self._above = {body.joint.name: body for body in model.bodies.values() if body.joint}
        self._written = {item for node in document.iter() for item in node.sources}
        self._holders: set[Element] = set()
        for element, _ in self._written:
            self._holders.update(takewhile(
                lambda each: each not in self._holders, element.with_ancestors()))
        self._written.update((gazebo, 'reference') for gazebo in model.robot.gazebo)

    def topmost(self) -> Iterator[tuple[Element, str | None, LossReason, Impact]]:
        """Yield what is lost and why, without what is lost with its parent for one reason."""
        reasons: dict[Element | None, str] = {}
        for (element, attribute), part in self._items():
            why = self._why_lost(element, attribute, part)
            if why is None:
                continue
            if reasons.get(element.parent if attribute is None else element) != why.reason:
                impact = Impact.DROPS if why is part.dropped else Impact.IGNORES
                yield element, attribute, why, impact
            if attribute is None:
                reasons[element] = why.reason

    def _items(self) -> Iterator[tuple[Item, _Part]]:
        """Yield each element and attribute, with what becomes of the part that contains it."""
        root = self._model.element
        yield from ((item, _Part()) for item in items_of(root, *root.attrib))
        loops = [loop.element for loop in self._model.robot.loops if (
            loop.element is not None and loop.element.parent is not None
            and loop.element.parent.tag == IN_FILE)]
        for child in (*root, *loops):
            part = self._part(child)
            for element in child.iter():
                yield from ((item, part) for item in items_of(element, *element.attrib))

    def _part(self, child: Element) -> _Part:
        name, reference = child.get('name', ''), child.get('reference', '')
        if child.tag == 'link':
            return self._of_link(self._model.bodies[name])
        if child.tag == 'joint':
            return self._of_joint(self._above[name])
        if child.tag != 'gazebo':
            return _Part(self._model.open_loops.get(child))
        if not reference:
            return _Part(scope=Scope.MODEL)
        if reference in self._model.bodies:
            return self._of_link(self._model.bodies[reference])._replace(scope=Scope.LINK)
        if reference not in self._above:
            return _Part(ignored=LossReason(
                Message('{reference} is neither a link nor a joint of the robot',
                        reference=Name(reference)), 'Name a link or a joint'))
        part = self._of_joint(self._above[reference])
        if part.is_lumped:
            return _Part(ignored=LossReason(
                Message('fixed joint {joint} is lumped', joint=Name(reference)),
                'Write <preserveFixedJoint>true</preserveFixedJoint> to keep the joint'))
        return part._replace(scope=Scope.JOINT)

    def _of_link(self, body: Body, is_joint: bool = False) -> _Part:
        """Return what becomes of a link, or of the joint above it."""
        if is_world(body):
            return _Part(ignored=_WORLD._replace(is_harmless=not len(body.element)))
        cause = self._model.lost.get(body.name)
        if cause is None:
            return _Part(is_lumped=body.lumped_into is not None)
        link = Name(cause.name)
        reason = Message(
            'it is below link {link}, which has no mass' if cause is not body else
            'its child link {link} has no mass' if is_joint else
            'it has no mass, so Gazebo drops it', link=link)
        return _Part(LossReason(
            reason, Message('Give link {link} a mass', link=link), cause.element))

    def _of_joint(self, body: Body) -> _Part:
        """Return what becomes of the joint above a body."""
        part = self._of_link(body, is_joint=True)
        kind = JointType.FIXED if body.joint is None else body.joint.type
        if part.dropped is not None or part.is_lumped or kind in SDF_TYPES:
            return part
        return _Part(LossReason(
            Message('SDFormat has no {type} joint', type=kind.value), INSTEAD_OF[kind]))

    def _why_lost(
            self, element: Element, attribute: str | None, part: _Part) -> LossReason | None:
        """Return why an element or attribute is lost; None if it is not."""
        if part.dropped is not None and part.scope is None:
            # A frame attached to a dropped link is useless.
            return part.dropped
        is_kept = (
            (element, attribute) in self._written or self._keeps_joint(element, part)
            or part.is_lumped and _is_part_of_lumped(element)
            or attribute is None and element in self._holders)
        return None if is_kept else (
            part.dropped or part.ignored or self._why_ignored(element, attribute, part))

    def _keeps_joint(self, element: Element, part: _Part) -> bool:
        """Return whether an element, below the <gazebo> of a kept fixed joint, preserves it."""
        gazebo = element.parent
        return (gazebo is not None and gazebo.tag == 'gazebo' and element.tag in KEEP_JOINT
                and part.scope is Scope.JOINT and part.dropped is None
                and gazebo.get('reference') in self._model.extensions.kept_joints)

    def _why_ignored(self, element: Element, attribute: str | None, part: _Part) -> LossReason:
        gazebo = next((each for each in element.with_ancestors() if each.tag == 'gazebo'), None)
        if gazebo is element and len(element) == 0:
            return _harmless('it is empty')
        if gazebo is None or gazebo is element:
            return self._why_ignored_in_robot(element, attribute)
        if element in self._model.extensions.misplaced:
            return LossReason(
                'libsdformat writes it into an element that it has deleted, because the <surface> '
                'of a later <gazebo> lacks <contact> or <friction>', 'Write <contact><ode/>'
                '</contact><friction><ode/></friction> into the <surface>')
        option = next(each for each in element.with_ancestors() if each.parent is gazebo)
        scope = _SCOPES.get(option.tag)
        if scope is Scope.NOTHING:
            return _NOT_READ
        of_shapes = scope in (Scope.VISUAL, Scope.COLLISION)
        applies_to = Scope.LINK if of_shapes else scope
        if applies_to is not None and applies_to is not part.scope:
            return _FOR_OTHER[applies_to]
        link = self._model.robot.links.get(gazebo.get('reference', ''))
        if not of_shapes or link is None:
            return LossReason('a later element sets the same')
        shapes = [shape.name for shape in (
            link.visuals if element.tag in ('visual', 'material') else link.collisions)]
        if not shapes:
            return LossReason('the link has no such shape')
        if any(not name or not part.is_lumped and name.startswith(link.name)
               for name in shapes):
            return LossReason('a later element sets the same')
        return LossReason(
            'libsdformat applies it only to shapes that are named after the link, and these have '
            'names of their own', 'Remove the names of the visuals and collisions')

    def _why_ignored_in_robot(self, element: Element, attribute: str | None) -> LossReason:
        """Return why libsdformat ignores a part of a robot outside its ``<gazebo>`` elements."""
        *_, part, top, _ = (element, element, *element.with_ancestors())
        if attribute is not None and attribute.startswith('xmlns'):
            return _harmless('it declares an XML namespace, and URDF does not use namespaces')
        if attribute is not None and (element, None) in self._written:
            return _REASONS.get(f'{element.tag}@{attribute}', _NOT_READ)
        if 'texture' in (element.tag, '' if element.parent is None else element.parent.tag):
            return LossReason(
                'libsdformat does not convert textures', 'Put the texture into the mesh file, or '
                'write a <gazebo> with <visual><material><pbr>')
        if top.tag in LOOP_TAGS:
            return _LOOP
        if f'robot/{top.tag}' in _REASONS:
            return _REASONS[f'robot/{top.tag}']
        is_first = top.find_tag(part.tag) is part
        if top.tag == 'joint':
            if is_first and top.get('type') == 'fixed' and part.tag in (
                    'axis', 'limit', 'dynamics', 'mimic'):
                return _OF_FIXED
            return _REASONS.get(f'joint/{part.tag}', _NOT_READ if is_first else _NOT_FIRST)
        if top.tag == 'link' and part.tag in ('inertial', 'visual', 'collision'):
            if element.tag in ('material', 'color'):
                return LossReason('another definition of the material, or a <gazebo>, sets the '
                                  'color')
            if part.tag == 'inertial' and not is_first:
                return _NOT_FIRST
            if element.tag in ('origin', 'geometry', 'mass', 'inertia') or element is part:
                return LossReason(
                    'urdfdom stops reading the link at a part that it cannot parse',
                    'Fix the errors that urdf-tools check reports for the link')
        return _NOT_READ


def _is_part_of_lumped(element: Element) -> bool:
    """Return whether an element is a lumped link or joint, or a part that lumping uses."""
    parent = element.parent
    return element.tag in ('link', 'joint') or parent is not None and parent.tag == 'joint' and (
        element.tag in ('origin', 'parent', 'child') and parent.find(element.tag) is element)


def _changes(model: GazeboModel, context: Context | None) -> Iterator[Loss]:
    """Yield what differs in Gazebo, and the meshes that it cannot show."""
    origin = model.element.find_tag('origin')
    if origin is not None:
        yield loss('model', Impact.CHANGES, origin, 'Takes {origin} for the pose of the model')
    for name, kind in model.extensions.kept_joints.items():
        joint = model.robot.joints.get(name)
        if kind == 'revolute' and joint is not None and joint.type is JointType.FIXED and (
                joint.element is not None):
            yield loss('joint', Impact.CHANGES, joint.element, 'Makes a revolute joint without a '
                       'range of fixed joint {joint}, which disableFixedJointLumping keeps',
                       joint=Name(name))
    for body in model.links:
        for tag, shapes in body.shapes.items():
            for shape in shapes:
                yield from _lost_mesh(tag, shape.element.find('geometry/mesh'), context)
    for body in model.joints.values():
        limit = body.joint_element.find_tag('limit')
        limits = None if body.joint is None else body.joint.limits
        is_bounded = body.joint_element.get('type') in BOUNDED
        if is_bounded and limit is not None and limits is not None and limits.lower > limits.upper:
            yield loss('limit', Impact.CHANGES, limit, 'Swaps lower and upper of {limit}')
        zero = [name for name in ('effort', 'velocity') if limits is not None
                and getattr(limits, name) == 0 and limit is not None and name in limit.attrib]
        if zero and not (is_bounded and limits is not None and limits.lower == limits.upper):
            yield loss('limit', Impact.CHANGES, limit, 'Nothing moves {joint}, because its limit '
                       'of {names:and} is zero', joint=body.joint_element, names=tuple(zero))


def _lost_mesh(tag: str, mesh: Element | None, context: Context | None) -> Iterator[Loss]:
    file = '' if mesh is None else mesh.get('filename', '').strip()
    if file and suffix_of(file) not in _MESHES:
        yield loss(tag, Impact.DROPS, mesh, 'Drops {mesh}, which is not one of {formats}',
                   formats=_MESHES)
    elif file and context is not None and not context.resolves(file):
        yield loss(tag, Impact.DROPS, mesh, 'Drops {mesh}, whose file is not found')
