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

"""Changed descriptions: as a difference, or into their file."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
import shutil
import tempfile

from urdf_tools.cli.description import CommandError
from urdf_tools.model.document import Document


def difference(before: Document, after: Document, what: str) -> str:
    """
    Return the lines that differ between two descriptions, as a unified diff.

    :param what: a word for the second in its head, such as ``fixed``.
    """
    old, new = (
        document.data.decode('utf-8', 'surrogateescape').splitlines()
        for document in (before, after))
    return '\n'.join(difflib.unified_diff(
        old, new, before.source, f'{before.source} ({what})', lineterm=''))


def write(path: Path, data: bytes) -> None:
    """
    Replace the content of a file at once or not at all.

    :raises CommandError: it cannot be written.
    """
    target = Path(os.path.realpath(path))
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
            file.write(data)
        shutil.copymode(target, file.name)
        os.replace(file.name, target)
    except OSError as error:
        raise CommandError(f'Cannot write {str(path)!r}: {error.strerror}') from error
