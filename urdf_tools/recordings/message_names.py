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
"""What messages name, whatever their stamps and numbers are: joints and frames."""

from __future__ import annotations

from collections.abc import Hashable
from operator import itemgetter
from typing import Any

import numpy as np

from urdf_tools.kinematics.transforms import Indices
from urdf_tools.monitoring.graph import JOINT_STATE
from urdf_tools.monitoring.graph import TF_MESSAGE
from urdf_tools.monitoring.message_batches import joint_state_layout
from urdf_tools.monitoring.message_batches import transforms_layout

LAYOUTS = {JOINT_STATE: joint_state_layout, TF_MESSAGE: transforms_layout}
"""Types of messages that name several things, to what finds these."""

MAX_LAYOUTS = 200
"""Most layouts of messages of a type that are remembered."""


class MessageNames:
    """Finds what messages of a type name, by what was found in others of the same size."""

    def __init__(self, kind: str):
        self._lay_out = LAYOUTS[kind]
        self._known: dict[int, dict[itemgetter[Any], Hashable]] = {}

    def of(self, data: bytes) -> Hashable:
        """Return what a message names; None if it cannot be read."""
        known = self._known.setdefault(len(data), {})
        for getter, names in known.items():
            if getter(data) == names:
                return names
        try:
            layout = self._lay_out(data)
        except ValueError:
            return None
        if sum(map(len, self._known.values())) >= MAX_LAYOUTS:
            self._known = {}
            known = self._known.setdefault(len(data), {})
        found: itemgetter[Any] = itemgetter(*_slices(layout.texts))
        known[found] = found(data)
        return known[found]


def _slices(offsets: Indices) -> list[slice]:
    """Return the ranges of bytes that offsets make up."""
    parts = np.split(offsets, np.flatnonzero(np.diff(offsets) != 1) + 1)
    return [slice(int(part[0]), int(part[-1]) + 1) for part in parts]
