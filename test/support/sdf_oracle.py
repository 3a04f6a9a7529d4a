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

"""The program ``ign sdf`` as an oracle, where ``make oracle`` has installed it."""

from __future__ import annotations

import os
from pathlib import Path
import shutil
import subprocess

import pytest

from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.element import Element

NEEDS_ORACLE = pytest.mark.skipif(
    shutil.which('ign') is None, reason='ign sdf is not installed; make oracle does that')


def oracle_document(path: Path, home: Path) -> Element | None:
    """
    Return what ``ign sdf -p`` prints, or None if it prints no document.

    :param home: a folder for the program's log.
    """
    output = _run('-p', path, home).stdout
    # Its tags may have colons, which XML parsers that know namespaces refuse.
    return read_document(output).root if output.strip() else None


def oracle_loads(path: Path, home: Path) -> bool:
    """Return whether ``ign sdf -k`` finds that Gazebo can load a description."""
    return _run('-k', path, home).returncode == 0


def _run(option: str, path: Path, home: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        ['ign', 'sdf', option, str(path)], capture_output=True, timeout=300,
        env={**os.environ, 'HOME': str(home)})
