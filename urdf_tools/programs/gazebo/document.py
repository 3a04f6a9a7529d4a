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
The SDFormat document: its elements, each with its sources, its numbers and its text.

Releases of libsdformat differ in what they write.
"""

from __future__ import annotations

from collections.abc import Generator
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import math
from typing import NamedTuple
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Quaternion
from urdf_tools.model.pose import Vector3
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.xml_parser import namespace_of
from urdf_tools.programs.tables import TABLES
from urdf_tools.programs.urdfdom.bodies import Item
from urdf_tools.programs.urdfdom.bodies import items_of
from urdf_tools.programs.urdfdom.bodies import roll_of
from urdf_tools.programs.urdfdom.bodies import yaw_of

_VERTICAL = 1e-15
"""Distance of that sine from 1 up to which gz-math splits no roll from yaw."""


class Release(NamedTuple):
    """
    The conversion of URDF in one release of libsdformat.

    The lines are those of ``src/parser_urdf.cc`` in the release that ``library`` names.

    :param library: the release that behaves this way.
    :param simulator: the Gazebo that uses it.
    :param sdf_version: the version of SDFormat that the converter writes.
    :param is_12_3: is the one of Debian 12. Lumping leaves no frames, poses of sensors are rounded
        once, lights and the ends of joints in ``<gazebo>`` do not follow lumped links, masses up
        to a milligram count as none, negative ones as masses, a lumped link without mass takes its
        descendants with it, each ``<gazebo>`` without reference sets ``<static>``, ``__model__``
        cannot be an end of a joint, and siblings with different tags must have different names, as
        ``ign sdf -k`` requires; Gazebo does not.
    :param rounds_frames: the pose of the frame of a lumped link is rounded to six digits.
    """

    library: str
    simulator: str
    sdf_version: str = '1.11'
    is_12_3: bool = False
    rounds_frames: bool = False

    @property
    def has_mimic(self) -> bool:
        """Return whether ``<mimic>`` is converted, and names must not contain ``::``."""
        return self.sdf_version != '1.7'


RELEASES: Mapping[str, Release] = {
    name: Release(**release) for name, release in TABLES['releases of libsdformat'].items()}
"""The releases by the name of the Gazebo that uses them, or by their version."""

ALIASES: Mapping[str, str] = TABLES['versions of libsdformat']
"""Aliases of releases: the version of libsdformat."""

DEFAULT_RELEASE = 'harmonic'


def get_release(name: str) -> Release:
    """
    Return a release by its name or an alias.

    :raises KeyError: no release has this name.
    """
    return RELEASES[ALIASES.get(name, name)]


def gz_math_rpy(quaternion: Quaternion) -> Vector3:
    """Return roll, pitch and yaw as ``gz::math::Quaternion::Euler`` does."""
    length = math.sqrt(sum(value * value for value in quaternion))
    x, y, z, w = (value / length for value in quaternion)
    sine = -2 * (x * z - w * y) / (x * x + y * y + z * z + w * w)
    pitch = math.asin(max(-1.0, min(1.0, sine)))
    if abs(abs(sine) - 1) < _VERTICAL:
        both = math.atan2(2 * (x * y - z * w) * math.copysign(1, sine),
                          w * w - x * x + y * y - z * z)
        return both, pitch, 0.0
    return roll_of(x, y, z, w), pitch, yaw_of(x, y, z, w)


def compose(outer: Pose, inner: Pose) -> Pose:
    """Return the pose of a frame that has the pose ``inner`` in a frame with pose ``outer``."""
    x, y, z = (outer.rotation @ inner.xyz + outer.xyz).tolist()
    qx, qy, qz, qw = quaternion_product(outer.quaternion, inner.quaternion).tolist()
    return Pose((x, y, z), (qx, qy, qz, qw))


def number_text(value: float) -> str:
    """Return a number with the 16 digits of libsdformat."""
    return '0' if value == 0 else f'{value:.16g}'


def numbers_text(values: Iterable[float]) -> str:
    """Return numbers with 16 digits and spaces between them."""
    return ' '.join(map(number_text, values))


def short_numbers_text(values: Iterable[float]) -> str:
    """Return numbers with the six digits of a C++ stream, which libsdformat writes in places."""
    return ' '.join(f'{value + 0.0:g}' for value in values)


_RESERVED = ('http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/')


class Node(ElementTree.Element):
    """
    An element of the SDFormat document.

    :ivar sources: what of the source it comes from.
    """

    sources: tuple[Item, ...]

    def __init__(self, tag: str, text: str | None = None, sources: Iterable[Item] = (),
                 **attributes: str):
        super().__init__(tag, attributes)
        self.text = text
        self.sources = tuple(sources)

    if TYPE_CHECKING:
        def __iter__(self) -> Iterator[Node]: ...
        def iter(self, tag: str | None = None) -> Generator[Node, None, None]: ...

    def first(self, tag: str) -> Node | None:
        """Return the first child with a tag, without XPath."""
        return next((child for child in self if child.tag == tag), None)

    def add(self, tag: str, text: str | None = None, sources: Iterable[Item] = (),
            **attributes: str) -> Node:
        """Append a child, and return it."""
        child = Node(tag, text, sources, **attributes)
        self.append(child)
        return child

    def put(self, tag: str, text: str, sources: Iterable[Item] = ()) -> None:
        """Append a child in place of the first one with its tag."""
        self.drop(tag)
        self.add(tag, text, sources)

    def drop(self, tag: str) -> None:
        """Remove the first child with a tag, if there is one."""
        old = self.first(tag)
        if old is not None:
            self.remove(old)

    def require(self, tag: str, sources: Iterable[Item] = ()) -> Node:
        """Return the first child with a tag, appending one if there is none."""
        child = self.first(tag)
        return self.add(tag, None, sources) if child is None else child


def copied(element: Element) -> Node:
    """Return a copy of an element, to be written, with all below it."""
    is_text = element.text and (len(element) == 0 or element.text.strip())
    copy = Node(element.tag, element.text if is_text else None,
                items_of(element, *element.attrib))
    copy.attrib.update(element.attrib)
    copy.extend(map(copied, element))
    return copy


def value_of(element: Element | Node) -> str:
    """Return the attribute ``value``, or else the text, without the white space around it."""
    value = element.get('value')
    return (element.text or '' if value is None else value).strip()


def text_of(document: Node) -> str:
    """
    Return a document as indented XML whose prefixes are all declared, as XML namespaces require.

    libsdformat, which does not know namespaces, copies ``<ns0:dampingFactor>`` without what the
    ``<robot>`` declares. The tags stay as they are, because plugins look for them; the prefixes
    are declared in ``<sdf>``, as SDFormat does for user-defined elements. One that the source
    does not declare gets the URI that ``xml-unbound-prefix`` proposes. The few names that no
    declaration helps, such as ``a:b:c``, get an underscore for the colon.
    """
    declared: dict[str, str] = {}
    root = _written(document, declared)
    root.attrib.update(declared)
    ElementTree.indent(root)
    return f'<?xml version="1.0"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _written(node: Node, declared: dict[str, str]) -> ElementTree.Element:
    """
    Return an element whose names have at most one colon.

    :param declared: the declarations of ``<sdf>``, which are added to.
    """
    element = ElementTree.Element(_name(node.tag))
    element.text = node.text
    for name, value in node.attrib.items():
        if name == 'xmlns' and value not in _RESERVED or name.partition(':')[0] != 'xmlns':
            element.set(_name(name), value)
    for prefix in [name.partition(':')[0] for name in (element.tag, *element.attrib)
                   if ':' in name and not name.startswith('xml:')]:
        uri = _uri_of(prefix, node)
        if declared.setdefault(f'xmlns:{prefix}', uri) != uri:
            element.set(f'xmlns:{prefix}', uri)
    element.extend([_written(child, declared) for child in node])
    return element


def _name(name: str) -> str:
    """Return a name with at most one colon, between two names."""
    prefix, colon, local = name.partition(':')
    if not colon:
        return name
    if not prefix or prefix == 'xmlns' or not local[:1].isidentifier():
        return name.replace(':', '_')
    return f'{prefix}:{local.replace(":", "_")}'


def _uri_of(prefix: str, node: Node) -> str:
    """Return the URI of a prefix where an element was copied from."""
    for element in node.sources[0][0].with_ancestors() if node.sources else ():
        uri = element.get(f'xmlns:{prefix}', '')
        if uri and uri not in _RESERVED:
            return uri
    return namespace_of(prefix)
