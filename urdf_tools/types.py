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
"""Types of numpy arrays in annotations."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
"""Array of numbers in double precision."""

Indices = npt.NDArray[np.intp]
"""Array of indices into other arrays."""

BoolArray = npt.NDArray[np.bool_]
"""Boolean array."""

Times = npt.NDArray[np.int64]
"""Array of times in nanoseconds since the epoch of their clock."""
