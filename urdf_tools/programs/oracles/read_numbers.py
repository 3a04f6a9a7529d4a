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

"""The job of asking a program, done in the interpreter that has it."""

from __future__ import annotations

from importlib import import_module
import os
import tempfile
from typing import Any

_MAX_ERROR = 300


def read(request: list[Any], _: bytes) -> tuple[dict[str, Any], bytes]:
    """
    Return what a program loads of a description, or its version.

    :param request: the program, the absolute path of the description, empty for the version, the
        folder in which it may write files, and further arguments of ``numbers``.
    :return: ``version``, or what ``numbers`` of the program returns, with ``loads`` and the
        ``error`` for which it does not; ``missing`` and the reason if it is not installed.
    """
    program, path, folder, *arguments = request
    os.chdir(folder)
    tempfile.tempdir = folder
    try:
        oracle = import_module(f'urdf_tools.programs.oracles.{program}_numbers')
    except Exception as error:  # Such as a library that is missing.
        return {'missing': str(error)}, b''
    if not path:
        return {'version': oracle.VERSION}, b''
    try:
        return {'loads': True, **oracle.numbers(path, *arguments)}, b''
    except Exception as error:  # Each program has its own way of refusing.
        return {'loads': False, 'error': str(error).strip()[:_MAX_ERROR]}, b''
