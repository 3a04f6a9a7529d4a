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
"""Estimates against robots that MuJoCo simulates; at most one in five may be far off."""

from pathlib import Path
import pickle
import subprocess

import numpy as np
import pytest
from support.program_oracles import PYTHON

from urdf_tools.doctor.frame_graph import Edge
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.rules.motion_sensors import explaining_rpy
from urdf_tools.doctor.rules.motion_sensors import fit_drive
from urdf_tools.doctor.rules.motion_sensors import mean_acceleration
from urdf_tools.doctor.rules.motion_sensors import path_of
from urdf_tools.doctor.rules.motion_sensors import turn_ratio
from urdf_tools.doctor.rules.motion_sensors import Wheel
from urdf_tools.dynamics import InverseDynamics
from urdf_tools.dynamics.static_efforts import identify_payload
from urdf_tools.formats.loader import loads

RUNS = 10
SCRIPT = Path(__file__).parents[2] / 'tools' / 'oracles' / 'simulated_robots.py'
WHEELS = Wheel('left', 1.0, 0.1, 0.0), Wheel('right', 1.0, -0.1, 0.0)


@pytest.fixture(scope='module')
def simulated(tmp_path_factory):
    """Return a function that simulates robots, or skip if MuJoCo is not installed."""
    if not PYTHON.is_file() or subprocess.run(
            [PYTHON, '-E', '-s', '-c', 'import mujoco'], stderr=subprocess.DEVNULL).returncode:
        pytest.skip('MuJoCo is not installed; make oracle does that')

    def runs(what: str) -> list[dict]:
        path = tmp_path_factory.mktemp(what) / 'runs.pickle'
        subprocess.run([PYTHON, '-E', '-s', SCRIPT, what, path, '0', str(RUNS)], check=True)
        return pickle.loads(path.read_bytes())

    return runs


def nanoseconds(seconds: np.ndarray) -> np.ndarray:
    return 10**18 + np.round(seconds * 1e9).astype(np.int64)


def stamped(table: np.ndarray) -> StampedTrack:
    times = nanoseconds(table[:, 0])
    return StampedTrack('/data', '', b'', '/node', 'frame', times, times, values=table[:, 1:])


def joint_states(table: np.ndarray) -> JointTrack:
    times, none = nanoseconds(table[:, 0]), np.zeros((len(table), 0))
    return JointTrack('/joint_states', b'', '/driver', ('left', 'right'), times, times,
                      table[:, 1:], none, none)


def assert_near(deviations) -> None:
    """Check that nearly all estimates are within two standard errors of the truth."""
    within = np.abs(np.array(deviations)) < 2
    assert within.mean() > 0.9 and within.mean(axis=0).min() >= 0.8


def test_wheels(simulated):
    deviations = []
    for run in simulated('driving'):
        fit = fit_drive(WHEELS, joint_states(run['joints']), stamped(run['odometry']))
        if fit.separation.is_known:
            deviations.append([(found.value - run[what]) / found.error for what, found in (
                ('radius', fit.radius), ('separation', fit.separation))])
    assert len(deviations) > RUNS / 2
    assert_near(deviations)


def test_turning_by_the_imu(simulated):
    found = [turn_ratio(stamped(run['imu']), path_of(stamped(run['odometry'])), np.eye(3))
             for run in simulated('driving')]
    assert_near([(ratio.value - 1) / ratio.error for ratio in found if ratio.is_known])


def test_mounting_of_an_imu(simulated):
    mount = FrameTrack('/tf_static', b'', '/node', True, ('base',), ('imu',), np.zeros(1, int),
                       np.zeros((1, 1), int), np.array([[[0, 0, 0, 0, 0, 0, 1.0]]]))
    deviations = []
    for run in simulated('standing'):
        found = mean_acceleration(run['imu'][:, 4:])
        roll, pitch, _ = explaining_rpy(
            'imu', {'imu': [Edge('base', mount, 0)]}, found.vector / found.size)
        deviations.append([(roll - run['roll']) * np.cos(pitch) / found.angle_error,
                           (pitch - run['pitch']) / found.angle_error])
    assert_near(deviations)


def test_payload(simulated):
    deviations = []
    for run in simulated('holding'):
        found = identify_payload(InverseDynamics(loads(run['urdf'])), 'l5', run['names'],
                                 run['positions'], run['efforts'])
        deviations.append([(found.mass - run['mass']) / found.mass_error,
                           *((found.centre - run['centre']) / found.centre_errors)])
    assert_near(deviations)


def test_what_one_posture_does_not_tell(simulated):
    run, *_ = simulated('holding')
    found = identify_payload(InverseDynamics(loads(run['urdf'])), 'l5', run['names'],
                             run['positions'][:1], run['efforts'][:1])
    assert np.isinf(found.centre_errors).any()


@pytest.mark.parametrize(('noise', 'moves'), [(2.0, 0.0), (0.0, np.nan)])
def test_an_imu_that_shakes_or_measures_nothing(noise, moves):
    values = np.array([0, 0, 9.81]) + noise * np.sin(np.arange(300)).reshape(-1, 3) + moves
    assert mean_acceleration(values) is None
