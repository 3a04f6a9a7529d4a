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

"""What the user of an editor allows and wants, from the options that the client sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
import os

from urdf_tools.model.messages import quote

SECTION = 'urdf-tools'
"""The name of the settings in an editor."""


@dataclass(frozen=True)
class Preferences:
    """
    What the user allows and wants.

    :ivar trusts_all: whether every xacro file may be expanded.
    :ivar trusted: folders whose xacro files may be expanded.
    :ivar arguments: values of the arguments of xacro files, by name.
    :ivar packages: folders of packages, by name.
    """

    trusts_all: bool = False
    trusted: tuple[str, ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)

    def trusts(self, path: str) -> bool:
        """Return whether a xacro file may be expanded."""
        real = os.path.realpath(path)
        return os.path.isabs(path) and (self.trusts_all or any(
            real.startswith(os.path.join(os.path.realpath(folder), ''))
            for folder in self.trusted))

    def updated(self, options: object) -> tuple[Preferences, list[str]]:
        """
        Return these preferences with those of a client, and what is wrong with them.

        :param options: what the client sends: ``trusted`` (true, false or a list of folders),
            ``arguments`` and ``packages`` (texts by name).
        """
        if isinstance(options, Mapping) and isinstance(options.get(SECTION), Mapping):
            options = options[SECTION]
        if not isinstance(options, Mapping):
            return self, []
        wrong = []
        result = self
        for key, value in options.items():
            if key == 'trusted' and isinstance(value, bool):
                result = replace(result, trusts_all=value)
            elif key == 'trusted' and isinstance(value, (list, tuple)) and all(
                    isinstance(folder, str) for folder in value):
                result = replace(result, trusted=(
                    *self.trusted, *map(os.path.expanduser, value)))
            elif key == 'arguments' and _is_table(value):
                result = replace(result, arguments={**self.arguments, **value})
            elif key == 'packages' and _is_table(value):
                result = replace(result, packages={**self.packages, **value})
            elif key in ('trusted', 'arguments', 'packages'):
                form = ('true, false or a list of folders' if key == 'trusted'
                        else 'an object of texts by name')
                wrong.append(f'The setting {quote(key)} of {SECTION} is not {form}')
            else:
                wrong.append(f'{SECTION} has no setting {quote(str(key))}')
        return result, wrong


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(text, str) for text in value.values())
