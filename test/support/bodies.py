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

"""Point clouds, whose inertia is a sum, as a reference for spatial inertias."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia

_coordinates = st.floats(-2, 2, width=32)


@dataclass(frozen=True, eq=False)
class Cloud:
    """Point masses: kg, shape (N,), and metres, shape (N, 3)."""

    masses: np.ndarray
    points: np.ndarray

    def moved(self, transform) -> Cloud:
        return Cloud(self.masses, self.points @ transform[:3, :3].T + transform[:3, 3])

    @property
    def inertia(self) -> SpatialInertia:
        mass = self.masses.sum()
        com = self.masses @ self.points / mass
        rotational = np.zeros((3, 3))
        for m, (x, y, z) in zip(self.masses, self.points - com):
            rotational += m * np.array([
                [y * y + z * z, -x * y, -x * z],
                [-x * y, x * x + z * z, -y * z],
                [-x * z, -y * z, x * x + y * y]])
        return SpatialInertia(mass, com, rotational)

    def kinetic_energy(self, angular, linear) -> float:
        """Return the energy at an angular velocity and a linear velocity of the origin."""
        velocities = linear + np.cross(angular, self.points)
        return float(self.masses @ (velocities ** 2).sum(axis=1)) / 2


@st.composite
def clouds(draw) -> Cloud:
    """Draw a body of 4 to 12 points."""
    count = draw(st.integers(4, 12))
    masses = draw(arrays(float, count, elements=st.floats(0.01, 5)))
    return Cloud(masses, draw(arrays(float, (count, 3), elements=_coordinates)))


@st.composite
def rotations(draw) -> np.ndarray:
    """Draw a rotation matrix."""
    quaternion = draw(arrays(float, 4, elements=_coordinates).filter(
        lambda q: np.linalg.norm(q) > 0.1))
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


@st.composite
def transforms(draw) -> np.ndarray:
    """Draw a homogeneous matrix."""
    transform = np.eye(4)
    transform[:3, :3] = draw(rotations())
    transform[:3, 3] = draw(arrays(float, 3, elements=_coordinates))
    return transform


vectors = arrays(float, 3, elements=_coordinates)


def assert_same(actual: SpatialInertia, expected: SpatialInertia, tolerance=1e-9) -> None:
    """Compare two inertias, relative to the size of the numbers."""
    scale = max(1.0, abs(expected.mass))
    assert abs(actual.mass - expected.mass) <= tolerance * scale
    np.testing.assert_allclose(actual.com, expected.com, atol=tolerance)
    np.testing.assert_allclose(
        actual.rotational, expected.rotational, atol=tolerance * 100 * scale, rtol=tolerance)
