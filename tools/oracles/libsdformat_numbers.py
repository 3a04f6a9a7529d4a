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

"""What libsdformat makes of a description: the functions that ``ign sdf`` calls."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import tempfile

_LIBRARY = ctypes.CDLL('libsdformat12.so')

VERSION = '12.3'


def numbers(path: str) -> dict:
    """
    Return the document of ``ign sdf -p`` and whether ``ign sdf -k`` accepts the description.

    :raises ValueError: there is no document.
    """
    os.environ['HOME'] = os.getcwd()  # For its log.
    text = _printed(path)
    if not text.strip():
        raise ValueError('there is no document')
    return {'document': text, 'is_valid': _LIBRARY.cmdCheck(path.encode()) == 0}


def _printed(path: str) -> str:
    libc = ctypes.CDLL(None)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        _LIBRARY.cmdPrint(path.encode())
        libc.fflush(None)
        file.seek(0)
        return file.read().decode(errors='replace')
