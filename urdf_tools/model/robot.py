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

"""Robots as frozen records of a URDF description, in SI units and radians."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import fields
from enum import Enum
from functools import cached_property
from importlib import import_module
import os
from typing import Any
from typing import TYPE_CHECKING

import numpy as np

from urdf_tools.model.document import Document
from urdf_tools.model.element import Element
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.loops import Loop
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.named_mapping import NamedMapping
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot_meshes import meshes_of
from urdf_tools.model.robot_meshes import RobotMesh
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Material
from urdf_tools.model.shape_records import Visual
from urdf_tools.model.spelling import does_not_exist

if TYPE_CHECKING:  # Numpy is needed only by those who ask for a matrix.
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Inertial:
    """
    Mass (kg) and inertia (kg m^2) of a link.

    ``origin`` is the pose of the inertial frame in the link's frame; its ``xyz`` is the centre
    of mass. ``ixx`` to ``izz`` are the entries of the inertia matrix about the centre of mass in
    the inertial frame. As in URDF, ``ixy`` is the matrix entry itself, the negative of the
    integral of ``x y dm``.
    """

    mass: float
    ixx: float = 0.0
    ixy: float = 0.0
    ixz: float = 0.0
    iyy: float = 0.0
    iyz: float = 0.0
    izz: float = 0.0
    origin: Pose = Pose()
    element: Element | None = field(default=None, repr=False, compare=False)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """Rotational inertia about the centre of mass in the inertial frame, shape (3, 3)."""
        return np.array([
            [self.ixx, self.ixy, self.ixz],
            [self.ixy, self.iyy, self.iyz],
            [self.ixz, self.iyz, self.izz]])


@dataclass(frozen=True)
class Link:
    """A rigid body and its frame; ``inertial`` is None if the description has none."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Collision, ...] = ()
    element: Element | None = field(default=None, repr=False, compare=False)


class JointType(str, Enum):
    """The six joint types of URDF; members are equal to their names in URDF."""

    REVOLUTE = 'revolute'
    CONTINUOUS = 'continuous'
    PRISMATIC = 'prismatic'
    FIXED = 'fixed'
    FLOATING = 'floating'
    PLANAR = 'planar'

    @property
    def dof(self) -> int:
        """Degrees of freedom of the joint."""
        return {'fixed': 0, 'planar': 3, 'floating': 6}.get(self.value, 1)

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(does_not_exist(str(value), [each.value for each in cls], 'joint type'))


@dataclass(frozen=True)
class Limits:
    """
    Limits of a joint, in radians or metres, N m or N, and per second.

    Missing limits are infinite, except that missing ``lower`` and ``upper`` of revolute and
    prismatic joints are 0, as URDF defines, and missing ``effort`` and ``velocity`` are None.
    ``lower`` and ``upper`` of continuous joints are always infinite. ``lower`` is never above
    ``upper``.
    """

    lower: float
    upper: float
    effort: float | None = None
    velocity: float | None = None
    acceleration: float = float('inf')
    deceleration: float = float('inf')
    jerk: float = float('inf')


@dataclass(frozen=True)
class Mimic:
    """The position of this joint is ``multiplier * position of joint + offset``."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Dynamics:
    """Damping (N m s/rad or N s/m) and static friction (N m or N)."""

    damping: float = 0.0
    friction: float = 0.0


@dataclass(frozen=True)
class Safety:
    """Soft limits and gains of the PR2 safety controller."""

    k_velocity: float
    k_position: float = 0.0
    soft_lower: float | None = None
    soft_upper: float | None = None


@dataclass(frozen=True)
class Calibration:
    """Positions of the reference edges, in radians or metres."""

    rising: float | None = None
    falling: float | None = None


@dataclass(frozen=True)
class Joint:
    """
    A joint from a parent link to a child link.

    ``origin`` is the pose of the joint frame in the parent link's frame. The child link's frame
    equals the joint frame at position zero. ``axis`` is a unit vector in the joint frame, or
    zero if it is zero in the description.
    """

    name: str
    type: JointType
    parent: str
    child: str
    origin: Pose = Pose()
    axis: Vector3 = (1.0, 0.0, 0.0)
    limits: Limits | None = None
    mimic: Mimic | None = None
    dynamics: Dynamics | None = None
    safety: Safety | None = None
    calibration: Calibration | None = None
    element: Element | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Accept the type as URDF writes it, too."""
        if type(self.type) is not JointType:
            object.__setattr__(self, 'type', JointType(self.type))


@dataclass(frozen=True)
class Transmission:
    """The common part of the old and new forms of a transmission; see ``element`` for more."""

    name: str
    type: str
    joints: tuple[str, ...]
    actuators: tuple[str, ...]
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Problem:
    """Something that the loader left out or repaired to give a usable robot."""

    message: str
    element: str
    line: int | None
    source: str = ''
    kind: ErrorKind = ErrorKind.INVALID


