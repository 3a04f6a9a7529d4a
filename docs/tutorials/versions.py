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

"""Change a robot, save it, and compare the two versions."""

from dataclasses import replace
from pathlib import Path

from urdf_tools import compare
from urdf_tools import ForwardKinematics
from urdf_tools import load
from urdf_tools import save
from urdf_tools import validate

old = load(Path(__file__).parents[2] / 'urdf' / 'arm.urdf')

# A longer forearm, and an elbow that turns less.
wrist, elbow = old.joints['wrist_1_joint'], old.joints['elbow_joint']
new = old.replace(
    replace(wrist, origin=replace(wrist.origin, xyz=(0.0, 0.0, 0.46))),
    replace(elbow, limits=replace(elbow.limits, lower=-2.2, upper=2.2)))
save(new, 'longer.urdf')

for each in compare(old, load('longer.urdf')):
    if each.part == 'joint':
        print(f'{each.name}: {each.what}', each.before or '', each.after)
heights = [ForwardKinematics(robot, ['tool0'])([0.0] * 7)[0, 2, 3] for robot in (old, new)]
print('the tool is', round(float(heights[1] - heights[0]), 3), 'm higher at zero')
print('valid:', validate('longer.urdf').valid)
