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
"""The file of a description, shown again whenever one of its source files is saved."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from contextlib import suppress
import os
import threading

import numpy as np

from urdf_tools.findings.report import Report
from urdf_tools.kinematics import KinematicTree
from urdf_tools.meshes.facts import file_version
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.loops_file import add_loops
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import Document
from urdf_tools.view.mesh_scenes import MeshScenes
from urdf_tools.view.shape_nodes import ShapeLibrary
from urdf_tools.view.viewer import Viewer
from urdf_tools.xacro.description_files import open_document

_PERIOD = 0.15
"""Seconds between two looks at the files; a stat of each takes some microseconds."""

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
        self._missing: tuple[str, ...] = ()
        self._versions: _Versions = {}
        self.texts: Mapping[str, str] = {}

    def show(self, document: Document | None = None) -> None:
        """
        Read the files and show the robot, then its findings.

        :param document: what has been read already.
        :raises DescriptionError: the description cannot be used; the last robot stays.
        """
        if not self._versions:
            self._versions = _versions(self._files, self.texts)
        if document is None:
            try:
                document = open_document(self._path, arguments=self._mappings,
                                         packages=self._resources.lookup, buffers=self.texts)
            except DescriptionError as error:
                if error.source:
                    self._follow([*self._files, error.source])
                raise
        files = [self._path, *([self._loops] if self._loops is not None else ()), *(
            file.path for file in (document.xacro.files if document.xacro else ()))]
        self._follow([*self._files, *files])
        robot = build_robot(document)
        if self._loops is not None:
            robot = add_loops(robot, self._loops)
        with np.errstate(all='ignore'):
            library = ShapeLibrary(robot, self._resources.resolve, self._scenes)
            self._missing = tuple(
                file.filename for file in (*library.missing, *library.missing_textures))
            self._follow([*files, *map(str, library.files)])
            self._viewer.use(KinematicTree(robot), library)
        self._viewer.set_report(self._validate(document))

    def try_to_show(self) -> None:
        """Read the files and show the robot, or else the error above the last robot."""
        try:
            self.show()
        except DescriptionError as error:
            self._viewer.show_error(
                'The robot is shown once this is fixed' if self._viewer.view is None
                else 'The last version that could be read is shown', str(error),
                os.path.basename(self._path))

    def _follow(self, files: Iterable[str]) -> None:
        """Follow files; a change since the last look is seen at the next one."""
        self._files = frozenset(files)
        found = _versions(self._files, self.texts)
        self._versions = {file: self._versions.get(file, version)
                          for file, version in found.items()}

    def watch(self, ended: threading.Event) -> None:
        """Show the robot again after each change, until the event is set."""
        changing = False
        while not ended.wait(_PERIOD):
            versions = _versions(self._files, self.texts)
            if versions != self._versions:
                # A file is often written in several steps.
                self._versions = versions
                changing = True
            elif changing or self._is_found():
                changing = False
                self.try_to_show()

    def _is_found(self) -> bool:
        """Return whether a mesh or texture that was missing is there."""
        for filename in self._missing:
            with suppress(ResourceError):
                if str(self._resources.resolve(filename)) not in self._files:
                    return True
        return False


def _versions(files: Iterable[str], texts: Mapping[str, str]) -> _Versions:
    """Return what identifies versions of files: hash of a text, or time, size and inode."""
    found = {}
    for file in files:
        text = texts.get(os.path.realpath(file)) if texts else None
        found[file] = file_version(file) if text is None else (hash(text), len(text), -1)
    return found
