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

from urdf_tools.model.document import read_document
from urdf_tools.model.document import read_file
from urdf_tools.model.errors import DescriptionError

IGNORE_MARKERS = frozenset(('AMENT_IGNORE', 'CATKIN_IGNORE', 'COLCON_IGNORE'))
"""Files that tell the tools of ROS to leave a folder out; colcon marks what it writes."""


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

    :param changed: time of its last change, which with its size tells a new one.
    """
    try:
        return read_document(read_file(manifest)).root.findtext('name', '').strip()
    except DescriptionError:
        return None
