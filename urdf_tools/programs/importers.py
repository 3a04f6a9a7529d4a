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

"""Shared code of the models of importers: reading a description, and noting errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Container
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.losses import refusal
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.robot_parts import suffix_of
from urdf_tools.programs.tables import TABLES
from urdf_tools.types import Array

ONE_DOF = ('revolute', 'continuous', 'prismatic')

_NEW_ATTRIBUTES = TABLES['attributes of newer URDF']
"""Attributes of URDF 1.1 and 1.2 to their elements."""

BOUNDED = ('revolute', 'prismatic')
"""The types of joints that limits can stop."""

WORLD = 'world'
"""The link that is the world of MuJoCo and Drake, and a root that Gazebo takes for it."""


@dataclass
class ReadJoint:
    """
    A joint as a program reads it.

    :ivar leader: the name of the joint that it mimics.
    :ivar pose: its homogeneous matrix in the frame of the parent link.
    """

    name: str
    type: str
    element: Element
    lower: float = -inf
    upper: float = inf
    velocity: float = inf
    effort: float = inf
    damping: float = 0.0
    friction: float = 0.0
    parent: str = ''
    child: str = ''
    leader: str | None = None
    pose: Array = field(default_factory=lambda: np.eye(4))

    @property
    def is_moving(self) -> bool:
        """Return whether it is neither fixed nor floating, for programs without them."""
        return self.type not in ('fixed', 'floating')


class Reader:
    """
    Notes what a program refuses in a description, or changes where it is read.

    :ivar refusals: in the order of reading.
    :ivar losses: what is lost or changed, in the same order.
    """

    def __init__(self) -> None:
        self.refusals: list[Loss] = []
        self.losses = Losses()

    def refuse(self, where: Element | Sequence[Element], template: str, /, hint: str = '',
               **arguments: Any) -> None:
        """
        Note why the program refuses the description.

        The arguments are those of :func:`~urdf_tools.programs.accounts.refusal`.
        """
        self.refusals.append(refusal(where, template, hint=hint, **arguments))

    def has_all(self, element: Element, names: Sequence[str], of: str) -> bool:
        """Return whether an element has all required attributes; it is refused otherwise."""
        missing = tuple(name for name in names if name not in element.attrib)
        if missing:
            self.refuse(element, '{element} has no {missing}', missing=missing, of=of,
                        brief=f'<{element.tag}> without {missing[0]}')
        return not missing

    def check_robot(self, root: Element) -> None:
        """Refuse a description that is not a robot, or has no link."""
        if root.tag != 'robot':
            self.refuse(root, 'The outermost element is {element}', 'Write <robot>', of='element',
                        brief='root is not <robot>')
        if not root.findall_tag('link'):
            self.refuse(root, 'The robot has no link')

    def named(
            self, elements: Iterable[Element], impact: Impact = Impact.REFUSES
            ) -> dict[str, Element]:
        """
        Return the first element of each name, and refuse the others.

        :param impact: the effect of elements with the same name.
        """
        found: dict[str, Element] = {}
        for element in elements:
            name = element.get('name', '')
            if not name:
                self.refuse(element, '{element} has no name', 'Write name="..."', of='name')
            elif name in found:
                self.refuse_name(element, impact)
            found.setdefault(name, element)
        return found

    def refuse_repeated(self, elements: Iterable[Element]) -> None:
        """Refuse the elements that have the name of an earlier one."""
        names = set()
        for element in elements:
            name = element.get('name', '')
            if name in names:
                self.refuse_name(element)
            names.add(name)

    def refuse_name(self, element: Element, impact: Impact = Impact.REFUSES) -> None:
        """Refuse an element, because another one has its name."""
        self.refuse(element, 'Another {tag} has the name {name}', impact=impact, attribute='name')

    def require(self, parent: Element, tag: str, of: str) -> Element | None:
        """Return the first child with a tag, and refuse a parent without one."""
        child = parent.find_tag(tag)
        if child is None:
            self.refuse(parent, '{element} has no <{child}>', of=of, child=tag,
                        brief=f'<{parent.tag}> without <{tag}>')
        return child

    def ends(self, joint: Element, links: Container[str],
             find: Callable[[Element, str], Element | None] = Element.find_tag
             ) -> tuple[str, str]:
        """
        Return the names of the parent and the child link of a joint, and refuse unknown links.

        :param find: returns the ``<parent>`` or ``<child>`` that the program takes.
        """
        names = []
        for role in ('parent', 'child'):
            end = find(joint, role)
            name = '' if end is None else end.get('link', '')
            if not name or name not in links:
                self.refuse(
                    joint if end is None else end, 'The {role} link {name} of {joint} does not '
                    'exist' if name else '{joint} names no {role} link', of='structure',
                    role=role, attribute='link' if name else None, brief=f'{role} link missing',
                    hint='Write <{role} link="..."/> with the name of a link')
            names.append(name)
        return names[0], names[1]

    def only_root(self, links: Mapping[str, Element], joints: Mapping[str, Element],
                  impact: Impact = Impact.REFUSES) -> str | None:
        """
        Return the link that is the child of no joint, and refuse none or several of them.

        :param joints: the joints by their children.
        :param impact: the effect of several.
        """
        roots = [name for name in links if name not in joints]
        if links and not roots:
            self.refuse([*joints.values()], 'Every link is the child of a joint, so that none is '
                        'the root')
        elif len(roots) > 1:
            self.refuse([links[name] for name in roots], 'Links {links:and} are the child of no '
                        'joint', impact=impact, links=tuple(map(Name, roots)))
        return roots[0] if len(roots) == 1 else None


def misread(element: Element, name: str, values: Sequence[float]) -> Iterator[Loss]:
    """Yield a loss if the numbers read from an attribute differ from those written."""
    words = element.attrib[name].split()
    if len(words) != len(values) or not all(map(is_number, words)):
        yield loss('attribute', Impact.CHANGES, element,
                   '{attribute}={text} of {element} is read as {value}', attribute=name,
                   value=FreeText(' '.join(f'{each:g}' for each in values)))


@lru_cache(maxsize=4096)
def is_number(text: str) -> bool:
    """Return whether a text is one number in the syntax of URDF."""
    try:
        parse_number(text)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4096)
def pose_from(xyz: tuple[float, ...], rpy: tuple[float, ...]) -> Pose:
    """Return a pose, whose matrices are computed once for all programs."""
    x, y, z = xyz
    return Pose((x, y, z), quaternion_from_rpy(*rpy))


_ONCE: Mapping[str, tuple[str, ...]] = TABLES['elements read once']
"""Elements to those children of which programs read only one."""


def repeated(parent: Element, children: Iterable[Element]) -> Iterator[Element]:
    """Yield the children that come after the first one of those of which one is read."""
    seen, once = set(), _ONCE.get(parent.tag, ())
    for child in children if once or parent.tag == 'geometry' else ():
        kind = 'shape' if parent.tag == 'geometry' else child.tag
        if kind in seen:
            yield child
        elif kind == 'shape' or kind in once:
            seen.add(kind)


def mesh_suffix(owner: Element) -> str:
    """Return the suffix of the mesh of a ``<visual>`` or ``<collision>``; empty without one."""
    mesh = owner.find('geometry/mesh')
    return '' if mesh is None else suffix_of(mesh.get('filename', ''))


def formats_written(shapes: Iterable[Element]) -> dict[str, int]:
    """Return the number of shapes by the suffix of their file, or else by their tag."""
    found = Counter(suffix_of(each.get('filename', '')) or each.tag for each in shapes)
    return dict(sorted(found.items()))


def summed(
        of: str, impact: Impact, elements: Sequence[Element | None], template: str, /,
        **arguments: Any) -> Iterator[Loss]:
    """Yield the loss of several elements, if there are any; their number is the argument ``n``."""
    if elements:
        yield loss(of, impact, elements, template, **arguments)


def ignored_attributes(
        owners: Iterable[Element], names: Collection[str] = tuple(_NEW_ATTRIBUTES)
        ) -> Iterator[Loss]:
    """
    Yield the attributes of URDF 1.1 and 1.2 that a program does not read.

    :param owners: the elements in and below which to look.
    :param names: these attributes.
    """
    for element in (each for owner in owners for each in owner.iter()):
        for name in names:
            if name in element.attrib and element.tag == _NEW_ATTRIBUTES[name]:
                yield loss('attribute', Impact.IGNORES, element,
                           '{attribute} of {element} is ignored', attribute=name,
                           hint='Write rpy instead' if name == 'quat_xyzw' else '')
