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
The command of a worker: a new Python interpreter, as a fork would copy locks of other threads.

Its imports come from where those of this process come from, the standard library first, and never
from the current folder.
"""

from __future__ import annotations

from collections.abc import Mapping
import json
import os
from pathlib import Path
import sys

_PROGRAM = (
    'import gc, json, sys; gc.disable(); '
    'sys.path += [folder for folder in json.loads(sys.argv.pop(1)) if folder not in sys.path]; '
    'from urdf_tools.sandbox.worker import main; main()')

_ROOT = str(Path(__file__).resolve().parents[2])
"""The folder of this package, which an editable installation finds without ``sys.path``."""

_OPTIONS = ('-I', '-S', *(('-X', 'utf8') if sys.flags.utf8_mode else ()))
"""Without the module ``site``, which takes longer than the rest: its folders are in the path."""

_ENVIRONMENT = {'OPENBLAS_NUM_THREADS': '1', 'OMP_NUM_THREADS': '1', 'MALLOC_ARENA_MAX': '1'}
"""Threads of numpy would reserve memory that counts towards a limit."""


def worker_command(job: str) -> list[str]:
    """Return the command of a worker for a job."""
    path = [*(os.path.abspath(folder) for folder in sys.path if folder), _ROOT]
    return [sys.executable, *_OPTIONS, '-c', _PROGRAM, json.dumps(path), job]


def worker_environment() -> Mapping[str, str]:
    """Return the environment for the command."""
    return {**os.environ, **_ENVIRONMENT}
