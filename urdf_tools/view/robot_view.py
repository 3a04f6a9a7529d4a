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
"""A robot in the scene of a browser, independent of the source of its joint positions."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from enum import Enum
from functools import partial
from typing import Any

import numpy as np

from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Visual
from urdf_tools.types import Array
from urdf_tools.view.camera import wxyz_of
from urdf_tools.view.scene_nodes import COLLISION
from urdf_tools.view.scene_nodes import GREY
from urdf_tools.view.scene_nodes import InertiaNodes
from urdf_tools.view.scene_nodes import joint_nodes
from urdf_tools.view.scene_nodes import outline
from urdf_tools.view.scene_nodes import Rgb
from urdf_tools.view.scene_nodes import ShapeNode
from urdf_tools.view.shape_library import ShapeLibrary
import viser

HIGHLIGHT: Rgb = (255, 210, 0)
"""Colour of the selected link."""

_NODE = '/robot'


class Layer(str, Enum):
    """Layers that can be shown and hidden; the values are the labels."""

    VISUAL = 'Visuals'
    COLLISION = 'Collisions'
    INERTIA_BOX = 'Inertia (boxes)'
    INERTIA_ELLIPSOID = 'Inertia (ellipsoids)'
    COM = 'Centres of mass'
    FRAMES = 'Frames'
    JOINTS = 'Joint axes and limits'
    NAMES = 'Link names'
    SKELETON = 'Skeleton'


class RobotView:
    """
    A robot in a scene: its shapes, inertias, joint axes and frames, at any pose.

    Each link is a node below that of its parent link, so that a joint that moves is one change,
    whatever it carries. All methods may be called from any thread, one at a time.

    :param tree: the robot.
    :param library: its shapes.
    :param on_click: called with the name of a link and the event when a user clicks on it.
    :ivar bounds: smallest and largest x, y and z of the robot in the frame of its root link at
        the neutral configuration, in metres, shape (2, 3).
    :ivar hidden: the links whose shapes are hidden.
    :ivar size: length of the diagonal of ``bounds``, in metres.
    """

    def __init__(self, server: viser.ViserServer, tree: KinematicTree, library: ShapeLibrary,
                 on_click: Callable[[str, Any], None] = lambda link, event: None):
        self.tree = tree
        self.library = library
        self._server = server
        self._scene = server.scene
        self._on_click = on_click
        self._kinematics = ForwardKinematics(tree)
        self._poses = self._kinematics(tree.neutral())
        self._outlines = {link: self._outline(link) for link in tree.link_names}
        every = self.outline()
        self.bounds = np.stack([every.min(axis=0), every.max(axis=0)])
        self.size = float(np.linalg.norm(self.bounds[1] - self.bounds[0]))
        self._shown: set[Layer] = set()
        self._layers: dict[Layer, list[Any]] = {}
        self._shapes: dict[Layer, Sequence[tuple[str, ShapeNode]]] = {}
        self._marks: Mapping[str, Rgb] = {}
        self._highlighted = ''
        self.hidden: frozenset[str] = frozenset()
        self._opacity = 1.0
        self._root = self._scene.add_frame(_NODE, show_axes=False)
        self._inertia = InertiaNodes(self._scene, tree, self.node_name, _NODE)
        self._names = self._node_names()
        self._relative = np.full((len(tree.link_names), 3, 4), np.nan)
        with server.atomic():
            self._nodes = [self._scene.add_frame(name, show_axes=False) for name in self._names]
            self._update_poses()

    def _node_names(self) -> list[str]:
        """Return the names of the nodes of links; names of links may contain a slash."""
        names, robot = [''] * len(self.tree.link_names), self.tree.robot
        for index in map(self.tree.link_index.__getitem__, robot.subtree(robot.root)):
            parent = self.tree.link_parents[index]
            names[index] = f'{_NODE if parent < 0 else names[parent]}/{index}'
        return names

    def node_name(self, link: str) -> str:
        """Return the name of the node of a link."""
        return self._names[self.tree.link_index[link]]

    def remove(self) -> None:
        """Remove the robot from the scene."""
        self._root.remove()

    # Poses

    def set_positions(self, positions: Array) -> None:
        """
        Move the robot.

        :param positions: the variables of the tree, in radians and metres, shape (n,).
        """
        poses = self._kinematics(positions)
        if np.isfinite(poses).all():
            self._poses = poses
            with self._server.atomic():
                self._update_poses()

    def _update_poses(self) -> None:
        """Send the poses of the nodes that have moved relative to their parents."""
        parents = self.tree.link_parents
        relative = (invert(self._poses[parents]) @ self._poses)[:, :3]
        relative[parents < 0] = self._poses[parents < 0, :3]
        differs = relative != self._relative
        self._relative = relative
        turned = differs[:, :, :3].any(axis=(1, 2))
        for index, quaternion in zip(np.flatnonzero(turned), wxyz_of(relative[turned, :, :3])):
            # viser leaves out a change of less than 1e-5, which would add up; NaN differs.
            self._nodes[index].wxyz[:] = np.nan
            self._nodes[index].wxyz = quaternion
        for index in np.flatnonzero(differs[:, :, 3].any(axis=1)):
            self._nodes[index].position[:] = np.nan
            self._nodes[index].position = relative[index, :, 3]
        self._inertia.follow(self._poses)

    def pose(self, link: str) -> Array:
        """Return the pose of a link in the frame of the root link, shape (4, 4)."""
        found: Array = self._poses[self.tree.link_index[link]]
        return found

    # Layers

    def show(self, layer: Layer, visible: bool = True) -> None:
        """Show or hide a layer."""
        (self._shown.add if visible else self._shown.discard)(layer)
        with self._server.atomic():
            if layer in (Layer.VISUAL, Layer.COLLISION):
                if visible and layer not in self._shapes:
                    self._shapes[layer] = [(link, node) for link in self.tree.link_names
                                           for node in self._add_shapes(layer, link)]
                self._draw_shapes()
                return
            if layer not in self._layers and visible:
                self._layers[layer] = self._build(layer)
            for node in self._layers.get(layer, ()):
                node.visible = visible
            self._inertia.follow(self._poses)

    def _build(self, layer: Layer) -> list[Any]:
        """Return the new nodes of a layer; those of names are different in each browser."""
        scene, length = self._scene, 0.06 * self.size
        if layer is Layer.FRAMES:
            return [scene.add_frame(f'{name}/frame', axes_length=length, axes_radius=length / 25)
                    for name in self._names]
        builders: Mapping[Layer, Callable[[], list[Any]]] = {
            Layer.JOINTS: lambda: joint_nodes(scene, self.tree, self.node_name, self.size),
            Layer.SKELETON: lambda: self._skeleton(self.tree.link_names),
            Layer.COM: self._inertia.centers,
            Layer.INERTIA_BOX: lambda: self._inertia.solids('box'),
            Layer.INERTIA_ELLIPSOID: lambda: self._inertia.solids('ellipsoid')}
        return builders[layer]() if layer in builders else []

    def _skeleton(self, links: Sequence[str]) -> list[Any]:
        """Return lines from links to their child links, as nodes."""
        nodes: list[Any] = []
        for link in links:
            points = [(np.zeros(3), np.array(joint.origin.xyz))
                      for joint in self.tree.robot.child_joints[link]]
            name = self.node_name(link)
            nodes.append(self._scene.add_icosphere(
                f'{name}/origin', radius=0.006 * self.size, color=(90, 90, 90), subdivisions=1))
            if points:
                nodes.append(self._scene.add_line_segments(
                    f'{name}/bones', np.array(points), (90, 90, 90), thickness=0.004 * self.size))
        return nodes

    def _add_shapes(self, layer: Layer, link: str) -> Iterator[ShapeNode]:
        """Yield the new nodes of the visuals or collisions of a link."""
        record = self.tree.robot.links[link]
        shapes: Sequence[Visual | Collision] = (
            record.visuals if layer is Layer.VISUAL else record.collisions)
        named = [(f'{layer.name.lower()}{number}', shape) for number, shape in enumerate(shapes)]
        if layer is Layer.VISUAL and link in self.library.incomplete:
            self._skeleton((link,))
            named += [(f'stand_in{number}', shape)
                      for number, shape in enumerate(self.library.stand_ins.get(link, ()))]
        for name, shape in named:
            triangles = self.library.triangles(shape)
            if triangles is None:
                continue
            rgba, coloured = COLLISION, None
            if isinstance(shape, Visual):
                rgba = (shape.material and shape.material.rgba) or GREY
                coloured = self.library.coloured(shape)
            yield ShapeNode(self._scene, f'{self.node_name(link)}/{name}', shape, triangles, rgba,
                            partial(self._on_click, link), coloured)

    # Looks of the shapes

    def hide(self, links: frozenset[str]) -> None:
        """Hide the shapes of some links, and show all others."""
        self.hidden = links
        self._draw_shapes()

    def fade(self, opacity: float) -> None:
        """Multiply the opacity of all shapes by a factor."""
        self._opacity = opacity
        self._draw_shapes()

    def mark_links(self, colours: Mapping[str, Rgb]) -> None:
        """Draw links in colours, and all others in their own colours."""
        self._marks = dict(colours)
        self._draw_shapes()

    def highlight(self, link: str) -> None:
        """Draw one link as selected; none if the name is empty."""
        self._highlighted = link
        self._draw_shapes()

    def _draw_shapes(self) -> None:
        colours = {**self._marks, self._highlighted: HIGHLIGHT}
        with self._server.atomic():
            for layer, nodes in self._shapes.items():
                for link, node in nodes:
                    node.draw(layer in self._shown and link not in self.hidden, colours.get(link),
                              self._opacity)

    # Size

    def _outline(self, link: str) -> Array:
        """Return the outermost points of a link in its own frame, shape (N, 3)."""
        record = self.tree.robot.links[link]
        shapes: Sequence[Visual | Collision] = record.visuals or record.collisions
        points = [outline(shape, triangles)
                  for shape in (*shapes, *self.library.stand_ins.get(link, ()))
                  if (triangles := self.library.triangles(shape)) is not None]
        if link in self.library.incomplete:  # Its skeleton is drawn.
            points.append(np.array([(0.0, 0.0, 0.0), *(
                joint.origin.xyz for joint in self.tree.robot.child_joints[link])]))
        return np.concatenate(points) if points else np.empty((0, 3))

    def outline(self, link: str = '') -> Array:
        """
        Return the outermost points of a link, or of the whole robot, as it is posed.

        :return: in the frame of the root link in metres, shape (N, 3), not all at one position.
        """
        links = (link,) if link else self.tree.link_names
        poses = [self.pose(name) for name in links]
        points: Array = np.concatenate([self._outlines[name] @ pose[:3, :3].T + pose[:3, 3]
                                        for name, pose in zip(links, poses)])
        if not len(points):
            points = np.array([pose[:3, 3] for pose in poses])
        points = points[np.isfinite(points).all(axis=1)]
        if np.ptp(points, axis=0).max() > 1e-9:
            return points
        cube = np.indices((2, 2, 2)).reshape(3, 8).T - 0.5
        return points[:1] + cube * (0.1 * self.size if link else 1.0)
