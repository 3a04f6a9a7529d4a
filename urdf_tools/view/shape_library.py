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
"""The shapes of a robot as triangles, with the materials of their files."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from urdf_tools.meshes.facts import ARRAYS
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
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Visual
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Robot
from urdf_tools.sandbox.pool import WorkerPool

_pool = WorkerPool('urdf_tools.view.mesh_conversion:convert', MAX_PROCESSES, is_confined=True)

_GLTF = ('.glb', '.gltf')
_TURNED = 'drawn as Gazebo and older RViz do; Drake and RViz since June 2025 turn the y axis up'

_LISTED = 3
"""Maximum number of files that a summary names."""


@dataclass(frozen=True, eq=False)
class MeshScene:
    """
    A mesh to be drawn.

    :ivar vertices: in metres, shape (V, 3).
    :ivar faces: corners of the triangles, shape (F, 3).
    :ivar coloured: the same with the materials of the file, as binary glTF; empty if it has none.
    :ivar scale: factor that takes ``coloured`` to metres.
    :ivar remark: why materials are not shown as they are; empty if they are.
    """

    vertices: npt.NDArray[np.float32]
    faces: npt.NDArray[np.uint32]
    coloured: bytes = b''
    scale: float = 1.0
    remark: str = ''


_Key = tuple[Path, tuple[int, int, int]]


class MeshScenes:
    """
    The meshes of the latest load; files that have not changed are not read again.

    :param limits: what the reading may take.
    """

    def __init__(self, limits: MeshLimits = MeshLimits()):
        self._limits = limits
        self._kept: dict[_Key, MeshScene | MeshError] = {}

    def load(self, paths: Iterable[Path]) -> Mapping[Path, MeshScene | MeshError]:
        """Return each mesh as a scene, or the error of reading it."""
        keys = {path: (path, file_version(path)) for path in dict.fromkeys(paths)}
        unread = [path for path, key in keys.items() if key not in self._kept]
        read_now = read_in_time(unread, self._read, MAX_PROCESSES, self._limits)
        known = {**self._kept, **{keys[path]: result for path, result in read_now.items()}}
        self._kept = {key: known[key] for key in keys.values()}
        return {path: known[key] for path, key in keys.items()}

    def _read(self, path: Path) -> MeshScene:
        format_of(path)
        answer, data = ask_process(
            _pool, path, self._limits, {}, {**ARRAYS, 'scale': float, 'remark': str})
        return MeshScene(*read_arrays(answer, data, '<f4'), answer['scale'], answer['remark'])


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
    :ivar files: the files of the meshes that were found.
    :ivar missing: the meshes that cannot be shown.
    :ivar textures: the files that the materials of visuals name, which are not drawn.
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
        found: dict[str, Path | ResourceError] = {}
        for uri in dict.fromkeys(uri for _, uri in meshes):
            try:
                found[uri] = resolve(uri)
            except ResourceError as error:
                found[uri] = error
        self.files = [path for path in found.values() if isinstance(path, Path)]
        read = scenes.load(self.files)
        loaded = {uri: read[path] if isinstance(path, Path) else path
                  for uri, path in found.items()}
        self._scenes = {
            name: scene for name, scene in loaded.items() if isinstance(scene, MeshScene)}
        self.missing = _noted(meshes, {
            name: str(error) for name, error in loaded.items() if name not in self._scenes})
        self.remarks = _noted(meshes, {
            name: scene.remark for name, scene in self._scenes.items() if scene.remark})
        self.gltf = _noted(meshes, {
            name: _TURNED for name in self._scenes if name.lower().endswith(_GLTF)})
        self.textures = dict.fromkeys(
            visual.material.texture for link in robot.links.values() for visual in link.visuals
            if visual.material is not None and visual.material.texture)
        self.has_visuals = any(link.visuals for link in robot.links.values())
        self.incomplete = frozenset(
            link.name for link in robot.links.values() if not self.has_visuals
            or any(self.triangles(visual) is None for visual in link.visuals))
        self.stand_ins = {
            link.name: shapes for link in robot.links.values() if link.name in self.incomplete
            and (shapes := [shape for shape in link.collisions
                            if self.triangles(shape) is not None])}

    def summary(self) -> list[str]:
        """Return what is not shown, or not as it is, one sentence for each kind."""
        kinds = (
            ('mesh file', 'not shown, because not found or not readable', self.missing),
            ('link', 'with a shape too large to be shown', sorted(
                self.incomplete - {each.link for each in self.missing}) * self.has_visuals),
            ('<texture>', 'not drawn', self.textures),
            ('mesh file', 'without all materials', self.remarks),
            ('glTF file', _TURNED, self.gltf))
        lines = [] if self.has_visuals else ['No link has a visual; the skeleton is drawn']
        for noun, what, files in kinds:
            names = list(dict.fromkeys(
                getattr(file, 'filename', str(file)).rpartition('/')[2] for file in files))
            if names:
                others = f' and {len(names) - _LISTED} more' if len(names) > _LISTED else ''
                lines.append(f'{count(len(names), noun)} {what}: '
                             f'{", ".join(names[:_LISTED])}{others}')
        if self.stand_ins:
            lines.append(f'{count(len(self.stand_ins), "link")} drawn with collision shapes '
                         f'instead: {", ".join(list(self.stand_ins)[:_LISTED])}')
        return lines

    def triangles(self, shape: Visual | Collision) -> Triangles | None:
        """Return the surface of a shape in its frame, without scale; None if it is not shown."""
        with np.errstate(all='ignore'):
            if not isinstance(shape.geometry, Mesh):
                found = shape_triangles(shape.geometry)
            elif (scene := self._scenes.get(shape.geometry.filename)) is None:
                return None
            else:
                found = Triangles(scene.vertices, scene.faces)
            # Squares of much larger numbers are none in float32.
            return found if abs(found.vertices * scale_of(shape)).max(initial=0) < 1e15 else None

    def coloured(self, shape: Visual) -> MeshScene | None:
        """Return the mesh of a visual if it has materials, or None."""
        scene = self._scenes.get(getattr(shape.geometry, 'filename', ''))
        return scene if scene is not None and scene.coloured else None


def scale_of(shape: Visual | Collision) -> tuple[float, float, float]:
    """Return the factors from the triangles of a shape to metres."""
    return shape.geometry.scale if isinstance(shape.geometry, Mesh) else (1.0, 1.0, 1.0)


def _noted(uses: Iterable[tuple[str, str]], reasons: Mapping[str, str]) -> tuple[MissingMesh, ...]:
    """Return the uses of files that have a remark."""
    return tuple(dict.fromkeys(
        MissingMesh(link, uri, reasons[uri]) for link, uri in uses if uri in reasons))
