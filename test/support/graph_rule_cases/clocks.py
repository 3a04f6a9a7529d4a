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

"""Cases of the rules about the clocks of the nodes."""

from functools import partial

import numpy as np
from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import robot
from support.graph_records import START

from urdf_tools.doctor.graph import CLOCK
from urdf_tools.doctor.graph import TF_MESSAGE

NO_ROBOT = ('description-not-published',)
JOY = 'sensor_msgs/msg/Joy'

case = partial(Case, topic='/clock')


def with_planner(use_sim_time: bool = True) -> GraphRecords:
    return robot().node('/planner', use_sim_time=use_sim_time)


def odometry(start: int) -> GraphRecords:
    """Return odometry for a planner, stamped from a time on, in a simulation from zero on."""
    return GraphRecords().node('/ekf', use_sim_time=start == 0).node(
        '/planner', use_sim_time=True).subscriber('/planner', '/tf', TF_MESSAGE).frames(
            '/ekf', {'base': 'odom'}, stamps=lambda times: (
                start + times * 1e9).astype(np.int64)).clock('/simulation', advancing)


def advancing(seconds):
    return seconds


def stopped(seconds):
    return np.full_like(seconds, 5.0)


CASES = (
    case(
        'clock-mixed',
        lambda: with_planner().node('/viewer', use_sim_time=False).subscriber(
            '/viewer', '/tf', TF_MESSAGE).clock('/bag', advancing),
        # Neither the source of the clock counts, nor ros2 launch, nor what hands on messages, nor
        # what has no use for time.
        lambda: with_planner().node('/bag', use_sim_time=False).clock('/bag', advancing).node(
            '/launch_ros_4711', use_sim_time=False).node(
            '/joy_node', use_sim_time=False).publisher('/joy_node', '/joy', JOY).node(
            '/foxglove_bridge', use_sim_time=False).subscriber(
            '/foxglove_bridge', '/tf', TF_MESSAGE),
        'use_sim_time is true for /planner, but false for /viewer',
        {'simulated': ['/planner'], 'real': ['/viewer']}, ('/viewer',)),
    case(
        'clock-of-stamps',
        lambda: odometry(START), lambda: odometry(0),
        '/ekf stamps /tf with the time of the system, but that of /planner is /clock',
        {'topics': ['/tf'], 'users': ['/planner'], 'mine': 'the system', 'other': '/clock'},
        ('/ekf',), topic='/tf', hint='Set use_sim_time to true for /ekf', also=NO_ROBOT),
    case(
        'clock-stands',
        with_planner, lambda: with_planner(False),
        'No node publishes /clock, the time source of /planner', {'simulated': ['/planner']},
        ('/planner',)),
    case(
        'clock-stands',
        lambda: with_planner().publisher('/bag', '/clock', CLOCK),
        lambda: with_planner(False).publisher('/bag', '/clock', CLOCK),
        'Nothing arrived on /clock from /bag in 5.0 s; it is the time source of /planner',
        {'simulated': ['/planner'], 'seconds': 5.0}, ('/bag',)),
    case(
        'clock-stands',
        lambda: with_planner().clock('/simulation', stopped),
        lambda: with_planner().clock('/simulation', advancing),
        '/clock from /simulation has stopped at 5 s; it is the time source of /planner',
        {'simulated': ['/planner'], 'time': 5.0}, ('/simulation',)),
    case(
        'clock-several-publishers',
        lambda: robot().clock('/simulation', advancing).clock('/bag', advancing),
        lambda: robot().clock('/simulation', advancing),
        '/clock has 2 publishers, in /bag and /simulation', {'number': 2},
        ('/bag', '/simulation')))
