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

"""What a validation says about a whole description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field

from urdf_tools.model.document import Document
from urdf_tools.validation.finding import Finding
from urdf_tools.validation.finding import Severity


@dataclass(frozen=True)
class Report:
    """
    The findings about one description.

    :param source: the file or topic that the description came from, or an empty string.
    :param findings: in order of the text; of each rule no more than a few.
    :param counts: how many findings there are of each severity, with those that are left out.
    :param omitted: code of a rule to how many findings of it are left out.
    :param suppressed: how many findings comments in the description keep from being reported.
    :param document: the description, or None where it cannot be parsed.
    """

    source: str
    findings: tuple[Finding, ...]
    counts: Mapping[Severity, int]
    omitted: Mapping[str, int]
    suppressed: int
    document: Document | None = field(default=None, repr=False, compare=False)

    @property
    def robot(self) -> str:
        """Name of the robot, or an empty string."""
        return '' if self.document is None else self.document.root.get('name', '')

    @property
    def valid(self) -> bool:
        """Whether there is no error."""
        return not self.counts[Severity.ERROR]
