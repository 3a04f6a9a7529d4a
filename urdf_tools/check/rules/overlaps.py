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

"""Rules about links that are inside each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import chain
from itertools import product
import math

import numpy as np

from urdf_tools.check.bodies import Corners
from urdf_tools.check.bodies import link_boxes
from urdf_tools.check.bodies import mesh_references
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.loaded_robot import gazebo_model
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.collision.candidates import amid_ranges
from urdf_tools.collision.candidates import boxes_that_meet
from urdf_tools.collision.candidates import colliding_pairs
from urdf_tools.collision.solids import LinkSurfaces
from urdf_tools.collision.solids import Shell
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.srdf_matrix import excluded_pairs
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.transforms import invert
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.records import Mesh
from urdf_tools.model.robot import JointType
from urdf_tools.types import Array

rule = RULES.in_category('geometry')

_DEEP = 1e-3
"""Depth in m from which links are inside each other."""

_MOVING = JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC

_HUGE = 1e6
"""Coordinate in m from which a shape is not compared; coal computes with squares."""

_NAMED = 4
"""Most pairs of links inside each other that are all named."""

_MAX_LINKS, _MAX_PAIRS = 1000, 1000
"""Links with shapes, and pairs of them near to each other, above which nothing is compared."""


@cache
def _can_compare() -> bool:
    """Return whether the optional packages are there; a look at the path takes 5 ms."""
    return find_spec('coal') is not None and find_spec('scipy') is not None


@once
def _boxes(description: Description) -> dict[str, Corners]:
    """Return the boxes around the collisions of links; none if these cannot be compared."""
    of_robot = robot(description)
    boxes = {name: found[0] for name, found in link_boxes(description).items()
             if of_robot is not None and of_robot.links[name].collisions
             and found and found[0] is not None and np.abs(found[0]).max() < _HUGE}
    if of_robot is None or not 1 < len(boxes) <= _MAX_LINKS or not _can_compare():
        return {}
    if of_robot.loops:
        from urdf_tools.kinematics import Mechanism
        if not all(group.is_closed for group in Mechanism(of_robot.kinematics).groups):
            return {}
    return boxes


@rule('shapes-overlap', INFO)
def shapes_overlap(description: Description) -> Iterator[Defect]:
    """
    Check that no links that can collide are inside each other at zero or amid their ranges.

    Links that a joint joins can overlap, and those that the SRDF file excludes. Of the others, the
    two are named that are the deepest inside each other, meshes as their convex hulls, as MuJoCo
    sees them: it pushes them apart with large forces, unless it is told to leave them out. It is
    a warning for MuJoCo, where both have selfCollide in Gazebo, and where there is an SRDF file:
    it has to exclude them if they always touch, and MoveIt starts at zero, unless it is told other
    initial positions. Without the packages coal and scipy nothing is compared.

    Fails in an arm with a long forearm: <origin xyz="-0.3 0 0"/>
    Passes with xyz="0.3 0 0"
    """
    of_robot, boxes = robot(description), _boxes(description)
    if of_robot is None or not boxes:
        return
    links, tree = tuple(boxes), of_robot.kinematics
    pairs = colliding_pairs(of_robot, links, is_fixed=False)
    srdf = moveit_files(description).srdf if pairs.any() else None
    for pair in () if srdf is None else excluded_pairs(srdf, links):
        first, second = sorted(map(links.index, pair))
        pairs[first, second] = False
    zero = tree.neutral().clip(tree.position_lower, tree.position_upper)
    # Loops are closed at neither, but they are at least assembled at zero.
    postures = {'zero': zero} if of_robot.loops else {
        'zero': zero, 'the middle of the ranges': amid_ranges(tree, zero)}
    kinematics, corners = ForwardKinematics(tree, links), np.array([*boxes.values()])
    near = {name: pairs & boxes_that_meet(corners, kinematics(each))
            for name, each in postures.items()}
    used = np.any([*near.values()], axis=0)
    if not 0 < used.sum() <= _MAX_PAIRS:
        return
    # Only now, as coal and meshes take time.
    from urdf_tools.collision.fits import convex
    from urdf_tools.collision.overlaps import Overlaps
    from urdf_tools.collision.pairs import Scene
    from urdf_tools.collision.pairs import touches_always
    names = [links[number] for number in np.flatnonzero(used.any(axis=0) | used.any(axis=1))]
    surfaces = LinkSurfaces([shape for name in names for shape in of_robot.links[name].collisions],
                            mesh_references(description).resolve)
    shells = {name: surfaces.solids(of_robot.links[name].collisions) for name in names}
    hulls = {name: tuple(filter(None, map(convex, each))) for name, each in shells.items()}
    hulls = {name: each for name, each in hulls.items() if each}
    if len(hulls) < 2:
        return  # The others are flat.
    rows = [links.index(name) for name in hulls]
    overlaps = Overlaps(Scene(tree, hulls), used[np.ix_(rows, rows)])
    for name, configuration in postures.items():
        found = [each for each in overlaps.at(configuration) if each.depth > _DEEP]
        if not found:
            continue
        deepest = min(found, key=lambda each: each.is_adjacent)
        others = [f'{each.second} in {each.first}' for each in found if each is not deepest]
        template = '{link} is {depth:.3g} mm inside {other} at {posture}'
        if deepest.is_adjacent:
            template += ', to which joints and links without shapes join it'
        if len(found) > 1:
            template += ', the deepest of {count} pairs{rest}'
        is_always = srdf is not None and bool(touches_always(
            Scene(tree, {each: shells[each] for each in deepest[:2]}), [deepest[:2]]))
        starts = srdf is not None and name == 'zero' and not moveit_files(description).positions
        if is_always or starts:
            template += ', and the SRDF file does not exclude them, although ' + (
                'they always touch' if is_always else 'MoveIt starts there')
        gazebo = gazebo_model(description)
        collides = gazebo is not None and all(any(
            (value := extension.settings.get('selfCollide')) and value.text == 'true'
            for extension in gazebo.applied.get(each, ())) for each in deepest[:2])
        if description.srdf and not (is_always or starts):
            continue  # It is about the description, not about the SRDF file in another folder.
        link = description.link_names[deepest.second]
        yield Defect(
            srdf if description.srdf and srdf is not None else link, template, link=link,
            depth=1e3 * deepest.depth, other=Name(deepest.first), posture=FreeText(name),
            count=len(found), rest=FreeText(
                f' (also {", ".join(others)})' if 0 < len(others) < _NAMED else ''),
            severity=WARN if is_always or starts or collides else None, consequences=(
                *(changes('moveit', of='collision', how='finds a collision in every state'
                          if is_always else 'plans nothing from the first state')
                  if is_always or starts else ()), *(changes(
                      'gazebo', of='collision', how='pushes them apart') if collides else ()),
                *changes('mujoco', of='collision', how='pushes them apart')))
        return


_CONVEX = 1.1
"""Volume of a convex hull over that of its mesh up to which the mesh is as good as convex."""


@rule('link-inside-parent', INFO)
def link_inside_parent(description: Description) -> Iterator[Defect]:
    """
    Check that no link that moves is wholly inside its parent at zero.

    Simulators leave contacts of the two out, so a link that a wrong origin hides in its parent
    shows nowhere. What counts are the boxes around the collision shapes of the link, and single
    shapes of the parent; of meshes those that are nearly convex. Without the packages coal and
    scipy nothing is compared.

    Fails in an arm with a heavy base: <origin xyz="0 0 0"/>
    Passes with xyz="0 0 0.4"
    """
    of_robot, boxes = robot(description), _boxes(description)
    if of_robot is None:
        return
    for joint in of_robot.tree:
        if not {joint.parent, joint.child} <= boxes.keys() or joint.type not in _MOVING:
            continue
        origin = joint.origin
        corners = np.array([*product(*np.transpose(boxes[joint.child]))])
        corners = corners @ np.transpose(origin.rotation) + origin.xyz
        low, high = boxes[joint.parent]
        if ((corners < np.array(low) + _DEEP) | (corners > np.array(high) - _DEEP)).any():
            continue
        shapes = of_robot.links[joint.parent].collisions
        surfaces = LinkSurfaces(shapes, mesh_references(description).resolve)
        if any(_is_around(solid, corners) for solid in surfaces.solids(shapes)):
            where = description.joint_names[joint.name]
            yield Defect(where, '{joint} puts {link} wholly inside {parent}', joint=where,
                         link=Name(joint.child), parent=Name(joint.parent))


def _is_around(solid: Solid, points: Array) -> bool:
    """Return whether points are inside a shape that is nearly convex."""
    from urdf_tools.collision.fits import convex
    whole = convex(solid)
    with suppress(MeshError):  # Open meshes and huge ones have no volume.
        return whole is not None and whole.volume <= _CONVEX * solid.volume and bool(
            (whole.clearances(points) < -_DEEP).all())
    return False


_POSITIONS = 13
"""Positions of a joint within its range at which what it joins is compared."""

_MAX_PARTS = 100
"""Most pairs of shapes of two links that are compared at each position."""

_THROUGH, _MOSTLY = 0.8, 0.6
"""
Depth over the thickness of the thinner shape from which one is through the other, and the share of
the range in which it has to be; meshes of necks of real robots touch in 0.54 of it.
"""


@rule('passes-through-parent', INFO)
def passes_through_parent(description: Description) -> Iterator[Defect]:
    """
    Check that a joint does not move its link through its parent.

    Simulators leave contacts of the two out, so nothing stops a drawer that slides into the wall
    behind it. A link is noted that is free of its parent somewhere in the range of the joint, but
    over 60 percent of it as deep inside as the thinner shape is thick, or in touch if meshes are
    among the shapes. Links with more than 100 pairs of shapes are not compared, nor is anything
    without the packages coal and scipy.

    Fails in a drawer: <axis xyz="-1 0 0"/>
    Passes with xyz="1 0 0"
    """
    of_robot, boxes = robot(description), _boxes(description)
    joints = [] if of_robot is None else [
        joint for joint in of_robot.tree if {joint.parent, joint.child} <= boxes.keys()
        and joint.type in (JointType.REVOLUTE, JointType.PRISMATIC) and math.prod(
            len(of_robot.links[each].collisions) for each in (joint.parent, joint.child)
        ) <= _MAX_PARTS]
    if of_robot is None or not 0 < len(joints) <= _MAX_PAIRS:
        return
    from urdf_tools.collision.contacts import PairCollider
    from urdf_tools.collision.pairs import Scene
    tree, links = of_robot.kinematics, {each: of_robot.links[each].collisions for each in {
        name: None for joint in joints for name in (joint.parent, joint.child)}}
    surfaces = LinkSurfaces(chain(*links.values()), mesh_references(description).resolve)
    scene = Scene(tree, {name: tuple(
        replace(solid, shape=Shell(solid.shape.surface.thinned()))
        if isinstance(solid.shape, Shell) else solid for solid in surfaces.solids(shapes))
        for name, shapes in links.items()})
    plain, (lower, upper) = tree.plain_variables, tree.ranges()
    configurations = np.tile(tree.neutral(), (_POSITIONS, 1))
    configurations[:, plain] = np.linspace(lower[plain], upper[plain], _POSITIONS)
    poses = scene.poses(configurations)
    for joint in joints:
        pair = scene.links[joint.parent], scene.links[joint.child]
        relative = invert(poses[joint.parent]) @ poses[joint.child]
        thin = max(_DEEP, _THROUGH * min(link.thickness for link in pair))
        has_mesh = any(isinstance(shape.geometry, Mesh) for link in (joint.parent, joint.child)
                       for shape in links[link])
        # Shapes are at most as deep in each other as the boxes around them.
        gaps = pair[0].gaps(pair[1], relative, 0.0)
        if (gaps <= (0.0 if has_mesh else -thin)).mean() < _MOSTLY:
            continue
        collider = PairCollider(*pair)
        depths: list[float] = []
        for gap, pose in zip(gaps.tolist(), relative):
            if sum(each < thin for each in depths) > (1 - _MOSTLY) * _POSITIONS:
                break  # What is left of the range is not enough.
            depths.append(-1.0 if gap > 0 else collider.depth(pose, thin) if not has_mesh
                          else thin if collider.touch(pose) else -1.0)
        inside = sum(depth >= thin for depth in depths) / _POSITIONS
        where = description.joint_names[joint.name]
        if inside >= _MOSTLY and min(depths) < _DEEP:
            yield Defect(
                where, '{joint} moves {link} through {parent} in {share:.0f} percent of '
                'its range', joint=where, link=Name(joint.child),
                parent=Name(joint.parent), share=100 * inside)
