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

"""Expand xacro files, without the output that the ``xacro`` package prints."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import contextmanager
from contextlib import nullcontext
from contextlib import redirect_stderr
from contextlib import redirect_stdout
from dataclasses import dataclass
import io
import os
from pathlib import Path
import threading
from typing import Any

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.xacro_bounds import bounded
from urdf_tools.model.xacro_bounds import Overtime
from urdf_tools.model.xacro_errors import located_error
from urdf_tools.model.xacro_sources import ElementSource
from urdf_tools.model.xacro_sources import XacroSources
from urdf_tools.model.xacro_tracking import can_track
from urdf_tools.model.xacro_tracking import XacroTracker

UNTRACKED = (
    'This version of xacro cannot be followed to the source files; lines are those of the '
    'expanded text')
"""What a user is told if :attr:`Expansion.sources` is None."""

_LOCK = threading.Lock()


@dataclass(frozen=True)
class Expansion:
    """
    An expanded xacro file.

    :param text: the URDF text, the same as xacro's own.
    :param sources: the source of each of its elements, in document order; None if this version
        of xacro cannot be tracked.
    :param files: the files that it comes from; None likewise.
    """

    text: str
    sources: Sequence[ElementSource] | None
    files: XacroSources | None


def expand_xacro(
        path: str, mappings: Mapping[str, str], buffers: Mapping[str, str] = {},
        packages: PackageLookup | None = None) -> Expansion:
    """
    Return the URDF text that a xacro file expands to, and the sources of its elements.

    Xacro evaluates Python expressions and reads other files: use it with trusted files only. In
    the main thread its time and memory are bounded.

    :param mappings: values of the arguments that ``xacro:arg`` declares.
    :param buffers: absolute path of a file to the text that counts instead of what is on disk.
    :param packages: finds the packages of ``$(find NAME)``; by default those of the environment
        and around the file.
    :raises DescriptionError: xacro is not installed, or it fails.
    """
    try:
        import xacro
        from xacro import substitution_args
    except ImportError as error:
        raise DescriptionError(
            'A xacro file needs the xacro package, which is not installed', ErrorKind.XACRO,
            hint='Install it with "apt install ros-$ROS_DISTRO-xacro" or "pip install xacro"',
            source=path) from error
    if packages is None:
        packages = PackageLookup(Path(os.path.abspath(path)).parent, {}, os.environ)
    with _LOCK, _captured_output() as output, _finding(packages, substitution_args):
        tracker = XacroTracker(xacro, path, buffers) if can_track(xacro) else None
        try:
            with bounded(), tracker.tracking() if tracker else nullcontext():
                document = xacro.process_file(path, mappings=dict(mappings))
                text = str(document.toprettyxml(indent='  '))
        except (Exception, Overtime) as error:  # Xacro's expressions may raise anything.
            output.seek(0)
            output.truncate()
            xacro.print_location()
            raise located_error(error, path, output.getvalue(), tracker) from error
        if tracker is None:
            return Expansion(text, None, None)
        return Expansion(
            text, tracker.sources(document), XacroSources(tracker.files, tracker.properties))


@contextmanager
def _captured_output() -> Iterator[io.StringIO]:
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        yield output


@contextmanager
def _finding(packages: PackageLookup, substitution_args: Any) -> Iterator[None]:
    """Let xacro find the packages in source folders, too; only one thread may do so at a time."""
    original = substitution_args._eval_find

    def find(name: str) -> str:
        preferred = packages.preferred(name)
        if preferred is not None:
            return str(preferred)
        try:
            return str(original(name))
        except Exception:  # There are several exceptions for it, and the index may be missing.
            found = packages.find(name)
            if found is None:
                raise
            return str(found)
    names = substitution_args._eval_dict
    try:
        substitution_args._eval_find = names['find'] = find
        yield
    finally:
        substitution_args._eval_find = names['find'] = original
