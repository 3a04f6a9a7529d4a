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

"""Efforts against gravity, and how much an arm lifts."""

from pathlib import Path

import numpy as np

from urdf_tools import attach
from urdf_tools import CompositeInertia
from urdf_tools import InverseDynamics
from urdf_tools import KinematicTree
from urdf_tools import load
from urdf_tools import loads
from urdf_tools import save

arm = load(Path(__file__).parents[2] / 'urdf' / 'arm.urdf')
block = loads("""<robot name="block"><link name="block"><inertial><mass value="2"/>
  <inertia ixx="0.005" ixy="0" ixz="0" iyy="0.005" iyz="0" izz="0.005"/></inertial>
  <visual><geometry><box size="0.12 0.08 0.1"/></geometry></visual></link></robot>""")
loaded = attach(arm, 'gripper_tcp', block)
save(loaded, 'loaded.urdf')
print('wrote loaded.urdf to the current folder')
stretched = {'shoulder_lift_joint': np.pi / 2}

for robot in (arm, loaded):
    tree = KinematicTree(robot)
    q = tree.configuration(stretched)
    efforts = InverseDynamics(tree)(q)
    mass = CompositeInertia(tree)(q).mass
    print(f'{mass:.1f} kg:', ', '.join(
        f'{name} {effort:.1f}' for name, effort in zip(tree.velocity_names, efforts)
        if abs(effort) > 0.05), 'N m')

# Efforts are linear in the mass that is lifted, so two of them tell how much reaches a limit.
tree = KinematicTree(arm)
q = tree.configuration(stretched)
dynamics = InverseDynamics(tree)
empty = dynamics(q)
per_kg = dynamics(q, external={'gripper_tcp': [0, 0, -9.81, 0, 0, 0]}) - empty
limits = np.array([arm.joints[name].limits.effort for name in tree.velocity_names])
with np.errstate(divide='ignore'):
    most = (limits - np.abs(empty)) / np.abs(per_kg)
print(f'it lifts {most.min():.1f} kg stretched out, limited by '
      f'{tree.velocity_names[int(most.argmin())]}')
