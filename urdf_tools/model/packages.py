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

"""ROS packages in source folders, and the names in their manifests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
import os
from pathlib import Path
import stat
from xml.parsers import expat

IGNORE_MARKERS = frozenset(('AMENT_IGNORE', 'CATKIN_IGNORE', 'COLCON_IGNORE'))
"""Files that tell the tools of ROS to leave a folder out; colcon marks what it writes."""

MAX_BYTES = 2**22
"""Longest manifest that is read."""

MAX_FOLDERS = 20_000
"""Most folders that are searched for packages; the others are left out."""


def packages_below(folder: Path) -> Iterator[Path]:
    """Yield the folders of the ROS packages below a folder, as catkin finds them."""
    for path, folders, files in islice(os.walk(folder), MAX_FOLDERS):
        if IGNORE_MARKERS.intersection(files):
            folders.clear()
        elif 'package.xml' in files:
            folders.clear()
            yield Path(path)
        folders[:] = sorted(name for name in folders if not name.startswith('.'))


def package_name(folder: Path) -> str | None:
    """Return the name in the package manifest of a folder, or None."""
    manifest = folder / 'package.xml'
    try:
        status = os.stat(manifest)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return _name_in_manifest(manifest, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _name_in_manifest(manifest: Path, changed: int, size: int) -> str | None:
    """
    Return the name in a package manifest, or None; read once for many missing packages.

    Workers read them that have not imported what reads descriptions.

    :param changed: time of its last change, which with its size tells a new one.
    """
    tags: list[str] = []
    texts: list[str] = []

    def start(tag: str, _attributes: object) -> None:
        tags.append(tag)

    def read(text: str) -> None:
        if tags[1:] == ['name']:
            texts.append(text)

    def end(_tag: str) -> None:
        if tags[1:] == ['name']:
            parser.CharacterDataHandler = None
        tags.pop()

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = read
    parser.EntityDeclHandler = _refuse
    try:
        with open(manifest, 'rb') as file:
            parser.Parse(file.read(MAX_BYTES), True)
    except (OSError, ValueError, expat.ExpatError):
        return None
    return ''.join(texts).strip()


def _refuse(*_declaration: object) -> None:
    raise ValueError('a package manifest declares no entities')
