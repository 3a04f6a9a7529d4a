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
"""Running graphs of ``drawn30.yaml``."""

from __future__ import annotations

from reports.recorded import latched
from reports.recorded import made
from support.graph_records import GraphRecords
from support.graph_records import TIMES
from support.mobile_robots import IMU
from support.mobile_robots import Mobile
from support.mobile_robots import ODOMETRY
from support.mobile_robots import SCAN

TF = 'tf2_msgs/msg/TFMessage'


@made
def filter_waits_for_imu_of_robot() -> GraphRecords:
    records = Mobile().odom(node='ekf_localization')
    records.subscriber('/ekf_localization', '/icart_mini/imu', IMU)
    records.stamped(
        '/icart_mini_driver', '/icart_mini/odom', ODOMETRY, 'odom', users=('/ekf_localization',),
        child='base_footprint')
    return latched(records.stamped('/imu_driver', '/imu', IMU, 'imu_link'))


@made
def lidar_of_webots_beside_the_robot() -> GraphRecords:
    records = GraphRecords().frames('/diffdrive_controller', {'base_link': 'odom'})
    records.frames(
        '/robot_state_publisher', {'LDS-01_rotating': 'LDS-01'}, topic='/tf_static',
        times=TIMES[:1])
    records.node('/controller_server', frames={
        'global_frame': 'odom', 'robot_base_frame': 'base_link'})
    records.subscriber('/controller_server', '/tf', TF)
    return latched(records.stamped(
        '/TurtleBot3Burger', '/scan', SCAN, 'LDS-01', users=('/controller_server',)))
