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
"""Named poses of a robot in a JSON file."""

from __future__ import annotations

from collections.abc import Mapping
import json
from math import isfinite
from pathlib import Path

from urdf_tools.atomic_write import replace_file
from urdf_tools.model.errors import InputError
from urdf_tools.model.messages import quote

_MAX_BYTES = 2**22


class PoseError(InputError):
    """A file of poses that cannot be read or written; the text says why."""


class PoseFile:
    """
    Poses by name, each from the names of variables to radians and metres.

    :param path: the file, which need not exist; None to keep poses in memory only.
    """

    def __init__(self, path: Path | None):
        self.path = path
        self._in_memory: dict[str, dict[str, float]] = {}

    def read(self) -> dict[str, dict[str, float]]:
        """
        Return the poses.

        :raises PoseError: the file cannot be read.
        """
        if self.path is None or not self.path.exists():
            return dict(self._in_memory)
        file_name = quote(str(self.path), 200)
        try:
            with open(self.path, encoding='utf-8') as file:
                data = json.loads(file.read(_MAX_BYTES))
            poses = {
                str(name): {str(variable): float(value) for variable, value in pose.items()}
                for name, pose in data['poses'].items()}
        except (KeyError, TypeError, AttributeError) as error:
            raise PoseError(
                f'The poses in {file_name} cannot be read: expected '
                '{"poses": {"name of a pose": {"name of a joint": position}}}') from error
        except (OSError, ValueError, RecursionError) as error:
            reason = getattr(error, 'strerror', None) or error
            raise PoseError(f'The poses in {file_name} cannot be read: {reason}') from error
        if not all(isfinite(value) for pose in poses.values() for value in pose.values()):
            raise PoseError(f'A pose in {file_name} is not finite')
        return poses

    def save(self, name: str, pose: Mapping[str, float]) -> None:
        """
        Add a pose, or replace the one of this name.

        :raises PoseError: the file cannot be read or written.
        """
        self._write({**self.read(), name: dict(pose)})

    def delete(self, name: str) -> None:
        """
        Remove a pose.

        :raises PoseError: the file cannot be read or written.
        """
        self._write({key: pose for key, pose in self.read().items() if key != name})

    def _write(self, poses: dict[str, dict[str, float]]) -> None:
        if self.path is None:
            self._in_memory = poses
            return
        text = json.dumps({'poses': poses}, indent=2) + '\n'
        try:
            replace_file(self.path, text.encode())
        except OSError as error:
            raise PoseError(f'The poses cannot be written to {quote(str(self.path), 200)}: '
                            f'{error.strerror}') from error
