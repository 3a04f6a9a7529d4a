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
"""Cases of the rules about when the transforms of moving frames arrive, and their stamps."""

from functools import partial

import numpy as np
from pytest import approx
from support.graph_records import Case
from support.graph_records import nanoseconds
from support.graph_records import robot
from support.graph_records import TIMES

from urdf_tools.findings.finding import Severity

case = partial(Case, topic='/tf', nodes=('/odometry',))


def with_odom(**options):
    return robot().frames('/odometry', {'base': 'odom'}, **options)


def alternating(seconds: float):
    """Return the stamps of a node that publishes now and, in turn, an older time."""
    return lambda times: nanoseconds(times - np.where(np.arange(len(times)) % 2, seconds, 0.0))


CASES = (
    case(
        'frame-stamps-old',
        lambda: robot(tf_delay=40.0), lambda: robot(tf_delay=0.45),
        'Transforms of 2 frames from /state_publisher are 40 s old when they arrive: arm, tool',
        {'frames': ['arm', 'tool'], 'age': 40.0}, nodes=('/state_publisher',)),
    case(
        'frame-stamps-old',
        lambda: with_odom(delay=0.7), lambda: with_odom(delay=0.4),
        'Transforms of 1 frame from /odometry are 0.7 s old when they arrive: base',
        {'frames': ['base'], 'age': 0.7}, severity=Severity.ERROR),
    case(
        'frame-stamps-old',
        lambda: robot().frames('/tags', {'tag1': 'tool'}, delay=1.2),
        lambda: robot().frames('/tags', {'tag1': 'tool'}, delay=0.9),
        'Transforms of 1 frame from /tags are 1.2 s old when they arrive: tag1',
        {'frames': ['tag1'], 'age': 1.2}, nodes=('/tags',)),
    case(
        'frame-stamps-future',
        lambda: robot(tf_delay=-40.0), lambda: robot(tf_delay=-0.05),
        'Transforms of 2 frames from /state_publisher are stamped 40 s in the future: arm, tool',
        {'frames': ['arm', 'tool'], 'ahead': 40.0}, nodes=('/state_publisher',)),
    case(
        'frame-stamps-future',
        lambda: robot(tf_delay=-0.3), lambda: robot(tf_delay=-0.1),
        'Transforms of 2 frames from /state_publisher are stamped 0.3 s in the future: arm, tool',
        {'frames': ['arm', 'tool'], 'ahead': 0.3}, nodes=('/state_publisher',),
        also=('frame-contradicts-model',)),
    case(
        'frame-stamps-future',
        lambda: with_odom(delay=-2.1), lambda: with_odom(delay=-2.0),
        'Transforms of 1 frame from /odometry are stamped 2.1 s in the future: base',
        {'frames': ['base'], 'ahead': 2.1}),
    case(
        'frame-stamps-jump',
        lambda: with_odom(stamps=alternating(0.4)), lambda: with_odom(stamps=alternating(0.08)),
        'Stamps of 1 frame from /odometry jumped back 25 times, by up to 0.30 s: base',
        {'frames': ['base'], 'jumps': 25, 'jump': approx(0.3)}),
    case(
        'frame-slow',
        lambda: with_odom(times=TIMES[9::10]),
        lambda: with_odom(times=TIMES[9::10], delay=-1.0),
        'Transforms of 1 frame from /odometry arrive at 1 Hz: base',
        {'frames': ['base'], 'rate': approx(1.0)}, subject='base'),
    case(
        'frame-stopped',
        lambda: with_odom(times=TIMES[:20]), lambda: with_odom(times=TIMES[:31]),
        '/odometry stopped publishing 1 frame 3.0 s ago: base',
        {'frames': ['base'], 'silence': approx(3.0)}))
