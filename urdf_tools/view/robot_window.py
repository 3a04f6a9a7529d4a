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
"""A robot of a program or of a notebook in a browser."""

from __future__ import annotations

from collections.abc import Mapping
import sys
import threading
from typing import TYPE_CHECKING
import webbrowser

import numpy as np
from numpy.typing import ArrayLike

from urdf_tools.check.validator import validates
from urdf_tools.installation import how_to_install
from urdf_tools.kinematics import KinematicTree
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot

if TYPE_CHECKING:
    from urdf_tools.view.viewer import Viewer


class RobotWindow:
    """
    A robot in a browser until it is closed or the program ends; a cell of a notebook shows it.

    :ivar url: the address of the page, on this machine only.
    """

    def __init__(self, viewer: Viewer, tree: KinematicTree):
        self.url = viewer.server.url
        self._viewer = viewer
        self._tree = tree

    def move(self, configuration: Mapping[str, float] | ArrayLike) -> None:
        """
        Move the robot.

        :param configuration: positions of some variables by name, the others neutral, or of all
            of them, shape (n,), in radians and metres.
        :raises KeyError: a name is not one of the variables.
        :raises ValueError: the shape is another one, or a number is not finite.
        """
        positions = self._tree.configuration(configuration)
        if positions.ndim != 1 or not np.isfinite(positions).all():
            raise ValueError(f'A configuration has {positions.shape[-1]} finite positions')
        self._viewer.choose(positions)

    def wait(self) -> None:
        """Wait for Ctrl-C: a program that ends closes the page."""
        threading.Event().wait()

    def close(self) -> None:
        """Close the page."""
        self._viewer.server.stop()

    def _repr_html_(self) -> str:
        return f'<iframe src="{self.url}" width="100%" height="600" style="border: 0"></iframe>'


def show(robot: Robot, configuration: Mapping[str, float] | ArrayLike = {}, *,
         resources: ResourceResolver | None = None) -> RobotWindow:
    """
    Show a robot in a window of the browser or, as the last value of a cell, in a notebook.

    :param configuration: as of :meth:`RobotWindow.move`.
    :param resources: finds the meshes; by default as for the file of the robot.
    :raises ImportError: viser is not installed.
    :raises KeyError: a name is not one of the variables.
    :raises ValueError: the configuration has another shape, or is not finite.
    """
    try:
        from urdf_tools.view.local_server import LocalServer
        from urdf_tools.view.shape_library import MeshScenes
        from urdf_tools.view.shape_library import ShapeLibrary
        from urdf_tools.view.viewer import Viewer
    except ImportError as error:
        error.msg += f'; install what shows robots with {how_to_install("view")}'
        raise
    tree = KinematicTree(robot)
    viewer = Viewer(LocalServer())
    viewer.resources = resources or ResourceResolver(robot.folder or None)
    viewer.use(tree, ShapeLibrary(robot, viewer.resources.resolve_for_use, MeshScenes()))
    if robot.document is not None:
        viewer.set_report(validates(robot.document, resources=viewer.resources))
    window = RobotWindow(viewer, tree)
    window.move(configuration)
    if 'ipykernel' not in sys.modules:
        threading.Thread(target=webbrowser.open, args=(window.url,), daemon=True).start()
    return window
