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

"""Rules about left and right parts, which are to be mirror images of each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import astuple
import math
from operator import attrgetter
import os
import re

import numpy as np
from numpy.typing import NDArray

from urdf_tools.check.bodies import bodies
from urdf_tools.check.bodies import Body
from urdf_tools.check.bodies import shape_element
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.loaded_robot import axis_of
from urdf_tools.check.loaded_robot import link_poses
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.link_masses import inertia_axes_swapped
from urdf_tools.check.rules.link_masses import inertia_radius_implausible
from urdf_tools.check.rules.link_masses import misfit
from urdf_tools.check.rules.plausibility import inertia_vs_geometry
from urdf_tools.dynamics.spatial import NEGLIGIBLE
from urdf_tools.findings.message import Clause
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.records import Box
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import INERTIA
from urdf_tools.model.records import Joint
from urdf_tools.model.records import Link
from urdf_tools.model.records import Mesh
from urdf_tools.model.xml.element import Element

_joint_rule, _mass_rule, _shape_rule = map(RULES.in_category, ('joints', 'inertia', 'geometry'))

_LEFT = re.compile(r'(?i:left)|(?<![A-Za-z])(?i:[fhrbm]?l|l[fhbmr])(?=[A-Z][a-z]|[^A-Za-z]|$)')
"""What names a left part: left_wheel, LeftArm, l_knee, fl_hip, LHipYaw."""

_RIGHT = {'left': 'right', 'Left': 'Right', 'LEFT': 'RIGHT'}

_WHEEL = re.compile(r'(?i)(?!.*cast[eo]r).*wheel')

_TURNING = ('continuous', 'revolute')

_MOVING = (*_TURNING, 'prismatic')

_ALIKE = 1e-3
"""In m, rad, or relative to efforts: how much exports of CAD differ; measured ranges ten times."""

_TURNED = 0.1
"""A difference of quaternions that is no slip, about 10 degrees."""

_Compared = tuple[bool, Iterable[float], Iterable[float]]
"""Whether what a joint has is as in its mirror image, and both."""

_TOLERANCE = 0.005
"""Distance in m by which two parts may not lie across from each other."""

_MAX_ANGLE = 15.0
"""Degrees between an axis and the mirror image of the other; fingers of hands differ by 10."""

_MAX_MASS_RATIO, _MAX_MOMENT_GAP = 1.1, 0.2
"""By how much exports of CAD programs differ; the second relative to the largest moment."""

_LARGE_MASS_RATIO, _SAME = 1.5, 0.02
"""What no tool on one side explains: a large ratio, or a mass that alone differs."""


def mirrored_name(name: str) -> str:
    """Return the name of the right part that belongs to that of a left one."""
    return _LEFT.sub(lambda match: _RIGHT.get(
        match[0], match[0].translate(str.maketrans('lL', 'rR'))), name)


def mirror_pairs(names: Collection[str]) -> dict[str, str]:
    """Return the left parts among names of parts, each to the right part."""
    return {left: right for left in names
            if (right := mirrored_name(left)) != left and right in names}


def _pairs(description: Description, links: Mapping[str, str]
           ) -> Iterator[tuple[tuple[str, str], NDArray[np.float64]]]:
    """
    Yield the names of left and right parts, and the unit vector from the right to the left one.

    They are apart along the x or the y axis of the root link only.

    :param links: names of parts to the links whose origins are where the parts are.
    """
    frames = link_poses(description)
    for left, right in mirror_pairs(links).items() if frames else ():
        apart = frames[links[left]][:3, 3] - frames[links[right]][:3, 3]
        *across, up = np.abs(apart).tolist()
        if max(up, min(across)) < _TOLERANCE < max(across):
            yield (left, right), apart / math.hypot(*apart)


@_joint_rule('mirrored-joint-differs', WARN)
def mirrored_joint_differs(description: Description) -> Iterator[Defect]:
    """
    Check that a left and a right joint have the same type, and axes that are mirror images.

    They are joints whose names differ by left and right, l and r, fl and fr and so on, and that
    are across from each other. The axes may point in opposite directions, as actuators are often
    mounted so. Those of wheels are to do so at all wheels or none; if at all, that is noted.
    Vertical steering joints are to turn the same way, as controllers send both the same sign.
    Casters are exempt, and fingers that slide, as hands are often turned. Joints that
    turn are not to be at the same place, unless it is the origin of their parent.

    Fails in the right wheel joint of a robot: <origin xyz="0 -0.2 0"/><axis xyz="1 0 0"/>
    Passes with <axis xyz="0 1 0"/>
    """
    of_robot = robot(description)
    if of_robot is None:
        return
    joints = of_robot.joints
    wheels: dict[bool, list[tuple[Element, str]]] = {True: [], False: []}
    for (left, right), side in _pairs(
            description, {name: joint.child for name, joint in joints.items()}):
        pair = joints[left], joints[right]
        if pair[0].type is pair[1].type and sum(pair[0].axis) < 0 < sum(pair[1].axis):
            pair, left, right = pair[::-1], right, left  # The one with the minus is the odd one.
        kind, other = pair[1].type.value, pair[0].type.value
        first, second = (axis_of(description, joint) for joint in pair)
        cosine = max(abs(float(second @ image)) for image in (
            first, first - 2 * side * (side @ first)))
        angle = math.degrees(math.acos(min(cosine, 1.0)))
        element = description.joint_names[right]
        axis = element if (found := child(element, 'axis')) is None else found
        if kind != other and not (pair[0].mimic or pair[1].mimic):
            yield Defect(element, '{joint} is {kind}, but its mirror image, joint {left}, is '
                         '{other}', kind=kind, left=Name(left), other=other)
        elif kind in _TURNING and angle > _MAX_ANGLE and first.any() and second.any():
            yield Defect(axis, 'The axis of {joint} is {angle:.3g} degrees from the mirror image '
                         'of that of joint {left}', angle=angle, left=Name(left))
        elif (kind == 'continuous' and abs(first @ side) > 0.9
              and _WHEEL.match(f'{right} {pair[1].child} {pair[1].parent}')):
            wheels[bool(first @ second > 0)].append((axis, left))
        elif (kind in _TURNING and re.search('(?i)steer', f'{right} {pair[1].child}')
              and first[2] * second[2] < -0.5):
            yield Defect(axis, 'The axis of {joint} is opposite (180 degrees) to that of joint '
                         '{left}, so that the same angle steers to the other side',
                         left=Name(left))
    for left, right in mirror_pairs(joints).items():
        joint, twin = joints[left], joints[right]
        if (joint.type is twin.type and joint.type.value in _TURNING and any(joint.origin.xyz)
                and (joint.parent, joint.origin.xyz) == (twin.parent, twin.origin.xyz)):
            yield Defect(description.joint_names[right], '{joint} is 0 m away from its mirror '
                         'image, joint {left}', left=Name(left))
    odd, others = len(wheels[False]), len(wheels[True])
    for axis, left in wheels[False]:
        yield Defect(axis, 'The axis of {joint} is opposite (180 degrees) to that of joint {left}'
                     + (', as in {odd} of {all} pairs of wheels' if others else ''), odd=odd,
                     all=odd + others, left=Name(left), severity=None if others else INFO)


@_joint_rule('mirrored-joint-odd', WARN)
def mirrored_joint_odd(description: Description) -> Iterator[Defect]:
    """
    Check that a left and a right joint agree where those of all other pairs of a robot do.

    In their origins, but for signs; in position limits, which may be turned round; in efforts and
    velocities; and, if their axes are across the robot, in the direction, as those of legs do.
    Two other pairs have to agree, and four times as many as do not if these are several.

    Example: <limit lower="-1" upper="1.1"/> in r_knee, upper="1" in l_knee, and alike hips, ankles
    """
    of_robot = robot(description)
    joints = {} if of_robot is None else {
        name: joint for name, joint in of_robot.joints.items() if joint.type.value in _MOVING}
    across = dict(_pairs(description, {name: joint.child for name, joint in joints.items()}))
    found: dict[str, dict[tuple[str, str], _Compared]] = {}
    for left, right in mirror_pairs(joints).items():
        compared = dict(_compared(joints[right], joints[left]))
        if (left, right) in across and joints[right].type.value == 'revolute':
            own, other = (axis_of(description, joints[name]) for name in (right, left))
            if min(abs(own @ across[left, right]), abs(other @ across[left, right])) > 0.9:
                compared['axis'] = bool(own @ other > 0), own, other
        for what, values in compared.items():
            found.setdefault(what, {})[left, right] = values
    for what, pairs in found.items():
        alike = [pair for pair, (is_alike, *_) in pairs.items() if is_alike]
        odd = {pair: values for pair, (is_alike, *values) in pairs.items() if not is_alike}
        if len(alike) < (2 if len(odd) == 1 else 4 * len(odd)):
            continue
        for (left, right), (here, there) in odd.items():
            element = description.joint_names[right]
            tag = child(element, what if what in ('axis', 'origin') else 'limit')
            yield Defect(
                element if tag is None else tag, 'The {what} of {joint}, {own}, is not that of '
                'joint {left}, {other}, or its mirror image, as in {alike} other pairs',
                what=FreeText(what), left=Name(left), own=FreeText(_numbers(here)),
                other=FreeText(_numbers(there)), alike=len(alike))


def _compared(own: Joint, other: Joint) -> Iterator[tuple[str, _Compared]]:
    """Yield what a joint and its mirror image have, and whether it is the same but for signs."""
    pose, image = ((*joint.origin.xyz, *joint.origin.rpy) for joint in (own, other))
    first, second = (np.abs((*joint.origin.xyz, *joint.origin.quaternion))
                     for joint in (own, other))
    if max(abs(first - second)[3:]) < _TURNED:  # Else one side has its frames turned on purpose.
        yield 'origin', (np.allclose(first, second, rtol=0, atol=_ALIKE), pose, image)
    one, two = (joint.limits for joint in (own, other))
    if one is None or two is None or own.type is not other.type:
        return
    ends, others = (one.lower, one.upper), (two.lower, two.upper)
    yield 'range', (any(np.allclose(ends, each, rtol=0, atol=10 * _ALIKE) for each in (
        others, (-others[1], -others[0]))), ends, others)
    for what in 'effort', 'velocity':
        most, least = getattr(one, what), getattr(two, what)
        if most is not None and least is not None:
            yield what, (math.isclose(most, least, rel_tol=_ALIKE), (most,), (least,))


def _numbers(values: Iterable[float]) -> str:
    return ' '.join(f'{value + 0.0:.6g}' for value in values)


@_mass_rule('mirrored-inertia-differs', WARN)
def mirrored_inertia_differs(description: Description) -> Iterator[Defect]:
    """
    Check that a left and a right link have the same mass and principal moments of inertia.

    They are links whose names differ by left and right, l and r, fl and fr and so on, that are
    across from each other and have shapes of the same kinds, sizes or files. Masses may differ by
    a tenth, and moments by a fifth of the largest. Masses of a ratio below 1.5 are only noted if
    the moments differ, too, as there may be a tool on one side. Centres of mass are not to be at
    the same place of both links if those of other pairs are mirror images.

    Fails in the right wheel link of a robot:
        <inertial><mass value="1.3"/>
        <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
        <collision><geometry><sphere radius="0.3"/></geometry></collision>
    Passes with value="1"
    """
    known = {body.link.name: body for body in bodies(description)
             if not body.is_frame and body.largest > NEGLIGIBLE and body.inconsistency is None}
    masses = Counter(f'{body.mass:.3g}' for body in known.values())
    frames, copied, images = link_poses(description), list[tuple[Body, str]](), 0
    for (left, right), side in _pairs(description, {name: name for name in known}):
        first, second = known[left], known[right]
        if _shapes(first.link, mirrored_name) != _shapes(second.link, str):
            continue
        one, two = (frames[body.link.name][:3, :3] @ body.inertial.origin.xyz
                    for body in (first, second))
        across = 2 * side * (side @ one)
        if math.hypot(*across) > _TOLERANCE:
            images += math.dist(one - across, two) < _TOLERANCE / 10
            copied += [(second, left)] if math.dist(one, two) < _TOLERANCE / 10 else []
        # The left one is less like the others, or its moments do not belong to its mass.
        alike = [(masses[f'{body.mass:.3g}'], -_least_misfit(body)) for body in (first, second)]
        if alike[0] < alike[1]:
            first, second, left = second, first, right
        gap, moment, other = max((abs(one - other), one, other) for one, other in zip(
            second.moments, first.moments))
        gap /= max(first.moments[2], second.moments[2])
        ratio = max(first.mass / second.mass, second.mass / first.mass)
        if ratio > _MAX_MASS_RATIO:
            yield Defect(second.mass_element, '{link} has a mass of {mass:.4g} kg, but its mirror '
                         'image, link {left}, has {other:.4g} kg', mass=second.mass,
                         left=Name(left), other=first.mass,
                         severity=INFO if ratio < _LARGE_MASS_RATIO and gap > _SAME else None)
        elif gap > _MAX_MOMENT_GAP:
            yield Defect(second.inertia_element, '{link} has a principal moment of inertia of '
                         '{moment:.3g} kg m^2, but its mirror image, link {left}, has {other:.3g} '
                         'kg m^2', moment=moment, left=Name(left), other=other)
    for body, left in copied if images > len(copied) else ():
        origin = child(body.inertial_element, 'origin')
        yield Defect(body.inertial_element if origin is None else origin,
                     '{link} has its centre of mass where link {left} has it, not at its mirror '
                     'image, as {images} other pairs have', left=Name(left), images=images)


@_shape_rule('mirrored-shape-differs', WARN)
def mirrored_shape_differs(description: Description) -> Iterator[Defect]:
    """
    Check that the boxes, cylinders and spheres of a left and a right link have the same sizes.

    They are links as in mirrored-inertia-differs with one shape each. Sizes may differ by a
    twentieth. This is only noted of links that are not called wheels: collision shapes of other
    parts are often rough.

    Fails in the right wheel link of a robot:
        <collision><geometry><sphere radius="0.39"/></geometry></collision>
    Passes with radius="0.3"
    """
    of_robot = robot(description)
    links = {} if of_robot is None else of_robot.links
    uses = Counter(shape.geometry for link in links.values()
                   for shapes in (link.visuals, link.collisions) for shape in shapes)
    for names, _ in _pairs(description, dict(zip(links, links))):
        for shapes_of in (attrgetter('visuals'), attrgetter('collisions')):
            sides = [(shape, name) for name in names for shape in shapes_of(links[name])]
            if [name for _, name in sides] != [*names]:
                continue  # Of several shapes, it is not known which belong together.
            sides.sort(key=lambda side: -uses[side[0].geometry])  # The last one is the odd one.
            (one, left), (other, right) = sides
            gap, size, wanted = max(((abs(a - b) / max(a, b, _TOLERANCE), a, b) for a, b in zip(
                _sizes(other.geometry), _sizes(one.geometry))), default=(0, 0, 0))
            if gap > 0.05 and type(one.geometry) is type(other.geometry):
                yield Defect(shape_element(other),
                             'The {tag} of {link} measures {size:.4g} m, but that of '
                             'its mirror image, link {left}, measures {wanted:.4g} m', size=size,
                             left=Name(left), wanted=wanted,
                             severity=None if _WHEEL.match(right) else INFO)


@once
def _twins(description: Description) -> dict[str, tuple[Body, NDArray[np.float64]]]:
    """Return the mirror image of each link with an inertial, and the unit vector across."""
    known = {each.link.name: each for each in bodies(description)}
    return {own: (known[other], side)
            for pair, side in _pairs(description, {name: name for name in known})
            for own, other in (pair, pair[::-1])}


def inertia_of_twin(description: Description, body: Body) -> Clause:
    """Return the hint to write the inertia of the mirror image of a link; empty without one."""
    twin, side = _twins(description).get(body.link.name, (None, np.zeros(3)))
    if twin is None or twin.is_frame or twin.is_point or twin.inconsistency or not twin.largest:
        return Clause('', {})
    if twin.inertia_element in _implausible(description):
        return Clause('Compute it from the shapes: urdf-tools inertia --compute invalid --diff'
                      if body.solids else '', {})
    own, other = (link_poses(description)[each.link.name][:3, :3] for each in (body, twin))
    across = own.T @ (np.eye(3) - 2 * np.outer(side, side)) @ other
    x, y, z = (across @ twin.inertial.origin.xyz).tolist()
    turn = body.inertial.origin.rotation.T @ across @ twin.inertial.origin.rotation
    matrix = turn @ twin.inertial.matrix @ turn.T * (body.mass / twin.mass)
    entries = [float(matrix[index]) for index in zip(*np.triu_indices(3))]
    return Clause(
        'Write that of its mirror image, link {twin}: ixx="{ixx:.6g}" ixy="{ixy:.6g}" '
        'ixz="{ixz:.6g}" iyy="{iyy:.6g}" iyz="{iyz:.6g}" izz="{izz:.6g}"' + (
            ', and xyz="{x:.6g} {y:.6g} {z:.6g}" in its <origin>'
            if math.dist((x, y, z), body.inertial.origin.xyz) > 1e-4 else ''),
        {'twin': Name(twin.link.name), 'x': x + 0.0, 'y': y + 0.0, 'z': z + 0.0, **{
            key: value if abs(value) > 1e-9 * max(entries) else 0.0
            for key, value in zip(INERTIA, entries)}})


@once
def _implausible(description: Description) -> set[Element]:
    """Return the inertias that other rules report."""
    return {defect.element for rule in (
        inertia_vs_geometry, inertia_radius_implausible, inertia_axes_swapped)
        for defect in rule(description)}


def _least_misfit(body: Body) -> float:
    """Return how far the moments are from those of the shapes of that mass, as a logarithm."""
    return min((misfit([sum(body.moments) / body.mass], [solid.rotational.trace() / solid.mass])
                for solid in body.solids if solid.mass > 0), default=0.0)


def _sizes(geometry: Geometry) -> Iterable[float]:
    """Return the radius and length or the edges of a primitive shape in m, else nothing."""
    if isinstance(geometry, Box):
        return sorted(geometry.size)
    return () if isinstance(geometry, Mesh) else astuple(geometry)


def _shapes(link: Link, renamed: Callable[[str], str]) -> list[str]:
    """Return what the shapes of a link are, without numbers, to compare those of two links."""
    shapes = [shape.geometry for shapes in (link.visuals, link.collisions) for shape in shapes]
    return sorted(re.sub('[0-9]+', '#', renamed(os.path.basename(shape.filename)))
                  if isinstance(shape, Mesh) else repr(shape) for shape in shapes)
