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

"""Take the gripper off an arm, and put another one on."""

from urdf_tools import attach
from urdf_tools import load
from urdf_tools import Pose
from urdf_tools import validate

arm = load('urdf/arm.urdf')

# Without the gripper, and without what ros2_control, Gazebo and others say about it.
bare = arm.without('gripper_base_link')
for each in bare.removed:
    print(each)

# Another one, 5 mm before the flange of the tool, with its own names.
made = attach(bare, 'tool0', load('vacuum.urdf'), prefix='vacuum_', origin=Pose((0.0, 0.0, 0.005)))
made.save('with_vacuum.urdf')

for robot in (arm, bare, made):
    print(robot, f'{robot.mass:.2f} kg')
print('valid:', validate('with_vacuum.urdf').valid)
