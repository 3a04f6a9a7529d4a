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
Convert a model of SDFormat to URDF.

The frame of a link in URDF is that of the joint above it, as sdformat_urdf has it.
"""

from __future__ import annotations

from collections.abc import Collection
from heapq import heappop
from heapq import heappush

from urdf_tools.findings.losses import Losses
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.formats.sdf.frames import attached_link
from urdf_tools.formats.sdf.frames import canonical_link
from urdf_tools.formats.sdf.frames import Frame
from urdf_tools.formats.sdf.frames import Poses
from urdf_tools.formats.sdf.frames import text_of
from urdf_tools.formats.sdf.joints import JointWriter
from urdf_tools.formats.sdf.joints import type_of
from urdf_tools.formats.sdf.links import LinkWriter
from urdf_tools.formats.sdf.models import Model
from urdf_tools.formats.sdf.models import ModelReader
from urdf_tools.formats.urdf_tree import converted
from urdf_tools.formats.urdf_tree import leave_out
from urdf_tools.formats.urdf_tree import Node
from urdf_tools.formats.urdf_tree import TABLES
from urdf_tools.formats.urdf_tree import Work
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import Document

WORLD = 'world'
"""Name of the link that a joint to the world needs."""

_KEPT: Collection[str] = TABLES['elements of models kept for Gazebo']
"""Elements of a model that Gazebo reads in a ``<gazebo>`` of URDF, too."""


def urdf_of(document: Document, resources: ResourceResolver, model: str) -> ConvertedDocument:
    """
    Return the URDF of a model.

    :param document: its root is ``<sdf>``.
    :param resources: finds the files that it includes, and meshes whose inertia is computed.
    :param model: the name of the model; empty if there is only one.
    :raises DescriptionError: it is not valid SDFormat, or a file that it includes is not.
    """
    losses = Losses()
    reader = ModelReader(document, resources, losses)
    found = reader.read(model)
    robot = _Conversion(found, resources, losses).robot()
    is_static = any(element.tag == 'static' and (element.text or '').strip() in ('1', 'true')
                    for scope, element in found.others if not scope.depth)
    return converted(robot, document, reader.files, losses, 'SDF', not is_static)


class _Conversion:
    """Converts one model."""

    def __init__(self, model: Model, resources: ResourceResolver, losses: Losses):
        self._model = model
        self._losses = losses
        self._poses = Poses(model.own)
        self._robot = Node('robot', model.own.element, Work(), name=model.own.name)
        self._links = LinkWriter(self._robot, self._poses, resources, losses)
        self._joints = JointWriter(self._robot, self._poses, losses)

    def robot(self) -> Node:
        """
        Return the robot.

        :raises DescriptionError: the model is not valid.
        """
        if not self._model.links:
            element = self._model.own.element
            raise element.error(
                f'Model {quote(self._model.own.name)} has no link',
                'Gazebo makes such a model of a URDF whose root link has no mass'
                if element.find('model') is None else '')
        ends = {joint: self._ends(joint) for joint in self._model.joints}
        above = self._tree(ends)
        on_world = next((joint for joint, (parent, _) in ends.items() if parent is None), None)
        if on_world is not None:
            self._robot.add('link', on_world.element.find('parent'), name=WORLD)
        bases = {link: above.get(link, link) for link in self._model.links}
        self._poses.own(self._model.own)  # Whether it is valid, also where nothing depends on it.
        for frame in (*self._model.links, *self._model.joints):
            self._poses.of(frame)
        for link in self._model.links:
            self._links.add(link, bases[link])
        for joint, (parent, child) in ends.items():
            name = WORLD if parent is None else parent.name
            if above.get(child) is joint:
                origin = (self._poses.own(self._model.own) @ self._poses.of(joint)
                          if parent is None else self._poses.relative(joint, bases[parent]))
                self._joints.add(joint, name, child.name, origin)
            else:
                self._joints.add_loop(
                    joint, name, child.name, self._poses.relative(joint, bases[child]))
        for scope, element in self._model.others:
            if element.tag in _KEPT and (element.tag == 'plugin' or scope.own is self._model.own):
                self._robot.add('gazebo', element).add_copy(element)
            else:
                leave_out(self._losses, element)
        return self._robot

    def _ends(self, joint: Frame) -> tuple[Frame | None, Frame]:
        """Return the links of a joint; the parent is None for the world."""
        element, scope = joint.element, joint.scope
        assert scope is not None, 'a joint is in a model'
        names = [text_of(element, tag) for tag in ('parent', 'child')]
        for tag, name in zip(('parent', 'child'), names):
            if not name:
                raise element.error(f'Joint {quote(joint.name)} has no <{tag}>')
        parent, child = (attached_link(scope, name, element.child(tag))
                         for tag, name in zip(('parent', 'child'), names))
        if child is None:
            raise element.error(f'The world is the child of joint {quote(joint.name)}')
        if parent is child:
            raise element.error(f'Joint {quote(joint.name)} joins a link to itself')
        return parent, child

    def _tree(self, ends: dict[Frame, tuple[Frame | None, Frame]]) -> dict[Frame, Frame]:
        """
        Return each link that is not a root with the joint of the tree above it.

        They start from the world and from links that are the child of no joint, or else from the
        canonical link; of joints that lead on from there, the first in the text is taken. A
        gearbox only leads to what nothing else does.
        """
        order = {joint: number for number, joint in enumerate(ends)}
        below: dict[Frame | None, list[Frame]] = {}
        children: set[Frame] = set()
        for gears in (False, True):
            for joint, (parent, child) in ends.items():
                if (type_of(joint) == 'gearbox') is gears and not (gears and child in children):
                    below.setdefault(parent, []).append(joint)
                    children.add(child)
        roots = [link for link in self._model.links if link not in children]
        if not roots and None not in below and self._model.links:
            inner = self._model.own.inner
            assert inner is not None, 'a model has frames'
            canonical = attached_link(inner, canonical_link(inner), self._model.own.element)
            roots = [each for each in [canonical] if each is not None]
        above: dict[Frame, Frame] = {}
        reached: set[Frame | None] = {None, *roots}
        joints = list(ends)
        pending = sorted(order[joint] for link in reached for joint in below.get(link, ()))
        while pending:
            joint = joints[heappop(pending)]
            child = ends[joint][1]
            if child not in reached:
                reached.add(child)
                above[child] = joint
                for other in below.get(child, ()):
                    heappush(pending, order[other])
        return above
