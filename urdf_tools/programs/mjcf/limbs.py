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

from collections.abc import Iterator
from collections.abc import Mapping
import re
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.holding import arms
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.programs.mjcf.bodies import Bodies
from urdf_tools.programs.mjcf.xml import add
from urdf_tools.programs.mjcf.xml import pose
from urdf_tools.types import Array

_LEVEL = 0.1
"""Share of the height of a robot within which its lowest tips are feet."""

_FINGER = re.compile('finger|thumb|gripper|jaw', re.IGNORECASE)


class Foot(NamedTuple):
    """
    The tip of a limb on which a robot with a free base stands.

    :ivar link: its last link.
    :ivar tip: the pose of its end in the frame of the link, shape (4, 4).
    """

    link: str
    tip: Array


def feet(robot: Robot) -> Iterator[Foot]:
    """Yield the tips of limbs that are lowest of all links at zero; one is not enough to stand."""
    tree = KinematicTree(robot)
    poses = dict(zip(tree.link_names, ForwardKinematics(tree)(tree.neutral())))
    found = []
    for tool, _ in arms(tree):
        frame = tree.link_frames[tree.link_index[tool]]
        ends = [(link, pose) for link in (robot.links[tree.link_names[index]]
                for index in np.flatnonzero(tree.link_frames == frame))
                for pose in (np.eye(4), *(each.origin.matrix for each in link.collisions))]
        link, tip = max(ends, key=lambda end: float(np.linalg.norm((
            tree.link_placements[tree.link_index[end[0].name]] @ end[1])[:3, 3])))
        found.append((Foot(link.name, tip), float((poses[link.name] @ tip)[2, 3])))
    heights = [float(pose[2, 3]) for pose in poses.values()] + [height for _, height in found]
    floor = min(heights) + _LEVEL * (max(heights) - min(heights))
    standing = [foot for foot, height in found if height <= floor]
    yield from standing if len(standing) > 1 else ()


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
