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

"""Shapes and materials of links as frozen records, in SI units."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field

from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.xml.element import Element

Rgba = tuple[float, float, float, float]


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
    """A mesh file by URI, and the scale of its coordinates along x, y and z."""

    filename: str
    scale: Vector3 = (1.0, 1.0, 1.0)


Geometry = Box | Cylinder | Sphere | Capsule | Mesh


@dataclass(frozen=True)
class Material:
    """A material; references by name are resolved."""

    name: str
    rgba: Rgba | None = None
    texture: str | None = None
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Visual:
    """A visual shape of a link."""

    geometry: Geometry
    origin: Pose = Pose()
    name: str = ''
    material: Material | None = None
    element: Element | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Collision:
    """A collision shape of a link."""

    geometry: Geometry
    origin: Pose = Pose()
    name: str = ''
    element: Element | None = field(default=None, repr=False, compare=False)
