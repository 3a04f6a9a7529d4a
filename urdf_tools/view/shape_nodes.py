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

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from typing import NamedTuple
from typing import TypeVar

import numpy as np

from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.triangles import shape_triangles
from urdf_tools.meshes.triangles import Triangles
from urdf_tools.model.messages import count
from urdf_tools.model.pose import Pose
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Robot
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Rgba
from urdf_tools.model.shape_records import Visual
from urdf_tools.types import Array
from urdf_tools.view.mesh_scenes import MeshScene
from urdf_tools.view.mesh_scenes import MeshScenes
from urdf_tools.view.textured_surface import textured
from urdf_tools.view.textured_surface import unwrap
import viser

_Read = TypeVar('_Read')

Rgb = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

GREY: Rgba = (0.75, 0.75, 0.75, 1.0)
"""Colour of visuals without a material."""

COLLISION: Rgba = (1.0, 0.55, 0.1, 0.55)
"""Colour of collision shapes."""


_MAX_TEXTURES = 64 * 2**20
"""Most bytes of the textures of a robot, counted once for each shape that has one."""


_GLTF = ('.glb', '.gltf')
_TURNED = 'drawn as Gazebo and older RViz do; Drake and RViz since June 2025 turn {} y axis up'

_LISTED = 3
"""Most files that a summary names."""

_MOST_POINTS = 20_000
"""Most vertices of a shape that are looked at for its outline."""


_DIRECTIONS = (np.indices((5, 5, 5)) - 2).reshape(3, -1)
"""Vectors in all directions, of which some are along the axes, shape (3, D)."""


class ColouredSurface(NamedTuple):
    """A surface with its materials as binary glTF, and the factor that takes it to metres."""

    data: bytes
    scale: float


@dataclass(frozen=True)
class MissingMesh:
    """A mesh or texture that is not shown, or not as it is: the URI of its file, and why."""

    link: str
    filename: str
    reason: str


