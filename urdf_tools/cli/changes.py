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


"""Changes of a description, shown as a diff or written to its file."""

from __future__ import annotations

import difflib

from urdf_tools.cli.arguments import CommandError
from urdf_tools.model.messages import printable


def require_file(source: str) -> None:
    """
    Check that a change can be written to the source of a description.

    :raises CommandError: the source is ``-``, for standard input.
    """
    if source == '-':
        raise CommandError('Cannot write to standard input; --diff prints the change')


def unified_diff(name: str, before: bytes, after: bytes, label: str) -> str:
    """
    Return the difference between two versions of a file as a unified diff.

    :param label: the label of the second in the header, such as ``fixed``.
    """
    old, new = (data.decode('utf-8', 'surrogateescape').split('\n') for data in (before, after))
    name = printable(name)
    lines = difflib.unified_diff(old, new, name, f'{name} ({label})', lineterm='')
    return ''.join(f'{line}\n' for line in lines)
