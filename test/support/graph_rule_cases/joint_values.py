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

"""Cases of the rules about the positions, velocities and efforts of joints."""

from math import inf
from math import nan

import numpy as np
from pytest import approx
from support.graph_records import Case
from support.graph_records import MODEL
from support.graph_records import no_efforts
from support.graph_records import robot
from support.graph_records import speeds
from support.graph_records import swinging
from support.graph_records import TIMES


def but(values, **others):
    """Return other values for some joints than a function has."""
    return lambda seconds: {**values(seconds), **{
        name: value(seconds) if callable(value) else value for name, value in others.items()}}


def moving(velocities=speeds, times=TIMES, **positions):
    """Return a robot whose frames follow its positions."""
    return robot(positions=but(swinging, **positions), tf_positions=but(swinging, **positions),
                 velocities=velocities, times=times)


def still_at(angle, slide=0.0):
    return moving(lambda seconds: {'turn': 0.0}, turn=angle, slide=slide)


def turning(speed):
    """Return a robot that turns back and forth with a greatest speed, in rad/s."""
    return moving(but(speeds, turn=lambda s: speed * np.cos(3 * s)),
                  turn=lambda s: speed / 3 * np.sin(3 * s))


def circling(speed):
    """Return a robot that turns round and round at 2 rad/s, but reports a speed."""
    positions = but(swinging, turn=lambda s: (2 * s) % (2 * np.pi) - np.pi)
    return robot(
        MODEL.format(name='arm').replace('revolute', 'continuous'), positions=positions,
        tf_positions=positions, velocities=but(speeds, turn=speed))


def gripping(error: float):
    """Return a robot whose second joint mimics the first, and is reported in another place."""
    positions = but(swinging, slide=lambda s: 0.25 * np.sin(2 * s) + error)
    return robot(
        MODEL.format(name='arm').replace(
            '<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><mimic joint="turn" multiplier="0.5"/>'),
        positions=positions, tf_positions=positions,
        velocities=but(speeds, slide=lambda s: 0.5 * np.cos(2 * s)))


def with_efforts(**efforts):
    return robot(efforts=lambda seconds: efforts)


def continuous():
    return MODEL.format(name='arm').replace('revolute', 'continuous').replace(
        '<limit lower="-1.2" upper="1.2" effort="5" velocity="2"/>', '')


def stopped(seconds):
    """Return the positions of a joint that moves and stops."""
    return np.minimum(seconds, 2.5)


def jumping(angle, velocities, times=TIMES):
    """Return a robot that stands still, and then stands elsewhere."""
    return moving(
        velocities, times, turn=lambda s: np.where(s < 2.55, 0.0, angle), slide=0.0)


def spiking(angle, velocities, text=''):
    """Return a robot whose encoder is wrong once."""
    positions = but(swinging, turn=lambda s: (
        0 if text else swinging(s)['turn']) + np.where(np.abs(s - 2.5) < 0.01, angle, 0.0))
    return robot(text, positions=positions, tf_positions=positions, velocities=velocities)


