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

"""Replace files atomically: after an error, such as a full disk, the old file is intact."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextlib import suppress
import fcntl
import os
from pathlib import Path
import shutil
import stat
import tempfile
from typing import Any
from typing import BinaryIO
from typing import cast

_PREFIX, _SUFFIX = '.urdf-tools-', '.tmp'
"""Of the names of temporary files."""


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """
    Write a file, new or atomically in place of an old one, keeping its mode and following links.

    Devices, pipes and open files such as ``/dev/stdout`` are written directly.

    :raises OSError: the file cannot be written; an old one is as before.
    """
    with replacement(path) as file:
        file.write(data)


@contextmanager
def replacement(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """
    Open a file for writing as :func:`replace_file` writes it; an exception leaves the old one.

    :raises OSError: likewise.
    """
    target = Path(os.path.realpath(path))
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode) or _is_open_file(path):
        with open(path, 'ab') as file:
            yield file
        return
    if mode is not None and not os.access(target, os.W_OK):
        # A file that is write-protected could be replaced all the same.
        raise PermissionError(13, os.strerror(13), str(path))
    _remove_leftovers(target.parent)
    with _locked_file(target.parent) as temporary:
        try:
            yield cast(BinaryIO, temporary)
            temporary.flush()
            if mode is None:
                # The umask can only be read by setting it.
                mask = os.umask(0o077)
                os.umask(mask)
                os.chmod(temporary.name, 0o666 & ~mask)
            else:
                shutil.copymode(target, temporary.name)
            os.fsync(temporary.fileno())
            os.replace(temporary.name, target)
        except BaseException:
            os.unlink(temporary.name)
            raise


def _locked_file(folder: Path) -> Any:
    """Create a temporary file, which others know by its lock to be in use while it is open."""
    while True:
        file = tempfile.NamedTemporaryFile(
            dir=folder, prefix=_PREFIX, suffix=_SUFFIX, delete=False)
        _lock(file.fileno(), 0)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # Another process has removed it before it was locked.


def _remove_leftovers(folder: Path) -> None:
    """Remove temporary files of processes that were killed, but nothing else."""
    found: list[os.DirEntry[str]] = []
    with suppress(PermissionError), os.scandir(folder) as entries:
        found = [entry for entry in entries if entry.is_file(follow_symlinks=False)
                 and entry.name.startswith(_PREFIX) and entry.name.endswith(_SUFFIX)]
    for entry in found:
        with suppress(OSError):  # Somebody else's file, or one that is gone.
            file = os.open(entry.path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                if _lock(file, fcntl.LOCK_NB):
                    os.unlink(entry.path)
            finally:
                os.close(file)


def _lock(file: int, options: int) -> bool:
    """Lock a file for as long as it is open, and return whether its file system can do so."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | options)
    except OSError:
        return False
    return True


def _is_open_file(path: str | os.PathLike[str]) -> bool:
    """Return whether a path leads to a file that a process has open, as ``/dev/stdout`` does."""
    name = os.path.abspath(path)
    for _ in range(40):  # As many links as Linux follows.
        parent = os.path.realpath(os.path.dirname(name))
        if Path(parent).parts[:2] == (os.sep, 'proc') or parent == '/dev/fd':
            return True
        if not os.path.islink(name):
            break
        name = os.path.join(parent, os.readlink(name))
    return False
