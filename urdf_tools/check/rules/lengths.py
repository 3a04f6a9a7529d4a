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

"""Rules about lengths in millimetres and centimetres, which make a part too large or too far."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import math
import re

from urdf_tools.check.bounding_boxes import extents
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.joints import position_limits
from urdf_tools.check.loaded_robot import readable_links
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.topology import attached_link
from urdf_tools.model.records import Box
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Visual
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('geometry')

_MIN_LENGTH = 5.0
"""The shortest length in m that is suspected, 5 mm as written."""

_MAX_TRAVEL = 10_000.0
"""The longest travel in m of a prismatic joint that is meant as one, and not as no limit."""

_ENDLESS = re.compile(r'10*(e\+[0-9]+)?|9+')
"""What stands for no limit, in both directions."""

_MIN_RATIO, _MIN_TRAVEL_RATIO = 100, 20
"""Ratio to the largest shape, of travels, too; metres to millimetres is about a thousand."""

_MIN_CENTIMETRES, _MIN_CENTIMETRES_RATIO = 2.0, 8
"""The same for centimetres; of 1,400 real files, those with such a ratio stay below 1.5 m."""

_CENTIMETRES = ', as if it were in centimetres'

_MIN_HUGE_RATIO = 10
"""Ratio of a shape to all else; a box that is a hundredth as high as it is long is a floor."""

_OF_OTHERS = ', {ratio:.3g} times as far as any other, or the size of a shape'
_LARGEST = ', {ratio:.3g} times the size of the largest shape'


_Sizes = list[tuple[Collision | Visual, float]]
"""Shapes, each with its largest dimension in m."""


@rule('length-in-millimetres', WARN, fix='Write lengths in metres, not in millimetres')
def length_in_millimetres(description: Description) -> Iterator[Defect]:
    """
    Check that no part is as far away, or as large, as if its length were in millimetres.

    Origins, sizes of collisions and visuals, and travels of prismatic joints of at least 5 m are
    reported if they are a hundred times the largest shape of the robot, travels twenty times;
    sizes, if they are that of the other shapes of the link, or, where these are not known, ten
    times any other shape or origin of the robot. What is attached to a root without shapes, such
    as the world, may be far away, and a travel of 10, 100 or so in both directions may stand for
    none. Meshes are included only when the rules about assets are checked.

    Fails in a link:
        <visual>
          <origin xyz="0 0 125"/>
          <geometry><box size="0.1 0.1 0.25"/></geometry>
        </visual>
    Passes with xyz="0 0 0.125"
    """
    yield from _long(description, in_centimetres=False)


@rule('length-in-centimetres', WARN, fix='Write lengths in metres, not in centimetres')
def length_in_centimetres(description: Description) -> Iterator[Defect]:
    """
    Check that no joint is as far away as if its origin were in centimetres.

    Origins of at least 2 m are reported if they are eight times the largest shape of the robot or,
    where not all shapes are known, any other origin and shape. As for length-in-millimetres, what
    is attached to a root without shapes may be far away.

    Fails in a robot:
        <link name="base_link">
          <visual><geometry><box size="0.1 0.1 0.25"/></geometry></visual>
        </link>
        <link name="arm"/>
        <joint name="j" type="fixed"><parent link="base_link"/><child link="arm"/>
          <origin xyz="0 0 12.5"/>
        </joint>
    Passes with xyz="0 0 0.125"
    """
    yield from _long(description, in_centimetres=True)


def _long(description: Description, *, in_centimetres: bool) -> Iterator[Defect]:
    for defect in long_parts(description).values():
        if (_CENTIMETRES in defect.template) == in_centimetres:
            yield defect


@once
def long_parts(description: Description) -> Mapping[Element, Defect]:
    """Return the elements with a length that is too large, each with its defect."""
    sizes = [(_sizes(description, link.collisions), _sizes(description, link.visuals))
             for link in readable_links(description)]
    found: dict[Element, Defect] = {}
    joints = {*description.joints}
    origins = [math.hypot(*xyz) for joint in joints if (
        xyz := description.vector(child(joint, 'origin'), 'xyz', 3))]
    of_links = [max((size for shapes in of_link for _, size in shapes), default=0.0)
                for of_link in sizes]
    top = sorted((*origins, *of_links))[-2:]
    for (collisions, visuals), own in zip(sizes, of_links):
        for shapes, others, kind in ((collisions, visuals, 'visuals of the link'),
                                     (visuals, collisions, 'collisions of the link')):
            found.update(_large(shapes, max((size for _, size in others), default=math.inf), kind))
        if not (collisions and visuals) and len(top) == 2:
            found.update(_large(collisions or visuals, top[own != top[1]], 'rest of the robot',
                                _MIN_HUGE_RATIO))
    largest = max((size for of_link in sizes for shapes in of_link for shape, size in shapes
                   if _shape_element(shape) not in found), default=math.inf)
    all_known = len(description.shapes) == sum(len(shapes) for of_link in sizes
                                               for shapes in of_link)
    moved = {*joints, *(child(link, 'inertial') for link in description.links)}
    for origin in _origins(description):
        xyz = description.vector(origin, 'xyz', 3)
        length = 0.0 if xyz is None else math.hypot(*xyz)
        is_far = _MIN_LENGTH <= length < math.inf and length >= _MIN_RATIO * largest > 0
        other = largest if all_known else top[length != top[1]] if len(top) == 2 else math.inf
        if is_far or _MIN_CENTIMETRES <= length < math.inf and origin.parent in moved and (
                length >= _MIN_CENTIMETRES_RATIO * other > 0):
            found[origin] = Defect(
                origin, 'The <origin> of {owner} is {length:.3g} m away'
                + (_LARGEST if is_far or all_known else _OF_OTHERS)
                + ('' if is_far else _CENTIMETRES), owner=origin.parent, length=length,
                ratio=length / (largest if is_far else other))
    for joint, limit, lower, upper in position_limits(description):
        travel = max(abs(lower), abs(upper))
        if (joint.get('type') == 'prismatic' and _MIN_LENGTH <= travel <= _MAX_TRAVEL
                and not (lower == -upper and _ENDLESS.fullmatch(f'{upper:g}'))
                and travel >= _MIN_TRAVEL_RATIO * largest > 0):
            found[limit] = Defect(
                limit, '{joint} moves from {lower:g} to {upper:g} m' + _LARGEST, joint=joint,
                lower=lower, upper=upper, ratio=travel / largest)
    return found


def _sizes(description: Description, shapes: Iterable[Collision | Visual]) -> _Sizes:
    return [(shape, max(most - least for low, high in boxes for least, most in zip(low, high)))
            for shape in shapes if (boxes := extents(description, shape.geometry))]


def _large(shapes: _Sizes, other: float, kind: str, ratio: float = _MIN_RATIO
           ) -> Iterator[tuple[Element, Defect]]:
    """Yield the primitives that are much larger than others; with a lower ratio, no floors."""
    for shape, size in shapes:
        element = _shape_element(shape)
        if (element is not None and not isinstance(shape.geometry, Mesh)
                and _MIN_LENGTH <= size < math.inf and size >= ratio * other > 0
                and (ratio == _MIN_RATIO or not isinstance(shape.geometry, Box)
                     or _MIN_RATIO * min(shape.geometry.size) > size)):
            yield element, Defect(
                element, 'The {shape} is {length:.3g} m long, {ratio:.3g} times as long as the '
                '{others}', shape=element, length=size, ratio=size / other, others=kind)


def _shape_element(shape: Collision | Visual) -> Element | None:
    geometry = None if shape.element is None else child(shape.element, 'geometry')
    return None if geometry is None else next(iter(geometry), None)


def _origins(description: Description) -> Iterator[Element]:
    """Yield the <origin> of shapes, masses of links with shapes, and joints not of a bare root."""
    shaped = {owner.parent for owner, _ in description.shapes}
    inertials = (child(link, 'inertial') for link in description.links if link in shaped)
    for owner in (*(owner for owner, _ in description.shapes), *inertials):
        origin = child(owner, 'origin')
        if origin is not None:
            yield origin
    for joint in description.joints:
        origin, name = child(joint, 'origin'), attached_link(joint, 'parent')
        parent = description.link_names.get(name or '')
        if origin is not None and parent is not None and (
                parent in shaped or description.topology.parent_joint(name or '') is not None
                or 'base' in (name or '')):
            yield origin
