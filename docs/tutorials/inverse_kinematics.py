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

"""Bring the tool of an arm to poses along a line."""

from pathlib import Path

import numpy as np

from urdf_tools import ForwardKinematics
from urdf_tools import InverseKinematics
from urdf_tools import KinematicTree
from urdf_tools import load

robot = load(Path(__file__).parents[2] / 'urdf' / 'arm.urdf')
tree = KinematicTree(robot)
inverse = InverseKinematics(tree, 'gripper_tcp')

# The tool points down, 40 cm in front of the base and 30 cm above the table.
pose = np.array([[-1.0, 0.0, 0.0, 0.4],
                 [0.0, 1.0, 0.0, 0.0],
                 [0.0, 0.0, -1.0, 0.3],
                 [0.0, 0.0, 0.0, 1.0]])
result = inverse(pose)
print('solved' if result.success else result.reason, 'in', result.iterations, 'iterations')
print('positions:', result.positions.round(3))
reached = ForwardKinematics(tree, ['gripper_tcp'])(result.positions)[0]
print('the tool is there to 1e-6:', bool(np.abs(reached - pose).max() < 1e-6))

# Along a line, each solution is the start of the next one, so that the joints do not jump.
q, steps = result.positions, []
for y in np.linspace(0.0, 0.3, 31):
    pose[1, 3] = y
    result = inverse(pose, start=q)
    steps.append(np.abs(tree.difference(q, result.positions)).max())
    q = result.positions
print(f'30 cm to the left in 30 steps, each of at most {max(steps):.2f} rad a joint')

# Only the position leaves the arm more freedom.
position_only = InverseKinematics(tree, {'gripper_tcp': 'position'})
pose[:3, 3] = 0.0, 0.0, 1.25
print('above the base:', position_only(pose, start=q).success)

# Half a turn of the gripper is beyond what the last joint can do: the result says so.
pose[:3] = [[1.0, 0.0, 0.0, 0.4], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.3]]
print(inverse(pose).reason)
pose[0, 3] = 2.0
print(inverse(pose).reason)
