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

"""Cases of the rules about the limits of joints."""

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT

from urdf_tools.findings.finding import Severity

INFO = Severity.INFO

DRIVEN = """\
<link name="base_link"/><link name="tip"/><joint name="j" type="revolute">
<parent link="base_link"/><child link="tip"/><axis xyz="0 0 1"/>
<limit lower="0" upper="{}" effort="1" velocity="1"/></joint>
<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
<joint name="j"/><actuator name="a"/></transmission>"""


CASES = (
    example('limit-on-fixed', 5, "Joint 'j' is fixed but has a <limit>"),
    example('limit-missing', 4, "Joint 'j' is revolute but has no <limit>"),
    example('limit-no-effort', 5, "The <limit> of joint 'j' has no effort"),
    example('limit-no-velocity', 5, "The <limit> of joint 'j' has no velocity"),
    example('limit-inverted', 5, "The lower limit of joint 'j', 1, is above its upper limit, -1"),
    example(
        'limit-degenerate', 5,
        "Joint 'j' cannot move: it has neither lower nor upper, so both are 0"),
    Case(
        'limit-degenerate', REVOLUTE,
        '<limit lower="0" upper="0" effort="0" velocity="0"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "Joint 'j' cannot move: both limits are 0", INFO),
    Case(
        'limit-degenerate', ROBOT, DRIVEN.format(0), DRIVEN.format(1),
        4, "Joint 'j' cannot move: both limits are 0"),
    Case(
        'limit-degenerate', REVOLUTE,
        '<limit lower="1.57" upper="1.57" effort="1" velocity="1"/>',
        '<limit lower="-1.57" upper="1.57" effort="1" velocity="1"/>',
        5, "Joint 'j' cannot move: both limits are 1.57",
        effects={'joint_state_publisher': 'shows no slider for it'}),
    Case(
        'limit-degenerate', REVOLUTE,
        '<limit lower="0" upper="0" effort="80" velocity="7.5"/>',
        '<limit lower="-1" upper="1" effort="80" velocity="7.5"/>',
        5, "Joint 'j' cannot move: both limits are 0"),
    example(
        'limit-one-sided', 5,
        "The <limit> of joint 'j' has lower but no upper, which defaults to 0"),
    example('limit-negative-effort', 5, "The effort limit of joint 'j' is negative (-1)"),
    Case(
        'limit-negative-effort', REVOLUTE,
        '<limit lower="-1" upper="1" effort="-1" velocity="-2"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="2"/>',
        5, "The effort and velocity limits of joint 'j' are negative (-1, -2)"),
    example('limit-negative-velocity', 5, "The velocity limit of joint 'j' is negative (-1)"),
    example('limit-zero-effort', 5, "The effort limit of joint 'j' is zero"),
    Case(
        'limit-zero-effort', REVOLUTE,
        '<limit lower="-1" upper="1" effort="0" velocity="0"/>',
        '<limit lower="0" upper="0" effort="0" velocity="0"/>',
        5, "The effort and velocity limits of joint 'j' are zero"),
    example('limit-zero-velocity', 5, "The velocity limit of joint 'j' is zero"),
    example(
        'limit-on-continuous', 5,
        "Joint 'j' is continuous but has position limits: lower -1, upper 1"),
    example('range-over-2pi', 5, "Joint 'j' has a range of 3.18 turns"),
    example('limit-in-degrees', 5, "The limits of joint 'j', -90 and 90, look like degrees"),
    Case(
        'limit-in-degrees', REVOLUTE,
        '<limit lower="-104.271" upper="30.5" effort="1" velocity="1"/>',
        '<limit lower="-100.53096" upper="100.53096" effort="1" velocity="1"/>',
        5, "The limits of joint 'j', -104.271 and 30.5, look like degrees"),
    example(
        'velocity-in-degrees', 10, "The velocity limit of joint 'j', 150, looks like degrees per "
        'second: other joints have 2 to 3 rad/s'),
    example('zero-outside-limits', 5, "Zero is outside the limits of joint 'j', 0.1 and 1"),
    example('acceleration-jerk-negative', 5, "The jerk limit of joint 'j' is negative (-1)"),
)
