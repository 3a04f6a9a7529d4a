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

"""Quality of service of every topic that the nodes share, named once."""

from rclpy.qos import DurabilityPolicy
from rclpy.qos import qos_profile_sensor_data
from rclpy.qos import QoSProfile

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""Reliable, and the last message reaches whoever comes later."""

ROBOT_DESCRIPTION = LATCHED
TF_STATIC = LATCHED
TF = QoSProfile(depth=100)
JOINT_STATES = qos_profile_sensor_data
"""Best effort, depth 5: takes what any publisher offers and keeps only what is fresh."""

DIAGNOSTICS = QoSProfile(depth=1)
