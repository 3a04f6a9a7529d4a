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
"""Running graphs of ``drawn29.yaml``."""

from __future__ import annotations

from reports.recorded import latched
from reports.recorded import made
from support.graph_records import GraphRecords
from support.graph_records import TIMES
from support.mobile_robots import POINTS
from support.mobile_robots import SCAN

from urdf_tools.doctor.graph import TF_MESSAGE


@made
def mapper_without_odometry_of_base() -> GraphRecords:
    records = GraphRecords().frames('/mapper_node', {'odom': 'map'})
    records.frames(
        '/baselink2ossensor', {'os_sensor': 'base_link'}, (0, 0, 0.35, 0, 0, 0, 1),
        topic='/tf_static', times=TIMES[:1])
    records.stamped(
        '/os_cloud_node', '/os_cloud_node/points', POINTS, 'os_sensor', users=('/mapper_node',))
    return latched(records)


@made
def scan_of_unreal_without_frame() -> GraphRecords:
    records = GraphRecords().frames('/turtlebot_ue', {
        'base_footprint': 'odom', 'wheel_left_link': 'base_footprint',
        'wheel_right_link': 'base_footprint'})
    records.stamped('/turtlebot_ue', '/scan', SCAN, 'base_scan', users=('/slam_toolbox', '/rviz2'))
    return records.subscriber('/rviz2', '/tf_static', TF_MESSAGE)
