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

"""Graphs of drawn21.yaml."""

from __future__ import annotations

from reports.recorded import latched
from reports.recorded import made
from reports.recorded19 import TWIST
from support.graph_records import GraphRecords
from support.mobile_robots import Mobile


@made
def velocities_of_diffbot_unheard() -> GraphRecords:
    records = Mobile().odom(node='diffbot_base_controller').listens('/rviz2')
    records.publisher('/ros2cli', '/cmd_vel', TWIST)
    records.subscriber(
        '/diffbot_base_controller', '/diffbot_base_controller/cmd_vel_unstamped', TWIST)
    return latched(records)
