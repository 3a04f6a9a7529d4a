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

"""Whether the urdfdom of Debian loads a description, by its program ``check_urdf``."""

from __future__ import annotations

from functools import partial
import resource
import shutil
import subprocess
from typing import Any

_SECONDS = 2
"""CPU time of the program, which does not end by itself at a cycle of links."""


def _version() -> str:
    if shutil.which('check_urdf') is None:
        raise ImportError('check_urdf is not installed')
    return '' if shutil.which('dpkg-query') is None else subprocess.run(
        ['dpkg-query', '-W', '-f', '${source:Upstream-Version}', 'liburdfdom-tools'],
        capture_output=True, text=True).stdout


VERSION = _version()


def numbers(path: str) -> dict[str, Any]:
    """
    Return nothing, as the program only says whether it loads a description.

    :raises Exception: it refuses the description, or prints a cycle without end.
    """
    found = subprocess.run(
        ['check_urdf', path], stderr=subprocess.PIPE, text=True, errors='replace',
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_CPU, (_SECONDS, _SECONDS)))
    if found.returncode:
        raise ValueError(found.stderr)
    return {}
