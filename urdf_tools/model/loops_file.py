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
Loops in a YAML file, for a description that must not be edited.

The file has a list ``loops`` of mappings with the keys of :class:`~urdf_tools.model.loops.Loop`,
and a mapping ``initial`` of joints to positions near which the loops are assembled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
import os

from urdf_tools.model.loops import IN_FILE
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.loops import MAX_LOOPS
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import normalized
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.editing import located
from urdf_tools.model.xml.element import Element
from urdf_tools.model.yaml_file import YamlFile
import yaml

_COMMON = frozenset(('name', 'type', 'parent', 'child'))
_KEYS = {
    LoopType.HINGE: _COMMON | {'axis'}, LoopType.SLIDER: _COMMON | {'axis'},
    LoopType.ROD: _COMMON | {'length'},
    LoopType.GEAR: frozenset(('name', 'type', 'joints', 'ratio', 'offset'))}
_REQUIRED = {LoopType.ROD: ('parent', 'child', 'length'), LoopType.GEAR: ('joints', 'ratio')}

_END = frozenset(('link', 'xyz', 'rpy', 'axis'))


def add_loops(robot: Robot, path: str | os.PathLike[str]) -> Robot:
    """
    Return a robot with the loops and initial positions of a file in addition to its own.

    :raises DescriptionError: the file cannot be read, or a loop in it.
    """
    file = _LoopsFile(robot, os.fsdecode(path))
    return replace(robot, loops=(*robot.loops, *file.loops()),
                   initial={**robot.initial, **file.initial()})


class _LoopsFile(YamlFile):
    """
    The loops of a file.

    :raises DescriptionError: the file cannot be read.
    """

    def __init__(self, robot: Robot, path: str):
        super().__init__(path, 'Give the path of a YAML file of loops')
        self._robot = robot
        self._elements = Element(IN_FILE, {}, None, 1, 1, 0)
        self._keys = {} if self.root is None else self.table(
            self.root, frozenset(('loops', 'initial')))

    def loops(self) -> list[Loop]:
        """
        Return the loops.

        :raises DescriptionError: one of them cannot be read.
        """
        items = self._keys.get('loops')
        if items is None:
            return []
        if not isinstance(items, yaml.SequenceNode):
            raise self.error(items, 'loops is not a list')
        if len(items.value) > MAX_LOOPS:
            raise self.error(items, f'There are more than {MAX_LOOPS} loops')
        loops: dict[str, Loop] = {}
        for number, item in enumerate(items.value, 1):
            loop = self._loop(item, number)
            if loop.name in loops:
                raise self.error(item, f'There is another loop {quote(loop.name)}')
            loops[loop.name] = loop
        return [*loops.values()]

    def initial(self) -> dict[str, float]:
        """
        Return the positions of joints near which the loops are assembled.

        :raises DescriptionError: one of them cannot be read.
        """
        node = self._keys.get('initial')
        if node is None:
            return {}
        joints = self._robot.joints
        moving = [name for name, joint in joints.items()
                  if joint.type.dof == 1 and joint.mimic is None]
        return {name: self.number(value) for name, value in self.table(
            node, frozenset(moving), what='moving joint').items()}

    def _loop(self, node: yaml.Node, number: int) -> Loop:
        table = self.table(node, frozenset().union(*_KEYS.values()), 'type')
        text = self.scalar(table['type'], 'type is not a text')
        try:
            kind = LoopType(text)
        except ValueError as error:
            raise self.error(table['type'], str(error)) from None
        for key, value in table.items():
            if key not in _KEYS.get(kind, _COMMON):
                raise self.error(value, f'A {kind.value} has no {key}')
        table = self.table(node, table, *_REQUIRED.get(kind, ('parent', 'child')))
        name = self.scalar(table['name'], 'name is not a text') if 'name' in table else (
            f'loop_{number}')
        mark = node.start_mark
        element = located(Element('loop', {'name': name}, self._elements, mark.line + 1,
                                  mark.column + 1, 0), self.file)
        if kind is LoopType.GEAR:
            return self._gear(table, name, element)
        ends = [self._end(table[side], kind) for side in ('parent', 'child')]
        (parent, first, own), (child, second, other) = ends
        common = self._axis(table['axis']) if 'axis' in table else None
        axes = [axis or common or Loop.parent_axis for axis in (own, other)]
        length = self.number(table['length']) if kind is LoopType.ROD else 0.0
        if kind is LoopType.ROD and length <= 0:
            raise self.error(table['length'], f'The length {length:g} is not positive')
        if kind in (LoopType.HINGE, LoopType.SLIDER) and not common and not (own and other):
            raise self.error(node, f'The {kind.value} has no axis')
        return Loop(
            name, kind, parent, child, first, second, axes[0], axes[1], length, element=element)

    def _gear(self, table: Mapping[str, yaml.Node], name: str, element: Element) -> Loop:
        joints = table['joints']
        if not isinstance(joints, yaml.SequenceNode) or len(joints.value) != 2:
            raise self.error(joints, 'joints are not two names of joints')
        links = []
        for each in joints.value:
            joint = self._robot.joints[self.name_in(each, self._robot.joints, 'joint')]
            if joint.type.dof != 1:
                raise self.error(each, f'Joint {quote(joint.name)} is {joint.type.value}')
            links.append(joint.child)
        return Loop(
            name, LoopType.GEAR, links[0], links[1],
            ratio=self.number(table['ratio']),
            offset=self.number(table['offset']) if 'offset' in table else 0.0, element=element)

    def _end(self, node: yaml.Node, kind: LoopType) -> tuple[str, Pose, Vector3 | None]:
        """Return the link of an end, the frame on it, and its axis if it is given here."""
        table = self.table(node, _END if kind is not LoopType.ROD else _END - {'axis'}, 'link')
        link = self.name_in(table['link'], self._robot.links, 'link')
        return link, self.pose(table), self._axis(table['axis']) if 'axis' in table else None

    def _axis(self, node: yaml.Node) -> Vector3:
        vector = self.vector(node)
        if not any(vector):
            raise self.error(node, 'The axis is zero')
        return normalized(vector)
