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

"""
Confinement by the Linux kernel: Landlock and seccomp.

Landlock (5.13 and later) knows folders, seccomp the numbers of system calls; where a kernel or a
container has one of them only, the other still holds. See landlock(7) and seccomp(2).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
import ctypes
import fcntl
import json
import os
import struct

_PR_SET_NO_NEW_PRIVS = 38

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_LANDLOCK_VERSION = 1
_LANDLOCK_PATH_BENEATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""Number of rights that Landlock has from a version on."""

_SECCOMP = {'x86_64': (317, 0xC000003E, 0), 'aarch64': (277, 0xC00000B7, 1)}
"""Number of seccomp, the kernel's number of the architecture, and its column in the calls."""

_SECCOMP_FILTER, _SECCOMP_ALL_THREADS = 1, 1
_ALLOW, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38
"""Result of a call: allowed, EPERM, or ENOSYS, on which libraries use older calls."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

_CLONE_THREAD, _CLONE3 = 0x10000, 435
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_TCGETS, _PR_SET_NAME = 0x5401, 15
_DESCRIPTOR_COMMANDS = (
    fcntl.F_DUPFD, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL,
    fcntl.F_DUPFD_CLOEXEC)

with open(os.path.join(os.path.dirname(__file__), 'system_calls.json'), 'rb') as _file:
    _CALLS: dict[str, dict[str, tuple[int | None, int | None]]] = json.load(_file)
"""
The system calls that are allowed, with their numbers on both architectures.

They work on this process and on open files, or read files. Those that are ``filtered`` are
allowed for some arguments only; all others are refused.
"""


def restrict(readable: Sequence[str] | None) -> None:
    """
    Permanently deny this process all but computing and reading files.

    Only what the kernel supports is denied; call this before there are other threads.

    :param readable: files and folders which alone it may read and list; None for all.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
        _restrict_files(libc, readable)
        _refuse_calls(libc)


def _restrict_files(libc: ctypes.CDLL, readable: Sequence[str] | None) -> None:
    version = libc.syscall(_LANDLOCK_CREATE, None, 0, _LANDLOCK_VERSION)
    if version < 1:
        return
    rights = (1 << max(count for minimum, count in _FILE_RIGHTS.items() if minimum <= version)) - 1
    rights &= -1 if readable is not None else ~(_READ_FILE | _READ_DIR)
    # All connections by TCP from version 4 on; abstract sockets and signals from 6 on.
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    attributes = struct.pack('QQQ', rights, 3, 3)[:size]
    ruleset = libc.syscall(_LANDLOCK_CREATE, attributes, len(attributes), 0)
    if ruleset < 0:
        return
    for path in readable or ():
        with suppress(OSError):  # What does not exist needs no rule.
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            allowed = _READ_FILE | (_READ_DIR if os.path.isdir(path) else 0)
            rule = struct.pack('=Qi', allowed, descriptor)
            libc.syscall(_LANDLOCK_ADD, ruleset, _LANDLOCK_PATH_BENEATH, rule, 0)
            os.close(descriptor)
    libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0)
    os.close(ruleset)


def _refuse_calls(libc: ctypes.CDLL) -> None:
    if os.uname().machine in _SECCOMP:
        seccomp, architecture, column = _SECCOMP[os.uname().machine]
        code = b''.join(_filter(column, architecture))
        held = ctypes.create_string_buffer(code, len(code))
        program = struct.pack('HP', len(code) // 8, ctypes.addressof(held))
        libc.syscall(seccomp, _SECCOMP_FILTER, _SECCOMP_ALL_THREADS, program)


def _filter(column: int, architecture: int) -> list[bytes]:
    """Return the instructions of a filter; see the kernel's networking/filter.rst."""
    code = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_EQUAL, architecture, 1, 0), _instruction(_RETURN, _UNKNOWN),
        _instruction(_LOAD, _NUMBER),
        # The numbers of 32-bit programs on x86_64 begin here.
        _instruction(_AT_LEAST, 0x40000000, 0, 1), _instruction(_RETURN, _UNKNOWN),
        # It has its flags in memory, which a filter cannot see.
        _instruction(_EQUAL, _CLONE3, 0, 1), _instruction(_RETURN, _UNKNOWN)]
    for kind, calls in _CALLS.items():
        for numbers in calls.values() if kind != 'filtered' else ():
            if numbers[column] is not None:
                code += [_instruction(_EQUAL, numbers[column] or 0, 0, 1),
                         _instruction(_RETURN, _ALLOW)]
    own = (os.getpid(),)
    for name, argument, test, values in (
            ('clone', 0, _ANY_BIT, (_CLONE_THREAD,)), ('prlimit64', 0, _EQUAL, (0,)),
            ('kill', 0, _EQUAL, own), ('tgkill', 0, _EQUAL, own),
            ('fcntl', 1, _EQUAL, _DESCRIPTOR_COMMANDS), ('ioctl', 1, _EQUAL, (_TCGETS,)),
            ('prctl', 0, _EQUAL, (_PR_SET_NAME,)),
            ('open', 1, _ANY_BIT, (_WRITES,)), ('openat', 2, _ANY_BIT, (_WRITES,))):
        number = _CALLS['filtered'][name][column]
        if number is not None:
            answers = (_REFUSE, _ALLOW) if 'open' in name else (_ALLOW, _REFUSE)
            code += [
                _instruction(_EQUAL, number, 0, 3 + len(values)),
                _instruction(_LOAD, _ARGUMENTS + 8 * argument),
                *(_instruction(test, value, len(values) - index, 0)
                  for index, value in enumerate(values)),
                _instruction(_RETURN, answers[1]), _instruction(_RETURN, answers[0])]
    return [*code, _instruction(_RETURN, _REFUSE)]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack('HBBI', code, if_true, if_false, value)
