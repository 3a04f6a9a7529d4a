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

"""The data that answer service requests, and checks of the requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
import math
from typing import Any
from typing import TYPE_CHECKING

import numpy as np
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.kinematics import joint_values
from urdf_tools.kinematics import variable_names
from urdf_tools.kinematics import velocity_names
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import does_not_exist
from urdf_tools.ros.conversions import from_transform
from urdf_tools.ros.conversions import from_vector
from urdf_tools.ros.live_robot import LiveRobot
from urdf_tools.ros.process import release_memory_soon
from urdf_tools.ros.request_size import RequestError
from urdf_tools.types import Array

if TYPE_CHECKING:
    from urdf_tools.kinematics import Mechanism


@dataclass(frozen=True)
class Server:
    """
    The data that answer requests.

    :param robot: returns the robot, or raises RequestError if there is none yet.
    :param frame_prefix: prepended to every frame ID, and allowed in requests.
    :param joint_timeout: age in seconds above which joint states are stale; 0 is never.
    :param loops_file: YAML file of loops beside the description of the server; empty if none is.
    """

    robot: Callable[[], LiveRobot]
    frame_prefix: str = ''
    joint_timeout: float = 5.0
    loops_file: str = ''

    def description(self, request: Any) -> tuple[str, str]:
        """Return the description of a request, or that of the server and its file of loops."""
        text: str = request.description or self.robot().text
        release_memory_soon(text)
        return text, '' if request.description else self.loops_file

    def check_link(self, robot: Robot, name: str) -> str:
        """
        Return the name of a link, of the root link for an empty name.

        :raises RequestError: the robot has no such link.
        """
        if name not in robot.links:
            name = name.removeprefix(self.frame_prefix)
        if name and name not in robot.links:
            raise RequestError(does_not_exist(name, robot.links, 'link'))
        return name or robot.root


def check_programs(names: Iterable[str], known: Collection[str]) -> None:
    """
    Check that programs are known.

    :raises RequestError: one is not.
    """
    for name in names:
        if name not in known:
            raise RequestError(
                f'Program {quote(name, 80)} is unknown; it is one of {", ".join(known)}')


def given_variables(
        robot: Robot, joint_state: JointState,
        multi_dof: MultiDOFJointState) -> Mapping[str, float]:
    """
    Return the kinematic variables given by a request, by name.

    :raises RequestError: they belong to no joint of the robot, or are not finite.
    """
    values = {}
    for name, position in _pairs(joint_state.name, joint_state.position, 'positions'):
        joint = _joint(robot, name)
        if joint.type.dof != 1:
            advice = ('it has none' if joint.type is JointType.FIXED
                      else 'give its pose in multi_dof_joint_state')
            raise RequestError(
                f'Joint {quote(name)} is {joint.type.value} and has no single position; {advice}')
        if not math.isfinite(position):
            raise RequestError(f'The position of joint {quote(name)} is {position}')
        values[name] = position
    for name, transform in _pairs(multi_dof.joint_names, multi_dof.transforms, 'transforms'):
        joint = _joint(robot, name)
        if joint.type.dof < 2:
            raise RequestError(f'Joint {quote(name)} is {joint.type.value} and takes no transform')
        with np.errstate(all='ignore'):
            pose = joint_values(joint, from_transform(transform))
        if not np.isfinite(pose).all():
            raise RequestError(
                f'The transform of joint {quote(name)} is not a valid pose: it is not finite, or '
                f'its quaternion is zero')
        values.update(zip(variable_names(joint), pose.tolist()))
    return values


def given_velocities(
        robot: Robot, joint_state: JointState,
        multi_dof: MultiDOFJointState) -> Mapping[str, float]:
    """
    Return the velocity variables of a :class:`KinematicTree` given by a request, by name.

    :raises RequestError: they belong to no joint of the robot, or are not finite.
    """
    velocities: dict[str, float] = {}
    if joint_state.velocity:
        for name, velocity in _pairs(joint_state.name, joint_state.velocity, 'velocities'):
            velocities.update(zip(velocity_names(_joint(robot, name)), [velocity]))
    if multi_dof.twist:
        for name, twist in _pairs(multi_dof.joint_names, multi_dof.twist, 'twists'):
            joint = _joint(robot, name)
            values = [*from_vector(twist.linear).tolist(), *from_vector(twist.angular).tolist()]
            if joint.type is JointType.PLANAR:
                values = [values[0], values[1], values[5]]
            velocities.update(zip(velocity_names(joint), values))
    for name, velocity in velocities.items():
        if not math.isfinite(velocity):
            raise RequestError(f'The velocity {quote(name)} is {velocity}')
    return velocities


def _joint(robot: Robot, name: str) -> Joint:
    if name not in robot.joints:
        raise RequestError(does_not_exist(name, robot.joints, 'joint'))
    return robot.joints[name]


def _pairs(names: Sequence[str], values: Sequence[Any], what: str) -> Iterator[tuple[str, Any]]:
    if len(names) != len(values):
        raise RequestError(f'There are {len(names)} joint names but {len(values)} {what}')
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise RequestError(f'Joint {quote(twice[0])} is given more than once')
    return zip(names, values)


def free_velocities(
        mechanism: Mechanism, positions: Array, given: Mapping[str, float],
        names: Collection[str]) -> tuple[list[str], Array]:
    """
    Return the velocity variables that are free, and the velocities of all by these, (nv, k).

    :param names: the joints that are asked about, which are free unless they follow from others.
    :raises RequestError: a velocity is given for another one, or they do not determine the rest.
    """
    measured = mechanism.independent if mechanism.is_overdetermined(names) else names
    free = mechanism.free(measured)
    following = [name for name in mechanism.tree.velocity_names
                 if name in given and name not in free]
    if following:
        raise RequestError(
            f'Velocities of {name_list(following)} follow from those of {name_list(free)}; give '
            'these')
    try:
        return free, mechanism.derivatives(positions, measured)
    except ValueError as error:
        raise RequestError(f'The Jacobian does not exist: {error}') from error
