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
"""How the package of a description, and those beside it, launch, simulate and install it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from functools import lru_cache
from itertools import chain
import os
from pathlib import Path
import re

from urdf_tools.check.file_lookup import build_texts
from urdf_tools.check.file_lookup import glob_in
from urdf_tools.check.file_lookup import package_folder
from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.file_lookup import texts_of
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.files import real_path
from urdf_tools.model.package_lookup import checkout_or_package
from urdf_tools.model.package_lookup import is_manifest
from urdf_tools.model.package_lookup import package_name
from urdf_tools.model.xml.editing import located
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import text_of

RELEASES = 'foxy', 'galactic', 'humble', 'jazzy', 'kilted', 'lyrical'
"""The releases of ROS 2 whose names are no other words, the newest last."""

_MAX_README = 1_000_000

_RELEASE = re.compile(rf'(?i)\b({"|".join(RELEASES)})\b')
_CLASSIC = re.compile(r'\b(?:gazebo_ros\w*|ros_ign\w*|ign_ros2_control|gazebo_ros2_control)\b')
_ROBOT = re.compile(r'<robot\b[^>]*\bname\s*=')
_LAUNCHES = re.compile(
    r'LaunchDescription|generate_launch_description|<launch|^(?:launch:|from launch)', re.M)
_NAME = re.compile(r'<name>\s*([^<\s]+)')

_SIMULATES = re.compile(r'\bros_(?:gz|ign)(?:_sim|_gazebo)?\b')


class PackageFiles:
    """
    The files of the package of a description, and of packages beside it, that use it.

    :ivar folder: the folder of the package.
    :ivar name: the name of the package; None if it is not in one.
    """

    def __init__(self, description: Description):
        self._description = description
        self.folder = package_folder(description)
        self.name = package_name(self.folder)

    @cached_property
    def launch(self) -> Mapping[str, str]:
        """The launch files in the package, and in the folders ``launch`` of those beside it."""
        texts = package_texts(self._description, 'py', 'launch', 'launch.xml', 'launch.y*ml',
                              beside='launch')
        return {file: text for file, text in texts.items()
                if _LAUNCHES.search(text)}

    @cached_property
    def launching(self) -> Mapping[str, str]:
        """Those of the launch files that name the description, elsewhere also its package."""
        names = [re.compile(rf'(?<![\w.-]){re.escape(name)}(?![\w.-])') for name in (
            os.path.basename(self.source), self.name or '')]
        return {file: text for file, text in self.launch.items() if all(
            name.search(text) for name in names[:1 if self.folder in Path(file).parents else 2])}

    @property
    def is_alone(self) -> bool:
        """Whether there is no description, and the package is checked without one."""
        return is_manifest(self.source)

    @property
    def source(self) -> str:
        """The file of the description."""
        return self._description.document.source

    @cached_property
    def build(self) -> Mapping[str, str]:
        """What says how packages are built, installed and found, by file."""
        return build_texts(self._description)

    def own(self, name: str) -> str:
        """Return the text of a file in the folder of the package; empty if there is none."""
        return self.build.get(os.fspath(self.folder / name), '')

    @cached_property
    def packages(self) -> Mapping[str, Path]:
        """The folders of the package and of those beside it, by the name of the package."""
        return {match[1]: Path(file).parent for file, text in self.build.items()
                if file.endswith('package.xml') and (match := _NAME.search(text))}

    @cached_property
    def is_first(self) -> bool:
        """Whether the description is the first one of the package, where others are reported."""
        texts = package_texts(self._description, 'urdf', 'xacro')
        names = [file for file, text in texts.items() if _ROBOT.search(text) and not any(
            os.path.basename(file) in each for each in texts.values()) and '.srdf' not in file]
        names = names or [*package_texts(self._description, 'srdf', 'srdf.xacro')]
        return self.is_alone or not names or min(names) == os.path.abspath(
            self._description.srdf or self.source)

    @cached_property
    def release(self) -> str:
        """The newest release of ROS 2 that files around the package name; empty if none does."""
        roots = self.folder, self.folder.parent
        texts = texts_of(self._description, (
            file for root in roots if self.name for pattern in (
                'README*', '*.md', '*ocker*', '*.repos', '.github/workflows/*.y*ml', 'package.xml')
            for file in glob_in(root, pattern)))
        top = checkout_or_package(self.folder) if self.name else None
        for file in (file for pattern in ('README*', '*ocker*', '.github/workflows/*.y*ml')
                     for file in (glob_in(top, pattern) if top else ())):
            # It may be above all packages, in a folder of which nothing else is read.
            with suppress(OSError):
                if top and real_path(file) == os.path.join(
                        real_path(top), file.relative_to(top)):
                    texts[os.fspath(file)] = text_of(read_regular_file(file, _MAX_README))
        names = {*chain.from_iterable(map(_RELEASE.findall, texts.values()))}
        old = {'humble'} if _CLASSIC.search(self.own('package.xml')) else ()
        return max(map(str.lower, names or old), key=RELEASES.index, default='')

    def is_for(self, release: str, source: Element | None = None) -> bool:
        """
        Return whether the package may be used with a release of ROS 2, or a later one.

        :param source: what is in one of its files, which may be in a folder for a release.
        """
        path = '' if source is None else os.path.dirname(source.location('')[0])
        own = max(map(str.lower, _RELEASE.findall(path)), key=RELEASES.index, default=self.release)
        return not release or not own or RELEASES.index(own) >= RELEASES.index(release)

    @cached_property
    def is_simulated(self) -> bool:
        """Whether the package depends on ros_gz, or a launch file starts the robot with it."""
        return self.name is not None and bool(_SIMULATES.search(self.own('package.xml')) or any(
            _SIMULATES.search(text) for file, text in self.launch.items()
            if file in self.launching or self.folder in Path(file).parents
            or re.search(rf'\b{re.escape(self.name)}\b', text)))


package_files = once(PackageFiles)
"""Return the files of packages that use a description."""


def is_of_ros_1(manifest: str) -> bool:
    """Return whether a package is for ROS 1 alone, by the text of its package.xml."""
    return 'catkin' in manifest and 'ament' not in manifest


def element_in(path: str, text: str, offset: int, tag: str) -> Element:
    """Return an element at an offset in the text of a file that is not XML."""
    file = _file(os.path.relpath(path), text, None)
    return located(Element(tag, {}, None, *file.positions.line_and_column(offset), 0), file)


_file = lru_cache(maxsize=1)(SourceFile)
