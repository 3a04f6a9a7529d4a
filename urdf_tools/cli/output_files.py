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

"""Files that verbs write, which are never files that they read."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
import os
from pathlib import Path
import re
import stat
import sys
from tempfile import TemporaryFile
from typing import BinaryIO

from urdf_tools.atomic_write import replacement
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.output import print_exact
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output import unified_diff
from urdf_tools.model.xml.document import Document


def write_file(path: str, data: bytes) -> None:
    """
    Write a file completely, or not at all; ``-`` is standard output, see :func:`print_exact`.

    :raises CommandError: the file cannot be written; an old one is as before.
    """
    if path == '-':
        print_exact(data)
        return
    with opened(path) as file:
        file.write(data)


def write_output(path: str, data: bytes) -> None:
    """
    Write the result of a verb, and say on standard error which file was written.

    :raises CommandError: the file cannot be written; an old one is as before.
    """
    write_file(path, data)
    say_written(path)


def say_written(path: str, more: str = '') -> None:
    """
    Say on standard error which file was written; nothing of standard output.

    :param more: what else was written, as the end of the sentence.
    """
    if path != '-':
        print_line(f'wrote {path}{more}', sys.stderr)


def make_folder(path: str) -> None:
    """
    Make the folder of a file that is to be written after long work, and try to write there.

    :raises CommandError: nothing can be written there.
    """
    folder = Path(path).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.path.exists(path):
            with TemporaryFile(dir=folder):
                pass
    except OSError as error:
        raise CommandError(f'Cannot write {path!r}: {error.strerror}') from error


def write_change(
        before: Mapping[str, bytes], after: Mapping[str, bytes], label: str, is_shown: bool
        ) -> list[str]:
    """
    Write the files that change, or print how, and return them.

    :param label: the label of the new ones in the header of a diff, such as ``fixed``.
    :param is_shown: whether unified diffs are printed, and no file is written.
    :raises CommandError: a file cannot be written; it is as before.
    """
    changed = [name for name, data in after.items() if data != before[name]]
    for name in changed:
        if is_shown:
            print_exact(unified_diff(name, before[name], after[name], label))
        else:
            with opened(name, is_change=True) as file:
                file.write(after[name])
    return changed


@contextmanager
def opened(path: str, is_change: bool = False) -> Iterator[BinaryIO]:
    """
    Open a file that is too large for :func:`write_file`, and write it like that.

    :param is_change: as of :func:`replacement`.
    :raises CommandError: the file cannot be written; an old one is as before.
    """
    try:
        with replacement(path, is_change) as file:
            yield file
    except OSError as error:
        raise CommandError(f'Cannot write {path!r}: {error.strerror}') from error


def require_file(source: str) -> None:
    """
    Check that a change can be written to the source of a description.

    :raises CommandError: the source is ``-``, for standard input.
    """
    if source == '-':
        raise CommandError('Cannot write to standard input; --diff prints the change')


def refuse_inputs(outputs: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """
    Check that no file is written that is read, by whatever names, or written twice.

    :param outputs: files to write; None and ``-``, for standard output, are ignored.
    :param inputs: files that are read; ``-`` is standard input.
    :raises CommandError: one is.
    """
    read = {identity: name for name in inputs if name and (identity := _identity(name))}
    written: set[object] = set()
    for output in outputs:
        if output is None or output == '-':
            continue
        identity = _identity(output)
        if identity in read:
            name = read[identity]
            also = '' if name == output else ' (standard input)' if name == '-' else f' ({name!r})'
            raise CommandError(f'{output!r} is an input{also}, which would be overwritten. Name '
                               'another file')
        target = identity or os.path.realpath(output)
        # Devices and pipes may be written several times.
        if target in written and (os.path.isfile(output) or not os.path.exists(output)):
            raise CommandError(f'{output!r} is to be written twice. Name another file')
        written.add(target)


def refuse_shared(files: Mapping[Path, bytes], model: Path) -> None:
    """
    Check that no mesh or texture changes that another model in the folder of a model names.

    :param files: what is to be written, with the model or without it.
    :raises CommandError: one does.
    """
    changing = [path for path, data in files.items()
                if path != model and path.is_file() and path.read_bytes() != data]
    for other in sorted(model.parent.iterdir()) if changing else ():
        if other.suffix in ('.urdf', '.xml') and other != model and other.is_file():
            names = {*re.findall(rb'[^"\'/]+(?=["\'])', other.read_bytes())}
            for path in changing:
                if os.fsencode(path.name) in names:
                    raise CommandError(
                        f'{str(path)!r} is a file of {str(other)!r}, too, and would be another '
                        'one. Name a file in another folder, or remove one of them')


def refuse_links(outputs: Iterable[str]) -> None:
    """
    Check that no file is written to where a symbolic link leads, which a project may have.

    :param outputs: files to write; those outside of the current folder are not looked at.
    :raises CommandError: one is.
    """
    for output in outputs:
        path = os.path.abspath(output)
        if path.startswith(os.path.join(os.getcwd(), '')) and os.path.realpath(path) != path:
            raise CommandError(f'{output!r} leads elsewhere through a symbolic link, which '
                               '--untrusted does not follow. Name another file')


def refuse_sources(outputs: Iterable[str | None], document: Document, file: str) -> None:
    """
    Check that no file is written that a description comes from.

    :param outputs: as for :func:`refuse_inputs`.
    :param file: the argument that named the description.
    :raises CommandError: one is.
    """
    refuse_inputs(outputs, source_files(document, file))


def source_files(document: Document, file: str) -> list[str]:
    """Return the files that a description comes from, the one that an argument named first."""
    xacro = () if document.xacro is None else document.xacro.files
    return [file, *(source.path for source in xacro)]


def _identity(name: str) -> tuple[int, int] | None:
    """Return what identifies a regular file, whatever its path; None if it is not one."""
    try:
        found = os.fstat(sys.stdin.fileno()) if name == '-' else os.stat(name)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