class ShapeLibrary:
    """
    The shapes of a robot as triangles, with all meshes and textures loaded.

    :param resolve: returns the file of a mesh or texture, or raises :class:`ResourceError`.
    :param scenes: reads meshes and images.
    :ivar files: the files of the meshes and textures, found or not.
    :ivar missing: the meshes that cannot be shown.
    :ivar missing_textures: the textures that cannot be shown.
    :ivar gltf: the meshes that other programs turn.
    :ivar has_visuals: whether any link has a visual.
    :ivar incomplete: the links of which a visual is not shown; all if there is none.
    :ivar stand_ins: link to the collision shapes that are drawn for visuals that are missing.
    :ivar remarks: the meshes whose materials are not shown as they are.
    """

    def __init__(self, robot: Robot, resolve: Callable[[str], Path], scenes: MeshScenes):
        meshes = [(link.name, shape.geometry.filename) for link in robot.links.values()
                  for shapes in (link.visuals, link.collisions) for shape in shapes
                  if isinstance(shape.geometry, Mesh)]
        files, loaded = _loaded(meshes, resolve, scenes.load)
        self._scenes = {
            name: scene for name, scene in loaded.items() if isinstance(scene, MeshScene)}
        self.missing = _noted(meshes, {
            name: str(error) for name, error in loaded.items() if name not in self._scenes})
        self.remarks = _noted(meshes, {
            name: scene.remark for name, scene in self._scenes.items() if scene.remark})
        self.gltf = _noted(meshes, {name: _TURNED.format('their') for name in self._scenes
                                    if name.lower().endswith(_GLTF)})
        self._images: dict[str, bytes] = {}
        self.files = (*files, *self._load_textures(robot, resolve, scenes))
        self.has_visuals = any(link.visuals for link in robot.links.values())
        self.incomplete = frozenset(
            link.name for link in robot.links.values() if not self.has_visuals
            or any(self.triangles(visual) is None for visual in link.visuals))
        self.stand_ins = {
            link.name: shapes for link in robot.links.values() if link.name in self.incomplete
            and (shapes := [shape for shape in link.collisions
                            if self.triangles(shape) is not None])}

    def _load_textures(self, robot: Robot, resolve: Callable[[str], Path],
                       scenes: MeshScenes) -> Sequence[Path]:
        """Read the textures, and return their files."""
        used = [(link.name, texture) for link in robot.links.values() for visual in link.visuals
                if (texture := _texture(visual))]
        files, loaded = _loaded(used, resolve, scenes.load_images)
        errors: dict[str, str] = {}
        size = 0
        for texture, uses in Counter(texture for _, texture in used).items():
            image = loaded[texture]
            if not isinstance(image, bytes):
                errors[texture] = str(image)
            elif size + uses * len(image) > _MAX_TEXTURES:  # Each shape has a copy.
                errors[texture] = (
                    f'the textures of the robot take more than {_MAX_TEXTURES // 2**20} MiB')
            else:
                size += uses * len(image)
                self._images[texture] = image
        self.missing_textures = _noted(used, errors)
        return files

    def summary(self) -> list[str]:
        """Return what is not shown, or not as it is, one sentence for each kind."""
        kinds = (
            (self.missing, 'mesh not shown, because it cannot be found or read',
             'meshes not shown, because they cannot be found or read'),
            (self.missing_textures, 'texture not shown', 'textures not shown'),
            (self.remarks, 'mesh without all of its materials',
             'meshes without all of their materials'),
            (self.gltf, f'glTF mesh {_TURNED.format("its")}',
             f'glTF meshes {_TURNED.format("their")}'))
        lines = [] if self.has_visuals else ['No link has a visual; the skeleton is drawn']
        for files, one, many in kinds:
            names = list(dict.fromkeys(file.filename.rpartition('/')[2] for file in files))
            if names:
                others = f' and {len(names) - _LISTED} more' if len(names) > _LISTED else ''
                lines.append(f'{len(names)} {one if len(names) == 1 else many}: '
                             f'{", ".join(names[:_LISTED])}{others}')
        if self.stand_ins:
            lines.append(f'{count(len(self.stand_ins), "link")} drawn with collision shapes '
                         f'instead: {", ".join(list(self.stand_ins)[:_LISTED])}')
        return lines

    def triangles(self, shape: Visual | Collision) -> Triangles | None:
        """Return the surface of a shape in its own frame without scale; None if it is missing."""
        if not isinstance(shape.geometry, Mesh):
            return shape_triangles(shape.geometry)
        scene = self._scenes.get(shape.geometry.filename)
        return None if scene is None else Triangles(scene.vertices, scene.faces)

    def coloured(self, shape: Visual) -> ColouredSurface | None:
        """
        Return a visual with the materials of its mesh, or else the texture of its own material.

        It is None if there is neither, or the mesh has no texture coordinates.
        """
        image = self._images.get(_texture(shape))
        if not isinstance(shape.geometry, Mesh):
            return None if image is None else ColouredSurface(
                textured(unwrap(shape.geometry), image), 1.0)
        scene = self._scenes.get(shape.geometry.filename)
        if scene is not None and scene.coloured:
            return ColouredSurface(scene.coloured, scene.scale)
        if image is None or scene is None or scene.unwrapped is None:
            return None
        return ColouredSurface(textured(scene.unwrapped, image), 1.0)


def _texture(shape: Visual) -> str:
    """Return the texture of the material of a visual; empty if it has none."""
    return (shape.material.texture or '') if shape.material is not None else ''


def _loaded(uses: Iterable[tuple[str, str]], resolve: Callable[[str], Path],
            load: Callable[[Sequence[Path]], Mapping[Path, _Read | MeshError]],
            ) -> tuple[Sequence[Path], dict[str, _Read | MeshError | ResourceError]]:
    """
    Read the files that links use.

    :param uses: links and URIs.
    :return: the files that were found, and each URI with what was read, or the error.
    """
    found: dict[str, Path | ResourceError] = {}
    for uri in dict.fromkeys(uri for _, uri in uses):
        try:
            found[uri] = resolve(uri)
        except ResourceError as error:
            found[uri] = error
    files = [path for path in found.values() if isinstance(path, Path)]
    loaded = load(files)
    return files, {uri: loaded[path] if isinstance(path, Path) else path
                   for uri, path in found.items()}


