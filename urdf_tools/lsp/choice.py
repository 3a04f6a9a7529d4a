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

"""What a project wants to be told, independent of where it says so."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field

from urdf_tools.findings.finding import Severity


@dataclass(frozen=True)
class Choice:
    """
    What a project wants to be told.

    :ivar ignore: codes of rules not to apply.
    :ivar consumers: report only what affects these programs; all if it is empty.
    :ivar packages: folders of packages, by name.
    :ivar least: the lowest severity to show.
    """

    ignore: frozenset[str] = frozenset()
    consumers: tuple[str, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)
    least: Severity = Severity.INFO


Choose = Callable[[str], Choice]
"""Returns what the project of a folder wants; raises ValueError if that cannot be read."""
