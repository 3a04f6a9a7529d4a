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

"""Vectors in texts, read as leniently as libsdformat does."""

from __future__ import annotations

from urdf_tools.model.pose import Vector3
from urdf_tools.model.values import parse_vector


def lenient_vector(text: str | None) -> Vector3:
    """Return the three numbers of a text; zeros if it is None or not three numbers."""
    try:
        x, y, z = parse_vector(text or '', 3)
    except ValueError:
        return 0.0, 0.0, 0.0
    return x, y, z
