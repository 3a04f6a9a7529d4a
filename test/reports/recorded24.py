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
"""Running graphs of ``drawn24.yaml``."""

from __future__ import annotations

from reports.recorded import latched
from reports.recorded import made
from support.graph_records import GraphRecords
from support.graph_records import TIMES
from support.mobile_robots import IMAGE
from support.mobile_robots import Mobile
from support.mobile_robots import SCAN

TF = 'tf2_msgs/msg/TFMessage'


@made
def detections_wanted_in_base_link() -> GraphRecords:
    records = GraphRecords().frames('/realsense', {
        'camera_depth_frame': 'camera_link', 'camera_color_optical_frame': 'camera_link'},
        [(0, 0, 0, 0, 0, 0, 1), (0, 0.015, 0, -0.5, 0.5, -0.5, 0.5)], topic='/tf_static',
        times=TIMES[:1])
    records.node('/yolo/detect_3d_node', frames={'target_frame': 'base_link'})
    records.subscriber('/yolo/detect_3d_node', '/tf_static', TF)
    return latched(records.stamped(
        '/realsense', '/camera/depth/image_raw', IMAGE, 'camera_color_optical_frame',
        users=('/yolo/detect_3d_node',)))


@made
def scan_matcher_without_frames() -> GraphRecords:
    records = GraphRecords().node('/laser_scan_matcher', frames={
        'base_frame': 'base_link', 'odom_frame': 'odom', 'map_frame': 'map'})
    records.subscriber('/laser_scan_matcher', '/tf_static', TF)
    return records.stamped(
        '/ld19', '/scan', SCAN, 'laser', users=('/laser_scan_matcher',))


@made
def driver_keeps_its_own_prefix() -> GraphRecords:
    return latched(Mobile(prefix='rover/').moves(
        'spot/base_footprint', 'spot/odom', node='spot_ros2').viewer())


@made
def camera_frames_in_namespace_of_group() -> GraphRecords:
    return latched(Mobile().odom().fixed(
        'vision/camera_optical', 'vision/camera_link', node='vision/oak').sensor(
        'vision/oak/left/image_raw', IMAGE, 'vision/camera_optical', users=('apriltag',),
        node='vision/oak').viewer())
