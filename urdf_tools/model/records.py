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

"""Frozen records of a URDF description, in SI units and radians."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
import os
from typing import Any
from typing import NamedTuple
from typing import TYPE_CHECKING

from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.loops import Loop
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.spelling import NamedEnum
from urdf_tools.model.spelling import Suggesting
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Rgba = tuple[float, float, float, float]


@dataclass(frozen=True)
class Box(Suggesting):
    """A box centred on its origin; ``size`` is the full extent along x, y and z in metres."""

    size: Vector3


@dataclass(frozen=True)
class Cylinder(Suggesting):
    """A cylinder along z, centred on its origin; metres."""

    radius: float
    length: float


@dataclass(frozen=True)
class Sphere(Suggesting):
    """A sphere centred on its origin; metres."""

    radius: float


@dataclass(frozen=True)
class Capsule(Suggesting):
    """A cylinder of ``length`` along z with a half sphere on each end (URDF 1.1); metres."""

    radius: float
    length: float


@dataclass(frozen=True)
class Mesh(Suggesting):
    """A mesh file by URI, and the scale of its coordinates along x, y and z."""

    filename: str
    scale: Vector3 = (1.0, 1.0, 1.0)


Geometry = Box | Cylinder | Sphere | Capsule | Mesh


@dataclass(frozen=True)
class Material(Suggesting):
    """A material; references by name are resolved."""

    name: str
    rgba: Rgba | None = None
    texture: str | None = None
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Visual(Suggesting):
    """A visual shape of a link."""

    geometry: Geometry
    origin: Pose = Pose()
    name: str = ''
    material: Material | None = None
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Collision(Suggesting):
    """A collision shape of a link."""

    geometry: Geometry
    origin: Pose = Pose()
    name: str = ''
    element: Element | None = field(default=None, repr=False, compare=False)


INERTIA = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')
"""The attributes of ``<inertia>``: the entries of the matrix row by row, each once."""


@dataclass(frozen=True)
class Inertial(Suggesting):
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
        import numpy as np  # It takes long, and only matrices need it.
        return np.array([
            [self.ixx, self.ixy, self.ixz],
            [self.ixy, self.iyy, self.iyz],
            [self.ixz, self.iyz, self.izz]])


@dataclass(frozen=True)
class Link(Suggesting):
    """A rigid body and its frame; ``inertial`` is None if the description has none."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Collision, ...] = ()
    element: Element | None = field(default=None, repr=False, compare=False)


class JointType(NamedEnum):
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

    @property
    def unit(self) -> str:
        """The unit of its position."""
        return 'm' if self is JointType.PRISMATIC else 'rad'


FAR = 1e6
"""Radians or metres from which on a position limit only says that there is none."""

UNLIMITED = 1e16
"""What converters write for a bound that there is not."""


@dataclass(frozen=True)
class Limits(Suggesting):
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


NO_LIMITS = Limits(float('-inf'), float('inf'))
"""The limits of a joint for which none are written."""


@dataclass(frozen=True)
class Mimic(Suggesting):
    """The position of this joint is ``multiplier * position of joint + offset``."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Dynamics(Suggesting):
    """Damping (N m s/rad or N s/m) and static friction (N m or N)."""

    damping: float = 0.0
    friction: float = 0.0


@dataclass(frozen=True)
class Safety(Suggesting):
    """Soft limits and gains of the PR2 safety controller."""

    k_velocity: float
    k_position: float = 0.0
    soft_lower: float | None = None
    soft_upper: float | None = None


@dataclass(frozen=True)
class Calibration(Suggesting):
    """Positions of the reference edges, in radians or metres."""

    rising: float | None = None
    falling: float | None = None


@dataclass(frozen=True)
class Joint(Suggesting):
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
        """Convert a type given by its URDF name."""
        if type(self.type) is not JointType:
            object.__setattr__(self, 'type', JointType(self.type))

    @property
    def limit(self) -> Limits | None:
        """The limits, as the element of URDF is called."""
        return self.limits

    def with_limit(self, **values: Any) -> Joint:
        """
        Return the joint with some of its limits changed.

        :param values: fields of :class:`Limits`, such as ``upper=1.5``; a joint that has no
            limits gets these.
        :raises TypeError: ``Limits`` has no field of a name.
        """
        return replace(self, limits=replace(self.limits or NO_LIMITS, **values))


@dataclass(frozen=True)
class Transmission(Suggesting):
    """The common part of the old and new forms of a transmission; see ``element`` for more."""

    name: str
    type: str
    joints: tuple[str, ...]
    actuators: tuple[str, ...]
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Problem:
    """Something that the loader left out or repaired to get a usable robot."""

    message: str
    element: str
    line: int | None
    source: str = ''
    kind: ErrorKind = ErrorKind.INVALID


class Removed(NamedTuple):
    """
    An element that was removed.

    :ivar path: its path, such as ``/robot/transmission[@name='a']``.
    :ivar of: the link or joint that it is or refers to.
    """

    path: str
    of: str

    def __str__(self) -> str:
        return f'{self.path} of {self.of!r}'


@dataclass(frozen=True)
class RobotRecord(Suggesting):
    """The fields of a :class:`~urdf_tools.model.robot.Robot`."""

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
    removed: tuple[Removed, ...] = field(default=(), repr=False, compare=False)

    @property
    def folder(self) -> str:
        """Absolute folder of the source file; empty if there is none."""
        return os.path.dirname(os.path.abspath(self.source)) if self.source else ''


def element_of(record: RobotRecord | Link | Joint | Material) -> Element:
    """Return the element of a record that was read from a description."""
    assert record.element is not None, 'the records of a description have elements'
    return record.element
