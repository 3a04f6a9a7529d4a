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
"""
Show a robot in a browser, and reload it whenever its files are saved.

For example:
  urdf-tools view robot.urdf
  urdf-tools view robot.urdf --screenshot robot.png
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
import os
from pathlib import Path
import sys
import threading
from typing import TYPE_CHECKING
import webbrowser

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.validator import validates
from urdf_tools.check.workspace.checking import Baselines
from urdf_tools.check.workspace.settings import ProjectSettings
from urdf_tools.cli.arguments import argument
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import joint_positions
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import loops_file
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import names_in
from urdf_tools.cli.arguments import number
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import require_packages
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output import print_lines
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.output_files import write_output
from urdf_tools.cli.progress import progress
from urdf_tools.model.errors import DescriptionError
from urdf_tools.programs.models import WITH_MJCF
from urdf_tools.view.camera import Camera
from urdf_tools.view.camera import VIEWS

if TYPE_CHECKING:
    from urdf_tools.findings.report import Report
    from urdf_tools.model.xml.document import Document
    from urdf_tools.view.local_server import LocalServer
    from urdf_tools.view.viewer import Viewer

HOST = '127.0.0.1'
PORT = 8080
LAYERS = ('visual', 'collision', 'inertia_box', 'inertia_ellipsoid', 'com', 'frames', 'joints',
          'names', 'skeleton')
"""What ``--show`` takes: the names of the layers of the view in lower case."""

MARKS = ('errors', 'warnings', 'all', 'nothing')
BACKGROUNDS = ('neutral', 'dark', 'white')

_BYTES_A_SECOND = 1e5
"""What a slow machine draws of meshes, for the time that it is given."""


def _camera(text: str) -> Camera:
    if text in VIEWS:
        return Camera(*VIEWS[text])
    numbers = [number(part) for part in text.split(',')]
    if len(numbers) not in (2, 3) or len(numbers) == 3 and numbers[2] <= 0:
        raise argparse.ArgumentTypeError(
            f'{text!r} is neither one of {", ".join(VIEWS)} nor AZIMUTH,ELEVATION[,DISTANCE]')
    return Camera(*numbers)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition('x')
    if not (width.isdecimal() and height.isdecimal()
            and 16 <= int(width) <= 8192 and 16 <= int(height) <= 8192):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not of the form WIDTHxHEIGHT with 16 to 8192 pixels')
    return int(width), int(height)


def _layers(text: str) -> tuple[str, ...]:
    return tuple(known(name, LAYERS, 'layer') for name in names_in(text))


OPTIONS = {
    '--host': {'default': HOST}, '--port': {'default': PORT},
    '--show': {'type': argument(_layers), 'complete': LAYERS},
    '--mark': {'choices': (*MARKS, *WITH_MJCF)},
    '--camera': {'type': _camera, 'default': Camera(), 'complete': VIEWS},
    '--background': {'choices': BACKGROUNDS, 'default': BACKGROUNDS[0]},
    '--size': {'type': _size}}


def run(arguments: argparse.Namespace) -> int:
    """Show the robot until Ctrl-C, or write a picture."""
    require_packages('The view', viser='view')
    from urdf_tools.view.model_file import EditorViewer
    from urdf_tools.view.model_file import ModelFile
    from urdf_tools.view.robot_view import Layer
    from urdf_tools.view.viewer import Viewer

    if arguments.editor and (arguments.file == '-' or arguments.screenshot):
        raise CommandError('--editor needs a file, and takes no picture')
    document, positions = _first_version(arguments)
    settings = ProjectSettings().of_file('' if arguments.file == '-' else arguments.file)
    resources = resources_of(arguments)
    baseline = Baselines().of(settings.baseline)

    loops = loops_file(arguments)

    def validate(document: Document) -> Report:
        report = validates(
            document, resources=resources, categories=CATEGORIES, ignore=settings.unwanted(),
            consumers=settings.programs, loops_file=loops,
            file=None if arguments.file == '-' else Path(document.source))
        return report if baseline is None else baseline.hide(
            report, arguments.file, settings.unwanted())

    server = _server(arguments)
    viewer = (EditorViewer if arguments.editor else Viewer)(
        server, camera=arguments.camera, start=positions, background=arguments.background,
        link=arguments.link)
    for layer in Layer:
        viewer.show(layer, layer.name.lower() in arguments.show)
    viewer.mark_findings(
        arguments.mark or ('nothing' if arguments.screenshot else 'errors'))
    viewer.use_degrees(arguments.degrees)
    model = ModelFile(
        viewer, arguments.file, dict(arguments.mappings), resources, validate,
        arguments.mesh_limits, loops)
    ended = threading.Event()
    try:
        if arguments.screenshot:
            assert document is not None
            _write_picture(server, viewer, partial(model.show, document), arguments)
            return 0
        if document is None:
            model.try_to_show()
        else:
            model.show(document)
        _print_missing(viewer)
        if isinstance(viewer, EditorViewer):
            viewer.follow_editor(model, ended)
        else:
            print_line(f'Open {server.url} (Ctrl-C ends the view)')
            sys.stdout.flush()
            if not arguments.no_browser:
                threading.Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
        if arguments.file == '-':
            ended.wait()
        else:
            model.watch(ended)
    finally:
        server.stop()
    return 0


def _first_version(arguments: argparse.Namespace) -> tuple[Document | None, dict[str, float]]:
    """
    Return the description and the positions to begin with.

    The description is None if the page is to show what is wrong with it until that is fixed.

    :raises DescriptionError: it cannot be used, and no editor shows it.
    """
    try:
        document = open_description(arguments)
        refuse_sources([arguments.screenshot], document, arguments.file)
        robot = make_robot(document)
        if arguments.link:
            known(arguments.link, robot.links, 'link')
        return document, joint_positions(arguments, robot)
    except DescriptionError as error:
        if not arguments.editor or error.argument or not os.path.isfile(arguments.file):
            raise
        print_line(f'urdf-tools: {error}', sys.stderr)
        return None, {} if arguments.degrees else dict(arguments.joint)


def _server(arguments: argparse.Namespace) -> LocalServer:
    from urdf_tools.view.local_server import is_open
    from urdf_tools.view.local_server import LocalServer
    from urdf_tools.view.local_server import open_address
    try:
        server = LocalServer(
            arguments.host, arguments.port, allow_control=arguments.allow_control or None)
    except OSError as error:
        raise CommandError(
            f'Cannot serve at {arguments.host!r}: {error.strerror or error}') from error
    if is_open(arguments.host):
        print_line(open_address(arguments.allow_control), sys.stderr)
    return server


def _write_picture(
        server: LocalServer, viewer: Viewer, show: Callable[[], None],
        arguments: argparse.Namespace) -> None:
    from urdf_tools.view.picture import as_png
    from urdf_tools.view.picture import Studio
    from urdf_tools.view.picture import TIMEOUT
    # The browser starts while meshes are read.
    with progress(arguments.file) as line, Studio(
            server, arguments.size, line.step) as studio:
        line.step('reading meshes')
        show()
        with line.hidden():
            _print_missing(viewer)
        shot = viewer.camera.shot(viewer.link, arguments.size[0] / arguments.size[1])
        sizes = [os.path.getsize(file) for file in viewer.view.library.files] if (
            viewer.view) else []
        picture = studio.take(
            shot, viewer.camera.background, partial(viewer.names.refresh, at_once=True),
            arguments.timeout or TIMEOUT + sum(sizes) / _BYTES_A_SECOND)
    write_output(arguments.screenshot, as_png(picture, viewer.legend))


def _print_missing(viewer: Viewer) -> None:
    """Report on standard error what the view cannot show."""
    if viewer.view is not None:
        print_lines((f'urdf-tools: {line}' for line in viewer.view.library.summary()), sys.stderr)
