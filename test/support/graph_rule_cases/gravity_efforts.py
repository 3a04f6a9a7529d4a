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

import numpy as np
from pytest import approx
from support.arms import arm
from support.arms import held
from support.arms import records
from support.graph_records import Case

OWN = held(arm())
LOADED = held(arm(payload=5.0))
HEAVY = held(arm(lower=16.0))

WITHOUT_FRAMES = ('frame-missing',)

CASES = (
    Case(
        'joint-effort-gravity',
        lambda: records(LOADED), lambda: records(OWN, noise=lambda s: 0.5 * np.sin(9 * s)),
        "At rest, the efforts of 'lift', 'elbow' from /driver are those of about 5 kg more at "
        "link 'tool' than the model has",
        {'joints': ['lift', 'elbow'], 'link': 'tool', 'mass': approx(5.0)}, subject='tool',
        hint='Attach the payload to the model (urdf-tools attach), or correct the masses near '
        "link 'tool'", also=WITHOUT_FRAMES),
    Case(
        'joint-effort-gravity',
        lambda: records(HEAVY), lambda: records(LOADED, moves=True),
        "At rest, the efforts of 'lift', 'elbow' from /driver are those of a link 'lower' with "
        'about 16 kg, not 4 kg',
        {'joints': ['lift', 'elbow'], 'link': 'lower', 'mass': approx(16.0), 'modelled': 4.0},
        subject='lower', hint="Weigh link 'lower', or compute its inertia from its meshes "
        '(urdf-tools inertia)', also=WITHOUT_FRAMES),
    Case(
        'joint-effort-gravity',
        lambda: records({**OWN, 'elbow': -OWN['elbow']}),
        # A driver that reports currents, or none.
        lambda: records({name: effort / 12 for name, effort in OWN.items()}),
        "At rest, /driver reports efforts with the opposite sign for 1 joint: 'elbow'; 'elbow' "
        'takes -12 N m against gravity, and 12 N m is reported',
        {'joints': ['elbow'], 'joint': 'elbow', 'expected': approx(-12.017, abs=0.01),
         'measured': approx(12.017, abs=0.01), 'unit': 'N m'}, subject='elbow',
        hint='Invert the sign in the driver, or the axis of the joint in the model',
        also=WITHOUT_FRAMES))
