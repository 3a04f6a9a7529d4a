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

"""Numbers that are counted alike in all programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np


def body_of(parts: Iterable[tuple[float, Any, Any]]) -> dict[str, Any]:
    """
    Return mass, centre of mass and inertia about it of several bodies as one.

    :param parts: mass, centre of mass and inertia about that of each, all in one frame.
    """
    parts = [(mass, np.array(at), np.array(inertia)) for mass, at, inertia in parts]
    total = float(sum(mass for mass, _, _ in parts))
    found: dict[str, Any] = {'mass': total, 'centre_of_mass': None, 'inertia': None}
    com = sum((mass * at for mass, at, _ in parts), np.zeros(3)) / (total or 1.0)
    # A joint about no axis has no pose in some programs.
    if total and np.isfinite(com).all():
        found['centre_of_mass'] = com.tolist()
        found['inertia'] = sum(inertia + mass * (
            (at - com) @ (at - com) * np.eye(3) - np.outer(at - com, at - com))
            for mass, at, inertia in parts).tolist()
    return found


def counted(formats: Iterable[str]) -> dict[str, int]:
    """Return the number of shapes of each kind or suffix of a mesh."""
    return dict(sorted(Counter(formats).items()))
