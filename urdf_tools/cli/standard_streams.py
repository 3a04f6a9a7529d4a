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

"""Standard output and error of the command: closed, full, or pipes that nobody reads any more."""

from __future__ import annotations

from collections.abc import Callable
import errno
import io
import os
import signal
import sys
from typing import Any
from typing import TextIO


class OutputError(BaseException):
    """
    Standard output or error cannot be written.

    Not an ``Exception``: whoever prints something handles errors of other files, not this one.
    """

    def __init__(self, file: int, error: OSError):
        self.file = file
        self.number = error.errno
        super().__init__(error.strerror)


def with_standard_streams(run: Callable[[], int]) -> int:
    """
    Run a command whose output may fail at any time, and write all of it.

    :return: its exit code; 2 after one line on standard error if the output cannot be written, as
        on a full disk or where it is closed; 141, without a word, if it is a pipe whose reader has
        gone: what a shell reports of a program that SIGPIPE ends.
    """
    for number, name in enumerate(('stdin', 'stdout', 'stderr')):
        if getattr(sys, name) is None:
            _reopen(number, name)
    sys.stdout, sys.stderr = _checked(sys.stdout), _checked(sys.stderr)
    try:
        try:
            return run()
        finally:
            # At the exit of Python it would fail with a message and a code of its own.
            sys.stdout.flush()
    except OutputError as error:
        return _ended_by(error)


class _CheckedFile(io.FileIO):
    """An open file whose errors are distinguishable from those of other files."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(self.fileno(), error) from error
        except BaseException:
            # A signal: the data may be written already, and would be written again at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            raise


def _checked(stream: TextIO) -> TextIO:
    """Return a checked stream to the same file; other streams than those of a process as is."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    raw = _CheckedFile(stream.fileno(), 'wb', closefd=False)
    is_unbuffered = isinstance(stream.buffer, io.RawIOBase)
    return io.TextIOWrapper(
        raw if is_unbuffered else io.BufferedWriter(raw), stream.encoding, stream.errors,
        line_buffering=stream.line_buffering, write_through=stream.write_through)


def _reopen(number: int, name: str) -> None:
    """
    Open a standard stream that is closed, so that no other file takes its descriptor.

    Input is empty, messages are lost, and writing to the output is an error.
    """
    file = os.open(os.devnull, os.O_WRONLY if name == 'stderr' else os.O_RDONLY)
    if file != number:
        os.dup2(file, number)
        os.close(file)
    setattr(sys, name, open(
        number, 'r' if name == 'stdin' else 'w', errors='backslashreplace', closefd=False))


def _ended_by(error: OutputError) -> int:
    """Report what cannot be written, and return the exit code."""
    null = os.open(os.devnull, os.O_WRONLY)
    # Python writes what is left once more when it exits.
    os.dup2(null, error.file)
    if error.number == errno.EPIPE:
        return 128 + signal.SIGPIPE
    try:
        print(f'urdf-tools: Cannot write to standard output: {error}', file=sys.stderr)
    except OutputError:
        os.dup2(null, sys.stderr.fileno())
    return 2