def _noted(uses: Iterable[tuple[str, str]], reasons: Mapping[str, str]) -> tuple[MissingMesh, ...]:
    """Return the uses of files that have a remark."""
    return tuple(dict.fromkeys(
        MissingMesh(link, uri, reasons[uri]) for link, uri in uses if uri in reasons))


def scale_of(shape: Visual | Collision) -> tuple[float, float, float]:
    """Return the factors from the triangles of a shape to metres."""
    return shape.geometry.scale if isinstance(shape.geometry, Mesh) else (1.0, 1.0, 1.0)


def outline(shape: Visual | Collision, triangles: Triangles) -> Array:
    """Return the outermost points of a shape in the frame of its link, shape (N, 3)."""
    every = triangles.vertices[::len(triangles.vertices) // _MOST_POINTS + 1]
    scaled = every * np.array(scale_of(shape))
    outermost = np.unique((scaled @ _DIRECTIONS).argmax(axis=0))
    points: Array = scaled[outermost] @ shape.origin.rotation.T + shape.origin.xyz
    return points


class ShapeNode:
    """
    A shape in the scene, which can be painted.

    :param name: of its node.
    :param rgba: its colour, unless it is given with materials.
    :param on_click: called with the event of each click on the shape.
    :param coloured: the shape with materials; None to do without.
    """

    def __init__(self, scene: viser.SceneApi, name: str, shape: Visual | Collision,
                 triangles: Triangles, rgba: Rgba, on_click: Callable[[Any], None],
                 coloured: ColouredSurface | None = None):
        self._scene = scene
        self._name = name
        self._shape = shape
        self._triangles = triangles
        self._rgb = to_rgb(rgba)
        self._opacity = rgba[3] if rgba[3] < 1 else None
        self._on_click = on_click
        self._coloured: viser.GlbHandle | None = None
        self._plain: viser.MeshHandle | None = None
        if coloured is not None:
            x, y, z = scale_of(shape)
            factor = coloured.scale
            self._coloured = scene.add_glb(
                name, coloured.data, scale=(x * factor, y * factor, z * factor),
                receive_shadow=False, **placed(shape.origin))
            self._coloured.on_click(on_click)
        else:
            self._plain = self._add_plain(self._rgb)

    def _add_plain(self, rgb: Rgb) -> viser.MeshHandle:
        node = self._scene.add_mesh_simple(
            self._name + ('p' if self._coloured is not None else ''), self._triangles.vertices,
            self._triangles.faces, color=rgb, opacity=self._opacity,
            flat_shading=self._triangles.is_flat, side='double', receive_shadow=False,
            scale=scale_of(self._shape), **placed(self._shape.origin))
        node.on_click(self._on_click)
        return node

    def draw(self, visible: bool, painted: Rgb | None, share: float) -> None:
        """
        Draw or hide the shape.

        :param painted: one colour to draw it in; None for its own.
        :param share: how opaque it is compared with what it is; below 1, materials of files are
            left out.
        """
        own = self._coloured is not None and painted is None and share == 1
        if self._coloured is not None:
            self._coloured.visible = visible and own
        rgb = self._rgb if painted is None else painted
        if self._plain is None and not own:
            self._plain = self._add_plain(rgb)
        if self._plain is not None:
            self._plain.color = rgb
            self._plain.opacity = self._opacity if share == 1 else (
                share * (1.0 if self._opacity is None else self._opacity))
            self._plain.visible = visible and not own


def placed(pose: Pose) -> Mapping[str, Any]:
    """Return the position and orientation of a node as viser takes them."""
    x, y, z, w = pose.quaternion
    return {'position': pose.xyz, 'wxyz': (w, x, y, z)}


def to_rgb(rgba: Rgba) -> Rgb:
    """Return a colour with components from 0 to 255."""
    red, green, blue = (round(255 * min(max(value, 0.0), 1.0)) for value in rgba[:3])
    return red, green, blue
