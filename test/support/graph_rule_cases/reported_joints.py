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

"""Cases of the rules about which joints are reported, and by whom."""

from dataclasses import replace

from support.graph_records import Case
from support.graph_records import robot
from support.graph_records import swinging
from support.graph_records import TIMES

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.findings.finding import Severity

HALF = len(TIMES) // 2
MODEL_HAS = "Did you mean 'turn'?"


def nameless():
    """Return an arm whose joint states have no names, and so no positions of joints."""
    records = robot()
    records._joints = [replace(track, names=(), positions=track.positions[:, :0])
                       for track in records._joints]
    return records


def one_velocity(records):
    """Return a graph whose joint states have the velocity of the first joint only."""
    records._joints = [replace(track, velocities=track.velocities[:, :1])
                       for track in records._joints]
    return records


CASES = (
    Case(
        'joint-states-silent',
        lambda: robot(drives=False), robot,
        "No node publishes the joint states of robot 'arm'", {'robot': 'arm'}, ()),
    Case(
        'topic-name-differs',
        lambda: robot(drives=False).joint_states('/a', swinging, topic='/a/joint_states')
        .joint_states('/b', swinging, topic='/b/joint_states'), robot,
        'No data reach /state_publisher, as no node publishes them here, but some do on '
        '/a/joint_states and /b/joint_states', {'others': ['/a/joint_states', '/b/joint_states']},
        ('/state_publisher',),
        also=('joint-states-silent',)),
    Case(
        'joint-states-silent',
        lambda: robot(drives=False).publisher('/driver', '/joint_states', JOINT_STATE), robot,
        '/driver published no joint states in 5.0 s', {'seconds': 5.0}),
    Case(
        'joint-states-silent',
        lambda: robot().publisher('/gripper_driver', '/joint_states', JOINT_STATE),
        lambda: robot(names=('turn',)).joint_states(
            '/gripper_driver', swinging, names=('slide',)),
        '/gripper_driver published no joint states in 5.0 s', {'seconds': 5.0},
        ('/gripper_driver',), severity=Severity.WARN),
    Case(
        'joint-states-silent',
        lambda: robot(times=TIMES[:HALF]), lambda: robot(times=TIMES[HALF:]),
        '/driver stopped publishing joint states 2.5 s ago', {'silence': 2.5}),
    Case(
        'joint-not-reported',
        lambda: robot(names=('turn',)), robot,
        "The joint states from /driver have 1 joint, but lack 1 joint of robot 'arm': slide",
        {'publishers': ['/driver'], 'reported': 1, 'joints': ['slide'], 'robot': 'arm'}, ()),
    Case(
        'joint-not-reported',
        nameless, robot,
        'The joint states from /driver have 0 joints, as they are without names, but lack 2 '
        "joints of robot 'arm': turn, slide",
        {'publishers': ['/driver'], 'reported': 0, 'joints': ['turn', 'slide'],
         'robot': 'arm'}, ()),
    Case(
        'joint-not-reported',
        lambda: robot(names=('', '')), robot,
        'The joint states from /driver have 0 joints, as they are without names, but lack 2 '
        "joints of robot 'arm': turn, slide",
        {'publishers': ['/driver'], 'reported': 0, 'joints': ['turn', 'slide'],
         'robot': 'arm'}, ()),
    Case(
        'joint-values-missing',
        lambda: one_velocity(robot()), robot,
        'The joint states from /driver name 2 joints, and give velocities of 1',
        {'joints': 2, 'number': 1, 'kind': 'velocities'}),
    Case(
        'joint-unknown',
        lambda: robot(names=('turn', 'slide', 'trun')), robot,
        "/driver reports 1 joint that robot 'arm' does not have: trun",
        {'joints': ['trun'], 'robot': 'arm', 'suggestion': 'turn'}, hint=MODEL_HAS),
    Case(
        'joint-two-publishers',
        lambda: robot().joint_states('/gui', swinging),
        lambda: robot(times=TIMES[:HALF]).joint_states('/gui', swinging, times=TIMES[HALF:]),
        '/driver and /gui report the same 2 joints: turn, slide',
        {'joints': ['turn', 'slide'], 'number': 2}, ('/driver', '/gui'),
        also=('joint-states-silent',)),
    Case(
        'joint-two-publishers',
        lambda: robot().joint_states('/_ros2cli_4711', lambda seconds: {'turn': 0.1},
                                     names=('turn',)),
        lambda: robot(names=('turn',)).joint_states('/gripper_driver', swinging,
                                                    names=('slide',)),
        '/_ros2cli_4711 and /driver report the same 1 joint: turn',
        {'joints': ['turn'], 'number': 2}, ('/_ros2cli_4711', '/driver')),
    Case(
        'joint-two-publishers',
        lambda: robot().joint_states('/driver', swinging), robot,
        '/driver reports 2 joints from 2 publishers: turn, slide',
        {'joints': ['turn', 'slide'], 'number': 2}))
