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

"""File access and package lookup for a worker that expands a xacro file."""

from __future__ import annotations

from collections.abc import Mapping
import errno
from itertools import islice
import os
from pathlib import Path
import re
import threading
from typing import Any
from typing import NamedTuple

from urdf_tools.model.files import files_in
from urdf_tools.model.files import MOST_FILES
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.files import real_path
from urdf_tools.model.installed_files import sources_of
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import MAX_PATH
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.document import MAX_BYTES
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits

OUTSIDE = (
    'does not exist, or is outside of the project and of the packages, or not tracked by git')
"""Error text for a file that the description may not read."""

NOT_FOUND = 'is neither installed nor in the sources around the file'
"""Error text for a package that is not found."""

_GONE = re.compile(r"No such file or directory: '([^']+)'")

_Response = tuple[dict[str, Any], bytes]


class XacroLimits(NamedTuple):
    """
    Limits on the expansion of xacro files; the largest robots take a few seconds.

    :ivar memory: address space of the process that expands, in MB of 2^20 bytes.
    :ivar time: for one expansion, in seconds.
    :ivar total_time: for all expansions of one file, with different arguments, in seconds.
    """

    memory: float = 600
    time: float = 20
    total_time: float = 20


class XacroBudget:
    """
    The remaining budget for the expansions of one file.

    :ivar limits: what they may take from the first one on.
    :ivar spent: seconds that they took.
    """

    def __init__(self, limits: XacroLimits = XacroLimits(), spent: float = 0.0):
        self.limits = limits
        self.spent = spent
        self._lock = threading.Lock()

    def spend(self, seconds: float) -> None:
        """Add the time of an expansion."""
        with self._lock:
            self.spent += seconds

    def next_job(self) -> Limits:
        """Return the limits of the next expansion; its time is negative if none is left."""
        seconds = min(self.limits.time, self.limits.total_time - self.spent)
        return Limits(self.limits.memory, seconds, seconds)

    def reason(self, limit: str, job: Limits) -> str:
        """Return why an expansion that exceeded a limit failed."""
        if job.wall < self.limits.time and limit in ('time', 'wall'):
            return ('the expansions with all combinations of arguments take longer than '
                    f'{self.limits.total_time:g} s')
        return str(LimitExceeded(limit, job))


class XacroFiles:
    """
    Responds to the questions of a worker, which itself reads no files.

    :ivar missing: the package that was not found last.

    :param packages: finds packages, and has what the description may read.
    :param buffers: absolute path of a file to the text that counts instead of what is on disk.
    :param checked: the file that the user names, which git need not track.
    """

    def __init__(self, packages: PackageLookup, buffers: Mapping[str, str], checked: str = ''):
        self.packages = packages
        self._checked = os.path.abspath(checked)
        self._buffers = buffers
        self._found: set[Path] = set()
        self._installed: dict[str, str] = {}
        self.missing = ''

    def respond(self, question: Any, _data: bytes) -> _Response:
        """Return the text of a file, the names in a folder, or the folder of a package."""
        if 'find' in question:
            return self._find(str(question['find']))
        path = str(question['list'] if 'list' in question else question['read'])
        try:
            if len(path) > MAX_PATH:
                raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
            return self._list(path) if 'list' in question else self._read(path)
        except (OSError, ValueError) as error:
            return {'error': getattr(error, 'strerror', None) or str(error),
                    'number': getattr(error, 'errno', None) or errno.EINVAL}, b''

    def text(self, path: str) -> str:
        """Return the text of a file, as far as it can be read."""
        try:
            found, data = self._read(path)
        except (OSError, ValueError):
            return ''
        return str(found['text']) if 'text' in found else data.decode('utf-8', 'replace')

    def may_read(self, path: str) -> bool:
        """Return whether the description may know of a file or folder."""
        return self.packages.trust.is_full or self.holds(path)

    def holds(self, path: str) -> bool:
        """Return whether a file is in the project or in a package, and not withheld by git."""
        is_checked = os.path.abspath(path) == self._checked and self.packages.may_read(path)
        return is_checked or self.packages.holds(path, self._found)

    def moved(self, reason: str) -> str:
        """
        Return a hint on the file that was meant by a path without one, or an empty string.

        It has another name in the same folder.
        """
        gone = _GONE.search(reason)
        if gone is None or not self.may_read(gone[1]):
            return ''
        path = Path(gone[1])
        near = closest(path.name.casefold(), names := {
            name.casefold(): name for name in files_in(path.parent)}, 0.8)
        return f'Did you mean {quote(names[near], 80)}, which is in that folder?' if near else ''

    def source_of(self, path: str) -> str:
        """Return the file that was read for a path, relative if that is, or else the path."""
        real = self._installed.get(os.path.abspath(path))
        return path if real is None else real if os.path.isabs(path) else os.path.relpath(real)

    def _install(self, path: str) -> str:
        """Return the file in the sources that is installed to a path, or the path."""
        is_known = os.path.exists(path) or not self.may_read(path)
        for folder in () if is_known else filter(Path(path).is_relative_to, self._found):
            for source in filter(os.path.isfile, sources_of(path, folder, self.may_read)):
                self._installed[path] = str(source)
        return self._installed.get(path, path)

    def _find(self, name: str) -> _Response:
        folder = self.packages.find(name)
        if folder is None:
            self.missing = name
            return {'refused': f'package {quote(name, 80)} {NOT_FOUND}'}, b''
        self._found.add(folder.resolve())
        return {'folder': str(folder)}, b''

    def _list(self, folder: str) -> _Response:
        if not self.may_read(os.path.abspath(folder)):
            return {'refused': f'{quote(folder, 200)} {OUTSIDE}'}, b''
        if not os.path.isdir(folder):
            return {'names': []}, b''
        with os.scandir(folder) as entries:
            return {'names': [entry.name for entry in islice(entries, MOST_FILES)]}, b''

    def _read(self, path: str) -> _Response:
        file = self._install(os.path.abspath(path))
        for name in (file, real_path(file)):
            if name in self._buffers:
                return {'text': self._buffers[name]}, b''
        if not self.may_read(file):  # Raised whether it exists or not.
            return {'refused': f'{quote(path, 200)} {OUTSIDE}'}, b''
        data = read_regular_file(Path(file), MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise OSError(errno.EFBIG, f'It has more than {MAX_BYTES} bytes')
        return {}, data
