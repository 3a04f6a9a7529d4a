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

"""Cases of the rules about the dynamics, safety controller and calibration of joints."""

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import FIXED
from support.validation_cases import REVOLUTE

from urdf_tools.findings.finding import Severity

WARN = Severity.WARN

CASES = (
    example('dynamics-empty', 5, "The <dynamics> of joint 'j' has neither damping nor friction"),
    example('dynamics-negative', 5, "The damping of joint 'j' is negative (-0.1)"),
    Case(
        'dynamics-negative', REVOLUTE,
        '<dynamics friction="-0.1"/>',
        '<dynamics friction="0"/>',
        5, "The friction of joint 'j' is negative (-0.1)"),
    Case(
        'dynamics-negative', FIXED,
        '<dynamics friction="-0.1"/>',
        '<dynamics friction="0"/>',
        5, "The friction of joint 'j' is negative (-0.1)"),
    example('safety-no-k-velocity', 5, "The <safety_controller> of joint 'j' has no k_velocity"),
    example(
        'soft-limits-outside-hard', 6,
        "The soft lower limit of joint 'j', -2, is below its hard limit, -1"),
    Case(
        'soft-limits-outside-hard', REVOLUTE,
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>\n'
        '<safety_controller k_velocity="1" soft_lower_limit="2" soft_upper_limit="3"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>\n'
        '<safety_controller k_velocity="1" soft_lower_limit="0" soft_upper_limit="1"/>',
        6, "The soft limits of joint 'j', 2 and 3, leave no position between its hard limits, -1 "
           'and 1', WARN),
    example(
        'soft-limits-inverted', 5,
        "The soft lower limit of joint 'j', 1, is above its soft upper limit, -1"),
    example(
        'soft-limits-zero', 5,
        "The soft limits of joint 'j' are both 0, because none is given"),
    Case(
        'soft-limits-zero', REVOLUTE,
        '<safety_controller k_velocity="10" soft_lower_limit="0" soft_upper_limit="0"/>',
        '<safety_controller k_velocity="10" soft_lower_limit="0" soft_upper_limit="1"/>',
        5, "The soft limits of joint 'j' are both 0"),
    Case(
        'soft-limits-zero', REVOLUTE,
        '<safety_controller k_velocity="10" soft_lower_limit="-1"/>',
        '<safety_controller k_velocity="10" soft_lower_limit="-1" soft_upper_limit="1"/>',
        5, "The <safety_controller> of joint 'j' has no soft_upper_limit, which defaults to 0"),
    example(
        'calibration-empty', 5,
        "The <calibration> of joint 'j' has neither rising nor falling"),
)
