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

"""How urdfdom connects links, which may have several parents, or be their own parent."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.importers import summed


class Tree:
    """
    The links and joints of a description.

    :ivar root: the link without a parent; None if there is none, or several.
    :ivar joints: each child to its parent joint and link in the end, by the last of its joints.
    :ivar order: the root and the links below it, to when each is first met.
    :ivar cycle: joints below the root that form a cycle.
    """

    def __init__(self, element: Element):
        self._element = element
        self._links = {link.get('name', ''): link for link in element.findall_tag('link')}
        self._broken: list[Loss] = []
        # urdfdom keeps joints in a map.
        self._joints = [
            (joint, self._end(joint, 'parent'), self._end(joint, 'child'))
            for joint in sorted(element.findall_tag('joint'), key=lambda joint: (
                joint.get('name', '').encode(errors='replace')))]
        self.joints = {child: (joint, parent) for joint, parent, child in self._joints}
        self._roots = [name for name in self._links if name not in self.joints]
        self.root = self._roots[0] if len(self._roots) == 1 and not self._broken else None
        self.order: dict[str, int] = {}
        self.cycle: Sequence[Element] = ()
        if self.root is not None:
            self._walk(self.root)

    def _end(self, joint: Element, role: str) -> str:
        element = joint.find_tag(role)
        name = '' if element is None else element.get('link', '')
        if not name or name not in self._links:
            what = '{joint} names no {role}' if not name else 'The {role} of {joint} is {link}, ' \
                'which does not exist'
            self._broken.append(refusal(
                joint if element is None else element, what, of='structure',
                role=role, link=Name(name), attribute='link' if name else None,
                hint='Write <{role} link="..."/> with the name of a link'))
        return name

    def _walk(self, root: str) -> None:
        below = grouped((parent, (joint, child)) for joint, parent, child in self._joints)
        self.order[root] = 0
        path = {root: self._element}
        waiting = [(root, iter(below.get(root, ())))]
        while waiting:
            name, children = waiting[-1]
            for joint, child in children:
                if child in path and not self.cycle:
                    at = list(path).index(child) + 1
                    self.cycle = (joint, *list(path.values())[at:])
                if child not in self.order:
                    self.order[child] = len(self.order)
                    path[child] = joint
                    waiting.append((child, iter(below.get(child, ()))))
                    break
            else:
                del path[name]
                waiting.pop()

    def refusals(self) -> Iterator[Loss]:
        """Yield why the links do not form a tree."""
        if not self._links:
            yield refusal(self._element, 'The robot has no link', of='link', hint='Write a <link>')
        elif self._broken:
            yield from self._broken
        elif not self._roots:
            yield refusal([joint for joint, *_ in self._joints], 'Every link is the child of a '
                          'joint, so that none is the root', of='structure', brief='no root link',
                          hint='Remove a joint of the cycle')
        elif len(self._roots) > 1:
            yield refusal([self._links[name] for name in self._roots], 'Links {links:and} are '
                          'the child of no joint', of='structure', brief='several root links',
                          hint='Connect them with joints, so that one root is left',
                          links=[Name(name) for name in self._roots])
        elif self.cycle:
            yield refusal(self.cycle, 'Recurses endlessly, as joints below the root form a cycle',
                          of='structure', impact=Impact.CRASHES, brief='cycle of joints',
                          hint='Remove one of these joints')

    def losses(self) -> Iterator[Loss]:
        """Yield which links are left out, or have another parent as well."""
        if self.root is None:
            return
        apart = [joint for joint, _, child in self._joints if child not in self.order]
        yield from summed('structure', Impact.DROPS, apart, 'Drops {links:link} that no joint '
                          'connects to the root', links=len(self._links) - len(self.order),
                          hint='Connect them with a joint')
        for joints in self.several_parents():
            yield loss('structure', Impact.CHANGES, [
                joint.find_tag('child') for joint in reversed(joints)],
                'Takes {joint} for the parent joint of a link that is the child of {n:joint}',
                hint='Keep one of them')

    def several_parents(self) -> Iterator[list[Element]]:
        """Yield the joints of each link that is the child of several."""
        joints = () if self._broken else self._joints
        for of_child in grouped((child, joint) for joint, _, child in joints).values():
            if len(of_child) > 1:
                yield of_child