CASES = (
    Case(
        'joint-not-finite',
        lambda: robot(positions=but(swinging, slide=nan)), robot,
        '50 of 50 positions of slide from /driver are not finite',
        {'number': 50, 'total': 50, 'quantity': 'positions', 'joints': ['slide']}),
    Case(
        'joint-not-finite',
        lambda: robot(positions=but(swinging, turn=lambda s: np.where(s < 1.05, nan, 0.1),
                                    slide=nan), tf_positions=but(swinging, turn=0.1)), robot,
        '60 of 100 positions of turn, slide from /driver are not finite',
        {'number': 60, 'total': 100, 'quantity': 'positions', 'joints': ['turn', 'slide']}),
    Case(
        'joint-not-finite',
        # joint_state_broadcaster reports interfaces that a joint does not have as NaN.
        lambda: with_efforts(turn=inf, slide=nan), lambda: with_efforts(turn=1.0, slide=nan),
        '50 of 50 efforts of turn from /driver are not finite',
        {'number': 50, 'total': 50, 'quantity': 'efforts', 'joints': ['turn']}),
    Case(
        'joint-position-limit',
        lambda: still_at(-1.45), lambda: still_at(-1.2),
        "Joint 'turn' was up to 0.25 rad beyond its lower limit of -1.2 rad for 5.0 s, according "
        'to /driver',
        {'joint': 'turn', 'excess': approx(0.25), 'bound': 'lower', 'limit': -1.2, 'unit': 'rad',
         'seconds': approx(5.0)}, subject='turn'),
    Case(
        'joint-position-limit',
        lambda: still_at(45.0), lambda: still_at(np.radians(45)),
        "Joint 'turn' was up to 43.8 rad beyond its upper limit of 1.2 rad for 5.0 s, according "
        'to /driver',
        {'joint': 'turn', 'excess': approx(43.8), 'bound': 'upper', 'limit': 1.2, 'unit': 'rad',
         'seconds': approx(5.0)}, subject='turn',
        hint='The positions look like degrees: let the driver convert them to radians'),
    Case(
        'joint-position-limit',
        lambda: still_at(0.0, 300.0), lambda: still_at(0.0, 0.3),
        "Joint 'slide' was up to 300 m beyond its upper limit of 0.5 m for 5.0 s, according to "
        '/driver',
        {'joint': 'slide', 'excess': approx(299.5), 'bound': 'upper', 'limit': 0.5, 'unit': 'm',
         'seconds': approx(5.0)}, subject='slide',
        hint='The positions look like millimetres: let the driver convert them to metres'),
    Case(
        'joint-velocity-limit',
        lambda: turning(3.0), lambda: turning(2.0),
        "Joint 'turn' was up to 0.98 rad/s beyond its velocity limit of 2 rad/s for 2.5 s, "
        'according to /driver',
        {'joint': 'turn', 'excess': approx(0.98, abs=1e-3), 'bound': 'velocity', 'limit': 2.0,
         'unit': 'rad/s', 'seconds': approx(2.5)}, subject='turn'),
    Case(
        'joint-effort-limit',
        lambda: with_efforts(slide=-7.5), lambda: with_efforts(slide=-5.0),
        "Joint 'slide' was up to 2.45 N beyond its effort limit of 5 N for 5.0 s, according to "
        '/driver',
        {'joint': 'slide', 'excess': approx(2.45), 'bound': 'effort', 'limit': 5.0, 'unit': 'N',
         'seconds': approx(5.0)}, subject='slide'),
    Case(
        'joint-position-jumps',
        lambda: spiking(0.8, speeds), robot,
        "Joint 'turn' jumped by 0.819 rad within 0.1 s, according to /driver; its velocity limit "
        'is 2 rad/s',
        {'joint': 'turn', 'jump': approx(0.819, abs=1e-3), 'unit': 'rad', 'step': approx(0.1),
         'number': 2, 'limit': 2.0}, subject='turn'),
    Case(
        'joint-position-jumps',
        lambda: jumping(0.9, no_efforts), lambda: jumping(0.05, no_efforts),
        "Joint 'turn' jumped by 0.9 rad within 0.1 s, according to /driver; its velocity limit is "
        '2 rad/s',
        {'joint': 'turn', 'jump': approx(0.9), 'unit': 'rad', 'step': approx(0.1),
         'number': 1, 'limit': 2.0}, subject='turn'),
    Case(
        'joint-position-jumps',
        lambda: spiking(0.5, no_efforts, continuous()), lambda: robot(
            continuous(), positions=but(swinging, turn=stopped), velocities=no_efforts,
            tf_positions=but(swinging, turn=stopped)),
        "Joint 'turn' jumped by 0.5 rad within 0.1 s, according to /driver",
        {'joint': 'turn', 'jump': approx(0.5), 'unit': 'rad', 'step': approx(0.1), 'number': 2,
         'limit': 0.0},
        subject='turn'),
    Case(
        'joint-velocity-contradicts',
        lambda: robot(velocities=but(speeds, turn=lambda s: -np.cos(2 * s))),
        # A jump between two postures, and a pause, contradict no velocity.
        lambda: jumping(0.9, lambda s: {'turn': 0.0, 'slide': 0.0}, TIMES[(
            TIMES < 2.95) | (TIMES > 4.05)]),
        "Joint 'turn' moved at -0.977 rad/s according to its positions, but /driver reports "
        '0.974 rad/s',
        {'joint': 'turn', 'measured': approx(-0.977, abs=1e-3),
         'reported': approx(0.974, abs=1e-3), 'unit': 'rad/s'}, subject='turn',
        also=('joint-position-jumps', 'joint-states-jitter')),
    Case(
        'joint-velocity-contradicts',
        lambda: circling(-2.0), lambda: circling(2.0),
        "Joint 'turn' moved at 2 rad/s according to its positions, but /driver reports -2 rad/s",
        {'joint': 'turn', 'measured': approx(2.0), 'reported': approx(-2.0), 'unit': 'rad/s'},
        subject='turn'),
    Case(
        'joint-mimic-contradicts',
        lambda: gripping(0.1), lambda: gripping(0.0045),
        "/driver reports joint 'slide' at 0.3104 m, but it mimics 'turn', which puts it at "
        '0.2104 m',
        {'joint': 'slide', 'leader': 'turn', 'position': approx(0.3104, abs=1e-4),
         'expected': approx(0.2104, abs=1e-4), 'unit': 'm'}, subject='slide'),
    Case(
        'joint-frozen',
        lambda: moving(but(speeds, turn=0.4), turn=0.25),
        lambda: moving(but(speeds, turn=0.0), turn=0.25),
        '/driver reports a velocity for 1 joint whose position did not change in 5.0 s: turn',
        {'joints': ['turn'], 'seconds': 5.0}))
