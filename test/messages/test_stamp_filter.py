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

"""The filter by stamps; times are in milliseconds."""

import numpy as np
import pytest
from urdf_tools.messages.stamp_filter import StampFilter

MS = 1_000_000
START = 1_000_000

BOTH = np.array([0, 1])
FIRST = np.array([0])
SECOND = np.array([1])
NONE = np.array([], dtype=np.intp)


def stamp_filter(frequency=20.0, names=('a', 'b')):
    made = StampFilter(names)
    made.set_frequency(frequency)
    return made


def outcomes(tested, times, joints=BOTH):
    return [tested.admit(joints, round((START + time) * MS)) for time in times]


def passed(tested, times, joints=BOTH):
    return [time for time, reason in zip(times, outcomes(tested, times, joints)) if not reason]


def test_source_at_the_limit_passes():
    assert outcomes(stamp_filter(), range(0, 5000, 50)) == [''] * 100


def test_second_message_may_come_after_half_a_period():
    assert passed(stamp_filter(), [0, 24]) == [0]
    assert passed(stamp_filter(), [0, 25, 50, 75]) == [0, 25, 75]


def most_in_a_second(times):
    """Return the largest number of times in any window of one second, its end excluded."""
    stamps = np.rint(np.array(times) * MS).astype(int)
    return max(np.searchsorted(stamps, stamps + 1000 * MS) - np.arange(len(stamps)))


@pytest.mark.parametrize('seed', range(5))
def test_source_at_the_limit_loses_nothing_to_jitter(seed):
    times = np.arange(1000) * 50 + np.random.default_rng(seed).uniform(0, 25, 1000)
    kept = passed(stamp_filter(), times.round(3).tolist())
    assert len(kept) == 1000


@pytest.mark.parametrize('limit', [3, 7, 15, 30, 60, 333])
@pytest.mark.parametrize('jitter', [0, 0.001, 0.1])
def test_source_at_a_limit_of_no_whole_number_of_nanoseconds_loses_nothing(limit, jitter):
    steps = np.arange(60 * limit)
    times = steps * 1000 / limit + np.random.default_rng(limit).uniform(0, jitter, len(steps))
    assert outcomes(stamp_filter(limit), times.tolist()) == [''] * len(steps)


@pytest.mark.parametrize('rate', [3, 20, 25, 30, 50, 99, 100, 333, 500, 1000])
def test_faster_source_is_thinned_to_the_limit(rate):
    stamps = [1000 * step / rate for step in range(12 * rate)]
    for limit in {min(limit, rate - 1) for limit in (1, 2, 3, 7, 20, 50, 100)}:
        kept = passed(stamp_filter(float(limit)), stamps)
        assert most_in_a_second(kept) <= limit + 1
        assert 11 * limit < len(kept) <= 12 * limit + 1
        assert abs(np.diff(kept)[1:] - 1000 / limit).max() < 1000 / rate + 1e-3


@pytest.mark.parametrize('limit', [0.1, 0.7, 1.5, 2.5, 20, 33.3])
@pytest.mark.parametrize('seed', range(3))
def test_irregular_source_exceeds_the_limit_by_one_at_most(limit, seed):
    rng = np.random.default_rng(seed)
    gaps = rng.exponential(np.where(rng.random(5000) < 0.02, 3000, 20))
    kept = np.array(passed(stamp_filter(limit), np.cumsum(gaps).tolist()))
    count = max(1, int(limit)) + 1
    # Stamps are whole nanoseconds.
    assert np.min(kept[count:] - kept[:-count]) >= (count - 1) * 1000 / limit - 1e-5


def test_impossible_stamps_are_refused_even_where_stamps_are_ignored():
    for ignores in (False, True):
        tested = stamp_filter()
        tested.ignore_timestamp = ignores
        assert tested.admit(BOTH, -1) == 'negative stamp'
        assert tested.admit(BOTH, 2**31 * 1000 * MS) == 'stamp too large'
        assert tested.admit(BOTH, 5) == ''


