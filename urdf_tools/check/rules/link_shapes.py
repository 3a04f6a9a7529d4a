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
"""Rules about the shapes of a link: which it has, how large they are, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from itertools import chain
import math
import os
import re
from typing import Any

import numpy as np
from urdf_tools.check.bodies import around_boxes
from urdf_tools.check.bodies import bodies
from urdf_tools.check.bodies import box_around
from urdf_tools.check.bodies import Corners
from urdf_tools.check.bodies import extents
from urdf_tools.check.bodies import is_gltf
from urdf_tools.check.bodies import link_boxes
from urdf_tools.check.bodies import markers
from urdf_tools.check.bodies import moving_joint
from urdf_tools.check.bodies import shape_element
from urdf_tools.check.bodies import solids
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.indexed_description import position_limits
from urdf_tools.check.indexed_description import rigid_bodies
from urdf_tools.check.loaded_robot import readable_links
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.link_masses import misfit
from urdf_tools.check.rules.mirror_images import mirror_pairs
from urdf_tools.check.rules.mirror_images import mirrored_name
from urdf_tools.check.schema import TABLES
from urdf_tools.check.topology import attached_link
from urdf_tools.dynamics.solids import solid
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.finding import format_numbers
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.records import Box
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Visual
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Link
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array

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


_Sizes = list[tuple[Element, Geometry, float]]
"""Shapes, each with its element and its largest dimension in m."""


@rule('length-in-millimetres', WARN)
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


@rule('length-in-centimetres', WARN)
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
    return (defect for defect in long_parts(description).values()
            if (_CENTIMETRES in defect.template) == in_centimetres)


@once
def long_parts(description: Description) -> Mapping[Element, Defect]:
    """Return the elements with a length that is too large, each with its defect."""
    sizes = [(_sizes(description, link.collisions), _sizes(description, link.visuals))
             for link in readable_links(description)]
    found: dict[Element, Defect] = {}
    origins = [math.hypot(*xyz) for joint in description.joints if (
        xyz := description.vector(child(joint, 'origin'), 'xyz', 3))]
    of_links = [_largest([*collisions, *visuals], 0.0) for collisions, visuals in sizes]
    top = sorted((*origins, *of_links))[-2:]
    for (collisions, visuals), own in zip(sizes, of_links):
        found.update(_large(collisions, _largest(visuals), 'visuals of the link'))
        found.update(_large(visuals, _largest(collisions), 'collisions of the link'))
        if not (collisions and visuals) and len(top) == 2:
            found.update(_large(collisions or visuals, top[own != top[1]], 'rest of the robot',
                                _MIN_HUGE_RATIO))
    shapes = [shape for of_link in sizes for shape in chain(*of_link)]
    largest = _largest([shape for shape in shapes if shape[0] not in found])
    all_known = len(description.shapes) == len(shapes)
    moved = {*description.joints, *description.inertials}
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
    return [(shape_element(shape), shape.geometry, max(map(max, map(_size, boxes))))
            for shape in shapes if (boxes := extents(description, shape.geometry))]


def _largest(shapes: _Sizes, of_none: float = math.inf) -> float:
    return max((size for *_, size in shapes), default=of_none)


def _large(shapes: _Sizes, other: float, kind: str, ratio: float = _MIN_RATIO
           ) -> Iterator[tuple[Element, Defect]]:
    """Yield the primitives that are much larger than others; with a lower ratio, no floors."""
    for element, geometry, size in shapes:
        if (_MIN_LENGTH <= size < math.inf and size >= ratio * other > 0
                and not isinstance(geometry, Mesh)
                and (ratio == _MIN_RATIO or not isinstance(geometry, Box)
                     or _MIN_RATIO * min(geometry.size) > size)):
            yield element, Defect(
                element, 'The {shape} is {length:.3g} m long, {ratio:.3g} times as long as the '
                '{others}', shape=element, length=size, ratio=size / other, others=kind)


def _origins(description: Description) -> Iterator[Element]:
    """Yield the <origin> of shapes, masses of links with shapes, and joints not of a bare root."""
    shaped = {owner.parent for owner, _ in description.shapes}
    inertials = (each for each in description.inertials if each.parent in shaped)
    for owner in (*(owner for owner, _ in description.shapes), *inertials):
        yield from owner.findall('origin')[:1]
    for joint in description.joints:
        name = attached_link(joint, 'parent') or ''
        parent = description.link_names.get(name)
        if parent is not None and (parent in shaped or 'base' in name or (
                description.topology.parent_joint(name) is not None)):
            yield from joint.findall('origin')[:1]


_TURNING, _NO_BOX = (JointType.REVOLUTE, JointType.CONTINUOUS), ([0.0] * 3, [0.0] * 3)

_PLACEHOLDER_SIZE = 0.01
"""Diagonal in m of shapes that only give a link some."""

_FITTING, _DIFFERENT = 0.1, 0.3
"""Logarithms of ratios of sizes or moments that agree, and of those that do not."""

_MAX_EXCESS, _MIN_EXCESS = 1.25, 2
"""Ratios of a collision to the visuals: of one that fits into them, and of one that does not."""

_SMALL = 1e-6
"""Smallest size of a cylinder that is looked at, in m; one over it is the largest."""

_MAX_WHEEL_RATIO = 3
"""Width of a wheel over its radius; the widest of 371 real wheels has 2.9."""

_MAX_COLLISION_RATIO = 8

_MAX_SIZES = 3
"""How many times the largest shape of a link one may be away from all others."""

_MAX_GAP = 0.5
"""Distance in m of a shape from all others of a link that is never too far."""

_SAME_BOX = 0.01
"""Differences of boxes around two poses of a mesh, over their size, that only turn it."""

_SAME_PLACE, _SAME_ANGLE = 0.001, 1.0
"""Metres and degrees by which the poses of a visual and the same collision may differ."""

_MAX_SHIFT, _ONE_SHIFT = 0.25, 0.05
"""
Distance between the middles of visuals and collisions of about the same size, over that size.

