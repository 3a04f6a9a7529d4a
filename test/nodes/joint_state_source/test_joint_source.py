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

"""Joint positions at rest, swept, and reported, without a node."""

import math

import pytest

from support.joint_messages import joint_state
from urdf_tools.formats.loader import loads
from urdf_tools.model.robot import Mimic
from urdf_tools.nodes.joint_state_source import joint_range
from urdf_tools.nodes.joint_state_source import JointSource
from urdf_tools.nodes.joint_state_source import Options


def robot(*joints):
    """Return a robot whose joints carry links ``l0``, ``l1`` ... in a chain from ``base``."""
    links = ['base', *(f'l{i}' for i in range(len(joints)))]
    text = ''.join(f'<link name="{link}"/>' for link in links)
    for i, (name, kind, inner) in enumerate(joints):
        text += (
            f'<joint name="{name}" type="{kind}"><parent link="{links[i]}"/>'
            f'<child link="{links[i + 1]}"/><axis xyz="0 0 1"/>{inner}</joint>')
    return loads(f'<robot name="chain">{text}</robot>')


def limit(lower, upper, inner=''):
    return f'<limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/>{inner}'


def positions(source):
    values = source.state()
    return dict(zip(values.name, values.position))


def sweep(source, steps=400, seconds=0.05):
    """Return the positions of each joint over many steps."""
    track = []
    for _ in range(steps):
        source.step(seconds)
        track.append(positions(source))
    return {name: [state[name] for state in track] for name in track[0]}


LEADER = ('leader', 'revolute', limit(-1, 2))
FOLLOWER = ('follower', 'revolute', limit(
    -4, 4, '<mimic joint="leader" multiplier="-0.5" offset="0.1"/>'))


def test_joints_rest_at_zero_or_in_the_middle_of_a_range_without_it():
    source = JointSource(robot(
        ('with_zero', 'revolute', limit(-1, 3)),
        ('without', 'prismatic', limit(0.2, 0.6)),
        ('wheel', 'continuous', ''),
        ('bolt', 'fixed', ''),
        ('plane', 'planar', ''),
        ('free', 'floating', '')))
    assert positions(source) == {'with_zero': 0.0, 'without': pytest.approx(0.4), 'wheel': 0.0}


def test_zeros_are_kept_within_the_range_and_wheels_within_a_turn():
    source = JointSource(
        robot(('a', 'revolute', limit(-1, 1)), ('b', 'revolute', limit(-1, 1)),
              ('wheel', 'continuous', '')),
        Options(zeros={'a': 0.5, 'b': 7.0, 'wheel': 4.0, 'nobody': 1.0}))
    assert positions(source) == {
        'a': 0.5, 'b': 1.0, 'wheel': pytest.approx(4.0 - 2 * math.pi)}
    assert source.unused == ('zeros.nobody',)


def test_positions_of_an_earlier_robot_go_before_zeros():
    first = JointSource(robot(LEADER, ('gone', 'continuous', '')))
    first.report(joint_state(['leader', 'gone'], [0.7, 0.2]))
    second = JointSource(
        robot(LEADER, ('new', 'continuous', '')), Options(zeros={'leader': 1.0, 'new': 0.3}),
        first.positions)
    assert positions(second) == {'leader': 0.7, 'new': 0.3}


@pytest.mark.parametrize('safety, expected', [
    ('soft_lower_limit="-0.5" soft_upper_limit="0.75"', (-0.5, 0.75)),
    ('soft_lower_limit="-9" soft_upper_limit="0.75"', (-1.0, 0.75)),
    ('soft_upper_limit="0.75"', (-1.0, 0.75)),
    ('', (-1.0, 1.0)),
    ('soft_lower_limit="5" soft_upper_limit="6"', (-1.0, 1.0))])
def test_soft_limits_narrow_the_range_unless_they_close_it(safety, expected):
    joint = robot(('a', 'revolute', limit(
        -1, 1, f'<safety_controller k_velocity="1" {safety}/>'))).joints['a']
    assert joint_range(joint) == expected
    assert joint_range(joint, soft=False) == (-1.0, 1.0)


