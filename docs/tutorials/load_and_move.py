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

"""Load a robot, move it, and ask where its links are."""

from pathlib import Path

import numpy as np

from urdf_tools import ForwardKinematics
from urdf_tools import Jacobian
from urdf_tools import KinematicTree
from urdf_tools import load

robot = load(Path(__file__).parents[2] / 'urdf' / 'arm.urdf')
print(robot)
print('joints:', ', '.join(joint.name for joint in robot.actuated_joints))

tree = KinematicTree(robot)
q = tree.configuration({'shoulder_lift_joint': 0.6, 'elbow_joint': 0.9})
kinematics = ForwardKinematics(tree)
poses = kinematics(q)
tool = poses[tree.link_index['tool0']]
print('tool at', tool[:3, 3].round(3), 'pointing along', tool[:3, 2].round(3))
in_forearm = kinematics.transform('tool0', 'forearm_link', q)
print('in the frame of the forearm:', in_forearm[:3, 3].round(3))

jacobian = Jacobian(tree, 'tool0', 'local_world_aligned')(q)
lift = tree.velocity_index['shoulder_lift_joint']
print('1 rad/s in the shoulder moves the tool by', jacobian[:3, lift].round(3), 'm/s')

# Many configurations at once: shape (B, n) gives (B, links, 4, 4).
batch = tree.random_configuration(np.random.default_rng(1), 1000)
heights = kinematics(batch)[:, tree.link_index['tool0'], 2, 3]
print(f'of 1000 random configurations {(heights < 0).mean():.0%} reach below the table')
