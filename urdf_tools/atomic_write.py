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
import os
from pathlib import Path
import shutil
import stat
import tempfile
from typing import BinaryIO
from typing import cast


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
    with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix='.urdf-tools-', suffix='.tmp', delete=False) as temporary:
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
