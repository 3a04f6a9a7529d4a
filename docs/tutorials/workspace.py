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

"""Sample where an arm gets, and write the points as a robot that the view shows."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from urdf_tools import ForwardKinematics
from urdf_tools import Jacobian
from urdf_tools import KinematicTree
from urdf_tools import load
from urdf_tools import Material
from urdf_tools import Pose
from urdf_tools import save
from urdf_tools import Sphere
from urdf_tools import Visual

robot = load(Path(__file__).parents[2] / 'urdf' / 'arm.urdf')
tree = KinematicTree(robot)
q = tree.random_configuration(np.random.default_rng(1), 20_000)
points = ForwardKinematics(tree, ['tool0'])(q)[:, 0, :3, 3]
reach = np.linalg.norm(points - [0, 0, 0.22], axis=1)
print(f'reach from the shoulder: {reach.min():.2f} to {reach.max():.2f} m')
above = points[:, 2] > 0
print(f'above the table: {above.mean():.0%}')

# How well the tool moves in all directions there (Yoshikawa's measure).
jacobians = Jacobian(tree, 'tool0')(q)
measure = np.sqrt(np.abs(np.linalg.det(jacobians @ jacobians.swapaxes(1, 2))))
best = measure.argmax()
print(f'best dexterity {measure[best]:.3f} at', points[best].round(2))

shown = np.flatnonzero(above & (points[:, 1] > 0))[:400]
share = measure[shown] / measure.max()
dots = tuple(
    Visual(Sphere(0.012), Pose(tuple(points[i].tolist())),
           material=Material(f'dexterity_{i}', (1 - s, s, 0.1, 1.0)))
    for i, s in zip(shown.tolist(), share.tolist()))
world = robot.links['world']
save(robot.replace(replace(world, visuals=(*world.visuals, *dots))), 'workspace.urdf')
