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

"""Recordings and running graphs of ``drawn9.yaml``."""

from __future__ import annotations

from reports.recorded import latched
from reports.recorded import made
from support.graph_records import GraphRecords
from support.mobile_robots import Mobile

TWIST, STAMPED = 'geometry_msgs/msg/Twist', 'geometry_msgs/msg/TwistStamped'


@made
def commands_of_two_types() -> GraphRecords:
    records = Mobile().odom().publisher('/teleop', '/cmd_vel', TWIST)
    return latched(records.subscriber('/ros_gz_bridge', '/cmd_vel', STAMPED))
