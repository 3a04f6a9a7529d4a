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
from contextlib import contextmanager
import os
import re
import stat
import sys
from typing import BinaryIO

from urdf_tools.atomic_write import replacement
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.output import print_bytes
from urdf_tools.cli.output import print_exact
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_file


def write_file(path: str, data: bytes) -> None:
    """
    Write a file completely, or not at all; ``-`` is standard output.

    :raises CommandError: the file cannot be written; an old one is as before.
    """
    if path == '-':
        print_bytes(data)
        return
    with opened(path) as file:
        file.write(data)


def write_text(path: str, data: bytes) -> None:
    """
    Write a text likewise; on a terminal it is made printable.

    :raises CommandError: the file cannot be written; an old one is as before.
    """
    if path == '-':
        print_exact(data.decode('utf-8', 'surrogateescape'))
    else:
        write_file(path, data)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """
    Open a file that is too large for :func:`write_file`, and write it like that.

    :raises CommandError: the file cannot be written; an old one is as before.
    """
    try:
        with replacement(path) as file:
            yield file
    except OSError as error:
        raise CommandError(f'Cannot write {path!r}: {error.strerror}') from error


def refuse_inputs(outputs: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """
    Check that no file is written that is read, by whatever names, or written twice.

    :param outputs: files to write; None and ``-``, for standard output, are ignored.
    :param inputs: files that are read; ``-`` is standard input.
    :raises CommandError: one is.
    """
    read = {identity: name for name in inputs if name and (identity := _identity(name))}
    written: set[object] = set()
    for output in _files(outputs):
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


def refuse_sources(outputs: Iterable[str | None], document: Document, file: str) -> None:
    """
    Check that no file is written that a description comes from or refers to.

    :param outputs: as for :func:`refuse_inputs`.
    :param file: the argument that named the description.
    :raises CommandError: one is.
    """
    outputs, files = _files(outputs), source_files(document, file)
    refuse_inputs(outputs, files)
    refuse_mentioned(outputs, files, document.data)


def source_files(document: Document, file: str) -> list[str]:
    """Return the files that a description comes from, the one that an argument named first."""
    xacro = () if document.xacro is None else document.xacro.files
    return [file, *(source.path for source in xacro)]


def refuse_mentioned(
        outputs: Iterable[str | None], files: Iterable[str], expanded: bytes = b'') -> None:
    """
    Check that no file is written that descriptions name, such as a mesh or the YAML of a macro.

    A name with an expression in it counts for each existing file that is called the same.

    :param outputs: as for :func:`refuse_inputs`.
    :param files: files of descriptions.
    :param expanded: the text of one, after its expansion.
    :raises CommandError: one is.
    """
    # A robot is only read where it is included, and its text may well say what is made of it.
    existing = [output for output in _files(outputs)
                if _identity(output) and not output.lower().endswith(('.urdf', '.sdf'))]
    for file in files if existing else ():
        for text in (_text(file), expanded):
            for output in existing:
                for name in _mentioned(text, os.path.basename(os.path.realpath(output))):
                    if _is_same(name, output, os.path.dirname(file)):
                        raise CommandError(
                            f'{output!r} is an input, as {file!r} refers to {name!r}, and would '
                            'be overwritten. Name another file')


def _files(outputs: Iterable[str | None]) -> list[str]:
    return [output for output in outputs if output is not None and output != '-']


def _identity(name: str) -> tuple[int, int] | None:
    """Return what identifies a regular file, whatever its path; None if it is not one."""
    try:
        found = os.fstat(sys.stdin.fileno()) if name == '-' else os.stat(name)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _text(file: str) -> bytes:
    try:
        return read_file(file) if file != '-' and os.path.isfile(file) else b''
    except DescriptionError:
        return b''


def _mentioned(text: bytes, name: str) -> Iterator[str]:
    """Yield the quoted paths in a text that end with a file name."""
    pattern = rb'["\'](?:[^"\'<>\n]*/)?' + re.escape(os.fsencode(name)) + rb'(?=["\'])'
    for match in re.finditer(pattern, text):
        yield os.fsdecode(match[0][1:])


def _is_same(name: str, output: str, folder: str) -> bool:
    """Return whether a path in a description leads to a file, or may do so."""
    try:
        return os.path.samefile(ResourceResolver(folder or '.').resolve(name), output)
    except (OSError, ResourceError):
        return True
