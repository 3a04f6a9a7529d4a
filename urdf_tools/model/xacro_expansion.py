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
from contextlib import contextmanager
from contextlib import redirect_stderr
from contextlib import redirect_stdout
import io
import threading

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind

_LOCK = threading.Lock()


def expand_xacro(path: str, mappings: Mapping[str, str]) -> str:
    """
    Return the URDF text that a xacro file expands to.

    Xacro evaluates Python expressions and reads other files: use it with trusted files only.

    :param mappings: values of the arguments that ``xacro:arg`` declares.
    :raises DescriptionError: xacro is not installed, or it fails.
    """
    try:
        import xacro
    except ImportError as error:
        raise DescriptionError(
            'A xacro file needs the xacro package, which is not installed', ErrorKind.XACRO,
            hint='Install it with "apt install ros-$ROS_DISTRO-xacro" or "pip install xacro"',
            source=path) from error
    with _LOCK, _captured_output() as output:
        try:
            document = xacro.process_file(path, mappings=dict(mappings))
            return str(document.toprettyxml(indent='  '))
        except Exception as error:  # Xacro evaluates expressions, which may raise anything.
            output.seek(0)
            output.truncate()
            xacro.print_location()
            raise DescriptionError(
                'xacro cannot expand the file: ' + _in_one_line(str(error)), ErrorKind.XACRO,
                hint=_in_one_line(output.getvalue()), source=path) from error


@contextmanager
def _captured_output() -> Iterator[io.StringIO]:
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        yield output


def _in_one_line(text: str) -> str:
    return ' '.join(text.split())
