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

"""Cases of the rule about the efforts that hold a robot against gravity."""

from pytest import approx
from support.arms import arm
from support.arms import held
from support.arms import records
from support.graph_records import Case

FRAMES = ('frame-missing', 'frame-not-published', 'joint-states-unused')

OWN = held(arm())
LOADED = held(arm(payload=3.0))
LIGHT = held(arm(lower=9.0))


CASES = (
    Case(
        'joint-effort-gravity', lambda: records(LOADED), lambda: records(OWN),
        'x', {'joints': ['lift', 'elbow', 'wrist'], 'link': 'tool', 'mass': approx(3.0)},
        subject='tool', also=FRAMES),
    Case(
        'joint-effort-gravity', lambda: records(LIGHT), lambda: records(OWN, moves=True),
        'x', {'joints': ['lift', 'elbow', 'wrist'], 'link': 'tool', 'mass': approx(3.0)},
        subject='tool', also=FRAMES),
    Case(
        'joint-effort-gravity', lambda: records({**OWN, 'elbow': -OWN['elbow']}),
        lambda: records({}),
        'x', {'joints': ['lift', 'elbow', 'wrist'], 'link': 'tool', 'mass': approx(3.0)},
        subject='tool', also=FRAMES),
)
