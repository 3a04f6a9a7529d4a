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

"""Cases of the rules about the type, axis, limits and dynamics of joints."""

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import FIXED
from support.validation_cases import LINKS
from support.validation_cases import masses
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT

from urdf_tools.findings.finding import Severity

WARN, INFO = Severity.WARN, Severity.INFO


def wheels(axis, prefix='', x=0, kind='continuous'):
    """Return a left and a right wheel, with the axis and type of the right one."""
    base = '' if prefix else '<link name="base_link"/>'
    links = f'<link name="{prefix}l"/><link name="{prefix}r"/>'
    joints = [
        f'\n<joint name="{prefix}{side}_wheel" type="{each}"><parent link="base_link"/>'
        f'<child link="{prefix}{side[0]}"/><origin xyz="{x} {y} 0"/><axis xyz="{xyz}"/></joint>'
        for side, y, xyz, each in (('left', 1, '0 1 0', 'continuous'), ('right', -1, axis, kind))]
    return base + links + ''.join(joints)


def legs(origin='0 0 -0.3', axis='0 1 0', upper='1', effort='9'):
    """Return two legs of three joints each, with values of the right knee."""
    text = '<link name="base_link"/>'
    for side, y in (('l', 0.1), ('r', -0.1)):
        parent = 'base_link'
        for part, xyz in (('hip', f'0 {y} 0'), ('knee', '0 0 -0.3'), ('ankle', '0 0 -0.2')):
            odd = (side, part) == ('r', 'knee')
            text += (
                f'<link name="{side}_{part}_link"/>\n<joint name="{side}_{part}" type="revolute">'
                f'<parent link="{parent}"/><child link="{side}_{part}_link"/><origin xyz="'
                f'{origin if odd else xyz}"/><axis xyz="{axis if odd else "0 1 0"}"/><limit '
                f'lower="-1" upper="{upper if odd else 1}" effort="{effort if odd else 9}" '
                'velocity="1"/></joint>')
            parent = f'{side}_{part}_link'
    return text


STEERING = wheels('0 1 0').replace('<axis xyz="0 1 0"', '<axis xyz="0 0 1"').replace(
    '_wheel', '_steering')

DRIVEN = """\
<link name="base_link"/><link name="tip"/><joint name="j" type="revolute">
<parent link="base_link"/><child link="tip"/><axis xyz="0 0 1"/>
<limit lower="0" upper="{}" effort="1" velocity="1"/></joint>
<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
<joint name="j"/><actuator name="a"/></transmission>"""

CASES = (
    example(
        'limit-digits-swapped', 5, "The limits of joint 'j', -2.618 and 2.168, would be symmetric "
        'but for two swapped digits'),
    example('joint-no-type', 4, "Joint 'j' has no type"),
    Case(
        'joint-no-type', LINKS,
        '<joint name="j" type=""><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' has no type"),
    example('joint-unknown-type', 4, "Joint 'j' has the unknown type 'continous'"),
    Case(
        'joint-unknown-type', LINKS,
        '<joint name="j" type="spherical"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' has the unknown type 'spherical'"),
    example(
        'type-poor-support', 4,
        "Joint 'j' is floating, which many programs do not support",
        effects={'robot_state_publisher': 'does not publish the joint'}),
    Case(
        'type-poor-support', ROBOT,
        masses(1, 1).replace('continuous', 'planar'),
        masses(1, 1),
        10, "Joint 'j' is planar, which many programs do not support",
        effects={'robot_state_publisher': 'publishes the joint as fixed',
                 'idyntree': 'refuses the description'}),
    example('axis-zero', 5, "The axis of joint 'j' is zero"),
    example('axis-no-xyz', 5, "The axis of joint 'j' has no xyz"),
    example('axis-not-unit', 5, "The axis of joint 'j' has length 2, not 1"),
    example('axis-missing', 4, "Joint 'j' has no <axis>, so its axis is x"),
    example(
        'axis-nearly-aligned', 5,
        "The axis of joint 'j', \"0.005 0 0.9999875\", is 0.29 degrees away from a "
        'coordinate axis'),
    example('axis-on-fixed', 5, "Joint 'j' is fixed but has an <axis>"),
    example(
        'mirrored-joint-differs', 5, "The axis of joint 'right_wheel' is 90 degrees from the "
        "mirror image of that of joint 'left_wheel'"),
    Case(
        'mirrored-joint-differs', ROBOT, wheels('0 -1 0'), wheels('0 1 0'),
        4, "The axis of joint 'right_wheel' is opposite (180 degrees) to that of joint "
        "'left_wheel'", INFO),
    Case(
        'mirrored-joint-differs', ROBOT, wheels('0 -1 0') + wheels('0 1 0', 'rear_', 1),
        wheels('0 1 0') + wheels('0 1 0', 'rear_', 1),
        4, "The axis of joint 'right_wheel' is opposite (180 degrees) to that of joint "
        "'left_wheel', as in 1 of 2 pairs of wheels"),
    Case(
        'mirrored-joint-differs', ROBOT, wheels('0 1 0').replace('-1', '1'), wheels('0 1 0'),
        4, "Joint 'right_wheel' is 0 m away from its mirror image, joint 'left_wheel'"),
    Case(
        'mirrored-joint-differs', ROBOT, wheels('0 1 0', kind='fixed'), wheels('0 1 0'),
        4, "Joint 'right_wheel' is fixed, but its mirror image, joint 'left_wheel', is "
        'continuous'),
    Case(
        'mirrored-joint-differs', ROBOT,
        wheels('0 0.5 0.866').replace('left_wheel', 'LKnee').replace('right_wheel', 'RKnee'),
        wheels('0 -1 0').replace('left_wheel', 'LKnee').replace('right_wheel', 'RKnee'),
        4, "The axis of joint 'RKnee' is 60 degrees from the mirror image of that of joint "
        "'LKnee'"),
    Case(
        'mirrored-joint-differs', ROBOT, STEERING.replace('0 0 1', '0 0 -1', 1), STEERING,
        3, "The axis of joint 'left_steering' is opposite (180 degrees) to that of joint "
        "'right_steering', so that the same angle steers to the other side"),
    *(Case('mirrored-joint-odd', ROBOT, legs(**{what: value}), legs(**{what: near}), 7,
           f"The {said} of joint 'r_knee', {own}, is not that of joint 'l_knee', {other}, or its "
           'mirror image, as in 2 other pairs')
      for what, value, near, said, own, other in (
          ('origin', '0.004 0 -0.3', '0 0 -0.3', 'origin', '0.004 0 -0.3 0 0 0', '0 0 -0.3 0 0 0'),
          ('axis', '0 -1 0', '0 1 0.001', 'axis', '0 -1 0', '0 1 0'),
          ('upper', '1.1', '1.005', 'range', '-1 1.1', '-1 1'),
          ('effort', '8', '9.001', 'effort', '8', '9'))),
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
    Case(
        'limit-in-degrees', REVOLUTE,
        '<limit lower="-154" upper="2.69" effort="1" velocity="1"/>',
        '<limit lower="-2.687807" upper="2.69" effort="1" velocity="1"/>',
        5, "The limits of joint 'j', -154 and 2.69, look like degrees"),
    example(
        'velocity-in-degrees', 10, "The velocity limit of joint 'j', 150, looks like degrees per "
        'second: other joints have 2 to 3 rad/s'),
    example('zero-outside-limits', 5, "Zero is outside the limits of joint 'j', 0.1 and 1"),
    example('acceleration-jerk-negative', 5, "The jerk limit of joint 'j' is negative (-1)"),
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
        "The <calibration> of joint 'j' has neither rising nor falling"))
