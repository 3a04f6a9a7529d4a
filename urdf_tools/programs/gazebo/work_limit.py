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

"""A limit on the work of a conversion, which can grow with the square of a description."""

from __future__ import annotations

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind

MAX_STEPS = 300_000
"""Most steps of a conversion; of a hundred robots none took more than 411."""

_CHARACTERS_OF_STEP = 100


class WorkLimit:
    """Counts what libsdformat repeats: for each shape of a link, or at each lumping."""

    def __init__(self) -> None:
        self.steps = 0

    def spend(self, steps: int) -> None:
        """
        Count steps.

        :raises DescriptionError: they are too many.
        """
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise DescriptionError(
                f'The conversion to SDFormat takes more than {MAX_STEPS} steps, because it '
                'repeats names and <gazebo> elements for each shape and each lumped link',
                ErrorKind.TOO_LARGE,
                hint='Shorten the names, or use fewer <gazebo> elements')

    def spend_text(self, text: str) -> None:
        """Count a text that is repeated."""
        self.spend(len(text) // _CHARACTERS_OF_STEP)
