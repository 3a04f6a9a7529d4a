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
"""The conversation of a view with an editor: unsaved texts, its cursor, and clicks on links."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from functools import partial
import io
import json
import os
import sys
import threading
from typing import Any

from urdf_tools.kinematics import KinematicTree
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.syntax_tree import SyntaxTree
from urdf_tools.view.link_data import links_by_element
from urdf_tools.view.model_file import ModelFile
from urdf_tools.view.robot_view import HIGHLIGHT
from urdf_tools.view.shape_nodes import ShapeLibrary
from urdf_tools.view.viewer import Viewer

Place = tuple[str, int, int]
"""A file without symbolic links, a line and a column, which count from 1."""


class EditorViewer(Viewer):
    """A viewer that highlights the links at an editor's cursor, and reports the link clicked."""

    _cursor: Place | None = None

    def follow_editor(self, model: ModelFile, url: str, ended: threading.Event) -> None:
        """
        Serve an editor over standard input and output, and set an event when it leaves.

        :param url: where the page is, which the editor is told.
        """
        def follow() -> None:
            lines = io.TextIOWrapper(sys.stdin.buffer, 'utf-8', 'replace')
            listen(lines, model, self, partial(print, file=sys.stderr, flush=True))
            ended.set()
        threading.Thread(target=follow, daemon=True).start()
        self.tell({'url': url})

    def tell(self, message: Mapping[str, object]) -> None:
        """Send a message to the editor."""
        print(json.dumps(message), flush=True)

    def use(self, tree: KinematicTree, library: ShapeLibrary) -> None:
        """Show another robot; the cursor stays where it is."""
        with self.lock:
            was_broken = self._alarm.visible
            super().use(tree, library)
            self.follow(self._cursor)
            if was_broken:
                self.tell({'error': ''})

    def show_error(self, heading: str, text: str, file: str) -> None:
        """Show an error above everything else, and report it to the editor."""
        super().show_error(heading, text, file)
        self.tell({'error': text})

    def follow(self, cursor: Place | None) -> None:
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
            self.tell({'selected': link, 'file': os.path.realpath(file), 'line': line,
                       'column': column})


def links_at(robot: Robot, cursor: Place) -> list[str]:
    """
    Return the links of the innermost element around a source location.

    A joint stands for its child link, and the call of a macro for the links of the macro.
    """
    made = _links_by_place(robot)
    file, line, column = cursor
    text = _text(robot.document, file)
    lines = text.split('\n')
    if not 0 < line <= len(lines):
        return []
    start = sum(len(each) + 1 for each in lines[:line - 1])
    offset = start + min(column - 1, len(lines[line - 1]))
    tree = SyntaxTree(text)
    # A cursor behind an element is still at it, unless it is in another one.
    for node in (tree.node_at(offset), tree.node_at(offset - 1)):
        while node is not None:
            above = text.count('\n', 0, node.start)
            links = made.get((file, above + 1, node.start - text.rfind('\n', 0, node.start)))
            if links is not None:
                return list(links)
            node = node.parent
    return []


def _links_by_place(robot: Robot) -> dict[Place, dict[str, None]]:
    found: dict[Place, dict[str, None]] = {}
    for element, link in links_by_element(robot).items():
        calls = () if element.origin is None else element.origin.calls
        for file, line, column in (element.location(robot.source), *calls):
            found.setdefault((os.path.realpath(file), line, column), {})[link] = None
    return found


def _text(document: Document | None, file: str) -> str:
    """Return the text of a source file of a description; empty for any other file."""
    if document is None:
        return ''
    if document.xacro is not None:
        return next((source.text for source in document.xacro.files
                     if os.path.realpath(source.path) == file), '')
    is_own = os.path.realpath(document.source) == file
    return document.data.decode('utf-8', 'replace') if is_own else ''


def listen(lines: Iterable[str], model: ModelFile, viewer: EditorViewer,
           warn: Callable[[str], object]) -> None:
    """
    Process the messages of an editor until it leaves: one JSON object per line.

    ``{"texts": {FILE: TEXT}}`` has all texts that are not saved, ``{"cursor": {"file": FILE,
    "line": 1, "column": 1}}`` where the cursor is.

    :param warn: called with a sentence about each line that is no such message.
    """
    for line in lines:
        try:
            message = json.loads(line)
            if 'texts' in message:
                model.texts = {
                    name: text for file, text in message['texts'].items() if isinstance(text, str)
                    for name in (os.path.abspath(file), os.path.realpath(file))}
            if 'cursor' in message:
                at = message['cursor']
                viewer.follow((os.path.realpath(at['file']), int(at['line']), int(at['column'])))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            warn(f'The editor sent what is no message: {quote(line.strip(), 80)} ({error!r})')
