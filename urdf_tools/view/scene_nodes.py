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
"""Shapes, inertias and joints in the scene."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from typing import Any

import numpy as np

from urdf_tools.dynamics import link_inertia
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.dynamics.depiction import depict
from urdf_tools.dynamics.depiction import Depiction
from urdf_tools.dynamics.depiction import LINK
from urdf_tools.dynamics.depiction import ROBOT
from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.meshes.triangles import box
from urdf_tools.meshes.triangles import ellipsoid
from urdf_tools.meshes.triangles import Triangles
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Rgba
from urdf_tools.model.records import Visual
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.types import Array
from urdf_tools.view.camera import wxyz_of
from urdf_tools.view.shape_library import MeshScene
from urdf_tools.view.shape_library import scale_of
import viser

Rgb = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

GREY: Rgba = (0.75, 0.75, 0.75, 1.0)
"""Colour of visuals without a material."""

COLLISION: Rgba = (1.0, 0.55, 0.1, 0.55)
"""Colour of collision shapes."""

JOINT_COLOURS: Mapping[JointType, Rgb] = {
    JointType.REVOLUTE: (40, 120, 220), JointType.CONTINUOUS: (20, 170, 170),
    JointType.PRISMATIC: (170, 80, 200), JointType.PLANAR: (190, 140, 30),
    JointType.FLOATING: (190, 140, 30)}

_MAX_POINTS = 20_000
"""Maximum number of vertices of a shape that its outline is computed from."""

_DIRECTIONS = (np.indices((5, 5, 5)) - 2).reshape(3, -1)
"""Vectors in all directions, of which some are along the axes, shape (3, D)."""

_SURFACES = {'box': box, 'ellipsoid': ellipsoid}

_ARC_STEP = np.radians(6)


def outline(shape: Visual | Collision, triangles: Triangles) -> Array:
    """Return the outermost points of a shape in the frame of its link, shape (N, 3)."""
    every = triangles.vertices[::len(triangles.vertices) // _MAX_POINTS + 1]
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
                 coloured: MeshScene | None = None):
        self._rgb = to_rgb(rgba)
        self._opacity = rgba[3] if rgba[3] < 1 else None
        placement = {'receive_shadow': False, **placed(shape.origin)}
        self._coloured: viser.GlbHandle | None = None
        if coloured is not None:
            x, y, z = (coloured.scale * factor for factor in scale_of(shape))
            self._coloured = scene.add_glb(name, coloured.coloured, scale=(x, y, z), **placement)
            self._coloured.on_click(on_click)
        self._plain: viser.MeshHandle | None = None

        def add_plain(rgb: Rgb) -> viser.MeshHandle:
            node = scene.add_mesh_simple(
                name if coloured is None else f'{name}p', triangles.vertices, triangles.faces,
                color=rgb, opacity=self._opacity, flat_shading=triangles.is_flat, side='double',
                scale=scale_of(shape), **placement)
            node.on_click(on_click)
            return node
        self._add_plain = add_plain

    def draw(self, visible: bool, painted: Rgb | None, share: float) -> None:
        """
        Draw or hide the shape.

        :param painted: one colour to draw it in; None for its own.
        :param share: factor of its opacity; below 1, materials of files are left out.
        """
        own = self._coloured is not None and painted is None and share == 1
        if self._coloured is not None:
            self._coloured.visible = visible and own
        rgb = self._rgb if painted is None else painted
        if self._plain is None and not own:
            self._plain = self._add_plain(rgb)
        if self._plain is not None:
            self._plain.color = rgb
            self._plain.opacity = self._opacity if share == 1 else share * (self._opacity or 1.0)
            self._plain.visible = visible and not own


def placed(pose: Pose) -> Mapping[str, Any]:
    """Return the position and orientation of a node as viser takes them."""
    x, y, z, w = pose.quaternion
    return {'position': pose.xyz, 'wxyz': (w, x, y, z)}


def to_rgb(rgba: Rgba) -> Rgb:
    """Return a colour with components from 0 to 255."""
    red, green, blue = (round(255 * min(max(value, 0.0), 1.0)) for value in rgba[:3])
    return red, green, blue


class InertiaNodes:
    """
    The inertias of a robot in the scene.

    :param node_name: returns the name of the node of a link.
    :param root: name of the node of the robot.
    """

    def __init__(self, scene: viser.SceneApi, tree: KinematicTree, node_name: Callable[[str], str],
                 root: str):
        self._scene = scene
        self._node_name = node_name
        self._root = root
        with np.errstate(all='ignore'):
            self._bodies = {name: body for name, link in tree.robot.links.items()
                            if (body := link_inertia(link)) is not None
                            and depict(body, LINK) is not None}
        self._rows = tree.links(self._bodies)
        self._masses = np.array([body.mass for body in self._bodies.values()])
        self._centers = np.array([
            [*body.com, 1.0] for body in self._bodies.values()]).reshape(-1, 4, 1)
        self._whole: Any = None

    def _depictions(self, solid: str = 'box') -> Iterator[tuple[str, Depiction]]:
        for link, body in self._bodies.items():
            if (drawn := depict(body, LINK, solid)) is not None:
                yield self._node_name(link), drawn

    def centers(self) -> list[Any]:
        """Add the centres of mass of the links and of the robot, and return their nodes."""
        nodes: list[Any] = [
            self._scene.add_icosphere(f'{name}/com', radius=drawn.diameter / 2,
                                      color=to_rgb(drawn.style.com), position=drawn.com)
            for name, drawn in self._depictions()]
        mass = float(self._masses.sum())
        whole = depict(SpatialInertia(mass, np.zeros(3), np.eye(3)), ROBOT) if mass > 0 else None
        if whole is not None:
            self._whole = self._scene.add_icosphere(
                f'{self._root}/com', radius=whole.diameter / 2, color=to_rgb(ROBOT.com))
            nodes.append(self._whole)
        return nodes

    def follow(self, poses: Array) -> None:
        """
        Move the centre of mass of the robot.

        :param poses: of all links in the frame of the root link, shape (L, 4, 4).
        """
        if self._whole is not None and self._whole.visible:
            points = (poses[self._rows, :3] @ self._centers)[..., 0]
            with np.errstate(all='ignore'):
                self._whole.position = self._masses @ points / self._masses.sum()

    def solids(self, kind: str) -> list[Any]:
        """Add the equivalent boxes or ellipsoids of the links, and return their nodes."""
        surfaces = [(name, drawn, _SURFACES[kind](drawn.size))
                    for name, drawn in self._depictions(kind)]
        return [self._scene.add_mesh_simple(
            f'{name}/{kind}', surface.vertices, surface.faces, color=to_rgb(drawn.style.solid),
            opacity=drawn.style.solid[3], flat_shading=surface.is_flat, position=drawn.com,
            wxyz=wxyz_of(drawn.axes)) for name, drawn, surface in surfaces]


def joint_nodes(scene: viser.SceneApi, tree: KinematicTree, node_name: Callable[[str], str],
                size: float) -> list[Any]:
    """
    Add the axes of the moving joints, their limits, and pointers to their positions.

    The limits belong to the parent link, and the pointer to the child link.

    :param node_name: returns the name of the node of a link.
    :param size: of the robot in metres.
    :return: all nodes.
    """
    nodes: list[Any] = []
    thickness = 0.0025 * size
    for number, name in enumerate(tree.joint_names):
        joint = tree.robot.joints[name]
        if not joint.type.dof:
            continue
        limits, pointer = _segments(joint, 0.05 * size)
        rgb = JOINT_COLOURS[joint.type]
        nodes.append(scene.add_line_segments(
            f'{node_name(joint.parent)}/limits{number}', limits, rgb, thickness=thickness,
            **placed(joint.origin)))
        if len(pointer):
            nodes.append(scene.add_line_segments(
                f'{node_name(joint.child)}/pointer', pointer, rgb, thickness=2 * thickness))
    return nodes


def _segments(joint: Joint, length: float) -> tuple[Array, Array]:
    """
    Return line segments of the axis with its limits, and of a pointer to the position.

    :return: in the joint's frame and in that of the child link, each of shape (N, 2, 3).
    """
    zero = np.zeros(3)
    x, y, z = length * np.eye(3)
    if joint.type is JointType.FLOATING or not any(joint.axis):
        return np.array([(-axis, axis) for axis in (x, y, z)]), np.empty((0, 2, 3))
    lines, pointer = [(zero, 1.6 * z)], []
    limits = joint.limits
    if limits is not None and not np.isfinite([limits.lower, limits.upper]).all():
        limits = None
    if joint.type is JointType.PLANAR:
        lines += [(-x, x), (-y, y)]
    elif joint.type is not JointType.PRISMATIC:
        low, high = -np.pi, np.pi
        if limits is not None:
            # More than one turn looks like one turn.
            low = max(limits.lower, -2 * np.pi)
            high = min(limits.upper, low + 2 * np.pi)
        angles = np.linspace(low, high, max(2, int((high - low) / _ARC_STEP) + 1))
        arc = length * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
        lines += [*zip(arc[:-1], arc[1:]), *([] if limits is None else [
            (zero, arc[0]), (zero, arc[-1])])]
        pointer = [(zero, 1.1 * x)]
    elif limits is not None:
        ends = [np.array([0, 0, end]) for end in (limits.lower, limits.upper)]
        lines += [(ends[0], ends[1]), *((end - x / 3, end + x / 3) for end in ends)]
        pointer = [(zero, x / 2)]
    frame = rotation_from_z(joint.axis)
    return np.array(lines) @ frame.T, np.array(pointer).reshape(-1, 2, 3) @ frame.T
