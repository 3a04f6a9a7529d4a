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

"""The tree of bodies of MJCF: frames, copies and attached models are resolved in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.formats.mjcf.models import MAX_FILES
from urdf_tools.formats.mjcf.models import Model
from urdf_tools.formats.mjcf.models import ModelReader
from urdf_tools.formats.mjcf.models import Part
from urdf_tools.formats.mjcf.models import require_depth
from urdf_tools.formats.urdf_tree import leave_out
from urdf_tools.formats.urdf_tree import Work
from urdf_tools.kinematics.transforms import homogeneous
from urdf_tools.model.messages import quote
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array

_PARTS = ('joint', 'freejoint', 'geom', 'site', 'inertial')


@dataclass(frozen=True, eq=False)
class Instance:
    """
    A model as it is used: the description itself, or one that is attached.

    :ivar prefix: what its names begin with.
    :ivar suffix: what they end with, in a copy.
    :ivar opened: the files that attach each other down to it.
    """

    model: Model
    prefix: str = ''
    suffix: str = ''
    opened: tuple[str, ...] = ()

    def name(self, text: str | None) -> str:
        """Return a name with prefix and suffix; empty if there is none."""
        return f'{self.prefix}{text}{self.suffix}' if text else ''


@dataclass(eq=False)
class Body:
    """
    A body.

    :ivar name: its name; empty if it has none.
    :ivar pose: its pose in its parent where all joints are at ``ref``, shape (4, 4).
    :ivar parent: the body that it moves in; None for the world.
    """

    element: Element
    instance: Instance
    name: str
    pose: Array
    parent: Body | None
    joints: list[Part] = field(default_factory=list)
    geoms: list[Part] = field(default_factory=list)
    sites: list[Part] = field(default_factory=list)
    inertial: Part | None = None
    bodies: list[Body] = field(default_factory=list)

    def walk(self) -> Iterator[Body]:
        """Yield it and all bodies below it, depth first, as MuJoCo numbers them."""
        pending = [self]
        while pending:
            body = pending.pop()
            yield body
            pending += reversed(body.bodies)

    @property
    def is_free(self) -> bool:
        """Whether it has a free joint."""
        return any(joint.values.get('type') == 'free' for joint in self.joints)


class TreeBuilder:
    """
    Builds the tree of bodies.

    :ivar instances: the description and all models attached to it.
    """

    def __init__(self, reader: ModelReader, losses: Losses):
        self._reader = reader
        self._losses = losses
        self._models: dict[Element, Model] = {}
        self._work = Work()
        self.instances: list[Instance] = []

    def world(self, model: Model) -> Body:
        """
        Return the world with all bodies below it.

        :raises DescriptionError: a value cannot be read, or the model is too large.
        """
        instance = Instance(model)
        self.instances.append(instance)
        world = Body(model.root, instance, 'world', np.eye(4), None)
        for section in model.children(model.root):
            if section.tag == 'worldbody':
                self._fill(world, section, instance, np.eye(4), section.get('childclass', ''), 0)
        return world

    def _fill(self, body: Body, element: Element, instance: Instance, frame: Array,
              childclass: str, depth: int) -> None:
        require_depth(element, depth)
        model = instance.model
        for child in model.children(element):
            # A body becomes a link, and a joint with its parent and child.
            self._work.add(child, 4 if child.tag == 'body' else 1,
                           len(instance.name(child.get('name'))))
            inner = child.get('childclass', childclass)
            if child.tag == 'body':
                below = Body(child, instance, instance.name(child.get('name')),
                             Part(child, child.attrib, model, frame).pose(), body)
                body.bodies.append(below)
                self._fill(below, child, instance, np.eye(4), inner, depth + 1)
            elif child.tag == 'frame':
                placed = Part(child, child.attrib, model, frame).pose()
                self._fill(body, child, instance, placed, inner, depth + 1)
            elif child.tag == 'replicate':
                self._copy(body, child, instance, frame, inner, depth)
            elif child.tag == 'attach':
                self._attach(body, child, instance, frame, depth)
            elif child.tag in _PARTS:
                self._add(body, child, instance, frame, childclass)
            else:
                leave_out(self._losses, child, is_harmless=child.tag in ('camera', 'light'),
                          impact=Impact.DROPS)

    def _add(self, body: Body, child: Element, instance: Instance, frame: Array,
             childclass: str) -> None:
        is_joint = child.tag in ('joint', 'freejoint')
        part = instance.model.part(child, '', childclass, frame, instance.name(child.get('name')))
        if child.tag == 'freejoint':
            part.values = {'type': 'free'}
        if is_joint:
            body.joints.append(part)
        elif child.tag == 'inertial':
            body.inertial = part
        else:
            (body.geoms if child.tag == 'geom' else body.sites).append(part)

    def _copy(self, body: Body, element: Element, instance: Instance, frame: Array,
              childclass: str, depth: int) -> None:
        """Fill a body with the copies that a ``<replicate>`` makes."""
        part = Part(element, element.attrib, instance.model)
        count = int(part.number('count', 0.0))
        step = homogeneous(
            instance.model.euler(part.numbers('euler', (0.0, 0.0, 0.0), 3), element),
            part.numbers('offset', (0.0, 0.0, 0.0), 3))
        digits, placed = len(str(count)), frame
        for index in range(count):
            suffix = f'{element.get("sep", "")}{index:0{digits}}{instance.suffix}'
            # Also copies of nothing are counted.
            self._work.add(element, 1, len(suffix))
            copy = replace(instance, suffix=suffix)
            self._fill(body, element, copy, placed, childclass, depth + 1)
            placed = placed @ step

    def _attach(self, body: Body, element: Element, instance: Instance, frame: Array,
                depth: int) -> None:
        """Fill a body with another model, or with a body of it."""
        name = element.get('model', '')
        asset = instance.model.asset('model', name)
        if asset is None:
            raise element.error(f'Model {quote(name)} does not exist')
        file = f'{instance.model.folder}/{asset.values.get("file", "")}'
        if file in instance.opened or len(instance.opened) >= MAX_FILES:
            raise element.error(f'Model {quote(name)} is attached to itself')
        if asset.element not in self._models:
            self._models[asset.element] = self._reader.attached(asset)
        model = self._models[asset.element]
        # All its sections are read, whatever is used of it.
        self._work.add(element, model.elements, 0)
        attached = Instance(model, instance.prefix + element.get('prefix', ''), instance.suffix,
                            (*instance.opened, file))
        self.instances.append(attached)
        wanted = element.get('body')
        if not wanted:
            for section in model.children(model.root):
                if section.tag == 'worldbody':
                    self._fill(body, section, attached, frame, section.get('childclass', ''),
                               depth + 1)
            return
        # The body and all that is around it, of which only the body is used.
        aside = Body(element, attached, '', np.eye(4), None)
        for section in model.children(model.root):
            if section.tag == 'worldbody':
                self._fill(aside, section, attached, np.eye(4), '', depth + 1)
        found = next((each for each in aside.walk() if each.name == attached.name(wanted)), None)
        if found is None:
            raise element.error(f'Model {quote(name)} has no body {quote(wanted)}')
        found.pose, found.parent = frame @ found.pose, body
        body.bodies.append(found)
