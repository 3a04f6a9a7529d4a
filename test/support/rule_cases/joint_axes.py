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

"""Cases of the rules about the type and the axis of joints."""

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import LINKS
from support.validation_cases import masses
from support.validation_cases import ROBOT

from urdf_tools.findings.finding import Severity

INFO = Severity.INFO


def wheels(axis, prefix='', x=0, kind='continuous'):
    """Return a left and a right wheel, with the axis and type of the right one."""
    base = '' if prefix else '<link name="base_link"/>'
    links = f'<link name="{prefix}l"/><link name="{prefix}r"/>'
    joints = [
        f'\n<joint name="{prefix}{side}_wheel" type="{each}"><parent link="base_link"/>'
        f'<child link="{prefix}{side[0]}"/><origin xyz="{x} {y} 0"/><axis xyz="{xyz}"/></joint>'
        for side, y, xyz, each in (('left', 1, '0 1 0', 'continuous'), ('right', -1, axis, kind))]
    return base + links + ''.join(joints)


STEERING = wheels('0 1 0').replace('<axis xyz="0 1 0"', '<axis xyz="0 0 1"').replace(
    '_wheel', '_steering')

CASES = (
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
        'mirrored-joint-differs', 6, "The axis of joint 'right_wheel' is 90 degrees from the "
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
)
