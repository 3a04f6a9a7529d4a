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

"""A robot whose frames are published again: joint states of all kinds."""

from __future__ import annotations

import numpy as np
from support.recordings import joint_state
from support.recordings import SECOND
from support.recordings import Written

ROBOT = """<robot name="all">
  <link name="base"/><link name="mount"/><link name="arm"/><link name="tip"/><link name="finger"/>
  <link name="cart"/><link name="ball"/>
  <joint name="screws" type="fixed">
    <parent link="base"/><child link="mount"/><origin xyz="0 0 0.5" rpy="0.1 0.2 0.3"/>
  </joint>
  <joint name="turn" type="continuous">
    <parent link="mount"/><child link="arm"/><origin xyz="0.1 0 0"/><axis xyz="0 0.6 0.8"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="arm"/><child link="tip"/><axis xyz="1 0 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="follower" type="prismatic">
    <parent link="tip"/><child link="finger"/><axis xyz="0 1 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="slide" multiplier="-2" offset="0.25"/>
  </joint>
  <joint name="drives" type="planar"><parent link="base"/><child link="cart"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="rolls" type="floating"><parent link="cart"/><child link="ball"/></joint>
</robot>
"""

BEGIN = 1_700_000_000 * SECOND


def joint_messages(count: int) -> list[Written]:
    """Return joint states at 50 Hz in several layouts, with faults."""
    rng = np.random.default_rng(3)
    messages = []
    for number in range(count):
        time = BEGIN + number * SECOND // 50
        names = [['turn', 'slide'], ['slide', 'turn'], ['turn'], ['slide', 'unknown']][
            number // 20 % 4]
        positions = rng.uniform(-4, 4, len(names))
        if number % 37 == 5:
            positions[0] = np.nan
        stamp = 0 if number % 41 == 7 else time
        messages.append(Written('/joint_states', time, joint_state(stamp, names, positions)))
    return messages
