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

"""The filter on random sequences of stamps, beside the rule of robot_state_publisher."""

from math import ceil

import numpy as np
import pytest
from urdf_tools.messages.stamp_filter import StampFilter

pytestmark = pytest.mark.slow

SECOND = 1_000_000_000
START = 1_000 * SECOND
BATCHES = 20
SEQUENCES = 500
LATENCY = 200_000
"""How much later than its stamp a message arrives, in nanoseconds."""


class Reference:
    """
    Decides on joint states as robot_state_publisher 3.3 to 3.5 does.

    :param limit: publish_frequency.
    """

    def __init__(self, limit):
        self._interval = int(1000 / limit) * 1_000_000
        self._lasts = {}
        self._now = 0

    def publishes(self, joints, stamp, now):
        """Return whether a message is published that arrives at a time of the clock."""
        if now < self._now:
            self._lasts.clear()
        self._now = now
        oldest = min(now, *(self._lasts.get(joint, 0) for joint in joints))
        if stamp < oldest + self._interval:
            return False
        self._lasts.update(dict.fromkeys(joints, stamp))
        return True


class Source:
    """
    A random source of joint states.

    :param rng: the generator of random numbers.
    :param limit: publish_frequency; every third source is exactly as fast.
    :ivar joints: rows of its joints.
    :ivar slow: whether it is not faster than the limit.
    :ivar stamps: of its messages in nanoseconds, increasing.
    """

    def __init__(self, rng, limit, joints, duration):
        self.joints = joints
        rate = limit * rng.choice([1.0, rng.uniform(0.05, 1.0), rng.uniform(1.0, 10.0)])
        self.slow = rate <= limit
        count = max(2, int(duration * rate))
        jitter = min(rng.choice([0, 1e-6, 1e-4, 1.0]), 0.49 / limit)
        times = np.arange(count) / rate + rng.uniform(0, jitter, count) + rng.uniform(0, 1 / rate)
        self.stamps = np.unique(START + np.rint(times * SECOND).astype(np.int64))


class Comparison:
    """
    What becomes of one random sequence.

    :ivar sent: joint to its stamps.
    :ivar ours: joint to those that the filter passes.
    :ivar theirs: joint to those that robot_state_publisher publishes.
    """

    def __init__(self, rng):
        self.limit = float(rng.choice([
            rng.integers(1, 1001), rng.choice([3, 7, 15, 20, 30, 60]), rng.uniform(0.1, 100)]))
        count = int(rng.integers(1, 5))
        rows = [np.flatnonzero(rng.random(count) < 0.6) for _ in range(rng.integers(1, 4))]
        rows = [each for each in rows if len(each)] or [np.arange(count)]
        duration = rng.uniform(3, 15) / self.limit
        self.sources = [Source(rng, self.limit, each, duration) for each in rows]
        self.sent, self.ours, self.theirs = (
            {joint: [] for joint in range(count)} for _ in range(3))
        tested, reference = StampFilter([str(joint) for joint in range(count)]), Reference(
            self.limit)
        tested.set_frequency(self.limit)
        messages = sorted(
            (stamp, index) for index, source in enumerate(self.sources)
            for stamp in source.stamps.tolist())
        for stamp, index in messages:
            joints = self.sources[index].joints
            self._note(self.sent, joints, stamp)
            if not tested.admit(joints, stamp):
                self._note(
                    self.ours, joints if tested.part is None else joints[tested.part], stamp)
            if reference.publishes(joints.tolist(), stamp, stamp + LATENCY):
                self._note(self.theirs, joints, stamp)

    @staticmethod
    def _note(stamps, joints, stamp):
        for joint in joints.tolist():
            stamps[joint].append(stamp)

    def slow_joints(self):
        """Return the joints of a single source that is not faster than the limit."""
        owners = {joint: [source for source in self.sources if joint in source.joints]
                  for joint in self.sent}
        return [joint for joint, sources in owners.items()
                if len(sources) == 1 and sources[0].slow]


def most_in_a_second(stamps):
    """Return the largest number of stamps in any window of one second, its end excluded."""
    stamps = np.array(stamps, dtype=np.int64)
    counts = np.searchsorted(stamps, stamps + SECOND) - np.arange(len(stamps))
    return int(counts.max(initial=0))


