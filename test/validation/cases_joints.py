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

"""Cases of the rules about joints."""

from cases import Case
from cases import CONTINUOUS
from cases import FIXED
from cases import FOLLOWER
from cases import LINKS
from cases import mimics
from cases import REVOLUTE
from cases import WHOLE

CASES = (
    Case(
        'joint-no-type', LINKS,
        '<joint name="j" typ="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' has no type"),
    Case(
        'joint-unknown-type', LINKS,
        '<joint name="j" type="continous"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="continuous"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' has the unknown type 'continous'"),
    Case(
        'type-poor-support', LINKS,
        '<joint name="j" type="floating"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "Joint 'j' is floating, which few programs support"),
    Case(
        'axis-zero', REVOLUTE,
        '<axis xyz="0 0 0"/>',
        '<axis xyz="0 0 1"/>',
        5, "The axis of joint 'j' is zero"),
    Case(
        'axis-no-xyz', REVOLUTE,
        '<axis xzy="0 0 1"/>',
        '<axis xyz="0 0 1"/>',
        5, "The axis of joint 'j' has no xyz"),
    Case(
        'axis-not-unit', REVOLUTE,
        '<axis xyz="0 0 2"/>',
        '<axis xyz="0 0.707107 0.707107"/>',
        5, "The axis of joint 'j' has the length 2, not 1"),
    Case(
        'axis-missing', REVOLUTE,
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/><axis xyz="1 0 0"/>',
        4, "Joint 'j' has no <axis>, so it moves about x"),
    Case(
        'axis-nearly-aligned', REVOLUTE,
        '<axis xyz="0.005 0 0.9999875"/>',
        '<axis xyz="0.05 0 0.998749"/>',
        5, 'The axis of joint \'j\', "0.005 0 0.9999875", is nearly a coordinate axis'),
    Case(
        'axis-on-fixed', FIXED,
        '<axis xyz="0 0 0"/>',
        '<origin xyz="0 0 0"/>',
        5, "Joint 'j' is fixed and has an <axis>"),
    Case(
        'limit-on-fixed', FIXED,
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        '<origin xyz="0 0 0"/>',
        5, "Joint 'j' is fixed and has a <limit>"),
    Case(
        'limit-missing', REVOLUTE,
        '<axis xyz="0 0 1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        4, "Joint 'j' is revolute and has no <limit>"),
    Case(
        'limit-no-effort', REVOLUTE,
        '<limit lower="-1" upper="1" velocity="1" efort="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "The <limit> of joint 'j' has no effort"),
    Case(
        'limit-no-velocity', REVOLUTE,
        '<limit lower="-1" upper="1" effort="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "The <limit> of joint 'j' has no velocity"),
    Case(
        'limit-inverted', REVOLUTE,
        '<limit lower="1" upper="-1" effort="1" velocity="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "The lower limit of joint 'j', 1, is above the upper one, -1"),
    Case(
        'limit-degenerate', REVOLUTE,
        '<limit effort="1" velocity="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "Joint 'j' cannot move: without lower and upper both limits are 0"),
    Case(
        'limit-one-sided', REVOLUTE,
        '<limit lower="-1" effort="1" velocity="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "The <limit> of joint 'j' has lower but no upper, which is then 0"),
    Case(
        'limit-negative-effort', REVOLUTE,
        '<limit lower="-1" upper="1" effort="-1" velocity="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "The effort limit of joint 'j' is negative (-1)"),
    Case(
        'limit-negative-velocity', REVOLUTE,
        '<limit lower="-1" upper="1" effort="1" velocity="-1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "The velocity limit of joint 'j' is negative (-1)"),
    Case(
        'limit-zero-effort', REVOLUTE,
        '<limit lower="-1" upper="1" effort="0" velocity="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "The effort limit of joint 'j' is zero"),
    Case(
        'limit-zero-velocity', REVOLUTE,
        '<limit lower="-1" upper="1" effort="1" velocity="0"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        5, "The velocity limit of joint 'j' is zero"),
    Case(
        'limit-on-continuous', CONTINUOUS,
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        '<limit effort="1" velocity="1"/>',
        5, "Joint 'j' is continuous and has limits of its position"),
    Case(
        'range-over-2pi', REVOLUTE,
        '<limit lower="-10" upper="10" effort="1" velocity="1"/>',
        '<limit lower="-6.2832" upper="6.2832" effort="1" velocity="1"/>',
        5, "Joint 'j' has a range of 3.18 turns"),
    Case(
        'limit-in-degrees', REVOLUTE,
        '<limit lower="-90" upper="90" effort="1" velocity="1"/>',
        '<limit lower="-1.5708" upper="1.5708" effort="1" velocity="1"/>',
        5, "The limits of joint 'j', -90 and 90, look like degrees"),
    Case(
        'zero-outside-limits', REVOLUTE,
        '<limit lower="0.1" upper="1" effort="1" velocity="1"/>',
        '<limit lower="0" upper="1" effort="1" velocity="1"/>',
        5, "Joint 'j' cannot stand at 0: its limits are 0.1 and 1"),
    Case(
        'acceleration-jerk-negative', REVOLUTE,
        '<limit lower="-1" upper="1" effort="1" velocity="1" jerk="-1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1" jerk="1"/>',
        5, "The jerk limit of joint 'j' is negative (-1)"),
    Case(
        'mimic-no-joint', FOLLOWER,
        '<mimic multiplier="1"/>',
        '<mimic joint="leader"/>',
        8, "The <mimic> of joint 'follower' names no joint"),
    Case(
        'mimic-unknown-joint', FOLLOWER,
        '<mimic joint="laeder"/>',
        '<mimic joint="leader"/>',
        8, "Joint 'follower' mimics 'laeder', and there is no such joint"),
    Case(
        'mimic-self', FOLLOWER,
        '<mimic joint="follower"/>',
        '<mimic joint="leader"/>',
        8, "Joint 'follower' mimics itself"),
    Case(
        'mimic-cycle', WHOLE,
        mimics(a='b', b='a', c='a'),
        mimics(a='b', c='a'),
        7, 'Joints mimic each other in a circle: a -> b -> a'),
    Case(
        'mimic-dof-mismatch', FOLLOWER,
        '<mimic joint="rigid"/>',
        '<mimic joint="leader"/>',
        8, "Joint 'follower' mimics joint 'rigid', which is fixed and has no single position"),
    Case(
        'mimic-on-fixed', FIXED,
        '<mimic joint="k"/></joint><link name="a"/><joint name="k" type="continuous"><parent '
        'link="tip"/><child link="a"/>',
        '</joint><link name="a"/><joint name="k" type="continuous"><parent link="tip"/><child '
        'link="a"/>',
        5, "Joint 'j' is fixed and cannot mimic"),
    Case(
        'mimic-chain', WHOLE,
        mimics(a='b', b='c'),
        mimics(a='c', b='c'),
        7, "Joint 'a' mimics joint 'b', which mimics joint 'c'"),
    Case(
        'mimic-range-exceeds-limits', FOLLOWER,
        '<mimic joint="leader" multiplier="2"/>',
        '<mimic joint="leader" multiplier="-1"/>',
        8,
        "Joint 'follower' is to follow joint 'leader' from -2 to 2, but its limits are -1 and 1"),
    Case(
        'mimic-zero-multiplier', FOLLOWER,
        '<mimic joint="leader" multiplier="0"/>',
        '<mimic joint="leader" multiplier="1"/>',
        8, "Joint 'follower' mimics with the multiplier 0, and so never moves"),
    Case(
        'dynamics-empty', REVOLUTE,
        '<dynamics/>',
        '<dynamics friction="0"/>',
        5, "The <dynamics> of joint 'j' has neither damping nor friction"),
    Case(
        'dynamics-negative', REVOLUTE,
        '<dynamics damping="-0.1"/>',
        '<dynamics damping="0"/>',
        5, "The damping of joint 'j' is negative (-0.1)"),
    Case(
        'safety-no-k-velocity', REVOLUTE,
        '<safety_controller k_position="1"/>',
        '<safety_controller k_velocity="1"/>',
        5, "The <safety_controller> of joint 'j' has no k_velocity"),
    Case(
        'soft-limits-outside-hard', REVOLUTE,
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>\n'
        '<safety_controller k_velocity="1" soft_lower_limit="-2" soft_upper_limit="1"/>',
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>\n'
        '<safety_controller k_velocity="1" soft_lower_limit="-1" soft_upper_limit="1"/>',
        6, "The soft lower limit of joint 'j', -2, is below the hard one, -1"),
    Case(
        'soft-limits-inverted', REVOLUTE,
        '<safety_controller k_velocity="1" soft_lower_limit="1" soft_upper_limit="-1"/>',
        '<safety_controller k_velocity="1" soft_lower_limit="-1" soft_upper_limit="1"/>',
        5, "The soft lower limit of joint 'j', 1, is above the soft upper one, -1"),
    Case(
        'calibration-empty', REVOLUTE,
        '<calibration/>',
        '<calibration rising="0"/>',
        5, "The <calibration> of joint 'j' has neither rising nor falling"),
)
