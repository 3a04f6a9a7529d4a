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

"""Collision shapes from the visual geometry of links: fit, measure, choose and write."""
"""Which pairs of links can be left out of collision checks, with the evidence; SRDF files."""

ALWAYS = 0.95
"""Share of samples in contact from which links count as always touching, as in MoveIt."""

CHUNK = 5000
"""Number of samples that a worker computes together; totals are multiples of it."""
