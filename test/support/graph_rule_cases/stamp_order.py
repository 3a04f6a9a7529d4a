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

"""Cases of the rules about stamps and times that stand still or go back."""

from functools import partial

import numpy as np
from pytest import approx
from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import nanoseconds
from support.graph_records import robot

NO_ROBOT = ('description-not-published',)
SCAN = 'sensor_msgs/msg/LaserScan'

frozen = partial(Case, 'stamps-frozen', also=NO_ROBOT, topic='/tf')


def set_back(seconds: float, begin: float = 2.0):
    """Return times that are set back at some time."""
    return lambda times: times - seconds * (times > begin)


def standing(begin: float):
    """Return stamps that stand still from some time on."""
    return lambda times: nanoseconds(np.minimum(times, begin))


def odometry(begin: float) -> GraphRecords:
    return GraphRecords().frames('/driver', {'base': 'odom'}, stamps=standing(begin))


def twice(period: float) -> GraphRecords:
    return GraphRecords().frames('/driver', {'base': 'odom'}, stamps=lambda times: nanoseconds(
        np.floor(times / period + 1e-6) * period))


def scans(begin: float) -> GraphRecords:
    return GraphRecords().frames('/ekf', {'base': 'odom'}).stamped(
        '/driver', '/scan', SCAN, 'base', stamps=standing(begin))


CASES = (
    Case('clock-set-back',
         lambda: robot().clock('/simulation', set_back(1.5)),
         lambda: robot().clock('/simulation', set_back(0.0)),
         '/clock from /simulation was set back by up to 1.40 s', {'jump': approx(1.4)},
         ('/simulation',), '/clock'),
    Case('joint-stamps-jump',
         lambda: robot(stamps=lambda times: nanoseconds(set_back(0.3)(times))),
         lambda: robot(stamps=lambda times: nanoseconds(set_back(0.1)(times))),
         'Stamps of joint states from /driver jumped back 1 time, by up to 0.20 s',
         {'jumps': 1, 'jump': approx(0.2)}, also=('frame-contradicts-model',)),
    frozen(
        lambda: odometry(1.0), lambda: odometry(3.5),
        'Messages from /driver had the same stamp for 4.0 s, in 1 frame: base',
        {'frames': ['base'], 'seconds': approx(4.0)}),
    frozen(
        lambda: scans(2.0), lambda: scans(3.5),
        'Messages from /driver had the same stamp for 3.0 s, in 1 frame: base',
        {'frames': ['base'], 'seconds': approx(3.0)}, topic='/scan'),
    Case('frame-stamps-repeated', lambda: twice(0.2), lambda: twice(0.1),
         '/driver sent 48 % of its transforms of 1 frame with the stamp of the one before, which '
         'tf ignores (TF_REPEATED_DATA): base', {'frames': ['base'], 'share': 48}, topic='/tf',
         also=NO_ROBOT))
