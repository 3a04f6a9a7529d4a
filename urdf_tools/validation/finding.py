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

"""What a validation says: one finding a defect."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field
from enum import IntEnum

from urdf_tools.validation.fixes import Fix


class Severity(IntEnum):
    """How much a finding matters; the numbers are those of ``urdf_tools_interfaces/Finding``."""

    INFO = 0
    WARN = 1
    ERROR = 2

    @property
    def label(self) -> str:
        """The severity in a message: ``note``, ``warning`` or ``error``."""
        return ('note', 'warning', 'error')[self]


@dataclass(frozen=True)
class Finding:
    """
    One defect of a description.

    :param code: stable code of the rule, such as ``limit-inverted``.
    :param severity: how much it matters.
    :param message: what is wrong, with the names and numbers at hand.
    :param hint: what to write instead.
    :param element: path of the element, such as ``/robot/joint[@name='j1']/limit``.
    :param line: line in the description, from 1; None where there is no place.
    :param column: column in that line, from 1; None where there is no place.
    :param consumers: the programs that break on it, such as ``robot_state_publisher``.
    :param fix: the changes to the text that mend it; none where there is no one safe answer.
    """

    code: str
    severity: Severity
    message: str
    hint: str = ''
    element: str = ''
    line: int | None = None
    column: int | None = None
    consumers: tuple[str, ...] = ()
    fix: Fix = field(default=(), repr=False, compare=False)
