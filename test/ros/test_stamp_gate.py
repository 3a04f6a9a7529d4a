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

"""The gate by stamps; times are in milliseconds."""

import numpy as np
import pytest
from urdf_tools.ros.stamp_gate import StampGate

MS = 1_000_000
START = 1_000_000

BOTH = np.array([0, 1])
FIRST = np.array([0])
SECOND = np.array([1])
NONE = np.array([], dtype=np.intp)


def gate(frequency=20.0, names=('a', 'b')):
    gate = StampGate(names)
    gate.set_frequency(frequency)
    return gate


def outcomes(gate, times, joints=BOTH):
    return [gate.admit(joints, int((START + time) * MS)) for time in times]


def passed(gate, times, joints=BOTH):
    return [time for time, reason in zip(times, outcomes(gate, times, joints)) if not reason]


def test_source_at_the_limit_passes():
    assert outcomes(gate(), range(0, 5000, 50)) == [''] * 100


@pytest.mark.parametrize('seed', range(5))
def test_source_at_the_limit_passes_whatever_its_jitter(seed):
    jitter = np.random.default_rng(seed).uniform(0, 24, 200)
    assert outcomes(gate(), np.arange(200) * 50 + jitter) == [''] * 200


@pytest.mark.parametrize('rate', [25, 30, 50, 99, 100, 333, 500, 1000])
def test_faster_source_is_thinned_to_the_limit(rate):
    times = np.arange(0, 10_000, 1000 / rate)
    count = len(passed(gate(), times))
    assert 195 <= count <= 201


def test_what_is_held_back_says_so():
    assert outcomes(gate(), [0, 10, 20, 50]) == ['', 'throttled', 'throttled', '']


def test_no_limit():
    assert outcomes(gate(0.0), np.arange(0, 5, 0.001)) == [''] * 5000


def test_limit_can_change_at_any_time():
    changing = gate(1.0)
    assert passed(changing, range(0, 100, 10)) == [0]
    changing.set_frequency(0.0)
    assert passed(changing, range(100, 200, 10)) == list(range(100, 200, 10))
    changing.set_frequency(20.0)
    assert passed(changing, range(200, 400, 10)) == [220, 270, 320, 370]


def test_joints_are_limited_one_by_one():
    shared = gate()
    assert outcomes(shared, [0], FIRST) == ['']
    assert outcomes(shared, [1], SECOND) == ['']
    assert outcomes(shared, [2], FIRST) == ['throttled']
    assert outcomes(shared, [3], BOTH) == ['throttled']


def test_joint_that_is_due_opens_for_all():
    shared = gate()
    assert outcomes(shared, [0], FIRST) == ['']
    assert outcomes(shared, [1], BOTH) == ['']


def test_joint_that_passes_along_is_not_held_back_for_long():
    shared = gate()
    for time in range(0, 1000, 50):
        outcomes(shared, [time], FIRST)
        outcomes(shared, [time + 1], BOTH)
    assert passed(shared, range(1050, 1150, 10), FIRST)


def test_repeated_and_old_stamps_have_their_reasons():
    assert outcomes(gate(), [1000, 1000, 900, 1050]) == ['', 'repeated stamp', 'old stamp', '']
    assert outcomes(gate(0.0), [1000, 1000, 999]) == ['', 'repeated stamp', 'old stamp']


def test_stamps_that_fall_far_behind_start_anew():
    looping = gate()
    for _ in range(3):
        assert outcomes(looping, range(0, 3000, 50)) == [''] * 60


def test_stamp_from_the_future_does_not_block():
    assert outcomes(gate(), [0, 60_000, 50, 100]) == ['', '', '', '']


def test_reset_makes_every_joint_due():
    forgetful = gate()
    assert outcomes(forgetful, [500]) == ['']
    forgetful.reset()
    assert outcomes(forgetful, [100]) == ['']


def test_zero_stamp():
    assert gate().admit(BOTH, 0) == 'zero stamp'


def test_ignoring_stamps_passes_all_but_repetitions():
    lax = gate()
    lax.ignore_timestamp = True
    assert outcomes(lax, [0, 1, 1, 0, 2]) == ['', '', 'repeated stamp', '', '']
    assert [lax.admit(BOTH, 0) for _ in range(3)] == [''] * 3


def test_message_without_joints():
    assert gate().admit(NONE, START * MS) == 'no moving joint'
    assert gate(names=()).admit(NONE, START * MS) == 'no moving joint'


def test_new_description_goes_on_where_the_old_one_was():
    old = gate()
    assert outcomes(old, [0]) == ['']
    new = StampGate(('b', 'c'))
    new.adopt(old)
    assert outcomes(new, [10], FIRST) == ['throttled']
    assert outcomes(new, [10], SECOND) == ['']
