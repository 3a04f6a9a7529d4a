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
"""The shapes of a robot as triangles, with the materials and textures of their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
import io
from pathlib import Path
from typing import NamedTuple
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from urdf_tools.meshes.facts import ask_process
from urdf_tools.meshes.facts import file_version
from urdf_tools.meshes.facts import MAX_PROCESSES
from urdf_tools.meshes.facts import read_arrays
from urdf_tools.meshes.facts import read_in_time
from urdf_tools.meshes.formats import format_of
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.meshes.triangles import shape_triangles
from urdf_tools.meshes.triangles import Triangles
from urdf_tools.model.messages import count
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere
from urdf_tools.model.records import Visual
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Robot
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.types import Array

_pool = WorkerPool('urdf_tools.view.mesh_conversion:convert', MAX_PROCESSES, is_confined=True)

_MAX_TEXTURES = 64 * 2**20
"""Maximum bytes of the textures of a robot, counted for each shape that has one."""

_GLTF = ('.glb', '.gltf')
_TURNED = 'drawn as Gazebo and older RViz do; Drake and RViz since June 2025 turn {} y axis up'

_LISTED = 3
"""Maximum number of files that a summary names."""


class Unwrapped(NamedTuple):
    """
    The corners of triangles, three each, and where they are in an image.

    :ivar corners: in metres, shape (C, 3).
    :ivar uv: from the lower left corner of the image, in widths and heights, shape (C, 2).
    :ivar normals: at the corners, shape (C, 3); None for flat triangles.
    """

    corners: npt.NDArray[np.float32]
    uv: npt.NDArray[np.float32]
    normals: npt.NDArray[np.float32] | None = None


def unwrap(shape: Box | Cylinder | Sphere | Capsule) -> Unwrapped:
    """
    Return the surface of a shape with the image on it.

    Each side of a box has the whole image, upright at the four sides; so have the ends of a
    cylinder. Round surfaces have it once around, from the bottom to the top.
    """
    surface = shape_triangles(shape)
    corners = surface.vertices[surface.faces].astype(float)
    low, high = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    size = np.where(high > low, high - low, 1.0)
    crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # Rims and poles have triangles without an area.
    lengths = np.linalg.norm(crosses, axis=1)
    has_area = lengths > 1e-9 * lengths.max()
    corners, crosses = corners[has_area], crosses[has_area]
    faces = surface.faces[has_area]
    share = (corners - low) / size
    if isinstance(shape, Box):
        uv = _on_sides(share, crosses)
        normals = np.repeat(crosses[:, None], 3, axis=1)
    else:
        if isinstance(shape, Sphere):
            # As maps of the world: equal latitudes, not equal heights.
            share[..., 2] = np.arcsin(np.clip(2 * share[..., 2] - 1, -1, 1)) / np.pi + 0.5
        is_end = np.abs(crosses[:, 2]) > (1 - 1e-6) * np.linalg.norm(crosses, axis=1)
        uv = np.where(is_end[:, None, None], _on_sides(share, crosses), _around(corners, share))
        summed = np.zeros((len(surface.vertices), 3))
        np.add.at(summed, faces.reshape(-1), np.repeat(crosses, 3, axis=0))
        normals = summed[faces]
    normals = normals / np.linalg.norm(normals, axis=-1, keepdims=True)
    return Unwrapped(
        corners.reshape(-1, 3).astype(np.float32), uv.reshape(-1, 2).astype(np.float32),
        normals.reshape(-1, 3).astype(np.float32))


def _on_sides(share: Array, crosses: Array) -> Array:
    """Return where the corners of triangles are in the images of their sides, shape (F, 3, 2)."""
    x, y, z = share[..., 0], share[..., 1], share[..., 2]
    axis = np.abs(crosses).argmax(axis=1)
    sign = np.sign(np.take_along_axis(crosses, axis[:, None], axis=1))
    u = np.choose(axis[:, None], [y, 1 - x, x])
    v = np.choose(axis[:, None], [z, z, y])
    return np.stack([np.where(sign > 0, u, 1 - u), v], axis=-1)


def _around(corners: Array, share: Array) -> Array:
    """Return where the corners of triangles are in an image around z, shape (F, 3, 2)."""
    u = np.arctan2(corners[..., 1], corners[..., 0]) / (2 * np.pi) + 0.5
    radius = np.hypot(corners[..., 0], corners[..., 1])
    is_pole = radius < 1e-6 * radius.max()
    u = np.where(is_pole, np.nan, u)
    # A triangle across the seam continues in the repeated image.
    u = np.where(np.nanmax(u, axis=1, keepdims=True) - u > 0.5, u + 1, u)
    u = np.where(is_pole, np.nanmean(u, axis=1, keepdims=True), u)
    return np.stack([u, share[..., 2]], axis=-1)


def textured(surface: Unwrapped, png: bytes) -> bytes:
    """Return a surface with an image on it as binary glTF."""
    from PIL import Image
    import trimesh
    from trimesh.visual import TextureVisuals
    from trimesh.visual.material import PBRMaterial
    material = PBRMaterial(  # type: ignore[no-untyped-call, unused-ignore]
        baseColorTexture=Image.open(io.BytesIO(png)), metallicFactor=0.0, roughnessFactor=1.0,
        doubleSided=True)
    visual = TextureVisuals(  # type: ignore[no-untyped-call, unused-ignore]
        uv=surface.uv, material=material)
    faces = np.arange(len(surface.corners)).reshape(-1, 3)
    exported = trimesh.Trimesh(surface.corners, faces, vertex_normals=surface.normals,
                               visual=visual, process=False).export(file_type='glb')
    assert isinstance(exported, bytes), 'it is a binary format'
    return exported


@dataclass(frozen=True, eq=False)
class MeshScene:
    """
    A mesh to be drawn.

    :ivar vertices: in metres, shape (V, 3).
    :ivar faces: corners of the triangles, shape (F, 3).
    :ivar coloured: the same with the materials of the file, as binary glTF; empty if it has none.
    :ivar scale: factor that takes ``coloured`` to metres.
    :ivar remark: why materials are not shown as they are; empty if they are.
    :ivar unwrapped: the same with texture coordinates, if it has those but no materials.
    """

    vertices: npt.NDArray[np.float32]
    faces: npt.NDArray[np.uint32]
    coloured: bytes = b''
    scale: float = 1.0
    remark: str = ''
    unwrapped: Unwrapped | None = None


_Key = tuple[Path, tuple[int, int, int]]
_Read = TypeVar('_Read', MeshScene, bytes)


class MeshScenes:
    """
    The meshes and images of the latest load; files that have not changed are not read again.

    :param limits: what the reading may take.
    """

    def __init__(self, limits: MeshLimits = MeshLimits()):
        self._limits = limits
        self._meshes: dict[_Key, MeshScene | MeshError] = {}
        self._images: dict[_Key, bytes | MeshError] = {}

    def load(self, paths: Iterable[Path]) -> Mapping[Path, MeshScene | MeshError]:
        """Return each mesh as a scene, or the error of reading it."""
        return self._load(paths, self._meshes, self._read_mesh)

    def load_images(self, paths: Iterable[Path]) -> Mapping[Path, bytes | MeshError]:
        """Return each image as PNG of a moderate size, or the error of reading it."""
        return self._load(paths, self._images, self._read_image)

    def _load(self, paths: Iterable[Path], kept: dict[_Key, _Read | MeshError],
              read: Callable[[Path], _Read]) -> Mapping[Path, _Read | MeshError]:
        """Read the files that are not kept, and keep no others than these."""
        keys = {path: (path, file_version(path)) for path in dict.fromkeys(paths)}
        unread = [path for path, key in keys.items() if key not in kept]
        read_now = read_in_time(unread, read, MAX_PROCESSES, self._limits)
        found = {keys[path]: result for path, result in read_now.items()}
        known = {**kept, **found}
        kept.clear()
        kept.update((key, known[key]) for key in keys.values())
        return {path: kept[key] for path, key in keys.items()}

    def _read_mesh(self, path: Path) -> MeshScene:
        format_of(path)
        answer, archive = ask_process(_pool, path, self._limits, {'is_image': False})
        data = read_arrays(archive)
        try:
            return MeshScene(
                data['vertices'], data['faces'],
                data['coloured'].tobytes() if 'coloured' in data else b'',
                float(data['scale']) if 'scale' in data else 1.0,
                str(answer.get('remark', '')),
                Unwrapped(data['corners'], data['uv']) if 'uv' in data else None)
        except (KeyError, TypeError, ValueError) as error:
            raise MeshError(f'it cannot be read: {error}') from error

    def _read_image(self, path: Path) -> bytes:
        return ask_process(_pool, path, self._limits, {'is_image': True})[1]


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
