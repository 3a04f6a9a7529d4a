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

"""The programs that read descriptions, by the names that findings use."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping

CONSUMERS: Mapping[str, tuple[str, ...]] = {
    'drake': (),
    'gazebo': ('urdfdom',),
    'idyntree': (),
    'isaac': (),
    'joint_state_publisher': (),
    'kdl': ('urdfdom',),
    'moveit': ('urdfdom',),
    'mujoco': (),
    'pinocchio': ('urdfdom',),
    'pybullet': (),
    'robot_state_publisher': ('urdfdom', 'kdl'),
    'ros2_control': ('urdfdom',),
    'rviz': ('urdfdom',),
    'tesseract': (),
    'urdf_parser_py': (),
    'urdfdom': (),
}
"""Each program with those that it reads a description through, and so breaks with."""


def with_dependencies(names: Iterable[str]) -> frozenset[str]:
    """
    Return the programs named and all that they read a description through.

    :raises ValueError: a name is unknown.
    """
    expanded = set()
    for name in names:
        if name not in CONSUMERS:
            raise ValueError(f'{name!r} is no known program; known are {", ".join(CONSUMERS)}')
        expanded |= {name, *CONSUMERS[name]}
    return frozenset(expanded)
