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
"""Recordings of ``drawn28.yaml``."""

from __future__ import annotations

from reports.recorded import latched
from reports.recorded import made
from support.driven_robots import driven
from support.graph_records import GraphRecords


@made
def odometry_without_covariance() -> GraphRecords:
    # Its messages are written with covariances of zero.
    return latched(driven().node('/ekf_filter_node').subscriber(
        '/ekf_filter_node', '/odom', 'nav_msgs/msg/Odometry'))
