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
"""The names of links in the scene; each browser shows those that do not overlap."""

from __future__ import annotations

import threading
import time
from typing import Literal

import numpy as np

from urdf_tools.kinematics import KinematicTree
from urdf_tools.model.messages import printable
from urdf_tools.model.robot import JointType
from urdf_tools.types import Array
from urdf_tools.view.camera import Shot
from urdf_tools.view.local_server import page_update
from urdf_tools.view.robot_view import RobotView
import viser

_SCALE = 0.8
_LETTER, _LINE, _PADDING = 6.2, 15.0, 3.0
"""Width of a letter, height of a line, and room beside it, in pixels at this scale."""

_PERIOD = 0.15
"""Seconds between two layouts of the names while a camera moves."""

_MAX_LETTERS = 34
"""Letters up to which the names at one position are all in their label."""

Anchor = Literal['', 'bottom-left', 'top-left', 'bottom-right', 'top-right']

_ANCHORS: dict[Anchor, tuple[float, float]] = {
    'bottom-left': (0.0, -1.0), 'top-left': (0.0, 0.0), 'bottom-right': (-1.0, -1.0),
    'top-right': (-1.0, 0.0)}
"""Where the name is beside its frame, to the shares of its size from there to its corner."""


def labels(tree: KinematicTree) -> dict[str, str]:
    """
    Return the label of each group of links that always coincide, by its first link.

    Joints without a translation between their frames leave both at one position.
    """
    robot = tree.robot
    first: dict[str, str] = {}
    names: dict[str, list[str]] = {}
    for link in robot.subtree(robot.root):
        joint = robot.parent_joint.get(link)
        stays = joint is not None and not any(joint.origin.xyz) and joint.type in (
            JointType.FIXED, JointType.REVOLUTE, JointType.CONTINUOUS)
        first[link] = first[joint.parent] if joint is not None and stays else link
        names.setdefault(first[link], []).append(printable(link)[:80])
    return {link: _label(here) for link, here in names.items()}


def _label(names: list[str]) -> str:
    shown = len(names)
    while shown > 1 and len(', '.join(names[:shown])) > _MAX_LETTERS:
        shown -= 1
    text = ', '.join(names[:shown])
    return text if shown == len(names) else f'{text} and {len(names) - shown} more'


def fitting(points: Array, depths: Array, widths: Array, height: float) -> list[Anchor]:
    """
    Return where each name fits without covering another one, or an empty string.

    The nearest come first, as they hide the frames behind them.

    :param points: where the frames are in pixels, shape (N, 2); NaN behind the camera.
    :param depths: of the frames, shape (N,).
    :param widths: of the names in pixels, shape (N,).
    """
    found: list[Anchor] = [''] * len(points)
    taken = np.empty((0, 4))
    for index in np.argsort(depths, kind='stable'):
        for anchor, shares in _ANCHORS.items() if np.isfinite(points[index]).all() else ():
            corner = points[index] + np.array(shares) * [widths[index], height]
            box = np.array([*corner, corner[0] + widths[index], corner[1] + height])
            if not ((box[:2] < taken[:, 2:]) & (box[2:] > taken[:, :2])).all(axis=1).any():
                found[index] = anchor
                taken = np.vstack([taken, box])
                break
    return found


class LinkNames:
    """The names of links in the pages of a server, as many as fit in each."""

    def __init__(self, server: viser.ViserServer):
        self._server = server
        self._view: RobotView | None = None
        self._texts: dict[str, str] = {}
        self._nodes: dict[int, dict[str, viser.LabelHandle]] = {}
        self._lock = threading.Lock()
        self._next = 0.0

        @server.on_client_connect
        def _(client: viser.ClientHandle) -> None:
            client.camera.on_update(lambda camera: self.refresh())

        @server.on_client_disconnect
        def _(client: viser.ClientHandle) -> None:
            with self._lock:
                self._nodes.pop(client.client_id, None)

    def show(self, view: RobotView | None) -> None:
        """Show the names of the links of a robot, or none."""
        with self._lock:
            for nodes in self._nodes.values():
                for node in nodes.values():
                    node.remove()
            self._nodes.clear()
            self._view, self._texts = view, {} if view is None else labels(view.tree)
        self.refresh(at_once=True)

    def refresh(self, at_once: bool = False) -> None:
        """Lay the names out again, unless that was done a moment ago."""
        with self._lock:
            now = time.monotonic()
            if self._view is not None and (at_once or now >= self._next):
                self._next = now + _PERIOD
                for client in self._server.get_clients().values():
                    self._lay_out(client, self._view)

    def _lay_out(self, client: viser.ClientHandle, view: RobotView) -> None:
        camera = client.camera
        size = camera.image_width, camera.image_height
        if min(size) <= 0 or not 0 < camera.fov < np.pi or np.array_equal(
                camera.position, camera.look_at):
            return
        shot = Shot(np.array(camera.position), np.array(camera.look_at), camera.fov)
        points, depths = shot.pixels(
            np.array([view.pose(link)[:3, 3] for link in self._texts]), size)
        widths = np.array([len(text) for text in self._texts.values()]) * _LETTER + 2 * _PADDING
        nodes = self._nodes.setdefault(client.client_id, {})
        with page_update(client):
            for (link, text), anchor in zip(
                    self._texts.items(), fitting(points, depths, widths, _LINE)):
                if link not in nodes and anchor:
                    nodes[link] = client.scene.add_label(
                        f'{view.node_name(link)}/name', text, font_screen_scale=_SCALE)
                if link in nodes:
                    nodes[link].visible = bool(anchor)
                    nodes[link].anchor = anchor or nodes[link].anchor
