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

"""Cases of the rules about when messages arrive, and about their stamps."""

from functools import partial

import numpy as np
from pytest import approx
from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import nanoseconds
from support.graph_records import robot
from support.graph_records import swinging

from urdf_tools.doctor.graph import JOINT_STATE

NO_ROBOT = ('description-not-published',)


def at_rate(rate: float) -> GraphRecords:
    """Return a driver without a robot; its joint states are evaluated all the same."""
    return GraphRecords().joint_states('/driver', swinging, times=np.arange(0, 5, 1 / rate))


def with_pause(rate: float, pause: float) -> GraphRecords:
    times = np.arange(0, 4, 1 / rate)
    times[len(times) // 2:] += pause - 1 / rate
    return GraphRecords().joint_states('/driver', swinging, times=times)


def stamped(age: float) -> GraphRecords:
    """Return a robot whose driver publishes joint states of an age."""
    return robot(stamps=lambda times: nanoseconds(times - age))


def repeating(number: int, alike: int = 50) -> GraphRecords:
    """Return a robot at rest whose driver stamps so many joint states in a row alike at first."""
    def still(seconds):
        return {'turn': 0.1, 'slide': 0.1}
    return robot(
        positions=still, tf_positions=still, velocities=lambda seconds: {'turn': 0.0},
        stamps=lambda times: nanoseconds(np.append(
            times[:alike:number].repeat(number)[:alike], times[alike:])))


def simulated(use_sim_time: bool | None, ahead: float = 0.0, *, stops: bool = False):
    """
    Return a driver beside a simulation that began with the observation.

    :param use_sim_time: that of the node that listens.
    :param ahead: seconds by which its stamps are ahead of /clock.
    :param stops: whether /clock stands still, and so do the stamps.
    """
    def seconds_of(times):
        return np.full_like(times, 7.0) if stops else times

    return GraphRecords().node('/driver').node('/viewer', use_sim_time=use_sim_time).subscriber(
        '/viewer', '/joint_states', JOINT_STATE).joint_states(
        '/driver', swinging,
        stamps=lambda times: ((seconds_of(times) + ahead) * 1e9).astype(np.int64)).clock(
            '/simulation', seconds_of)


slow = partial(Case, 'joint-states-slow', also=NO_ROBOT)
jitter = partial(Case, 'joint-states-jitter', also=NO_ROBOT)
OLD, FUTURE, REPEATED = 'joint-stamps-old', 'joint-stamps-future', 'joint-stamps-repeated'

CASES = (
    slow(
        lambda: at_rate(0.5), lambda: at_rate(1000),
        '/driver publishes joint states at 0.5 Hz', {'rate': approx(0.5)}),
    slow(
        lambda: at_rate(4.9), lambda: at_rate(5.1),
        '/driver publishes joint states at 4.9 Hz', {'rate': approx(4.9)}),
    jitter(
        lambda: with_pause(100, 0.3), lambda: with_pause(100, 0.2),
        'Joint states from /driver paused for 0.30 s, at a rate of 100 Hz otherwise',
        {'pause': approx(0.3), 'rate': approx(100)}),
    jitter(
        lambda: with_pause(10, 0.6), lambda: with_pause(10, 0.45),
        'Joint states from /driver paused for 0.60 s, at a rate of 10 Hz otherwise',
        {'pause': approx(0.6), 'rate': approx(10)}),
    Case(
        'frame-stamps-zero',
        lambda: robot().frames('/bridge', {'lidar': 'base'}, stamps=np.zeros_like),
        lambda: robot().frames('/bridge', {'lidar': 'base'}),
        'Transforms of 1 frame from /bridge have a zero stamp: lidar', {'frames': ['lidar']},
        ('/bridge',), '/tf'),
    Case(
        'joint-stamps-zero',
        lambda: robot(stamps=np.zeros_like), robot,
        '50 of 50 joint states from /driver have a zero stamp', {'number': 50, 'total': 50}),
    Case(
        REPEATED,
        lambda: repeating(4), lambda: repeating(2),
        '37 of 50 joint states from /driver have the stamp of the previous one',
        {'number': 37, 'total': 50}),
    Case(
        REPEATED,
        lambda: repeating(22, alike=22), lambda: repeating(19, alike=19),
        '21 of 50 joint states from /driver have the stamp of the previous one',
        {'number': 21, 'total': 50}),
    *(Case(
        REPEATED,
        lambda: simulated(False, stops=True),
        # The clock is to blame.
        lambda use_sim_time=use_sim_time: simulated(use_sim_time, stops=True),
        '49 of 50 joint states from /driver have the stamp of the previous one',
        {'number': 49, 'total': 50}, also=(*NO_ROBOT, 'clock-of-stamps', 'clock-stands'))
      for use_sim_time in (True, None)),
    Case(
        OLD,
        lambda: stamped(30.0), lambda: stamped(0.45),
        'Joint states from /driver are 30 s old when they arrive', {'age': approx(30.0)}),
    *(Case(
        'clock-of-stamps',
        lambda: simulated(False, 0.01),
        # Where nobody says which clock he uses, it is the one that fits better.
        lambda use_sim_time=use_sim_time: simulated(use_sim_time, 0.01),
        '/driver stamps /joint_states with the time of /clock, but that of /viewer is the system',
        {'topics': ['/joint_states'], 'users': ['/viewer'], 'mine': '/clock',
         'other': 'the system'}, hint='Set use_sim_time to true for /viewer',
        also=NO_ROBOT) for use_sim_time in (True, None)),
    Case(
        FUTURE,
        lambda: stamped(-20.0), lambda: stamped(-0.09),
        'Joint states from /driver are stamped 20 s in the future', {'ahead': approx(20.0)}),
    *(Case(
        FUTURE,
        lambda use_sim_time=use_sim_time: simulated(use_sim_time, 3.0),
        lambda use_sim_time=use_sim_time: simulated(use_sim_time, 0.01),
        'Joint states from /driver are stamped 3 s in the future', {'ahead': approx(3.0)},
        also=NO_ROBOT) for use_sim_time in (True, None)))
