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


"""Rates and ages of messages, on records: what a busy computer would blur."""

import numpy as np
import pytest

from urdf_tools.monitoring.graph import Graph
from urdf_tools.monitoring.graph_rules import evaluate
from urdf_tools.monitoring.observation import ClockTrack
from urdf_tools.monitoring.observation import JointTrack
from urdf_tools.monitoring.observation import NodeParameters
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.rules import GRAPH_RULES

START = 10**18
OTHERS = [code for code, rule in GRAPH_RULES.items() if rule.category != 'timing']


def found(received, stamps=None, **fields):
    """Return the findings about messages that arrived at some seconds, by their codes."""
    received = START + (np.array(received) * 1e9).astype(np.int64)
    stamps = received if stamps is None else (np.array(stamps) * 1e9).astype(np.int64)
    numbers = np.zeros((len(received), 1))
    track = JointTrack('/joint_states', b'', '/driver', ('j',), received, stamps, numbers,
                       numbers[:, :0], numbers[:, :0])
    report = evaluate(Observation(
        Graph(), 5.0, int(received[-1]), joints=(track,), **fields), 'graph', OTHERS)
    return {finding.code: finding.message for finding in report.findings}


@pytest.mark.parametrize('rate, slow', [(0.5, True), (4.9, True), (5.1, False), (1000, False)])
def test_rate(rate, slow):
    messages = found(np.arange(0, 5, 1 / rate))
    assert messages == ({
        'joint-states-slow': f'/driver publishes joint states at {rate:.2g} Hz'} if slow else {})


@pytest.mark.parametrize('rate, gap, pauses', [
    (100, 0.2, False), (100, 0.3, True), (10, 0.45, False), (10, 0.6, True)])
def test_pauses_are_measured_in_periods(rate, gap, pauses):
    times = np.arange(0, 4, 1 / rate)
    times[len(times) // 2:] += gap - 1 / rate
    messages = found(times)
    assert messages == ({
        'joint-states-jitter': f'Joint states of /driver paused for {gap:.2f} s, with '
        f'{rate} Hz otherwise'} if pauses else {})


def test_stamps_of_a_clock_that_stands_are_not_those_of_the_driver():
    times = np.arange(0, 5, 0.1)
    clock = ClockTrack(START + (times * 1e9).astype(np.int64), np.full(50, 7 * 10**9))

    def codes(simulated):
        return 'joint-stamps-repeated' in found(
            times, np.full(50, 7.0), clock=clock, parameters={
                '/driver': NodeParameters(use_sim_time=simulated)})
    assert not codes(True) and not codes(None)
    assert codes(False)


def test_ages_are_those_of_the_clock_of_the_publisher():
    times = np.arange(0, 5, 0.05)
    clock = ClockTrack(START + (times * 1e9).astype(np.int64), (times * 1e9).astype(np.int64))

    def codes(simulated, stamps):
        return set(found(times, stamps, clock=clock, parameters={
            '/driver': NodeParameters(use_sim_time=simulated)}))
    assert codes(True, times + 0.01) == set()
    assert codes(False, times + 0.01) == {'joint-stamps-old'}
    assert codes(True, times + 3) == {'joint-stamps-future'}
    # A node that does not tell has the clock that fits better.
    assert codes(None, times + 0.01) == set()
    assert codes(None, times + 3) == {'joint-stamps-future'}
