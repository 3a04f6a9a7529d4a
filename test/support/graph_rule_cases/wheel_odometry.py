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
"""Cases of the rule about wheels and odometry."""

from functools import partial

from pytest import approx
from support.driven_robots import driven
from support.graph_records import Case

case = partial(Case, 'wheel-odometry')

FOUND = 'According to /drive and the joint states, the '


def differs(what: str, value: float, reference: float, **others) -> dict[str, object]:
    return {'what': what, 'value': approx(value, rel=1e-3), 'reference': reference,
            'error': approx(0, abs=1e-5), **others}


def opposite(*joints: str) -> dict[str, object]:
    return {'joints': [*joints], 'odometry': '/odom'}


CASES = (
    case(
        lambda: driven(left=-0.05), driven,
        "According to /odom, the wheels of 'left_wheel' from /driver turn backwards as the robot "
        'drives forwards', opposite('left_wheel'), subject='left_wheel',
        hint='Invert the sign in the driver, or the axis of the joint in the model; see how the '
        'wires of the motor are connected'),
    case(
        # On a straight line, only their difference is known.
        lambda: driven(right=-0.05, turns=0.0), lambda: driven(turns=0.0, separation=0.5),
        "According to /odom, the wheels of 'right_wheel' from /driver turn backwards as the robot "
        'drives forwards', opposite('right_wheel'), subject='right_wheel',
        hint='Invert the sign in the driver, or the axis of the joint in the model; see how the '
        'wires of the motor are connected'),
    case(
        lambda: driven(0.065, 0.065), lambda: driven(0.0535, 0.0535),
        f'{FOUND}radius of the wheels is 0.065 ± 1.7e-07 m, but the model has 0.05 m',
        differs('radius', 0.065, 0.05), ('/drive',), '/odom', 'radius'),
    case(
        lambda: driven(0.045, 0.045), lambda: driven(0.0465, 0.0465),
        f'{FOUND}radius of the wheels is 0.045 ± 1.1e-07 m, but the model has 0.05 m',
        differs('radius', 0.045, 0.05), ('/drive',), '/odom', 'radius'),
    case(
        lambda: driven(wheel_radius=0.1), lambda: driven(wheel_radius=0.051),
        f'{FOUND}radius of the wheels is 0.05 ± 1.3e-07 m, but /drive has 0.1 m',
        differs('radius', 0.05, 0.1, configured='/drive'), ('/drive',), '/odom', 'radius'),
    case(
        lambda: driven(separation=0.4), lambda: driven(separation=0.4, drives=0.0),
        f'{FOUND}separation of the wheels is 0.4 ± 1e-06 m, but the model has 0.3 m',
        differs('separation', 0.4, 0.3), ('/drive',), '/odom', 'separation'),
    case(
        lambda: driven(swapped=True),
        lambda: driven(wheel_separation=0.2, wheel_separation_multiplier=1.5),
        '/drive turns to the right as the wheels turn the robot to the left', {}, ('/drive',),
        '/odom', hint='Interchange the left and right wheels in the parameters of /drive'))
