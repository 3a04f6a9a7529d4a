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


"""The texts of a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from urdf_tools.findings.finding import Severity


class RuleText(Protocol):
    """What is told of a rule, whatever it is about."""

    @property
    def code(self) -> str:
        """Its stable name."""

    @property
    def severity(self) -> Severity:
        """The severity of its findings by default."""

    @property
    def category(self) -> str:
        """What it is about."""

    @property
    def summary(self) -> str:
        """What it requires, one sentence."""

    @property
    def reason(self) -> str:
        """Why it does; may be empty."""

    @property
    def hint(self) -> str:
        """What to do instead."""

    @property
    def consumers(self) -> Mapping[str, str]:
        """The programs that a violation affects, and how."""
