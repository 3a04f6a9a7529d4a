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

from pathlib import Path

from urdf_tools import attach
from urdf_tools import load
from urdf_tools import Pose
from urdf_tools import validate

VACUUM = """\
<robot name="vacuum">
  <link name="body">
    <inertial>
      <origin xyz="0 0 0.03"/><mass value="0.4"/>
      <inertia ixx="0.0003" ixy="0" ixz="0" iyy="0.0003" iyz="0" izz="0.0002"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.03"/><geometry><cylinder radius="0.04" length="0.06"/></geometry>
    </visual>
    <collision>
      <origin xyz="0 0 0.03"/><geometry><cylinder radius="0.04" length="0.06"/></geometry>
    </collision>
  </link>
  <link name="cup">
    <visual>
      <origin xyz="0 0 0.02"/><geometry><cylinder radius="0.015" length="0.04"/></geometry>
    </visual>
  </link>
  <joint name="cup_joint" type="fixed">
    <parent link="body"/><child link="cup"/><origin xyz="0 0 0.06"/>
  </joint>
</robot>
"""

arm = load(Path(__file__).parents[2] / 'urdf' / 'arm.urdf')

# Without the gripper, and without what ros2_control, Gazebo and others say about it.
bare = arm.without('gripper_base_link')
for each in bare.removed:
    print(each)

# Another one, 5 mm before the flange of the tool, with its own names.
Path('vacuum.urdf').write_text(VACUUM, encoding='utf-8')
made = attach(bare, 'tool0', load('vacuum.urdf'), prefix='vacuum_', origin=Pose((0.0, 0.0, 0.005)))
made.save('with_vacuum.urdf')

for robot in (arm, bare, made):
    print(robot, f'{robot.mass:.2f} kg')
print('valid:', validate('with_vacuum.urdf').valid)
print('wrote vacuum.urdf and with_vacuum.urdf to the current folder')
