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
from errno import EINVAL
from errno import ELOOP
import os
from pathlib import Path
import shutil
import stat
from typing import BinaryIO


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """
    Write a file, new or atomically in place of an old one, keeping its mode and following links.

    The owner stays where that is allowed; a file with several names (hard links) is overwritten.

    Devices, pipes and the file of ``/dev/stdout`` are written directly.

    :raises OSError: the file cannot be written; an old one is as before.
    """
    with replacement(path) as file:
        file.write(data)


def placed(folder: Path, name: str) -> Path:
    """
    Return the path of a file below a folder, in a folder that exists.

    :raises OSError: a link on the way to it leads out, or its folder cannot be made.
    """
    path = folder
    for part in Path(name).parts:
        path /= part
        if path.is_symlink():
            raise OSError(ELOOP, 'It is a symbolic link', str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def replacement(path: str | os.PathLike[str], is_change: bool = False) -> Iterator[BinaryIO]:
    """
    Open a file for writing as :func:`replace_file` writes it; an exception leaves the old one.

    :param is_change: whether it was read, and may only be written if it is still a regular file.
    :raises OSError: likewise.
    """
    if _is_link_of_another(path):
        raise PermissionError(13, 'It is a link of another user in a folder of all users')
    target = Path(os.path.realpath(path))
    old = os.stat(path) if os.path.exists(path) else None
    if is_change and old is not None and not stat.S_ISREG(old.st_mode):
        raise OSError(EINVAL, 'It is not a regular file any more')  # A pipe could block.
    if old is not None and (not stat.S_ISREG(old.st_mode) or _is_output(old)):
        with open(path, 'ab') as file:
            yield file
        return
    if old is not None and not os.access(target, os.W_OK):
        # A file that is write-protected could be replaced all the same.
        raise PermissionError(13, os.strerror(13), str(path))
    temporary = target.with_name(f'.urdf-tools-{os.urandom(8).hex()}.tmp')
    try:
        with open(temporary, 'xb') as file:
            if old is not None:
                with suppress(PermissionError):  # Only root gives files away.
                    os.chown(temporary, old.st_uid, old.st_gid)
                shutil.copymode(target, temporary)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if old is not None and old.st_nlink > 1:
            _overwrite(target, temporary)  # Its other names are to get it, too.
            temporary.unlink()
        else:
            os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _overwrite(target: Path, temporary: Path) -> None:
    with open(temporary, 'rb') as new, open(target, 'r+b') as file:
        before, size = os.stat(target).st_size, os.stat(temporary).st_size
        if size > before and hasattr(os, 'posix_fallocate'):
            try:
                os.posix_fallocate(file.fileno(), 0, size)
            except OSError:  # The disk is full, and the old file is intact.
                file.truncate(before)
                raise
        shutil.copyfileobj(new, file)
        file.truncate()


def _is_link_of_another(path: str | os.PathLike[str]) -> bool:
    """Return whether another user may have put a link into /tmp, as Linux forbids to follow."""
    try:
        link, folder = os.lstat(path), os.stat(Path(path).parent)
    except (OSError, ValueError):
        return False
    return stat.S_ISLNK(link.st_mode) and folder.st_mode & 0o1002 == 0o1002 and (
        link.st_uid not in (os.geteuid(), folder.st_uid))


def _is_output(status: os.stat_result) -> bool:
    """Return whether a file is that of the standard output or error, as ``/dev/stdout`` is."""
    for stream in (1, 2):
        with suppress(OSError):  # It may be closed.
            if os.path.samestat(status, os.fstat(stream)):
                return True
    return False
