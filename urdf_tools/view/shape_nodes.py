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
"""The visual and collision shapes of links in the scene."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.inertia.polyhedra import MeshError
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Collision
from urdf_tools.model.robot import Mesh
from urdf_tools.model.robot import Pose
from urdf_tools.model.robot import Rgba
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import Visual
from urdf_tools.view.mesh_scenes import MeshScene
from urdf_tools.view.mesh_scenes import MeshScenes
from urdf_tools.view.shape_triangles import shape_triangles
from urdf_tools.view.shape_triangles import Triangles
import viser

Rgb = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

GREY: Rgba = (0.75, 0.75, 0.75, 1.0)
"""Colour of visuals without a material."""

COLLISION: Rgba = (1.0, 0.55, 0.1, 0.55)
"""Colour of collision shapes."""


@dataclass(frozen=True)
class MissingMesh:
    """A mesh that is not shown, or not as it is: the URI of its file, and why."""

    link: str
    filename: str
    reason: str


class ShapeLibrary:
    """
    The shapes of a robot as triangles, with all meshes loaded.

    :param resolve: returns the file of a mesh, or raises :class:`ResourceError`.
    :param scenes: reads meshes.
    :ivar files: the files of the meshes, found or not.
    :ivar missing: the meshes that cannot be shown.
    :ivar remarks: the meshes whose materials are not shown as they are.
    """

    def __init__(self, robot: Robot, resolve: Callable[[str], Path], scenes: MeshScenes):
        meshes = [(link.name, shape.geometry) for link in robot.links.values()
                  for shapes in (link.visuals, link.collisions) for shape in shapes
                  if isinstance(shape.geometry, Mesh)]
        found: dict[str, Path | ResourceError] = {}
        for _, mesh in meshes:
            if mesh.filename not in found:
                try:
                    found[mesh.filename] = resolve(mesh.filename)
                except ResourceError as error:
                    found[mesh.filename] = error
        self.files = tuple(path for path in found.values() if isinstance(path, Path))
        loaded = scenes.load(self.files)
        self._scenes: dict[str, MeshScene] = {}
        errors: dict[str, ResourceError | MeshError] = {}
        for filename, path in found.items():
            scene = loaded[path] if isinstance(path, Path) else path
            if isinstance(scene, MeshScene):
                self._scenes[filename] = scene
            else:
                errors[filename] = scene
        self.missing = tuple(dict.fromkeys(
            MissingMesh(link, mesh.filename, str(errors[mesh.filename]))
            for link, mesh in meshes if mesh.filename in errors))
        self.remarks = tuple(dict.fromkeys(
            MissingMesh(link, mesh.filename, self._scenes[mesh.filename].remark)
            for link, mesh in meshes
            if mesh.filename in self._scenes and self._scenes[mesh.filename].remark))

    def triangles(self, shape: Visual | Collision) -> Triangles | None:
        """Return the surface of a shape in its own frame without scale; None if it is missing."""
        if not isinstance(shape.geometry, Mesh):
            return shape_triangles(shape.geometry)
        scene = self._scenes.get(shape.geometry.filename)
        return None if scene is None else Triangles(scene.vertices, scene.faces)

    def scene(self, shape: Visual | Collision) -> MeshScene | None:
        """Return the mesh of a shape; None if it has none or it is missing."""
        return (self._scenes.get(shape.geometry.filename)
                if isinstance(shape.geometry, Mesh) else None)


def scale_of(shape: Visual | Collision) -> tuple[float, float, float]:
    """Return the factors from the triangles of a shape to metres."""
    return shape.geometry.scale if isinstance(shape.geometry, Mesh) else (1.0, 1.0, 1.0)


def corners(shape: Visual | Collision, triangles: Triangles) -> Array:
    """Return the corners of the box around a shape in the frame of its link, shape (8, 3)."""
    scaled = triangles.vertices * np.array(scale_of(shape))
    low, high = scaled.min(axis=0), scaled.max(axis=0)
    ends = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    box: Array = (low + ends * (high - low)) @ shape.origin.rotation.T + shape.origin.xyz
    return box


class ShapeNode:
    """
    A shape in the scene, which can be painted.

    :param name: of its node.
    :param rgba: its colour, unless its mesh has materials of its own.
    :param coloured: its mesh with materials; None to do without.
    """

    def __init__(
            self, scene: viser.SceneApi, name: str, shape: Visual | Collision,
            triangles: Triangles, rgba: Rgba, coloured: MeshScene | None = None):
        self._scene = scene
        self._name = name
        self._shape = shape
        self._triangles = triangles
        self._rgb = to_rgb(rgba)
        self._opacity = rgba[3] if rgba[3] < 1 else None
        self._visible = True
        self._on_click: Callable[[Any], None] | None = None
        self._coloured: viser.GlbHandle | None = None
        self._plain: viser.MeshHandle | None = None
        if coloured is not None and coloured.coloured:
            x, y, z = scale_of(shape)
            factor = coloured.scale
            self._coloured = scene.add_glb(
                name, coloured.coloured, scale=(x * factor, y * factor, z * factor),
                **placed(shape.origin))
        else:
            self._plain = self._add_plain(self._rgb)

    def _add_plain(self, rgb: Rgb) -> viser.MeshHandle:
        node = self._scene.add_mesh_simple(
            self._name + ('p' if self._coloured is not None else ''), self._triangles.vertices,
            self._triangles.faces, color=rgb, opacity=self._opacity,
            flat_shading=self._triangles.is_flat, side='double', scale=scale_of(self._shape),
            **placed(self._shape.origin))
        if self._on_click is not None:
            node.on_click(self._on_click)
        return node

    def on_click(self, callback: Callable[[Any], None]) -> None:
        """Call back with the event of each click on the shape."""
        self._on_click = callback
        for node in (self._coloured, self._plain):
            if node is not None:
                node.on_click(callback)

    def show(self, visible: bool) -> None:
        """Show or hide the shape."""
        self._visible = visible
        self._refresh()

    def paint(self, rgb: Rgb | None) -> None:
        """Draw the shape in one colour, or in its own again."""
        if rgb is not None and self._plain is None:
            self._plain = self._add_plain(rgb)
        if self._plain is not None:
            self._plain.color = self._rgb if rgb is None else rgb
        self._painted = rgb is not None
        self._refresh()

    _painted = False

    def _refresh(self) -> None:
        own = self._coloured is not None and not self._painted
        if self._coloured is not None:
            self._coloured.visible = self._visible and own
        if self._plain is not None:
            self._plain.visible = self._visible and not own


def placed(pose: Pose) -> Mapping[str, Any]:
    """Return the position and orientation of a node as viser takes them."""
    x, y, z, w = pose.quaternion
    return {'position': pose.xyz, 'wxyz': (w, x, y, z)}


def to_rgb(rgba: Rgba) -> Rgb:
    """Return a colour with components from 0 to 255."""
    red, green, blue = (round(255 * min(max(value, 0.0), 1.0)) for value in rgba[:3])
    return red, green, blue
