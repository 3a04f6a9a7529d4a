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

"""Cases of the rules about loops."""

from support.validation_cases import example

CASES = (
    example('loop-unreadable', 9, "Loop 'pin' stays open: link 'cuopler' does not exist"),
    example('loop-open', 9, "Loop 'pin' is open by 20 mm and 0 mrad where all positions are zero"),
    example(
        'loop-axes-not-parallel', 9,
        "The axes of hinge 'pin' are 1.15 degrees apart wherever its joints are"),
    example(
        'loop-undecided', 7,
        "Loop 'pin' can be assembled in several ways near position zero"),
    example(
        'loop-immovable', 9,
        "The loops of 'pin' leave joints 'motor', 'pivot', 'elbow' no mobility"),
    example(
        'loop-passive-driven', 15,
        "Joints 'motor', 'pivot' have command interfaces, but loop 'pin' leaves them a mobility "
        'of 1'),
    example(
        'loop-underdetermined', 17,
        "Loop 'pin' has a mobility of 2, but only 'motor' of its joints are in <ros2_control>"),
    example(
        'loop-faked-by-mimic', 13,
        "Joint 'elbow' mimics 'motor', which opens loop 'pin' by up to 559 mm over its range"))