def test_a_range_is_found_even_where_the_limits_are_wrong():
    joints = robot(
        ('inverted', 'revolute', limit(1, -2)), ('none', 'revolute', ''),
        ('slide', 'prismatic', ''), ('turning', 'continuous', limit(-1, 1)),
        ('largest', 'revolute', limit(-1.79769e308, 1.79769e308))).joints
    ranges = {name: joint_range(joint) for name, joint in joints.items()}
    turn = (-math.pi, math.pi)
    assert ranges == {'inverted': turn, 'none': turn, 'slide': (0.0, 0.0), 'turning': turn,
                      'largest': turn}


def test_mimic_joints_follow_through_chains_and_narrow_their_leader():
    chain = ('last', 'prismatic', limit(-1, 0.2, '<mimic joint="follower" multiplier="2"/>'))
    source = JointSource(robot(chain, FOLLOWER, LEADER), Options(sweep_period=2.0))
    track = sweep(source)
    assert [*track] == ['last', 'follower', 'leader']
    for last, follower, leader in zip(*track.values()):
        assert follower == pytest.approx(-0.5 * leader + 0.1, abs=1e-12)
        assert last == pytest.approx(2 * follower, abs=1e-12)
    # last = -leader + 0.2 has to stay in [-1, 0.2], which leaves [0, 1.2] to the leader.
    assert min(track['leader']) == pytest.approx(0.0, abs=1e-3)
    assert max(track['leader']) == pytest.approx(1.2, abs=1e-3)


def test_a_follower_whose_limits_cannot_hold_does_not_stop_its_leader():
    closed = ('closed', 'revolute', limit(0, 1, '<mimic joint="leader" multiplier="-1"/>'))
    leader = ('leader', 'revolute', limit(0, 1))
    track = sweep(JointSource(robot(leader, closed), Options(sweep_period=2.0)))
    assert max(track['leader']) == pytest.approx(1.0, abs=1e-3)


def test_mimic_tags_can_be_ignored_and_relations_given():
    model = robot(LEADER, FOLLOWER, ('other', 'revolute', limit(-4, 4)))
    zeros = {'leader': 1.0, 'follower': 0.25}
    free = JointSource(model, Options(zeros=zeros, use_mimic_tags=False))
    assert positions(free) == {'leader': 1.0, 'follower': 0.25, 'other': 0.0}
    given = JointSource(model, Options(zeros=zeros, dependent_joints={
        'follower': Mimic('leader', 3.0), 'other': Mimic('follower', 0.5, 1.0),
        'ghost': Mimic('leader'), 'leader': Mimic('ghost')}))
    assert positions(given) == {'leader': 1.0, 'follower': 3.0, 'other': 2.5}
    assert given.unused == (
        'zeros.follower', 'dependent_joints.ghost', 'dependent_joints.leader')


def test_a_mimic_cycle_is_named():
    with pytest.raises(ValueError, match='in a cycle: leader -> follower -> leader$'):
        JointSource(
            robot(LEADER, FOLLOWER), Options(dependent_joints={'leader': Mimic('follower')}))


def test_a_long_chain_of_mimic_joints_is_no_recursion():
    joints = [('j0', 'continuous', '')]
    joints += [(f'j{i}', 'continuous', f'<mimic joint="j{i - 1}" offset="0.001"/>')
               for i in range(1, 1500)]
    assert positions(JointSource(robot(*joints)))['j1499'] == pytest.approx(1.499)


def test_delta_turns_round_at_the_limits_and_goes_on_round_a_wheel():
    source = JointSource(
        robot(('arm', 'revolute', limit(-0.5, 1)), ('wheel', 'continuous', '')),
        Options(delta=0.3, defaults=(True, True, False)))
    track = sweep(source, steps=40)
    assert track['arm'][:8] == pytest.approx([0.3, 0.6, 0.9, 1.0, 0.7, 0.4, 0.1, -0.2])
    assert min(track['arm']) == -0.5
    assert max(abs(position) for position in track['wheel']) <= math.pi
    steps = [math.remainder(b - a, 2 * math.pi)
             for a, b in zip(track['wheel'], track['wheel'][1:])]
    assert steps == pytest.approx([0.3] * len(steps))
    assert source.state().velocity[1] == pytest.approx(0.3 / 0.05)


