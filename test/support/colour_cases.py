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
"""Boxes of which the colours are compared: what they are, and from where they are seen."""

from __future__ import annotations

import numpy as np
from urdf_tools.view.camera import Camera
from urdf_tools.view.camera import filling

SIZE = (360, 240)

COLOURS = {
    'blue': (0.0, 0.0, 1.0), 'green': (0.0, 1.0, 0.0), 'red': (1.0, 0.0, 0.0),
    'white': (1.0, 1.0, 1.0), 'grey': (0.5, 0.5, 0.5), 'black': (0.05, 0.05, 0.05),
    'orange': (1.0, 0.4, 0.0)}

FACES = {'top': (0, 0, 1), 'front': (1, 0, 0), 'right': (0, -1, 0)}
"""Outward normals of the faces of a box of 1 m that the camera sees."""

CORNERS = np.indices((2, 2, 2)).reshape(3, 8).T - 0.5

SHOT = filling(CORNERS, Camera().direction(), SIZE[0] / SIZE[1])
