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

"""Conversions between messages and arrays or records."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence
from typing import TYPE_CHECKING

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Inertia
from geometry_msgs.msg import Point
from geometry_msgs.msg import Quaternion
from geometry_msgs.msg import Transform
from geometry_msgs.msg import TransformStamped
from geometry_msgs.msg import Vector3
import numpy as np
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from urdf_tools.types import Array

if TYPE_CHECKING:  # The state publisher needs no inertia.
    from urdf_tools.dynamics import SpatialInertia


def to_transform(row: Array) -> Transform:
    """Return the message of a transform ``x y z qx qy qz qw``, shape (7,)."""
    return Transform(translation=to_vector(row[:3]), rotation=to_quaternion(row[3:]))


def to_transform_stamped(row: Array, parent: str, child: str, stamp: Time) -> TransformStamped:
    """
    Return the message of a transform from a child frame to its parent frame.

    :param row: ``x y z qx qy qz qw``, shape (7,).
    """
    return TransformStamped(
        header=Header(stamp=stamp, frame_id=parent), child_frame_id=child,
        transform=to_transform(row))


def to_time(nanoseconds: int) -> Time:
    """Return the message of a time since the epoch."""
    seconds, nanoseconds = divmod(nanoseconds, 10**9)
    return Time(sec=seconds, nanosec=nanoseconds)


def from_time(message: Time) -> int:
    """Return the nanoseconds since the epoch of a message."""
    return int(message.sec * 10**9 + message.nanosec)


def deserialize_joint_state(data: bytes) -> tuple[int, Sequence[str], Sequence[float]]:
    """
    Return the stamp in nanoseconds, the names and the positions of a serialized message.

    :raises ValueError: the bytes are not a joint state.
    """
    try:
        message = deserialize_message(data, JointState)
    except RuntimeError as error:
        raise ValueError('Not a joint state') from error
    return from_time(message.header.stamp), message.name, message.position.tolist()


def to_vector(vector: Iterable[float]) -> Vector3:
    """Return the message of a vector, shape (3,)."""
    return Vector3(**dict(zip('xyz', map(float, vector))))


def from_vector(message: Vector3) -> Array:
    """Return the numbers of a message, shape (3,)."""
    return np.array([message.x, message.y, message.z])


def to_point(point: Iterable[float]) -> Point:
    """Return the message of a point, shape (3,)."""
    return Point(**dict(zip('xyz', map(float, point))))


def to_quaternion(quaternion: Iterable[float]) -> Quaternion:
    """Return the message of a quaternion ``x y z w``, shape (4,)."""
    return Quaternion(**dict(zip('xyzw', map(float, quaternion))))


def to_inertia(body: SpatialInertia) -> Inertia:
    """Return the message of a mass, centre of mass and rotational inertia about it."""
    (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = body.rotational.tolist()
    return Inertia(
        m=float(body.mass), com=to_vector(body.com),
        ixx=ixx, ixy=ixy, ixz=ixz, iyy=iyy, iyz=iyz, izz=izz)


def from_transform(message: Transform) -> Array:
    """Return ``x y z qx qy qz qw`` of a message, shape (7,)."""
    translation, rotation = message.translation, message.rotation
    return np.array([
        translation.x, translation.y, translation.z,
        rotation.x, rotation.y, rotation.z, rotation.w])
