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


"""The graph of links and joints of a description, whether or not it is a tree."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from typing import NamedTuple

from urdf_tools.model.xml.element import Element

_MAX_LISTED = 8


class Cycle(NamedTuple):
    """
    A closed path along joints, from parent to child.

    :param joint: the joint that closes it.
    :param links: the first links on the path, from the child of that joint on.
    :param length: number of links on the path.
    """

    joint: Element
    links: tuple[str, ...]
    length: int

    def __str__(self) -> str:
        rest = self.length - len(self.links)
        return ' -> '.join((*self.links, *([f'{rest} more'] if rest else []), self.links[0]))


class Topology:
    """
    The graph of links and joints.

    Only joints between two different links that exist are edges.

    :param links: name of each link to its element.
    :param joints: the joints that URDF defines. Those of other namespaces, such as
        ``<drake:joint type="screw">``, connect nothing for the programs that read URDF.
    """

    def __init__(self, links: Mapping[str, Element], joints: Iterable[Element]):
        self.links = links
        self.parent_joints: dict[str, list[Element]] = {name: [] for name in links}
        """Name of a link to the joints that name it as their child, in file order."""
        self.child_joints: dict[str, list[tuple[Element, str]]] = {name: [] for name in links}
        """Name of a link to the joints that name it as their parent, each with its child."""
        self.incomplete_joints: list[Element] = []
        """The joints without a child link that exists, and those from a link to itself."""
        for joint in joints:
            parent, child = attached_link(joint, 'parent'), attached_link(joint, 'child')
            if child is None or child not in links or parent == child:
                self.incomplete_joints.append(joint)
                continue
            self.parent_joints[child].append(joint)
            if parent is not None and parent in links:
                self.child_joints[parent].append((joint, child))

        self.roots = tuple(link for link, joints in self.parent_joints.items() if not joints)
        """The links that are not the child of a joint, in file order."""
        self.order, self.cycles = self._search()
        """Every link, each after one of its parents unless a cycle prevents that; and the cycles,
        no two of which start or end at the same link."""
        self.closing = frozenset(cycle.joint for cycle in self.cycles)
        """The joints that close a cycle."""

    def _search(self) -> tuple[tuple[str, ...], tuple[Cycle, ...]]:
        """Return links and cycles in depth-first order from the roots, then unreached links."""
        order: dict[str, None] = {}
        cycles = []
        ends: set[str | None] = set()
        for start in (*self.roots, *self.links):
            if start in order:
                continue
            order[start] = None
            path = [(start, iter(self.child_joints[start]))]
            position = {start: 0}
            while path:
                end, edges = path[-1]
                for joint, link in edges:
                    if link not in order:
                        order[link] = None
                        position[link] = len(path)
                        path.append((link, iter(self.child_joints[link])))
                        break
                    if link in position and not ends & {link, end}:
                        ends |= {link, end}
                        first = position[link]
                        links = tuple(each for each, _ in path[first:first + _MAX_LISTED])
                        cycles.append(Cycle(joint, links, len(path) - first))
                else:
                    del position[end]
                    path.pop()
        return tuple(order), tuple(cycles)

    def parent_joint(self, link: str) -> Element | None:
        """Return the first joint that names the link as its child, or None."""
        joints = self.parent_joints.get(link)
        return joints[0] if joints else None

    def joints_above(self, link: str) -> Iterator[Element]:
        """Yield the joints between a link and its root, those of a cycle once."""
        found = set()
        while (joint := self.parent_joint(link)) is not None and joint not in found:
            found.add(joint)
            yield joint
            link = attached_link(joint, 'parent') or ''

    def parent(self, link: str) -> str | None:
        """Return the parent link in the first joint that names the link as its child, or None."""
        joint = self.parent_joint(link)
        return None if joint is None else attached_link(joint, 'parent')


def attached_link(joint: Element, tag: str) -> str | None:
    """Return the link that the ``parent`` or ``child`` of a joint names, or None."""
    element = joint.find(tag)
    return None if element is None else element.get('link') or None
