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

"""The limbs of a robot: tools at arms, feet, fingers."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
import re
from typing import NamedTuple

import numpy as np

from urdf_tools.collision.fits import convex_hull_of
from urdf_tools.dynamics.composite import CompositeInertia
from urdf_tools.dynamics.holding import arms
from urdf_tools.dynamics.holding import margins
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import invert
from urdf_tools.meshes.triangles import triangle_areas
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Collision
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.programs.mjcf.bodies import Bodies
from urdf_tools.programs.mjcf.xml import add
from urdf_tools.programs.mjcf.xml import pose
from urdf_tools.types import Array
from urdf_tools.types import Indices

_LEVEL = 0.1
"""Share of the height of a robot within which its lowest tips are feet."""

_TOUCHES = 2e-3
"""Height in m above the lowest point of feet up to which they touch the floor."""

_DOWN, _FLAT, _SOLE = 0.8, 0.999, 0.3
"""Cosines of the angles of a sole to the floor, and of its parts; its share of the foot."""

_INSIDE = 0.01
"""Share of a range by which a search starts within it."""

_METRES, _NEAR = 10.0, 0.02
"""Weights of errors in m, and of positions that differ from those at the start."""

_FINGER = re.compile('finger|thumb|gripper|jaw', re.IGNORECASE)


class Foot(NamedTuple):
    """
    The end of a limb on which a robot with a free base stands.

    :ivar link: the last one that a joint moves.
    :ivar corners: those of its shapes in the frame of that, shape (N, 3); origins of links and
        shapes if they are not known.
    """

    link: str
    corners: Array

    @property
    def tip(self) -> Array:
        """The corner that is the farthest from the origin of the link, as a pose (4, 4)."""
        pose = np.eye(4)
        pose[:3, 3] = self.corners[np.linalg.norm(self.corners, axis=1).argmax()]
        return pose


def feet(robot: Robot, corners: Callable[[Iterable[Collision]], Array]) -> Iterator[Foot]:
    """
    Yield the ends of limbs that are lowest of all links at zero; one is not enough to stand.

    :param corners: takes shapes to their corners in the frame of their link, shape (N, 3).
    """
    tree, bodies = KinematicTree(robot), welded(robot)
    poses = dict(zip(tree.link_names, ForwardKinematics(tree)(tree.neutral())))
    found = []
    for tool, _ in arms(tree):
        body, points = bodies[tool], np.zeros((0, 3))
        ends = np.zeros((1, 3))
        for link in (each for each in robot.links.values() if bodies[each.name] == body):
            there = invert(poses[body]) @ poses[link.name]
            points = np.concatenate((points, _moved(there, corners(link.collisions))))
            ends = np.concatenate((ends, _moved(there, np.array([
                (0.0, 0.0, 0.0), *(each.origin.xyz for each in link.collisions)]))))
        foot = Foot(body, points if len(points) else ends)
        found.append((foot, float(_moved(poses[body], foot.tip[None, :3, 3])[0, 2])))
    heights = [float(pose[2, 3]) for pose in poses.values()] + [height for _, height in found]
    floor = min(heights) + _LEVEL * (max(heights) - min(heights))
    standing = [foot for foot, height in found if height <= floor]
    yield from standing if len(standing) > 1 else ()


def _moved(poses: Array, points: Array) -> Array:
    """Return points of a frame in another one, shape (..., N, 3)."""
    return np.asarray(points @ poses[..., :3, :3].swapaxes(-1, -2) + poses[..., None, :3, 3])


def steadiness(tree: KinematicTree, standing: Sequence[Foot], configuration: Array) -> float:
    """
    Return how far the centre of mass is inside of what touches the floor, below a level root.

    It is a share of what the middle of that has; negative outside. Needs scipy.
    """
    poses = ForwardKinematics(tree, [foot.link for foot in standing])(configuration)
    points = np.concatenate([_moved(there, foot.corners) for there, foot in zip(poses, standing)])
    hull = convex_hull_of(points[points[:, 2] < points[:, 2].min() + _TOUCHES, :2])
    if hull is None:
        return -1.0
    corners, centre = hull.points[hull.vertices], CompositeInertia(tree).center_of_mass(
        configuration)[:2]
    middle = np.ptp(corners, axis=0) / 2 + corners.min(axis=0)
    inside = margins(corners, np.array([centre, middle]))
    return float(inside[0] / inside[1])


def balanced(tree: KinematicTree, standing: Sequence[Foot], start: Array, legs: Indices) -> Array:
    """
    Return a configuration near to another one with the centre of mass above the middle of feet.

    They are at one height below a level root, and flat soles are level. Needs scipy.

    :param legs: the variables that move.
    """
    from scipy.optimize import least_squares
    kinematics = ForwardKinematics(tree, [foot.link for foot in standing])
    legs = legs[np.subtract(*tree.ranges())[legs] < 0]
    composite, (lower, upper) = CompositeInertia(tree), (end[legs] for end in tree.ranges())
    soles = [_sole(foot.corners, there) for foot, there in zip(standing, kinematics(start))]

    def at(values: Array) -> Array:
        configuration = start.copy()
        configuration[legs] = values
        return configuration

    def errors(values: Array) -> Array:
        configuration = at(values)
        poses, tips, tilts = kinematics(configuration), [], []
        for foot, there, (middle, normal) in zip(standing, poses, soles):
            corners = _moved(there, foot.corners)
            tips.append(_moved(there, middle[None])[0] if normal.any() else corners[
                corners[:, 2] < corners[:, 2].min() + _TOUCHES].mean(axis=0))
            tilts.append((there[:3, :3] @ normal)[:2])
        heights = np.array(tips)[:, 2]
        away = composite.center_of_mass(configuration) - np.mean(tips, axis=0)
        return np.concatenate((np.ravel(tilts), _METRES * (heights - heights.mean()),
                               _METRES * away[:2], _NEAR * (values - start[legs])))
    inside = _INSIDE * (upper - lower)
    return at(least_squares(
        errors, start[legs].clip(lower + inside, upper - inside), bounds=(lower, upper)).x)


def _sole(corners: Array, there: Array) -> tuple[Array, Array]:
    """Return the middle of a flat sole and its normal, which is zero without one."""
    hull = convex_hull_of(corners) if len(corners) > 3 else None
    if hull is None:
        return corners[0], np.zeros(3)
    normals, areas = hull.equations[:, :3], triangle_areas(corners[hull.simplices])
    lowest = int(np.argmax(np.where(normals @ there[2, :3] < -_DOWN, [
        areas[normals @ each > _FLAT].sum() for each in normals], 0.0)))
    is_sole = normals @ normals[lowest] > _FLAT
    size = areas[is_sole].sum()
    if normals[lowest] @ there[2, :3] > -_DOWN or size < _SOLE * (
            areas @ np.abs(normals @ normals[lowest])) / 2:
        return corners[0], np.zeros(3)
    middles = corners[hull.simplices[is_sole]].mean(axis=1)
    return areas[is_sole] @ middles / size, normals[lowest]


def has_fingers(robot: Robot) -> bool:
    """Return whether a link that moves and collides is called a finger, or like one."""
    above = welded(robot)
    return any(_FINGER.search(name) for name, link in robot.links.items()
               if link.collisions and above[name] != robot.root)


def attachment_sites(robot: Robot) -> dict[str, tuple[str, Pose]]:
    """Return the sites at the tool frames of arms, links that have neither mass nor shapes."""
    links = [link for tool, _ in arms(KinematicTree(robot)) for link in [robot.links[tool]]
             if not (link.inertial or link.visuals or link.collisions)]
    return {'attachment_site' if len(links) == 1 else f'{link.name}_attachment_site':
            (link.name, Pose()) for link in links}


def write_sites(bodies: Bodies, sites: Mapping[str, tuple[str, Pose]]) -> None:
    """Append sites to the bodies of links."""
    for name, (link, origin) in sites.items():
        add(bodies.nodes[link], 'site', {'name': name, **pose(origin)})
