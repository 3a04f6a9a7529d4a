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

"""Recordings and running graphs of ``drawn25.yaml``."""

from __future__ import annotations

import numpy as np
from reports.recorded import latched
from reports.recorded import made
from reports.recorded import offered
from support.graph_records import BEST_EFFORT
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import robot
from support.graph_records import speeds
from support.graph_records import swinging
from support.graph_records import TIMES
from support.mobile_robots import Mobile

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE

NAMES = 'alice', 'bob'

TWO_ARMS = '<robot name="cell">\n  <link name="table"/>\n' + ''.join(f"""
  <link name="{name}_base"/><link name="{name}_shoulder"/><link name="{name}_arm"/>
  <joint name="{name}_mount" type="fixed">
    <parent link="table"/><child link="{name}_base"/><origin xyz="0 {y} 0.8"/></joint>
  <joint name="{name}_pan" type="revolute">
    <parent link="{name}_base"/><child link="{name}_shoulder"/><origin xyz="0 0 0.09"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="150" velocity="3"/></joint>
  <joint name="{name}_lift" type="revolute">
    <parent link="{name}_shoulder"/><child link="{name}_arm"/><origin xyz="0 0.13 0"/>
    <axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="150" velocity="3"/></joint>
""" for name, y in zip(NAMES, (0.4, -0.4))) + '</robot>\n'


@made
def arm_driver_beside_broadcaster() -> GraphRecords:
    records = robot(positions=lambda times: swinging(times - 0.15))
    return latched(records.joint_states(
        '/joint_state_broadcaster', swinging, velocities=speeds))


@made
def states_of_two_arms_in_namespaces() -> GraphRecords:
    records = GraphRecords().description('/robot_state_publisher', TWO_ARMS)
    records.subscriber('/robot_state_publisher', '/joint_states', JOINT_STATE, BEST_EFFORT)
    records.frames('/robot_state_publisher', {f'{name}_base': 'table' for name in NAMES}, [
        (0, 0.4, 0.8, 0, 0, 0, 1), (0, -0.4, 0.8, 0, 0, 0, 1)], topic='/tf_static',
        times=TIMES[:1])
    for name in NAMES:
        joints = f'{name}_pan', f'{name}_lift'
        records.joint_states(
            f'/{name}/driver', lambda times, joints=joints: dict.fromkeys(joints, 0.2 * times),
            names=joints, topic=f'/{name}/joint_states')
    records.subscriber('/move_group', '/robot_description', STRING, LATCHED)
    return latched(records.subscriber('/move_group', '/joint_states', JOINT_STATE))


@made
def target_frame_of_two_controllers() -> GraphRecords:
    records = robot()
    for side, y in ('left', 0.3), ('right', -0.3):
        targets = np.zeros((len(TIMES), 1, 7))
        targets[:, 0, 0], targets[:, 0, 1], targets[:, 0, 2] = 0.4 + 0.02 * TIMES, y, 0.7
        targets[:, 0, 6] = 1
        records.frames(f'/arm_{side}/frame_tracker', {'tracking_target': 'base'}, targets)
    return latched(records.subscriber('/cartesian_controller', '/tf', TF_MESSAGE))


@made
def viewer_outside_of_two_robots() -> GraphRecords:
    records = Mobile('/rosbot1').odom()
    records.space = records.tree = '/rosbot2'
    records.described().odom().viewer('')
    for name in 'rosbot1', 'rosbot2':
        offered(records, f'/{name}/tf_static', LATCHED)
    return records
