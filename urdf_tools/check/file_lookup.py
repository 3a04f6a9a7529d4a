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

"""The files that one description refers to, each looked up once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError

MAX_FILES = 5000
"""Most files of one description that are looked up; a robot of 2,000 links has fewer."""


class FileLookup:
    """
    Finds the files of one description, each URI once and only :data:`MAX_FILES` of them.

    :param resolve: returns the file of a URI, or raises :class:`ResourceError`.
    """

    def __init__(self, resolve: Callable[[str], Path]):
        self._resolve = resolve
        self._found: dict[str, Path | ResourceError] = {}

    def __call__(self, uri: str) -> Path:
        """
        Return the file of a URI.

        :raises ResourceError: it does not exist, may not be read, or is one file too many.
        """
        if uri not in self._found:
            if len(self._found) >= MAX_FILES:
                raise ResourceError(
                    f'{quote(uri, 200)} is not looked for, because the description refers to '
                    f'more than {MAX_FILES:,} files', 'Use fewer files', 'limit')
            try:
                self._found[uri] = self._resolve(uri)
            except ResourceError as error:
                self._found[uri] = error
        found = self._found[uri]
        if isinstance(found, ResourceError):
            raise found.with_traceback(None)
        return found
