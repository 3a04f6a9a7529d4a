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

"""The cases of all rules about running graphs, each subject in the file named like its rules."""

from support.graph_rule_cases import awaited_frames
from support.graph_rule_cases import clocks
from support.graph_rule_cases import controllers
from support.graph_rule_cases import frame_timing
from support.graph_rule_cases import gravity_efforts
from support.graph_rule_cases import ignored_transforms
from support.graph_rule_cases import inertial_sensors
from support.graph_rule_cases import joint_values
from support.graph_rule_cases import laser_scans
from support.graph_rule_cases import message_timing
from support.graph_rule_cases import published_descriptions
from support.graph_rule_cases import published_frames
from support.graph_rule_cases import quality_of_service
from support.graph_rule_cases import reported_joints
from support.graph_rule_cases import stamp_order
from support.graph_rule_cases import stamped_data
from support.graph_rule_cases import wheel_odometry

CASES = tuple(case for module in (
    published_descriptions, reported_joints, joint_values, gravity_efforts, published_frames,
    ignored_transforms, awaited_frames, frame_timing, stamped_data, message_timing, clocks,
    controllers, quality_of_service, inertial_sensors, laser_scans,
    wheel_odometry, stamp_order) for case in module.CASES)

TESTED_ELSEWHERE = {'internal-error': 'no graph violates it',
                    'policy-not-met': 'it needs a policy; see recordings/test_topic_rates.py'}
"""Rules without a case and why; see test_graph_rules.py."""
