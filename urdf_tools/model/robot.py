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

"""What a robot is: frozen records of a URDF description, in SI units and radians."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from enum import Enum
from functools import cached_property
from types import MappingProxyType

import numpy as np

from urdf_tools.model.document import Element

Vector3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


def _read_only(rows) -> np.ndarray:
    matrix = np.array(rows, dtype=float)
    matrix.setflags(write=False)
    return matrix


@dataclass(frozen=True)
class Pose:
    """
    A rigid transform.

    :param xyz: translation in metres.
    :param quaternion: unit quaternion ``x y z w``.
    """

    xyz: Vector3 = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (0.0, 0.0, 0.0, 1.0)

    @cached_property
    def rotation(self) -> np.ndarray:
        """Rotation matrix, shape (3, 3), read-only, that acts on column vectors."""
        x, y, z, w = self.quaternion
        return _read_only([
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])

    @cached_property
    def matrix(self) -> np.ndarray:
        """Homogeneous matrix, shape (4, 4), read-only."""
        return _read_only([
            *([*row, translation] for row, translation in zip(self.rotation, self.xyz)),
            [0, 0, 0, 1]])


@dataclass(frozen=True)
class Box:
    """A box centred on its origin; ``size`` is the full extent along x, y and z in metres."""

    size: Vector3


@dataclass(frozen=True)
class Cylinder:
    """A cylinder along z, centred on its origin; metres."""

    radius: float
    length: float


@dataclass(frozen=True)
class Sphere:
    """A sphere centred on its origin; metres."""

    radius: float


@dataclass(frozen=True)
class Capsule:
    """A cylinder of ``length`` along z with a half sphere on each end (URDF 1.1); metres."""

    radius: float
    length: float


@dataclass(frozen=True)
class Mesh:
    """A mesh file by URI, and the factor on its coordinates along x, y and z."""

    filename: str
    scale: Vector3 = (1.0, 1.0, 1.0)


Geometry = Box | Cylinder | Sphere | Capsule | Mesh


@dataclass(frozen=True)
class Material:
    """A material; a link's reference to a named one is already resolved."""

    name: str
    rgba: tuple[float, float, float, float] | None = None
    texture: str | None = None
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Visual:
    """A shape to look at."""

    geometry: Geometry
    origin: Pose = Pose()
    name: str = ''
    material: Material | None = None
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Collision:
    """A shape to collide with."""

    geometry: Geometry
    origin: Pose = Pose()
    name: str = ''
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Inertial:
    """
    Mass and inertia of a link.

    ``origin`` is the inertial frame in the link's frame: its ``xyz`` is the centre of mass.
    ``ixx`` to ``izz`` are the entries of the rotational inertia about the centre of mass, in
    the inertial frame, in kg m^2, with URDF's sign: ``ixy`` is the matrix entry itself,
    the negative of the integral of ``x y dm``.
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
    def matrix(self) -> np.ndarray:
        """Rotational inertia about the centre of mass in the inertial frame, shape (3, 3)."""
        return np.array([
            [self.ixx, self.ixy, self.ixz],
            [self.ixy, self.iyy, self.iyz],
            [self.ixz, self.iyz, self.izz]])


@dataclass(frozen=True)
class Link:
    """A rigid body and its frame; ``inertial`` is None where the description gives none."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Collision, ...] = ()
    element: Element | None = field(default=None, repr=False, compare=False)


class JointType(str, Enum):
    """The six joint types of URDF; compares equal to its text."""

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


@dataclass(frozen=True)
class Limits:
    """
    Limits of a joint, in radians or metres, N m or N, and per second.

    What the description does not give is infinite, but for ``lower`` and ``upper`` of revolute
    and prismatic joints, which URDF makes 0, and ``effort`` and ``velocity``, which are None.
    ``lower`` and ``upper`` of continuous joints, which have no bounds, are infinite always, and
    ``lower`` is never above ``upper``.
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
    """This joint stands at ``multiplier * position of joint + offset``."""

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
    """Positions of the reference edges."""

    rising: float | None = None
    falling: float | None = None


@dataclass(frozen=True)
class Joint:
    """
    A joint from a parent link to a child link.

    ``origin`` is the joint's frame, which is the child link's at position zero, in the parent
    link's frame. ``axis`` is of unit length in the joint's frame, or all zero where the
    description says so.
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


@dataclass(frozen=True)
class Transmission:
    """A transmission as far as its old and new forms agree; the rest is in ``element``."""

    name: str
    type: str
    joints: tuple[str, ...]
    actuators: tuple[str, ...]
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Problem:
    """Something the loader had to leave out or repair to give a usable robot."""

    message: str
    element: str
    line: int | None


@dataclass(frozen=True)
class Robot:
    """
    A robot: a tree of links joined by joints.

    Mappings are read-only and in the order of the description. ``tree`` holds the joints that
    make up the tree; where the description gives a link several parents, the other joints are
    in ``joints`` only.

    :param root: name of the link that is no joint's child.
    :param gazebo: the ``<gazebo>`` elements.
    :param extensions: every other element below ``<robot>`` that URDF does not define.
    :param problems: what the loader left out or repaired; the robot is usable without it.
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
    element: Element | None = field(default=None, repr=False, compare=False)

    @cached_property
    def parent_joint(self) -> Mapping[str, Joint]:
        """Name of a link to the joint that carries it; the root is not in it."""
        return MappingProxyType({joint.child: joint for joint in self.joints.values()})

    @cached_property
    def child_joints(self) -> Mapping[str, tuple[Joint, ...]]:
        """Name of a link to the joints of the tree that it carries, in file order."""
        children = {link: [] for link in self.links}
        for joint in self.joints.values():
            if self.parent_joint[joint.child] is joint:
                children[joint.parent].append(joint)
        return MappingProxyType({link: tuple(joints) for link, joints in children.items()})

    @cached_property
    def tree(self) -> tuple[Joint, ...]:
        """Every joint of the tree, each after the joint that carries its parent."""
        return tuple(self._descend(self.root))

    def _descend(self, link: str) -> Iterator[Joint]:
        pending = list(reversed(self.child_joints[link]))
        while pending:
            joint = pending.pop()
            yield joint
            pending.extend(reversed(self.child_joints[joint.child]))

    def subtree(self, link: str) -> tuple[str, ...]:
        """Return the names of a link and all that it carries, parents first."""
        return (link, *(joint.child for joint in self._descend(link)))

    def chain(self, root: str, tip: str) -> tuple[Joint, ...]:
        """
        Return the joints from a link down to one that it carries, directly or not.

        :raises KeyError: a link is unknown, or the first does not carry the second.
        """
        joints = []
        link = tip
        while link != root:
            joint = self.parent_joint[link]
            joints.append(joint)
            link = joint.parent
        return tuple(reversed(joints))