def test_throttled_messages_have_their_reason():
    assert outcomes(stamp_filter(), [0, 10, 20, 50]) == ['', 'throttled', 'throttled', '']


def test_no_limit():
    assert outcomes(stamp_filter(0.0), np.arange(0, 5, 0.001)) == [''] * 5000


def test_limit_can_change_at_any_time():
    changing = stamp_filter(1.0)
    assert passed(changing, range(0, 100, 10)) == [0]
    changing.set_frequency(0.0)
    assert passed(changing, range(100, 200, 10)) == list(range(100, 200, 10))
    changing.set_frequency(20.0)
    assert passed(changing, range(200, 400, 10)) == [220, 270, 320, 370]


def test_joints_are_limited_one_by_one():
    shared = stamp_filter()
    assert outcomes(shared, [0], FIRST) == ['']
    assert outcomes(shared, [1], SECOND) == ['']
    assert outcomes(shared, [2], FIRST) == ['throttled']
    assert outcomes(shared, [3], BOTH) == ['throttled']


def published(tested, messages):
    """Return the times at which each joint is published, given times and joints of messages."""
    times = {}
    for time, joints in messages:
        if not outcomes(tested, [time], joints)[0]:
            for joint in joints if tested.part is None else joints[tested.part]:
                times.setdefault(int(joint), []).append(time)
    return times


def test_only_joints_past_their_slots_are_published():
    shared = stamp_filter()
    messages = [(0, FIRST), (30, FIRST), (40, BOTH), (66, BOTH), (80, BOTH)]
    assert published(shared, messages) == {0: [0, 30, 66], 1: [40, 66]}
    assert published(shared, [(120, BOTH)]) == {0: [120], 1: [120]}
    assert shared.part is None


def test_full_and_partial_messages_together_keep_each_joint_at_the_limit():
    times = published(stamp_filter(), sorted(
        [(time, FIRST) for time in range(0, 12_000, 10)]
        + [(time + 0.5, BOTH) for time in range(0, 12_000, 100)], key=lambda each: each[0]))
    assert times[1] == [time + 0.5 for time in range(0, 12_000, 100)]
    assert most_in_a_second(times[0]) <= 21
    assert 240 <= len(times[0]) <= 241


@pytest.mark.parametrize('start', range(1, 50, 7))
def test_joints_that_begin_at_other_times_are_soon_published_together(start):
    shared = stamp_filter()
    outcomes(shared, [0], FIRST)
    parts = []
    for time in range(start, 1000):
        if not outcomes(shared, [time])[0]:
            parts.append(shared.part)
    assert parts[2:] == [None] * (len(parts) - 2)
    assert len(parts) <= 21


def test_joint_whose_stamp_was_far_ahead_goes_on_with_the_others():
    shared = stamp_filter(0.0)
    outcomes(shared, [0])
    outcomes(shared, [60_000], FIRST)
    times = published(shared, [(time, BOTH) for time in range(10, 1000, 10)])
    assert times == {0: list(range(510, 1000, 10)), 1: list(range(10, 1000, 10))}


def test_repeated_and_old_stamps_have_their_reasons():
    assert outcomes(stamp_filter(), [1000, 1000, 900, 1050]) == [
        '', 'repeated stamp', 'old stamp', '']
    assert outcomes(stamp_filter(0.0), [1000, 1000, 999]) == ['', 'repeated stamp', 'old stamp']


def test_looping_bag_goes_on_after_half_a_second():
    looping = stamp_filter()
    assert outcomes(looping, range(0, 20_000, 50)) == [''] * 400
    for _ in range(3):
        found = outcomes(looping, range(0, 20_000, 50))
        assert found == ['stamp went back'] * 10 + [''] * 390


def test_short_looping_bag_goes_on_too():
    looping = stamp_filter()
    for _ in range(10):
        found = outcomes(looping, range(0, 3000, 50))
        assert found[10:] == [''] * 50


