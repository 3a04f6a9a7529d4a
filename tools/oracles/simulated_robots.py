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
"""
Robots simulated in MuJoCo, with what is true of them, for tests of estimates.

``python simulated_robots.py WHAT FILE FIRST NUMBER`` runs in the environment of ``make oracle``,
without this package: it simulates some robots, each with another seed, and pickles them.
"""

from __future__ import annotations

import pickle
import sys

import mujoco
import numpy as np

DRIVE = """<mujoco><option timestep="0.005" integrator="implicitfast" cone="elliptic"
impratio="50" noslip_iterations="5"/><worldbody>
<geom type="plane" size="50 50 1" friction="1.5 0.01 0.001"/>
<body name="base" pos="0 0 {radius}"><freejoint/>
<geom type="box" size="0.1 0.05 0.02" mass="5" contype="0" conaffinity="0"/>
<geom type="sphere" size="{caster}" pos="0.1 0 {drop}" mass="0.2" priority="1" condim="1"/>
<geom type="sphere" size="{caster}" pos="-0.1 0 {drop}" mass="0.2" priority="1" condim="1"/>
<site name="imu" euler="{roll} {pitch} 0"/>
<body pos="0 {half} 0"><joint name="left" type="hinge" axis="0 1 0"/>
<geom type="ellipsoid" size="{radius} 0.01 {radius}" mass="0.3"/></body>
<body pos="0 -{half} 0"><joint name="right" type="hinge" axis="0 1 0"/>
<geom type="ellipsoid" size="{radius} 0.01 {radius}" mass="0.3"/></body>
</body></worldbody>
<actuator><velocity joint="left" kv="0.1"/><velocity joint="right" kv="0.1"/></actuator>
<sensor><gyro site="imu"/><accelerometer site="imu"/></sensor></mujoco>"""

SETTLED = 1.0
"""Seconds after which a robot stands still."""


def drive(seed: int, stands: bool = False) -> dict:
    """
    Return what a robot with two wheels reports over 5 s.

    :param stands: whether it does not move; then its IMU is turned.
    """
    rng = np.random.default_rng(seed)
    radius, separation = rng.uniform(0.03, 0.1), rng.uniform(0.2, 0.5)
    angle, axis = rng.uniform(-1.4, 1.4), int(rng.integers(2))
    if axis == 0:
        angle *= 2.2
    turn = np.degrees([angle * (axis == 0), angle * (axis == 1)]) if stands else (0, 0)
    model = mujoco.MjModel.from_xml_string(DRIVE.format(
        radius=radius, half=separation / 2, caster=radius / 2, drop=0.001 - radius / 2,
        roll=turn[0], pitch=turn[1]))
    data = mujoco.MjData(model)
    speeds = 0.4 / radius * np.array([rng.uniform(0.3, 1, 2), rng.uniform(0.3, 1, 2)])
    phases, rates = rng.uniform(0, 6, 2), rng.uniform(0.5, 1.5, 2)
    rows = []
    while data.time < SETTLED + 5:
        moved = max(data.time - SETTLED, 0.0)
        if not stands:
            data.ctrl[:] = min(moved, 1.0) * speeds[0] * (
                0.5 + np.sin(rates * moved + phases))
        mujoco.mj_step(model, data, 2)
        rows.append([data.time, *data.qpos[7:9], *data.qpos[:3], *data.qpos[[4, 5, 6, 3]],
                     *data.sensordata])
    imu = np.array(rows)[round(SETTLED / 0.01):]
    joints, odometry = imu[::2], imu[3::4]
    pose = odometry[:, 3:10].copy()
    pose[:, :2] += rng.normal(0, 0.001, (len(pose), 2))
    tilt = rng.normal(0, 0.0005, len(pose))
    pose[:, 5:] += np.column_stack([tilt * pose[:, 6], -tilt * pose[:, 5]])
    values = imu[:, 10:] + rng.normal(0, np.repeat([0.003, 0.05], 3), (len(imu), 6))
    # Contacts are soft, and in the middle between the surfaces.
    return {'radius': (radius + float(np.mean(imu[:, 5]))) / 2, 'separation': separation,
            'roll': np.radians(turn[0]), 'pitch': np.radians(turn[1]), 'joints': joints[:, :3],
            'odometry': np.column_stack([odometry[:, 0], pose]),
            'imu': np.column_stack([imu[:, 0], values])}


def arm(seed: int) -> dict:
    """Return efforts of an arm with a payload that is held by position controllers."""
    rng = np.random.default_rng(seed)
    mass, centre = rng.uniform(1, 5), rng.uniform(-0.1, 0.1, 3)
    text, urdf, ends, parent = '', '', '', 'base'
    for row, (axis, offset) in enumerate(zip(
            ('0 0 1', '0 1 0', '0 1 0', '1 0 0', '0 1 0', '1 0 0'),
            ('0 0 0.2', '0 0 0.1', '0.4 0 0', '0.3 0 0', '0.1 0 0', '0.1 0 0'))):
        weight = (6, 8, 5, 2, 1.5, 0.8)[row]
        text += (f'<body pos="{offset}"><joint name="j{row}" axis="{axis}" damping="20" '
                 f'frictionloss="{0.1 * weight:.2f}"/><inertial pos="0.1 0 0" mass="{weight}" '
                 'diaginertia="0.02 0.02 0.02"/>')
        ends += '</body>'
        urdf += (
            f'<link name="l{row}"><inertial><origin xyz="0.1 0 0"/><mass value="{weight}"/>'
            '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>'
            f'<joint name="j{row}" type="revolute"><parent link="{parent}"/>'
            f'<child link="l{row}"/><origin xyz="{offset}"/><axis xyz="{axis}"/>'
            '<limit lower="-3" upper="3" effort="500" velocity="3"/></joint>')
        parent = f'l{row}'
    text += (f'<body><inertial pos="{" ".join(map(str, centre))}" mass="{mass}" '
             'diaginertia="0.001 0.001 0.001"/></body>')
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody>{text}{ends}</worldbody><actuator>' + ''.join(
            f'<position joint="j{row}" kp="3000"/>' for row in range(6)) + '</actuator></mujoco>')
    positions, efforts = [], []
    data = mujoco.MjData(model)
    for _ in range(8):
        data.qpos[:], data.qvel[:] = rng.uniform(-1.5, 1.5, 6), 0
        data.ctrl[:] = data.qpos + rng.uniform(-0.02, 0.02, 6)
        while data.time < 2 or np.abs(data.qvel).max() > 1e-4:
            mujoco.mj_step(model, data, 20)
        data.time = 0
        positions.append(data.qpos.copy())
        efforts.append(data.actuator_force + rng.normal(0, 0.1, 6))
    return {'mass': mass, 'centre': centre, 'positions': np.array(positions),
            'efforts': np.array(efforts), 'names': [f'j{row}' for row in range(6)],
            'urdf': f'<robot name="arm"><link name="base"/>{urdf}</robot>'}


WHAT = {'driving': drive, 'standing': lambda seed: drive(seed, True), 'holding': arm}

if __name__ == '__main__':
    what, path, first, number = sys.argv[1:]
    with open(path, 'wb') as file:
        pickle.dump([WHAT[what](seed) for seed in range(int(first), int(first) + int(number))],
                    file)
