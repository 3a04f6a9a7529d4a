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

"""What a description may read besides its own project and the packages."""

from __future__ import annotations

from dataclasses import dataclass
import os


@dataclass(frozen=True)
class Trust:
    """
    Whether the author of a description may read what its user may read.

    :ivar is_full: whether xacro may include files elsewhere, and see all environment variables.
    :ivar variables: names of the environment variables that xacro sees if it may not.
    """

    is_full: bool = True
    variables: frozenset[str] = frozenset()

    def environment(self) -> dict[str, str]:
        """Return the environment variables that xacro sees."""
        return {name: value for name, value in os.environ.items()
                if self.is_full or name in self.variables}


TRUSTED = Trust()
"""For the descriptions of somebody who may read all of this anyway."""
