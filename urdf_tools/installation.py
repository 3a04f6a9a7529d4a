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

"""This installation: its version, and how to install an optional package into it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
import shlex
import sys
from xml.etree import ElementTree

_MANIFEST = Path(__file__).resolve().parents[1] / 'package.xml'


def _version() -> str:
    """Return the version in package.xml in a source tree, else that of the installation."""
    if _MANIFEST.is_file():
        return ElementTree.parse(_MANIFEST).findtext('version', '')
    from importlib import metadata  # A slow import that a source tree does not need.
    return metadata.version('urdf_tools')


__version__ = _version()


def needs(purpose: str, package: str, extra: str) -> str:
    """Return that something needs a package which is not installed, and how to install it."""
    return (f'{purpose} needs the Python package {package}, which is not installed; install it '
            f'with {how_to_install(extra)}')


def how_to_install(extra: str) -> str:
    """Return the command that installs the packages of an extra of this one."""
    import sysconfig  # Rarely needed.
    # Workers, which run without the module site, do not have the prefix of their environment.
    prefix = Path(sys.executable).parent.parent
    for folder in prefix.parents:
        if extra != 'mujoco' and all(
                (folder / name).is_file() for name in ('tools/set_up.py', 'Makefile')):
            return f'"make development" in {folder}'
    command = f'{shlex.quote(sys.executable)} -m pip install'
    if Path(prefix, 'pipx_metadata.json').is_file():
        command = f'pipx runpip {prefix.name} install'
    elif not Path(prefix, 'pyvenv.cfg').is_file() and Path(
            sysconfig.get_path('stdlib'), 'EXTERNALLY-MANAGED').is_file():
        # As with Debian's and Ubuntu's Python, which ROS 2 uses.
        command += ' --user --break-system-packages'
    return f'"{command} {" ".join(map(shlex.quote, _requirements(extra)))}"'


def _requirements(extra: str) -> list[str]:
    """
    Return what pip installs for an extra.

    These are the packages themselves: no index may have this one.
    """
    from importlib import metadata
    with suppress(metadata.PackageNotFoundError):
        parts = (each.partition(';') for each in metadata.requires('urdf_tools') or ())
        if found := [name.strip() for name, _, marker in parts
                     if f"'{extra}'" in marker.replace('"', "'")]:
            return found
    return [f'{_MANIFEST.parent}[{extra}]']