def earliest(stamps, limit):
    """Return by how many periods a stamp comes too early after any one before it, at most."""
    lags = np.array(stamps, dtype=np.int64) * (limit / SECOND) - np.arange(len(stamps))
    return float((np.maximum.accumulate(lags) - lags).max(initial=0))


@pytest.fixture(scope='module', params=range(BATCHES))
def batch(request):
    """Return the comparisons of some of 10,000 sequences."""
    rng = np.random.default_rng(request.param)
    return [Comparison(rng) for _ in range(SEQUENCES)]


def test_no_joint_exceeds_the_limit_by_more_than_one_message_a_second(batch):
    for comparison in batch:
        for stamps in comparison.ours.values():
            assert most_in_a_second(stamps) <= ceil(comparison.limit) + 1
            # This is what makes it so whatever the length of the sequence.
            assert earliest(stamps, comparison.limit) < 1.001


def test_source_at_or_below_the_limit_loses_nothing(batch):
    slow = [(comparison, joint) for comparison in batch for joint in comparison.slow_joints()]
    assert len(slow) > 100
    for comparison, joint in slow:
        assert comparison.ours[joint] == comparison.sent[joint]


def test_order_is_kept_and_no_stamp_published_twice(batch):
    for comparison in batch:
        for joint, stamps in comparison.ours.items():
            assert stamps == sorted(set(stamps))
            assert set(stamps) <= set(comparison.sent[joint])


def test_no_joint_waits_for_longer_than_its_sources_and_one_and_a_half_periods(batch):
    for comparison in batch:
        longest = 1.501 * SECOND / comparison.limit
        for joint, stamps in comparison.ours.items():
            last = 0
            remaining = iter([*stamps, 0])
            due = next(remaining)
            for stamp in comparison.sent[joint]:
                if stamp == due:
                    last, due = stamp, next(remaining)
                assert stamp - last < longest


def test_single_source_loses_no_more_than_the_limit_asks_for(batch):
    for comparison in batch:
        if len(comparison.sources) == 1:
            stamps = comparison.sources[0].stamps
            seconds = int(stamps[-1] - stamps[0]) / SECOND
            minimum = min(len(stamps), int(0.9 * seconds * comparison.limit))
            assert len(comparison.ours[int(comparison.sources[0].joints[0])]) >= minimum


def test_robot_state_publisher_loses_messages_and_exceeds_the_limit(batch):
    lost = sum(len(comparison.sent[joint]) - len(comparison.theirs[joint])
               for comparison in batch for joint in comparison.slow_joints())
    exceeded = sum(earliest(stamps, comparison.limit) > 2
                   for comparison in batch for stamps in comparison.theirs.values())
    assert lost > 0
    assert exceeded > 0


STEPS = [START + step * SECOND // 100 for step in range(100)]
"""Stamps of a source of 100 Hz, five times as fast as the limit."""


@pytest.mark.parametrize('now', [0, START - SECOND])
def test_stamps_ahead_of_the_clock_are_limited_like_others(now):
    tested, reference = StampFilter(['a']), Reference(20.0)
    tested.set_frequency(20.0)
    joints = np.array([0])
    assert 20 <= sum(not tested.admit(joints, stamp) for stamp in STEPS) <= 21
    # Where stamps are ahead of the clock, or simulated time has no clock, all are published.
    assert sum(reference.publishes([0], stamp, now) for stamp in STEPS) == 100


def test_reset_of_a_simulation_to_less_than_one_period_is_published_at_once():
    tested, reference = StampFilter(['a']), Reference(20.0)
    tested.set_frequency(20.0)
    joints = np.array([0])
    for stamp in STEPS:
        tested.admit(joints, stamp)
        reference.publishes([0], stamp, stamp)
    tested.reset()
    early = [step * SECOND // 1000 for step in range(1, 60)]
    assert [stamp for stamp in early if not tested.admit(joints, stamp)] == [
        early[0], early[0] + SECOND // 40]
    assert [stamp for stamp in early if reference.publishes([0], stamp, stamp)] == [SECOND // 20]


def test_names_that_are_no_joints_lift_the_limit_of_robot_state_publisher():
    reference = Reference(20.0)
    assert all(reference.publishes(['turn', f'ghost_{row}'], stamp, stamp)
               for row, stamp in enumerate(STEPS))
