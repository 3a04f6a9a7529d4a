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

"""The robot of the benchmarks: a chain of as many joints as are wanted."""

_JOINT = """
<link name="link_{number}"/>
<joint name="joint_{number}" type="revolute">
  <parent link="link_{before}"/>
  <child link="link_{number}"/>
  <origin xyz="0.01 0.02 0.1" rpy="0.1 -0.2 0.3"/>
  <axis xyz="0 1 0"/>
  <limit lower="-3" upper="3" effort="1" velocity="1"/>
</joint>"""


def joint_names(joints: int) -> list[str]:
    """Return the names of the joints, from the root to the tip."""
    return [f'joint_{number}' for number in range(1, joints + 1)]


def description(joints: int) -> str:
    """Return the URDF of a chain of revolute joints."""
    return '<robot name="chain"><link name="link_0"/>{}\n</robot>'.format(''.join(
        _JOINT.format(number=number, before=number - 1) for number in range(1, joints + 1)))