@dataclass(frozen=True)
class Robot:
    """
    A robot: a tree of links joined by joints.

    Mappings are read-only and in the order of the description. If the description gives a link
    several parents, ``tree`` has only one of these joints, and ``joints`` has all.

    Robots can be copied, pickled with their source locations, and compared by their records;
    elements do not count.

    :param root: name of the link that is not the child of a joint.
    :param gazebo: the ``<gazebo>`` elements.
    :param extensions: all other elements below ``<robot>`` that URDF does not define.
    :param loops: what closes chains of links, beside the tree.
    :param initial: positions of joints near which the loops are assembled.
    :param problems: what the loader left out or repaired.
    :param source: the file or topic that it was loaded from, or an empty string.
    :param xacro_files: the files that xacro read for it, outermost first.
    :param document: the description with its text, which may have been edited.
    """

    name: str
    version: str
    root: str
    links: Mapping[str, Link]
    joints: Mapping[str, Joint]
    materials: Mapping[str, Material]
    transmissions: tuple[Transmission, ...] = ()
    gazebo: tuple[Element, ...] = field(default=(), repr=False, compare=False)
    extensions: tuple[Element, ...] = field(default=(), repr=False, compare=False)
    problems: tuple[Problem, ...] = ()
    loops: tuple[Loop, ...] = ()
    initial: Mapping[str, float] = field(default_factory=dict)
    element: Element | None = field(default=None, repr=False, compare=False)
    source: str = field(default='', compare=False)
    xacro_files: tuple[str, ...] = field(default=(), repr=False, compare=False)
    document: Document | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields for pickle and copy, without what follows from them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __repr__(self) -> str:
        return (f'<Robot {quote(self.name)}: {count(len(self.links), "link")}, '
                f'{count(len(self.joints), "joint")}>')

    def _repr_html_(self) -> str:
        # Only notebooks need it.
        from urdf_tools.model.html_table import html_table
        return html_table(
            f'{self.name}: {count(len(self.links), "link")}',
            ('joint', 'type', 'parent', 'child', 'lower', 'upper', 'mimics'), (
                (joint.name, joint.type.value, joint.parent, joint.child,
                 joint.limits.lower if joint.limits else '',
                 joint.limits.upper if joint.limits else '',
                 joint.mimic.joint if joint.mimic else '') for joint in self.tree))

    @cached_property
    def parent_joint(self) -> Mapping[str, Joint]:
        """Name of a link to the joint whose child it is; the root is not in it."""
        return NamedMapping(
            {joint.child: joint for joint in self.joints.values()}, 'link with a parent')

    @cached_property
    def child_joints(self) -> Mapping[str, tuple[Joint, ...]]:
        """Name of a link to the joints of the tree whose parent it is, in file order."""
        children: dict[str, list[Joint]] = {link: [] for link in self.links}
        for joint in self.joints.values():
            if self.parent_joint[joint.child] is joint:
                children[joint.parent].append(joint)
        return NamedMapping({link: tuple(joints) for link, joints in children.items()}, 'link')

    @cached_property
    def tree(self) -> tuple[Joint, ...]:
        """All joints of the tree, depth first: each after the joint above it."""
        return tuple(self._descend(self.root))

    @cached_property
    def actuated_joints(self) -> tuple[Joint, ...]:
        """The joints of the tree that are neither fixed nor mimic another joint."""
        return tuple(joint for joint in self.tree if joint.type.dof and not joint.mimic)

    def replace(
            self, *records: Link | Joint | Material, remove_links: Iterable[str] = (),
            remove_joints: Iterable[str] = (), name: str | None = None) -> Robot:
        """
        Return the robot with links, joints and materials replaced, added and removed.

        Only what changes is rewritten in its text, which :func:`urdf_tools.save` writes. What
        other programs read, such as a transmission of a joint that is removed, stays.

        :param records: each replaces the one of its name, or is added.
        :param remove_links: names, such as ``robot.subtree('gripper')``.
        :param remove_joints: names.
        :param name: another name of the robot.
        :raises KeyError: what is to be removed does not exist.
        :raises DescriptionError: the result is not one tree of links, or cannot be written.
        """
        # The editor builds robots, so it is imported when one is edited.
        editor = import_module('urdf_tools.model.replacement')
        robot: Robot = editor.replaced(self, records, remove_links, remove_joints, name)
        return robot

    def meshes(self, resources: ResourceResolver | None = None) -> tuple[RobotMesh, ...]:
        """
        Return the meshes of all links, visual ones before those for collision.

        :param resources: finds the files; by default in the environment and around the source.
        """
        folder = os.path.dirname(os.path.abspath(self.source)) if self.source else None
        resolver = resources or ResourceResolver(folder)
        return tuple(mesh for link in self.links.values() for mesh in meshes_of(
            link.name, (*link.visuals, *link.collisions), resolver))

    def subtree(self, link: str) -> tuple[str, ...]:
        """
        Return the names of a link and all links below it, parents first.

        :raises KeyError: the link does not exist.
        """
        return (link, *(joint.child for joint in self._descend(link)))

    def path(self, from_link: str, to_link: str) -> tuple[Joint, ...]:
        """
        Return the joints between two links: up to their closest common ancestor, then down.

        :raises KeyError: a link does not exist.
        """
        up = self._ascend(from_link)
        down = self._ascend(to_link)
        while up and down and up[-1] is down[-1]:
            up.pop()
            down.pop()
        return (*up, *reversed(down))

    def geared(self, loop: Loop, link: str) -> tuple[Joint, ...]:
        """Return the joints whose positions a gear counts for one of its links."""
        joints = self.path(loop.ancestor, link) if loop.ancestor else (self.parent_joint[link],)
        return tuple(joint for joint in joints if joint.type.dof)

    def _descend(self, link: str) -> Iterator[Joint]:
        pending = list(reversed(self.child_joints[link]))
        while pending:
            joint = pending.pop()
            yield joint
            pending.extend(reversed(self.child_joints[joint.child]))

    def _ascend(self, link: str) -> list[Joint]:
        joints = []
        link = self.links[link].name
        while link != self.root:
            joints.append(self.parent_joint[link])
            link = joints[-1].parent
        return joints
