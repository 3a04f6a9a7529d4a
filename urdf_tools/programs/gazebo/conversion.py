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

"""
Conversion of a robot to SDFormat, as libsdformat does it.

Its report says what becomes of each element and attribute of the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from itertools import takewhile
from typing import Any
from typing import NamedTuple

from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.model.loops import IN_FILE
from urdf_tools.model.loops import LOOP_TAGS
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.gazebo.document import DEFAULT_RELEASE
from urdf_tools.programs.gazebo.document import get_release
from urdf_tools.programs.gazebo.document import Node
from urdf_tools.programs.gazebo.document import Release
from urdf_tools.programs.gazebo.document import text_of
from urdf_tools.programs.gazebo.extensions import KEEP_JOINT
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.extensions import Scope
from urdf_tools.programs.gazebo.load_errors import attribute_errors
from urdf_tools.programs.gazebo.load_errors import LoadErrors
from urdf_tools.programs.gazebo.load_errors import refusals
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.model import INSTEAD_OF
from urdf_tools.programs.gazebo.model import is_world
from urdf_tools.programs.gazebo.model import LossReason
from urdf_tools.programs.gazebo.model import SDF_TYPES
from urdf_tools.programs.gazebo.writer import write_model
from urdf_tools.programs.robot_parts import Amount
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import joint_parts
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import formats_of
from urdf_tools.programs.urdfdom.bodies import Item
from urdf_tools.programs.urdfdom.bodies import items_of


class Conversion:
    """
    The conversion of a robot for Gazebo; the document is written on first use.

    :ivar refusals: why libsdformat refuses to convert it; empty if it does not.
    :ivar model: what remains of the robot, also of one that is refused.
    """

    def __init__(
            self, robot: Robot, release: Release, lumps: bool, context: Context | None = None,
            keeps_loops: bool = False):
        """
        Decide what remains, and whether Gazebo loads it.

        :param lumps: lump fixed joints.
        :param context: where to look for the models that it includes; nowhere without one.
        :param keeps_loops: turn loops into joints, which libsdformat does not.
        :raises DescriptionError: the names of shapes are too long.
        """
        self.robot = robot
        self.release = release
        self.context = context
        self.model = GazeboModel(robot, release, lumps, keeps_loops)
        self.refusals = (
            *refusals(self.model.element), *self.model.extensions.unreadable,
            *attribute_errors(self.model))

    @cached_property
    def load_errors(self) -> tuple[Loss, ...]:
        """Why Gazebo does not load the robot; empty if it does."""
        return tuple(dict.fromkeys(
            (*self.refusals, *LoadErrors(self.model, self.context).all())))

    @cached_property
    def kept(self) -> Parts:
        """What remains of the robot."""
        model = self.model
        if self.refusals:
            return Parts()
        joints = [body.joint for body in model.joints.values() if body.joint is not None]
        moving = [joint for joint in joints if joint.type.dof]
        inertias = {link.name: link.inertial.in_link_frame for link in model.links
                    if link.inertial is not None}
        return Parts(
            links=len(model.links), moving_joints=len(moving),
            fixed_joints=len(joints) - len(moving),
            mimic=sum(joint.mimic is not None for joint in moving) * self.release.has_mimic,
            body=body_at_zero(inertias, link_frames(self.robot)),
            **joint_parts(moving), actuators=len(model.driven_joints),
            visuals=formats_of(model.links, 'visual'),
            collisions=formats_of(model.links, 'collision'))

    @cached_property
    def merged(self) -> frozenset[str]:
        """The links that are lumped into others, or into the world."""
        model = self.model
        return frozenset() if self.refusals or not model.links else frozenset(
            name for name, body in model.bodies.items()
            if is_world(body) or body.end is not body and body.end.name in model.link_names)

    @cached_property
    def amounts(self) -> Mapping[str, Amount[Any]]:
        """How much remains of links, moving joints, sensors and plugins, and of mass in kg."""
        source, kept = parts_of(self.robot), self.kept
        return {
            'links': Amount(source.links, kept.links),
            'moving_joints': Amount(source.moving_joints, kept.moving_joints),
            'sensors': self._amount_of_extensions('sensor'),
            'plugins': self._amount_of_extensions('plugin'),
            'mass': Amount(source.body.mass, kept.body.mass)}

    @property
    def headline(self) -> str:
        """How much remains as one sentence, without a full stop."""
        parts = [f'{amount} {name.replace("_", " ")}' for name, amount in self.amounts.items()
                 if name in ('links', 'moving_joints') or name != 'mass' and amount.source]
        if self.merged:
            parts[0] += f' ({len(self.merged)} lumped into others)'
        mass = self.amounts['mass']
        if mass.source:
            parts.append(f'{mass.kept:.4g} of {mass.source:.4g} kg')
        verdict = 'refuses the model, which keeps' if self.load_errors else 'loads'
        return f'Gazebo {verdict} {", ".join(parts[:-1])} and {parts[-1]}'

    def _amount_of_extensions(self, tag: str) -> Amount[int]:
        applied = () if self.refusals else self.model.applied.values()
        return Amount(*(sum(
            child.tag == tag for extensions in groups for extension in extensions
            for child in extension.element)
            for groups in (self.model.extensions.by_reference.values(), applied)))

    @cached_property
    def document(self) -> Node | None:
        """
        The ``<sdf>`` element, or None if libsdformat refuses the robot.

        :raises DescriptionError: libsdformat repeats too much of the description.
        """
        return None if self.refusals else write_model(self.model)

    @cached_property
    def text(self) -> str:
        """The document as indented XML; empty if libsdformat refuses the robot."""
        return '' if self.document is None else text_of(self.document)


def convert(
        robot: Robot, release: str = DEFAULT_RELEASE,
        preserve_fixed_joints: bool = False, context: Context | None = None,
        keeps_loops: bool = False, loops_file: str | None = None) -> Conversion:
    """
    Convert a robot to SDFormat.

    :param release: a key of :data:`~urdf_tools.programs.gazebo.document.RELEASES`, or of its
        :data:`~urdf_tools.programs.gazebo.document.ALIASES`.
    :param preserve_fixed_joints: keep fixed joints instead of lumping them, as libsdformat does
        if the program that calls it asks for that.
    :param context: where to look for the models that it includes; nowhere without one.
    :param keeps_loops: turn the loops of all syntaxes into joints, where libsdformat only copies
        those of Gazebo.
    :param loops_file: YAML file of loops beside the description.
    :raises KeyError: the release does not exist.
    :raises DescriptionError: the names of shapes are too long, or the file cannot be read.
    """
    if loops_file:
        from urdf_tools.model.loops_file import add_loops
        robot = add_loops(robot, loops_file)
    return Conversion(robot, get_release(release), not preserve_fixed_joints, context, keeps_loops)


def _harmless(reason: str) -> LossReason:
    return LossReason(reason, is_harmless=True)


_NOT_LOST = LossReason('')
_NOT_READ = LossReason('libsdformat does not read it')
_NOT_FIRST = LossReason('libsdformat reads only the first element with this tag')
_OF_FIXED = _harmless('a fixed joint does not move')
_OTHER_URDF = LossReason('libsdformat reads URDF 1.0, which does not have this limit')
_NO_RANGE = _harmless('a continuous joint has no position limits')
_WORLD = LossReason('the root link world represents the world, which has neither mass nor shapes')

_ROBOT_PARTS: Mapping[str, LossReason] = {
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

_JOINT_PARTS: Mapping[str, LossReason] = {
    'safety_controller': LossReason(
        'SDFormat has no soft limits', 'Set them in the controller of the joint'),
    'calibration': _harmless('SDFormat has no reference edges'),
    'mimic': LossReason('libsdformat 12 does not convert mimic joints', 'Use Gazebo Harmonic or '
                        'later, or a mimic plugin'),
}
"""Children of ``<joint>`` of any type."""

_ATTRIBUTES: Mapping[tuple[str, str], LossReason] = {
    ('robot', 'version'): _harmless('it is the version of URDF, not of the robot'),
    ('link', 'type'): _harmless('libsdformat does not read it'),
    ('material', 'name'): _harmless('materials of SDFormat have no names'),
    ('limit', 'lower'): _NO_RANGE, ('limit', 'upper'): _NO_RANGE,
    ('limit', 'acceleration'): _OTHER_URDF, ('limit', 'deceleration'): _OTHER_URDF,
    ('limit', 'jerk'): _OTHER_URDF, ('origin', 'quat_xyzw'): LossReason(
        'libsdformat reads URDF 1.0, which has only rpy', 'Write rpy'),
}
"""Attributes by the tag of their element."""

_FOR_OTHER: Mapping[Scope, LossReason] = {
    Scope.MODEL: LossReason(
        'it applies to the model, but its <gazebo> refers to a part', 'Remove the reference'),
    Scope.LINK: LossReason(
        'it applies to a link, but its <gazebo> does not refer to one', 'Refer to a link'),
    Scope.JOINT: LossReason(
        'it applies to a joint, but its <gazebo> does not refer to one', 'Refer to a joint'),
    Scope.LUMPING: LossReason('it applies to a fixed joint, but its <gazebo> does not refer to '
                              'one', 'Refer to a fixed joint')}
"""Why an option is ignored, by what it applies to."""

_SCOPES = {**{tag: option.scope for tag, option in OPTIONS.items()},
           'visual': Scope.VISUAL, 'collision': Scope.COLLISION}


class Outcome(str, Enum):
    """What becomes of an element or attribute; the value is its name in reports."""

    KEPT = 'kept'
    CONVERTED = 'converted'
    MERGED = 'merged'
    RENAMED = 'renamed'
    IGNORED = 'ignored'
    DROPPED = 'dropped'


class Entry(NamedTuple):
    """
    What becomes of one element, or of one of its attributes.

    :param attribute: the attribute, or None for the element itself.
    :param why: why it is lost; its reason is empty if it is not.
    """

    element: Element
    attribute: str | None
    outcome: Outcome
    why: LossReason = _NOT_LOST

    @property
    def reason(self) -> str:
        """Why it is lost; empty if it is not."""
        return self.why.reason

    @property
    def hint(self) -> str:
        """What to do about the loss; empty if there is nothing to do."""
        return self.why.hint

    @property
    def path(self) -> str:
        """Path of the element or attribute in the source."""
        return self.element.path + ('' if self.attribute is None else f'/@{self.attribute}')


class _Part(NamedTuple):
    """
    What becomes of a child of ``<robot>``, such as a link, a joint or a ``<gazebo>`` element.

    :param loss: why it is dropped with all that is below it; None if it is not.
    :param merged_into: the link that it is lumped into; empty if it is not lumped.
    :param ignored: why all of its content is ignored; None if it is not.
    :param scope: what a ``<gazebo>`` element applies to.
    """

    loss: LossReason | None = None
    merged_into: str = ''
    ignored: LossReason | None = None
    scope: Scope | None = None


class ConversionReport:
    """What becomes of a robot in a conversion."""

    def __init__(self, conversion: Conversion):
        self.conversion = conversion
        self._model = conversion.model
        self._above = {body.joint.name: body for body in self._model.bodies.values() if body.joint}
        document = conversion.document
        self._written: dict[Item, Node] = {}
        for node in () if document is None else document.iter():
            for item in node.sources:
                self._written.setdefault(item, node)
        self._holders: set[Element] = set()
        for element, _ in self._written:
            self._holders.update(takewhile(
                lambda each: each not in self._holders, element.with_ancestors()))

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """One entry for each element and for each attribute of the source, in its order."""
        return tuple(self._entry(item, part) for item, part in self._items())

    @cached_property
    def counts(self) -> Counter[Outcome]:
        """Number of entries of each outcome."""
        return Counter(entry.outcome for entry in self.entries)

    @cached_property
    def losses(self) -> tuple[tuple[Entry, int], ...]:
        """The entries that are lost, each with the number of those below it for its reason."""
        tops: dict[Element | None, Entry] = {}
        below: dict[Entry, int] = {}
        for item, part in self._items():
            if item in self._written and part.loss is None:
                continue
            entry = self._entry(item, part)
            if entry.outcome not in (Outcome.IGNORED, Outcome.DROPPED):
                continue
            element = entry.element
            top = tops.get(element.parent if entry.attribute is None else element)
            if top is None or top.reason != entry.reason:
                top = entry
                below[top] = -1
            below[top] += 1
            if entry.attribute is None:
                tops[element] = top
        return tuple(below.items())

    def _items(self) -> Iterator[tuple[Item, _Part]]:
        """Yield each element and attribute, with what becomes of the part that contains it."""
        root = self._model.element
        yield from ((item, _Part()) for item in items_of(root, *root.attrib))
        loops = [loop.element for loop in self.conversion.robot.loops if (
            loop.element is not None and loop.element.parent is not None
            and loop.element.parent.tag == IN_FILE)]
        for child in (*root, *loops):
            part = _Part() if self.conversion.refusals else self._part(child)
            for element in child.iter():
                for item in items_of(element, *element.attrib):
                    yield item, part

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
        if part.merged_into:
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
            return _Part(merged_into='' if body.lumped_into is None else body.lumped_into.name)
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
        if part.loss is not None or part.merged_into or kind in SDF_TYPES:
            return part
        return _Part(LossReason(
            Message('SDFormat has no {type} joint', type=kind.value), INSTEAD_OF[kind]))

    def _entry(self, item: Item, part: _Part) -> Entry:
        return Entry(*item, *self._outcome(item, part))

    def _outcome(self, item: Item, part: _Part) -> tuple[Outcome, LossReason]:
        """Return what becomes of an element or attribute, and why it is lost if it is."""
        element, attribute = item
        node = self._written.get(item)
        is_reference = attribute == 'reference' and element.tag == 'gazebo'
        if self.conversion.refusals:
            refusal = self.conversion.refusals[0]
            return Outcome.DROPPED, LossReason(
                Message('libsdformat refuses the description: {reason}', reason=refusal.message),
                refusal.hint)
        if attribute is None and element.parent is None:
            return Outcome.CONVERTED, _NOT_LOST
        if part.loss is not None and element.tag != 'gazebo' and part.scope is None:
            # A frame attached to a dropped link is useless.
            return Outcome.DROPPED, part.loss
        if is_reference and part.merged_into:
            return Outcome.RENAMED, _NOT_LOST
        if node is not None:
            return _outcome_of_written(item, node, part), _NOT_LOST
        if part.merged_into and _is_part_of_lumped(element):
            return Outcome.MERGED, _NOT_LOST
        if self._keeps_joint(element, part):
            return Outcome.CONVERTED, _NOT_LOST
        if (attribute is None or is_reference) and element in self._holders:
            return (Outcome.MERGED if part.merged_into else Outcome.CONVERTED), _NOT_LOST
        if part.loss is not None:
            return Outcome.DROPPED, part.loss
        return Outcome.IGNORED, part.ignored or self._why_ignored(item, part)

    def _keeps_joint(self, element: Element, part: _Part) -> bool:
        """Return whether an element, below the <gazebo> of a kept fixed joint, preserves it."""
        gazebo = element.parent
        return (gazebo is not None and gazebo.tag == 'gazebo' and element.tag in KEEP_JOINT
                and part.scope is Scope.JOINT and part.loss is None
                and gazebo.get('reference') in self._model.extensions.kept_joints)

    def _why_ignored(self, item: Item, part: _Part) -> LossReason:
        element, attribute = item
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
        link = self.conversion.robot.links.get(gazebo.get('reference', ''))
        if not of_shapes or link is None:
            return LossReason('a later element sets the same')
        shapes = [shape.name for shape in (
            link.visuals if element.tag in ('visual', 'material') else link.collisions)]
        if not shapes:
            return LossReason('the link has no such shape')
        if any(not name or not part.merged_into and name.startswith(link.name)
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
            return _ATTRIBUTES.get((element.tag, attribute), _NOT_READ)
        if 'texture' in (element.tag, '' if element.parent is None else element.parent.tag):
            return LossReason(
                'libsdformat does not convert textures', 'Put the texture into the mesh file, or '
                'write a <gazebo> with <visual><material><pbr>')
        if top.tag in _ROBOT_PARTS:
            return _ROBOT_PARTS[top.tag]
        is_first = top.find_tag(part.tag) is part
        if top.tag == 'joint':
            if is_first and top.get('type') == 'fixed' and part.tag in (
                    'axis', 'limit', 'dynamics', 'mimic'):
                return _OF_FIXED
            return _JOINT_PARTS.get(part.tag, _NOT_READ if is_first else _NOT_FIRST)
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


def _outcome_of_written(item: Item, node: Node, part: _Part) -> Outcome:
    element, attribute = item
    if node.is_copy:
        is_same = (node.attrib.get(attribute) == element.get(attribute) if attribute else
                   (node.text or '').strip() == (element.text or '').strip())
        return Outcome.KEPT if is_same else Outcome.CONVERTED
    if attribute == 'name' and node.tag != 'frame':
        return Outcome.KEPT if node.attrib.get('name', '') == element.get('name') else (
            Outcome.RENAMED)
    if part.merged_into and attribute != 'name':
        return Outcome.MERGED
    return Outcome.RENAMED if attribute == 'link' and node.text != element.get('link') else (
        Outcome.CONVERTED)
