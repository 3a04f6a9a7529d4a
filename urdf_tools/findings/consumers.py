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


"""The programs that read descriptions, by the names used in findings."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping

CONSUMERS: Mapping[str, tuple[str, ...]] = {
    'drake': (),
    'gazebo': ('urdfdom',),
    'idyntree': (),
    'isaac': ('usd',),
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
    'usd': (),
}
"""Each program with what reads URDF for it; what that refuses, the program does not get."""

PROGRAMS = tuple(name for name in CONSUMERS if name not in ('isaac', 'kdl', 'urdfdom'))
"""The programs that are reported by default: no parts of others, nor who has what usd has."""


def with_dependencies(names: Iterable[str]) -> frozenset[str]:
    """
    Return the named programs and what reads URDF for them.

    :raises ValueError: a name is unknown.
    """
    programs: set[str] = set()
    for name in names:
        if name not in CONSUMERS:
            raise ValueError(
                f'Program {name!r} is unknown. Known programs: {", ".join(CONSUMERS)}')
        programs |= {name, *CONSUMERS[name]}
    return frozenset(programs)
