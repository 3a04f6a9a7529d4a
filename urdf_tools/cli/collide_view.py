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

"""Proposed collision shapes in the browser, or as a picture."""

from __future__ import annotations

import threading
import webbrowser

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import require_packages
from urdf_tools.cli.output_files import write_file
from urdf_tools.collision.proposal import CollisionProposal
from urdf_tools.model.messages import printable
from urdf_tools.model.robot import Robot
from urdf_tools.view.camera import Camera

_SIZE = (1800, 800)


def show_shapes(
        robot: Robot, proposal: CollisionProposal, camera: Camera, picture: str | None) -> None:
    """
    Show the visual geometry, the collisions of today and the proposed ones until Ctrl-C.

    :param camera: from where they are looked at.
    :param picture: a file to write a picture to instead; ``-`` is standard output.
    :raises InputError: the view is not installed, or a picture cannot be taken.
    """
    require_packages('The view', viser='view')
    from urdf_tools.view.collision_comparison import CollisionComparison
    from urdf_tools.view.local_server import LocalServer
    from urdf_tools.view.picture import as_png
    from urdf_tools.view.picture import Studio
    try:
        server = LocalServer()
    except OSError as error:
        raise CommandError(f'Cannot show the shapes: {error}') from error
    try:
        comparison = CollisionComparison(server, robot, proposal, camera)
        if picture:
            with Studio(server, _SIZE) as studio:
                shot = comparison.shot(_SIZE[0] / _SIZE[1])
                write_file(picture, as_png(studio.take(shot, comparison.background)))
            return
        print(f'Open {printable(server.url)} (Ctrl-C ends the view)', flush=True)
        threading.Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
        threading.Event().wait()
    finally:
        server.stop()
