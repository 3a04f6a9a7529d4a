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
"""The file of a description, shown again when it is saved, or as an editor has it."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
import io
import json
import logging
import os
from pathlib import Path
from pathlib import PurePosixPath
from queue import SimpleQueue
import sys
import tempfile
import threading
from typing import Any

import msgspec
import numpy as np

from urdf_tools.check.workspace.descriptions import find_descriptions
from urdf_tools.findings.report import Report
from urdf_tools.formats.description_files import open_document
from urdf_tools.kinematics import KinematicTree
from urdf_tools.meshes.facts import file_version
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import InputError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.loops_file import add_loops
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import package_name
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.syntax_tree import SyntaxTree
from urdf_tools.model.xml.syntax_tree import TextLines
from urdf_tools.view.link_colours import links_by_element
from urdf_tools.view.local_server import is_open
from urdf_tools.view.robot_view import HIGHLIGHT
from urdf_tools.view.shape_library import MeshScenes
from urdf_tools.view.shape_library import ShapeLibrary
from urdf_tools.view.viewer import Viewer

DROPPED = 'dropped files'
"""The name of an upload of several files."""

_PERIOD = 0.15
"""Seconds between two checks of the files; a stat of each takes some microseconds."""

_Versions = Mapping[str, tuple[int, int, int]]


class ModelFile:
    """
    Shows the robot of a file, and follows the file, its xacro includes and its meshes.

    :param path: a URDF or xacro file.
    :param mappings: xacro arguments.
    :param resources: finds its meshes and packages.
    :param validate: validates the description.
    :param loops: YAML file of loops, if any.
    :ivar texts: absolute path of a file to the text that an editor has and has not saved.
    """

    def __init__(self, viewer: Viewer, path: str, mappings: Mapping[str, str],
                 resources: ResourceResolver, validate: Callable[[Document], Report],
                 limits: MeshLimits = MeshLimits(), loops: str | None = None):
        self._viewer = viewer
        self._path = path
        self._mappings = mappings
        self._resources = viewer.resources = resources
        self._loops = loops
        self._validate = validate
        self._scenes = MeshScenes(limits)
        self._files: frozenset[str] = frozenset((path,))
        self._missing: list[str] = []
        self._versions: _Versions = {}
        self.texts: Mapping[str, str] = {}

    def show(self, document: Document | None = None) -> None:
        """
        Read the files and show the robot, then its findings.

        :param document: what has been read already.
        :raises DescriptionError: the description cannot be used; the last robot stays.
        """
        self._versions = self._versions or _versions(self._files, self.texts)
        if document is None:
            try:
                document = open_document(self._path, arguments=self._mappings,
                                         resources=self._resources, buffers=self.texts)
            except DescriptionError as error:
                self._follow([*self._files, *([error.source] if error.source else [])])
                raise
        files = [self._path, *([] if self._loops is None else [self._loops]), *(
            file.path for file in (document.xacro.files if document.xacro else ()))]
        self._follow([*self._files, *files])
        robot = build_robot(document)
        if self._loops is not None:
            robot = add_loops(robot, self._loops)
        with np.errstate(all='ignore'):
            library = ShapeLibrary(robot, self._resources.resolve_for_use, self._scenes)
            self._missing = [file.filename for file in library.missing]
            self._follow([*files, *map(str, library.files)])
            self._viewer.use(KinematicTree(robot), library)
        self._viewer.set_report(self._validate(document))

    def try_to_show(self) -> None:
        """Read the files and show the robot, or else the error above the last robot."""
        try:
            self.show()
        except Exception as error:
            text = str(error)
            if not isinstance(error, DescriptionError):
                logging.exception('%s cannot be shown', self._path)
                text = f'This is a bug in urdf_tools: {type(error).__name__}: {error}'
            self._viewer.show_error(
                'The robot is shown once this is fixed' if self._viewer.view is None
                else 'The last version that could be read is shown', text,
                os.path.basename(self._path))

    def _follow(self, files: Iterable[str]) -> None:
        """Follow files; a change since they were last read is noticed later."""
        self._files = frozenset(files)
        found = _versions(self._files, self.texts)
        self._versions = {file: self._versions.get(file, version)
                          for file, version in found.items()}

    def watch(self, ended: threading.Event) -> None:
        """Show the robot again after each change, and what users open, until the event is set."""
        opened: SimpleQueue[Callable[[], None]] = SimpleQueue()
        # Whoever opens a xacro file runs it, which is for the user of this machine only.
        if not isinstance(self._viewer, EditorViewer) and not is_open(
                self._viewer.server.get_host()):
            self._viewer.offer_files(lambda *upload: opened.put(partial(self._unpack, *upload)),
                                     lambda path: opened.put(partial(self._open, path)))
        changing = False
        while not ended.wait(_PERIOD):
            if not opened.empty():
                opened.get()()
            versions = _versions(self._files, self.texts)
            if versions != self._versions:
                # A file is often written in several steps.
                self._versions = versions
                changing = True
            elif changing or self._is_found():
                changing = False
                self.try_to_show()

    def _unpack(self, name: str, data: bytes) -> None:
        """Show the robot of the files that a user has dropped on a page."""
        folder = tempfile.TemporaryDirectory(prefix='urdf_tools-', ignore_cleanup_errors=True)
        try:
            paths = unpacked(name, data, folder.name)
        except InputError as error:
            self._viewer.show_error('The files cannot be shown', str(error), name)
            return
        self._dropped = folder  # The one before is removed.
        self._viewer.offer([os.path.relpath(path, folder.name) for path in paths])
        self._open(os.path.relpath(paths[0], folder.name))

    def _open(self, path: str) -> None:
        """Show the robot of one of the files that a user has dropped."""
        folder = self._dropped.name
        self._path = os.path.join(folder, path)
        self._mappings, self._loops = {}, None
        packages = {name: above for above, *_ in os.walk(folder)
                    if (name := package_name(Path(above)))}
        self._resources = self._viewer.resources = ResourceResolver(
            os.path.dirname(self._path), packages=packages)
        self._files, self._versions = frozenset((self._path,)), {}
        self.try_to_show()
        self._viewer.look_at_robot()

    def _is_found(self) -> bool:
        """Return whether a mesh that was missing is there."""
        for filename in self._missing:
            with suppress(ResourceError):
                if str(self._resources.resolve_for_use(filename)) not in self._files:
                    return True
        return False


def unpacked(name: str, data: bytes, folder: str) -> Sequence[str]:
    """
    Write the files that a user has dropped on a page, and return the descriptions among them.

    :param name: of a single file, or :data:`DROPPED` for several: then a line of JSON with the
        path and the size of each comes before their contents.
    :raises InputError: they are not such files, or there is no description.
    """
    try:
        files, contents = [(name, len(data))], memoryview(data)
        if name == DROPPED:
            header, _, _ = data.partition(b'\n')
            files = msgspec.json.decode(header, type=list[tuple[str, int]])
            contents = contents[len(header) + 1:]
        for path, size in files:
            target = Path(folder, *PurePosixPath(path).parts)
            if PurePosixPath(path).is_absolute() or '..' in target.parts or size < 0:
                raise InputError(f'File {quote(path)} would be outside of the folder')
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(contents[:size])
            contents = contents[size:]
    except (msgspec.MsgspecError, OSError, ValueError) as error:
        raise InputError(f'What was dropped cannot be read: {error}') from error
    found = find_descriptions(folder)
    if not found.roots:
        raise InputError('There is no URDF or xacro file of a robot among the dropped files')
    return sorted(found.roots, key=lambda path: (os.path.normpath(path) not in found.plain,
                                                 path.count('/'), path))


def _versions(files: Iterable[str], texts: Mapping[str, str]) -> _Versions:
    """Return what identifies versions of files: hash of a text, or time, size and inode."""
    found = {}
    for file in files:
        text = texts.get(os.path.realpath(file)) if texts else None
        found[file] = file_version(file) if text is None else (hash(text), len(text), -1)
    return found


class Cursor(msgspec.Struct, frozen=True):
    """Where the cursor of an editor is: line and column count from 1."""

    file: str
    line: int
    column: int


class EditorMessage(msgspec.Struct):
    """
    A message of an editor.

    :ivar texts: all texts that are not saved, by file; None if these stay.
    :ivar cursor: where the cursor is; None if it stays.
    """

    texts: dict[str, Any] | None = None
    cursor: Cursor | None = None


class EditorViewer(Viewer):
    """A viewer that highlights the links at an editor's cursor, and reports the link clicked."""

    _cursor: Cursor | None = None

    def follow_editor(self, model: ModelFile, ended: threading.Event) -> None:
        """Serve an editor over standard input and output, and set an event when it leaves."""
        def follow() -> None:
            self.listen(io.TextIOWrapper(sys.stdin.buffer, 'utf-8', 'replace'), model)
            ended.set()
        threading.Thread(target=follow, daemon=True).start()
        self.send({'url': self.server.url})

    def listen(self, lines: Iterable[str], model: ModelFile) -> None:
        """Process the messages of an editor until it leaves, one JSON object per line."""
        for line in lines:
            try:
                message = msgspec.json.decode(line, type=EditorMessage)
            except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
                print(f'The editor sent an invalid message: {quote(line.strip(), 80)} ({error})',
                      file=sys.stderr, flush=True)
                continue
            if message.texts is not None:
                model.texts = {
                    name: text for file, text in message.texts.items() if isinstance(text, str)
                    for name in (os.path.abspath(file), os.path.realpath(file))}
            if message.cursor is not None:
                self.follow(message.cursor)

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message to the editor."""
        print(json.dumps(message), flush=True)

    def use(self, tree: KinematicTree, library: ShapeLibrary) -> None:
        """Show another robot; the cursor stays where it is."""
        with self.lock:
            was_broken = self._alarm.visible
            super().use(tree, library)
            self.follow(self._cursor)
            if was_broken:
                self.send({'error': ''})

    def show_error(self, heading: str, text: str, file: str) -> None:
        """Show an error above everything else, and report it to the editor."""
        super().show_error(heading, text, file)
        self.send({'error': text})

    def follow(self, cursor: Cursor | None) -> None:
        """Highlight the links of the element that a cursor is in."""
        with self.lock:
            self._cursor = cursor
            if self.view is not None:
                links = () if cursor is None else links_at(self.view.tree.robot, cursor)
                self.mark_links(dict.fromkeys(links, HIGHLIGHT))

    def select(self, link: str, event: Any = None) -> None:
        """Highlight a link; if it was clicked, send the editor its source location."""
        super().select(link, event)
        if event is None or not link or self.view is None:
            return
        robot = self.view.tree.robot
        element = robot.links[link].element
        if element is not None:
            file, line, column = element.location(robot.source)
            self.send({'selected': link, 'file': os.path.realpath(file), 'line': line,
                       'column': column})


def links_at(robot: Robot, cursor: Cursor) -> list[str]:
    """
    Return the links of the innermost element around a cursor.

    A joint stands for its child link, and the call of a macro for the links of the macro.
    """
    file = os.path.realpath(cursor.file)
    made: dict[tuple[int, int], dict[str, None]] = {}
    for element, link in links_by_element(robot).items():
        calls = () if element.origin is None else element.origin.calls
        for source, line, column in (element.location(robot.source), *calls):
            if os.path.realpath(source) == file:
                made.setdefault((line, column), {})[link] = None
    lines = TextLines(_text(robot.document, file))
    offset = lines.offset_of_line(cursor.line, cursor.column)
    tree = SyntaxTree(lines.text)
    # A cursor behind an element is still at it, unless it is in another one.
    for node in (tree.node_at(offset), tree.node_at(offset - 1)):
        while node is not None:
            links = made.get(lines.line_and_column(node.start))
            if links is not None:
                return list(links)
            node = node.parent
    return []


def _text(document: Document | None, file: str) -> str:
    """Return the text of a source file of a description; empty for any other file."""
    if document is None:
        return ''
    if document.xacro is not None:
        return next((source.text for source in document.xacro.files
                     if os.path.realpath(source.path) == file), '')
    is_own = os.path.realpath(document.source) == file
    return document.data.decode('utf-8', 'replace') if is_own else ''