def test_bag_of_two_drivers_goes_on_for_both():
    looping = stamp_filter()
    for turn in range(3):
        for time in range(0, 20_000, 50):
            first, second = (outcomes(looping, [time + driver], joints)
                             for driver, joints in enumerate((FIRST, SECOND)))
            assert time < 500 and turn or (first, second) == ([''], [''])


@pytest.mark.parametrize('period', [2, 100, 2000, 10_000])
def test_restarted_driver_with_an_earlier_clock_goes_on(period):
    restarted = stamp_filter(0.0)
    assert passed(restarted, range(0, 100_000, period))[-1] == 100_000 - period
    times = range(-60_000, -30_000, period)
    assert passed(restarted, times) == [time for time in times if time >= -60_000 + 500]


def test_reset_simulation_goes_on_at_once():
    simulated = stamp_filter()
    assert outcomes(simulated, range(0, 3000, 50)) == [''] * 60
    simulated.reset()
    assert outcomes(simulated, range(0, 3000, 50)) == [''] * 60


@pytest.mark.parametrize('seconds', [0.5, 1.5, 2, 60])
@pytest.mark.parametrize(('newer', 'older'), [(10, 10), (3, 100), (100, 3)])
def test_of_two_sources_only_the_newer_one_passes(seconds, newer, older):
    # Periods in ms; the older source stamps its messages some seconds late.
    both = stamp_filter(0.0)
    messages = sorted(
        [(time, time) for time in range(0, 20_000, newer)]
        + [(time + 0.5, time - 1000 * seconds) for time in range(0, 20_000, older)])
    stamps = [stamp for _, stamp in messages]
    kept = passed(both, stamps)
    assert kept == list(range(0, 20_000, newer))
    found = outcomes(stamp_filter(0.0), stamps)
    expected = 'old stamp' if seconds < 1 else 'two sources or clocks'
    assert [reason for reason in found if reason][-1] == expected
    assert found.count('stamp went back') <= (0 if seconds < 1 else newer // older + 1)


def test_slow_newer_source_takes_over_at_most_a_few_times():
    both = stamp_filter(0.0)
    messages = sorted(
        [(time, time) for time in range(0, 100_000, 1000)]
        + [(time + 0.5, time - 30_000) for time in range(0, 100_000, 10)])
    kept = passed(both, [stamp for _, stamp in messages])
    assert sum(later < earlier for earlier, later in zip(kept, kept[1:])) <= 2


def test_source_behind_goes_on_when_the_other_one_stops():
    both = stamp_filter(0.0)
    for time in range(0, 10_000, 10):
        outcomes(both, [time, time - 2000])
    times = range(8000, 20_000, 10)
    assert passed(both, times) == [time for time in times if time >= 8490]


def test_stamp_from_the_future_blocks_only_for_a_moment():
    times = [0, 60_000, *range(50, 1000, 50)]
    assert passed(stamp_filter(), times) == [0, 60_000, *range(550, 1000, 50)]


def test_reset_makes_every_joint_due():
    reset = stamp_filter()
    assert outcomes(reset, [500]) == ['']
    reset.reset()
    assert outcomes(reset, [100]) == ['']


def test_zero_stamp():
    assert stamp_filter().admit(BOTH, 0) == 'zero stamp'


def test_ignoring_stamps_passes_all():
    unstamped = stamp_filter()
    unstamped.ignore_timestamp = True
    assert outcomes(unstamped, [0, 1, 1, 0, -5000, 2]) == [''] * 6
    assert [unstamped.admit(BOTH, 0) for _ in range(3)] == [''] * 3


def test_message_without_joints():
    assert stamp_filter().admit(NONE, START * MS) == 'no moving joint'
    assert stamp_filter(names=()).admit(NONE, START * MS) == 'no moving joint'


def test_new_description_keeps_the_due_times():
    old = stamp_filter()
    assert outcomes(old, [0]) == ['']
    new = old.successor(('b', 'c'))
    assert outcomes(new, [10], FIRST) == ['throttled']
    assert outcomes(new, [10], SECOND) == ['']