The second one is for the same size, as that of one shape in two files.
"""


@rule('visual-without-collision', WARN)
def visual_without_collision(description: Description) -> Iterator[Defect]:
    """
    Check that every link with a visual has collision geometry.

    Planners and simulators let objects pass through others. Links that are connected by fixed
    joints count as one body. If one of them has a collision, or is reported, the others are only
    noted, such as a cover or a sensor, but no caster, and so are links whose collision is
    commented out. A primitive of at most 1 cm^3 on a link of at most 1 g only marks a frame.

    Fails in a link: <visual><geometry><sphere radius="1"/></geometry></visual>
    Passes:
        <visual><geometry><sphere radius="1"/></geometry></visual>
        <collision><geometry><sphere radius="1"/></geometry></collision>
    """
    body = rigid_bodies(description)
    commented = {comment.parent for comment in description.document.comments
                 if '<collision' in comment.text}
    covered = {body[name] for name, link in description.link_names.items()
               if child(link, 'collision') is not None}
    for link in description.links:
        name, tags = link.get('name', ''), {each.tag for each in link}
        if 'visual' in tags and 'collision' not in tags and name not in markers(description):
            is_covered = body.get(name, name) in covered and 'caster' not in name.lower()
            covered.add(body.get(name, name))
            yield Defect(link, '{link} has a <visual> but no <collision>',
                         severity=INFO if is_covered or link in commented else None)


@rule('collision-far-from-visual', WARN)
def collision_far_from_visual(description: Description) -> Iterator[Defect]:
    """
    Check that the collisions of a link are where its visuals are, and no shape is far from all.

    The boxes around them may not be farther apart than either of them is long, and none of three
    or more shapes farther from the others than three times the largest. Shapes of less
    than 1 cm are placeholders, and links that have a shape that cannot be read are skipped.
    Meshes are included only when the rules about assets are checked.

    Fails in a link:
        <visual><geometry><sphere radius="0.1"/></geometry></visual>
        <collision><origin xyz="3 0 0"/><geometry><sphere radius="0.1"/></geometry>
        </collision>
    Passes:
        <visual><geometry><sphere radius="0.1"/></geometry></visual>
        <collision><origin xyz="0.4 0 0"/><geometry><sphere radius="0.2"/></geometry>
        </collision>
    """
    for link, *boxes in _boxes_of_both(description):
        sizes = [math.dist(*box) for box in boxes]
        gap = _gap(*boxes)
        if _are_far(*boxes) and not any(
                child(part, 'origin') in long_parts(description) for part in link):
            yield Defect(link.child('collision'), 'The collisions of {link} are {gap:.3g} m away '
                         'from its visuals, but both are at most {size:.3g} m across', gap=gap,
                         size=max(sizes))
    for both in readable_links(description):
        yield from _far_from_others(description, [*both.visuals, *both.collisions])


def _far_from_others(description: Description, shapes: Sequence[Collision | Visual]
                     ) -> Iterator[Defect]:
    """Yield each of three or more shapes that is far from the box around all others."""
    known = [box_around(description, [shape]) for shape in shapes if len(shapes) > 2]
    boxes = [box for box in known if box is not None]
    if not boxes or len(boxes) < len(known):
        return
    size = max(math.dist(*box) for box in boxes)
    before, after = (list(accumulate(each, lambda one, other: around_boxes((one, other))))
                     for each in (boxes, boxes[::-1]))
    for i, (shape, box) in enumerate(zip(shapes, boxes)):
        gap = _gap(box, around_boxes((*before[:i][-1:], *after[:len(boxes) - 1 - i][-1:])))
        if gap > max(_MAX_SIZES * size, _MAX_GAP) and shape.element is not None:
            yield Defect(shape.element, 'The <{tag}> is {gap:.3g} m away from all other shapes of '
                         '{link}, which are at most {size:.3g} m across', gap=gap, size=size)


@rule('shapes-far-from-axis', WARN)
def shapes_far_from_axis(description: Description) -> Iterator[Defect]:
    """
    Check that the shapes of a link are near the axis about which its joint turns it.

    Exporters write shapes far away if a part has its origin elsewhere. What counts is the box
    around all shapes of the link, which may be as far from the axis as it is long; that of the
    root may be so far from its frame.

    Fails in a link:
        <visual><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></visual>
    Passes with xyz="0.2 0 0"
    """
    of_robot = robot(description)
    turned = {} if of_robot is None else {of_robot.root: np.zeros(3), **{
        joint.child: np.array(joint.axis) for joint in of_robot.tree if joint.type in _TURNING}}
    for name, axis in turned.items():
        box = around_boxes([*filter(None, link_boxes(description).get(name, ()))] or [_NO_BOX])
        size, centre = math.dist(*box), np.mean(box, axis=0)
        away = float(np.linalg.norm(centre - centre @ axis * axis))
        if away - size / 2 > size > _PLACEHOLDER_SIZE:
            yield Defect(
                description.link_names[name], 'The shapes of {link}, {size:.3g} m across, are '
                '{away:.3g} m from the axis of its joint' if axis.any() else 'The shapes of '
                '{link}, {size:.3g} m across, are {away:.3g} m from its frame',
                size=size, away=away)


def _are_far(one: Corners, other: Corners) -> bool:
    """Return whether two boxes, neither that of a placeholder, are farther apart than long."""
    sizes = [math.dist(*box) for box in (one, other)]
    return min(sizes) > _PLACEHOLDER_SIZE and _gap(one, other) > max(sizes)


@rule('collision-pose-differs', WARN)
def collision_pose_differs(description: Description) -> Iterator[Defect]:
    """
    Check that a shape that a link has as a visual and as a collision has one pose.

    It is the same primitive or the same mesh file and scale, once in each. A pose may differ by
    1 mm and by 1 degree, and by any turn that leaves a primitive as it is; a mesh that fills the
    same box in both poses is only noted. Collisions of about the size of the visuals, in a box
    around all of each, are not to be beside them by a quarter of it, and those of one size, as of
    one shape in two files, neither by a twentieth nor turned by 180 degrees.

    Fails in a link:
        <visual><origin rpy="1.5708 0 0"/>
        <geometry><cylinder radius="0.1" length="0.04"/></geometry></visual>
        <collision><geometry><cylinder radius="0.1" length="0.04"/></geometry></collision>
    Passes with <collision><origin rpy="-1.5708 0 0"/>
        <geometry><cylinder radius="0.1" length="0.04"/></geometry></collision>
    """
    for link in readable_links(description):
        boxes = link_boxes(description)[link.name]
        known = [box for box in boxes if box is not None]
        shapes: list[Visual | Collision] = [*link.visuals, *link.collisions]
        if len(known) == 2 and _are_far(*known) or any(
                part in long_parts(description) for shape in shapes
                if shape.element is not None for part in shape.element.iter()):
            continue
        pairs = list(_same_shapes(link))
        for visual, collision, gap, angle in pairs:
            apart = ([f'{gap:.3g} m away'] if gap > _SAME_PLACE else []) + (
                [f'turned by {angle:.3g} degrees'] if angle > _SAME_ANGLE else [])
            if apart:
                yield Defect(
                    shape_element(collision), 'The {collision} of {link} as a collision is '
                    '{apart} from the same {collision} as a visual: the <origin> is "{xyz}" with '
                    'rpy "{rpy}", that of the visual "{other_xyz}" with rpy "{other_rpy}"',
                    severity=INFO if _fill_the_same(description, visual, collision) else None,
                    collision=FreeText(shape_element(collision).tag),
                    apart=FreeText(' and '.join(apart)), **_origin(collision, ''),
                    **_origin(visual, 'other_'))
        sizes = [_size(box) for box in known]
        if pairs or len(known) < 2 or min(map(min, sizes)) <= _PLACEHOLDER_SIZE or any(
                is_gltf(shape.geometry) for shape in shapes) or misfit(*sizes) >= _FITTING:
            continue
        middles, is_one = np.array(known).mean(axis=1), misfit(*sizes) < _SAME_BOX
        shifts = np.abs(middles[0] - middles[1])
        is_shifted = bool((shifts > np.array(sizes[1]) * (
            _ONE_SHIFT if is_one else _MAX_SHIFT)).any())
        axis = _turned(middles, solids(description)[link.name]) if is_one else ''
        if is_shifted or axis:
            yield Defect(
                shape_element(link.collisions[0]), _ELSEWHERE[is_shifted + 2 * bool(axis) - 1],
                gap=math.hypot(*shifts), axis=FreeText(axis),
                hint='Correct the <origin> of the collisions')


_ELSEWHERE = TABLES['collisions elsewhere']
"""What is said of collisions that are shifted, turned, and both."""


def _turned(middles: Array, bodies: Sequence[SpatialInertia]) -> str:
    """Return the axis about which one of two equal shapes is turned by 180 degrees, if it is."""
    if len(bodies) < 2 or abs(math.log(bodies[0].mass / bodies[1].mass)) > _SAME_BOX:
        return ''
    one, other = (body.com - middle for body, middle in zip(bodies, middles))
    near = _SAME_BOX * float(np.cbrt(bodies[0].mass))
    return next((name for name, row in zip('xyz', np.eye(3)) if math.dist(
        one, (2 * row - 1) * other) < near and math.dist(one, other) > 3 * near), '')


def _same_shapes(link: Link) -> Iterator[tuple[Visual, Collision, float, float]]:
    """Yield the shapes that are a visual and a collision, with their distance in m and degrees."""
    uses = [Counter(shape.geometry for shape in shapes)
            for shapes in (link.visuals, link.collisions)]
    for visual in link.visuals:
        for collision in link.collisions:
            shape = visual.geometry
            if shape != collision.geometry or any(each[shape] > 1 for each in uses):
                continue
            turn = visual.origin.rotation.T @ collision.origin.rotation
            angle = math.degrees(math.acos(min(max((float(np.trace(turn)) - 1) / 2, -1.0), 1.0)))
            if not isinstance(shape, Mesh):
                try:
                    moments = solid(shape).rotational
                except ValueError:
                    continue  # It has no size, which another rule reports.
                change = float(np.abs(turn @ moments @ turn.T - moments).max() / moments.max())
                angle *= change > math.sin(math.radians(_SAME_ANGLE)) / 10
            yield visual, collision, math.dist(visual.origin.xyz, collision.origin.xyz), angle


def _fill_the_same(description: Description, *shapes: Visual | Collision) -> bool:
    """Return whether two poses of a mesh fill the same box, as those of a round wheel do."""
    one, other = (box_around(description, [shape]) for shape in shapes)
    return one is not None and other is not None and np.allclose(
        one, other, atol=_SAME_PLACE + _SAME_BOX * math.dist(*one))


def _origin(shape: Visual | Collision, name: str) -> dict[str, Any]:
    """Return the position and angles of a shape as texts, the arguments of a message."""
    angles = tuple(round(angle, 4) + 0.0 for angle in rpy_of(shape.origin.rotation))
    return {f'{name}xyz': FreeText(format_numbers(shape.origin.xyz)),
            f'{name}rpy': FreeText(format_numbers(angles))}


@rule('collision-larger-than-visual', WARN)
def collision_larger_than_visual(description: Description) -> Iterator[Defect]:
    """
    Check that the collisions of a link are less than eight times as large as its visuals.

    The diagonals of the boxes around them are compared, as for collision-far-from-visual.

    Fails in a link:
        <visual><geometry><sphere radius="0.1"/></geometry></visual>
        <collision><geometry><sphere radius="1"/></geometry></collision>
    Passes with <collision><geometry><sphere radius="0.2"/></geometry></collision>
    """
    for link, *boxes in _boxes_of_both(description):
        collision, visual = (math.dist(*box) for box in boxes)
        if visual > _PLACEHOLDER_SIZE and collision >= _MAX_COLLISION_RATIO * visual and not any(
                shape in long_parts(description) for shape in link.iter()):
            yield Defect(
                link.child('collision'), 'The collisions of {link} are {collision:.3g} m across, '
                '{ratio:.3g} times as much as its visuals', collision=collision,
                ratio=collision / visual)


def _boxes_of_both(description: Description) -> Iterator[tuple[Element, Corners, Corners]]:
    """Yield each link of which both are known, with the boxes of its collisions and visuals."""
    for name, boxes in link_boxes(description).items():
        if len(boxes) == 2 and boxes[0] is not None and boxes[1] is not None:
            yield description.link_names[name], boxes[0], boxes[1]


@rule('collision-of-other-link', WARN)
def collision_of_other_link(description: Description) -> Iterator[Defect]:
    """
    Check that the collision mesh, or the visual one, of a link is not that of another link.

    This is reported only of a robot that names the files of the visual and the collision alike,
    for three links at least. A mesh may be that of the mirror image.

    Fails in a robot whose meshes have the same names:
        <link name="d"><visual><geometry><mesh filename="d.dae"/></geometry></visual>
        <collision><geometry><mesh filename="c.stl"/></geometry></collision></link>
    Passes with <collision><geometry><mesh filename="d.stl"/></geometry></collision>
    """
    names = {link: [{os.path.splitext(os.path.basename(mesh.get('filename', '')))[0].lower()
                     for mesh in link.iterfind(f'{tag}/geometry/mesh')}
                    for tag in ('visual', 'collision')] for link in description.links}
    owners = grouped((min(visual), link) for link, (visual, collision) in names.items()
                     if len(visual) == 1 and visual == collision)
    if len(owners) < 3:
        return
    for link, (visual, collision) in names.items():
        for kind, own, rest in (('collision', collision, visual), ('visual', visual, collision)):
            owner = owners.get(min(own)) if len(visual) == len(collision) == 1 else None
            mesh = link.find(f'{kind}/geometry/mesh')
            if owner and mesh is not None and min(rest) not in owners and (
                    mirrored_name(min(own)) != mirrored_name(min(rest))):
                yield Defect(mesh, '{link} has the {kind} mesh of link {owner}, {filename:80}; '
                             'the meshes of {alike} links have the same name for both', kind=kind,
                             alike=sum(map(len, owners.values())),
                             owner=Name(owner[0].get('name', '')),
                             filename=Name(mesh.get('filename', '')))


@rule('cylinder-swapped', WARN)
def cylinder_swapped(description: Description) -> Iterator[Defect]:
    """
    Check that the radius and the length of a cylinder are not swapped.

    They are if the size of the visuals or the moments of inertia of a link fit its only collision
    with both swapped, and not as written, if it is twice as large as the visuals along an axis,
    but about as large or smaller once swapped, if the collision of its mirror image has both
    swapped, or if a wheel is more than three times as wide as its radius.

    Fails in a link:
        <visual><geometry><cylinder radius="0.1" length="0.04"/></geometry></visual>
        <collision><geometry><cylinder radius="0.04" length="0.1"/></geometry></collision>
    Passes with <collision><geometry><cylinder radius="0.1" length="0.04"/></geometry></collision>
    """
    with_moments = {body.link.name: body for body in bodies(description)
                    if body.mass > 0 and body.moments[0] > 0}
    cylinders = {link.name: (link.collisions[0], shape) for link in readable_links(description)
                 if len(link.collisions) == 1
                 and isinstance(shape := link.collisions[0].geometry, Cylinder)
                 and all(_SMALL < each < 1 / _SMALL for each in (shape.radius, shape.length))}
    number = Counter(shape for _, shape in cylinders.values())
    pairs = mirror_pairs(cylinders)
    mirrored = {right: left for left, right in pairs.items()} | pairs
    for name, (collision, shape) in cylinders.items():
        swapped = Cylinder(shape.length, shape.radius)
        boxes, body = link_boxes(description)[name], with_moments.get(name)
        joint = moving_joint(description, name)
        image = cylinders[mirrored[name]][1] if name in mirrored else None
        sizes = [_size(box) for box in (*reversed(boxes), box_around(description, [
            replace(collision, geometry=swapped)]))]
        if len(sizes) == 3 and (_fits_swapped(*sizes) or _fits_into_swapped(*sizes)):
            reason = 'its visuals fit it with both swapped'
        elif len(sizes) == 3 and sizes[0] != sizes[1] and min(*sizes[0], *sizes[1]) > 0 and (
                misfit(*sizes[:2]) < _FITTING):
            continue  # The visuals, which are something else, say that it is right.
        elif body is not None and _fits_swapped([moment / body.mass for moment in body.moments], *(
                sorted(np.diag(each.rotational) / each.mass) for each in map(
                    solid, (shape, swapped)))):
            reason = 'its inertia fits it with both swapped'
        elif image == swapped != shape and (number[shape], name in pairs) < (
                number[swapped], mirrored[name] in pairs):
            reason = f'its mirror image, link {quote(mirrored[name])}, has both swapped'
        elif shape.length > _MAX_WHEEL_RATIO * shape.radius and joint is not None and (
                'wheel' in joint.get('name', '') + name):
            reason = f'a wheel is not {_MAX_WHEEL_RATIO:g} times as wide as its radius'
        else:
            continue
        yield Defect(shape_element(collision), 'The collision of {link} is a cylinder with a '
                     'radius of {radius:g} m and a length of {length:g} m, but {reason}',
                     radius=shape.radius, length=shape.length, reason=FreeText(reason))


def _gap(one: Corners, other: Corners) -> float:
    """Return the distance in m between two boxes."""
    return math.hypot(*(max(a - d, c - b, 0.0) for a, b, c, d in zip(*one, *other)))


def _size(box: Corners | None) -> list[float]:
    return [0.0] if box is None else [maximum - minimum for minimum, maximum in zip(*box)]


def _fits_swapped(numbers: Sequence[float], written: Sequence[float], swapped: Sequence[float]
                  ) -> bool:
    """Return whether positive numbers fit what is swapped, and not what is written."""
    return all(each > 0 for each in (*numbers, *written, *swapped)) and (
        misfit(numbers, swapped) < _FITTING < _DIFFERENT < misfit(numbers, written))


def _fits_into_swapped(size: Sequence[float], written: Sequence[float], swapped: Sequence[float]
                       ) -> bool:
    """Return whether what is swapped is not larger than a size, and what is written far larger."""
    return all(size) and max(own / whole for own, whole in zip(swapped, size)) < _MAX_EXCESS and (
        max(own / whole for own, whole in zip(written, size)) > _MIN_EXCESS)
