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

"""What is known of types of messages by their names; ``message_types.json`` has a row for each."""

from __future__ import annotations

import json
from pathlib import Path

_PROPERTIES: dict[str, list[str]] = json.loads(
    Path(__file__).with_name('message_types.json').read_bytes())


def _types_that_are(which: str) -> tuple[str, ...]:
    return tuple(kind for kind, properties in _PROPERTIES.items() if which in properties)


WITH_HEADER = _types_that_are('header')
"""Types that begin with a header, for where the types cannot be imported."""

WITH_HEADERS = _types_that_are('headers')
"""Types that begin with a sequence of such types."""

FRAMELESS = _types_that_are('frameless')
"""Prefixes of types whose frame is not used."""

PLACED = _types_that_are('placed')
"""Types of data that are meaningless without their frame."""

NEVER_WITHOUT = _types_that_are('framed')
"""Types in which no node leaves the frame empty on purpose."""

STEADY = _types_that_are('steady')
"""Types of measurements, which a node publishes all the time, each with the time it was made."""

NEVER_SILENT = _types_that_are('never silent')
"""Those that no usual driver publishes only on demand or on a change."""

IMAGES = _types_that_are('image')
"""Types of images, and of what belongs to them."""

LEVEL = _types_that_are('level')
"""Types of sensors that are usually mounted level."""

ON_DEMAND = _types_that_are('on demand')
"""Types that many nodes compute only while somebody listens; we are not to be the only ones."""
