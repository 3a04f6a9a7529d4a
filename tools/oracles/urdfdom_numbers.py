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

import shutil
import subprocess

_SECONDS = 5


def _version() -> str:
    if shutil.which('check_urdf') is None or shutil.which('dpkg-query') is None:
        return ''
    return subprocess.run(
        ['dpkg-query', '-W', '-f', '${source:Upstream-Version}', 'liburdfdom-tools'],
        capture_output=True, text=True).stdout


VERSION = _version()


def numbers(path: str) -> dict:
    """
    Return nothing, as the program only says whether it loads a description.

    :raises Exception: it refuses the description, or prints a cycle without end.
    """
    found = subprocess.run(
        ['check_urdf', path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=_SECONDS,
        text=True, errors='replace')
    if found.returncode:
        raise ValueError(found.stderr)
    return {}
