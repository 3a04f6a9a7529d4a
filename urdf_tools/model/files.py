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

"""Read files that others may replace, by a pipe or a link, while they are looked at."""

from __future__ import annotations

from contextlib import suppress
import errno
from itertools import islice
import os
import stat

MOST_FILES = 20_000
"""Maximum number of files that are listed."""


def read_regular_file(path: str | os.PathLike[str], maximum: int) -> bytes:
    """
    Return at most some bytes of a regular file.

    :raises OSError: it cannot be read, or is not a regular file: opening a pipe could block.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, 'rb') as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, 'It is a named pipe' if stat.S_ISFIFO(
                status.st_mode) else 'It is not a regular file')
        return file.read(min(maximum, status.st_size + 1))


def real_path(path: str | os.PathLike[str]) -> str:
    """
    Return a path without symbolic links, resolved again if one of them is replaced meanwhile.

    :raises OSError: one is replaced again and again.
    """
    with suppress(OSError):
        return os.path.realpath(path)
    return os.path.realpath(path)


def files_in(folder: str | os.PathLike[str]) -> list[str]:
    """Return the names of the files in a folder, or of some of very many."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, MOST_FILES) if entry.is_file()]
    except OSError:
        return []