def test_a_sweep_starts_at_the_position_of_the_joint_and_reaches_both_limits():
    source = JointSource(
        robot(('a', 'revolute', limit(-1, 3))),
        Options(sweep_period=4.0, zeros={'a': 0.5}, defaults=(True, True, False)))
    track = sweep(source, steps=4000, seconds=0.001)['a']
    assert track[0] == pytest.approx(0.5, abs=0.01)
    assert min(track) == pytest.approx(-1.0, abs=1e-4)
    assert max(track) == pytest.approx(3.0, abs=1e-4)
    assert track[-1] == pytest.approx(0.5, abs=1e-6)
    slope = (track[-1] - track[-2]) / 0.001
    assert source.state().velocity[0] == pytest.approx(slope, abs=0.01)


def test_reported_joints_are_swept_no_more_and_others_are():
    source = JointSource(
        robot(LEADER, FOLLOWER, ('other', 'revolute', limit(-1, 1))), Options(delta=0.1))
    source.report(joint_state(['other', 'follower', 'stranger'], [5.0, 9.0, 9.0]))
    source.step(0.1)
    assert positions(source) == {
        'leader': pytest.approx(0.1), 'follower': pytest.approx(0.05), 'other': 5.0}


def test_what_is_wrong_with_a_report_is_left_out():
    source = JointSource(robot(LEADER, ('other', 'revolute', limit(-1, 1))))
    assert source.report(joint_state(['leader', 'other'], [math.nan, 0.5], [math.inf, 1.0])) == 2
    assert source.state() == joint_state(('leader', 'other'), (0.0, 0.5), (0.0, 1.0))
    with pytest.raises(ValueError, match='^2 names but 1 values of velocity$'):
        source.report(joint_state(['leader', 'other'], [0.1, 0.2], [1.0]))
    assert positions(source)['leader'] == 0.0


@pytest.mark.parametrize('defaults, report, expected', [
    ((False, False, False), None, joint_state(())),
    ((False, False, True), None, joint_state(('leader', 'other'), (), (), (0.0, 0.0))),
    ((True, True, True), None,
     joint_state(('leader', 'other'), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))),
    ((False, False, False), joint_state(['other'], [0.5]), joint_state(('other',), (0.5,))),
    ((False, False, False), joint_state(['other'], [], [0.5]),
     joint_state(('other',), (), (0.5,))),
    ((True, False, False), joint_state(['other'], [], [], [2.0]),
     joint_state(('leader', 'other'), (0.0, 0.0), (), (0.0, 2.0)))])
def test_only_what_is_known_is_told(defaults, report, expected):
    source = JointSource(
        robot(LEADER, ('other', 'revolute', limit(-1, 1))), Options(defaults=defaults))
    if report is not None:
        source.report(report)
    source.step(0.1)
    assert source.state() == expected


def test_values_beyond_the_range_of_numbers_are_not_told():
    source = JointSource(
        robot(LEADER, ('huge', 'prismatic', limit(
            -1, 1, '<mimic joint="leader" multiplier="1e308"/>'))), Options())
    source.report(joint_state(['leader'], [100.0]))
    assert positions(source) == {'leader': 100.0}


@pytest.mark.parametrize('options, message', [
    ({'sweep_period': -1.0}, 'sweep_period is -1.0; it must be 0 or at least 0.1 s'),
    ({'sweep_period': 1e-9}, 'sweep_period is 1e-09; it must be 0 or at least 0.1 s'),
    ({'delta': 0.1, 'sweep_period': 1.0},
     'delta and sweep_period are both given; set one of them to 0')])
def test_options_without_meaning_are_refused(options, message):
    with pytest.raises(ValueError) as refusal:
        Options(**options)
    assert str(refusal.value) == message


def test_robots_stay_within_their_limits_while_they_are_swept(corpus_robot):
    model = corpus_robot.robot
    track = sweep(JointSource(model, Options(sweep_period=1.0)), steps=20)
    for name, joint in model.joints.items():
        if joint.type in ('revolute', 'prismatic') and joint.mimic is None:
            lower, upper = joint_range(joint, soft=False)
            assert lower <= min(track[name]) and max(track[name]) <= upper, name
