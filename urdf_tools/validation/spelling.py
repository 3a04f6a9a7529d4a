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

"""Names that were probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator

from urdf_tools.validation.description import Description

_LONGEST = 80


class Spelling:
    """
    Finds the known name that differs least from a wrong one.

    Two names are near where leaving out at most one character of each makes them the same,
    whatever their case: one letter more, less, other or swapped with its neighbour. Looking up
    takes the same time for two names as for ten thousand.
    """

    def __init__(self, names: Iterable[str]):
        self._near = {}
        for name in names:
            for variant in _variants(name):
                self._near.setdefault(variant, name)

    def near(self, name: str) -> str | None:
        """Return the known name that was probably meant, or None."""
        return next(filter(None, map(self._near.get, _variants(name))), None)


def link_spelling(description: Description) -> Spelling:
    """Return what finds the links of a description."""
    return Spelling(description.link_names)


def joint_spelling(description: Description) -> Spelling:
    """Return what finds the joints of a description."""
    return Spelling(description.joint_names)


def _variants(name: str) -> Iterator[str]:
    name = name.casefold()[:_LONGEST]
    yield name
    for i in range(len(name)):
        yield name[:i] + name[i + 1:]
