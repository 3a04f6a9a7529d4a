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

"""A robot and where its joints stand: as received, as asked for, or at rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextlib import nullcontext
from dataclasses import dataclass
import math
import time
from types import MappingProxyType

import numpy as np
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import joint_values
from urdf_tools.kinematics import variable_names
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.ros.cdr import JointStateReader
from urdf_tools.ros.conversions import from_time
from urdf_tools.ros.conversions import from_transform
from urdf_tools.ros.joint_states import JointStates
from urdf_tools.ros.multi_dof import multi_dof_joints
from urdf_tools.ros.multi_dof import MultiDofStates
from urdf_tools.ros.tally import Tally


class RequestError(Exception):
    """A request that has no answer; the text says why to whoever asked."""


@dataclass(frozen=True)
class Configuration:
    """
    Where the joints of a robot stand.

    :param positions: the variables of :class:`ForwardKinematics`, shape (n,).
    :param stamp: when the positions were measured, in nanoseconds; 0 if they all were given.
    :param missing: variables that count as at rest because they were neither given nor received.
    """

    positions: np.ndarray
    stamp: int
    missing: tuple[str, ...] = ()


class LiveRobot:
    """
    A robot, and what was received of its joints, be it in another thread.

    :param robot: the robot.
    :param text: its description.
    :param lock: held while what was received is changed or looked at.
    :param tally: counts what is not taken of what was received.
    :ivar joints: the joints of one degree of freedom as received; hold the lock to look at them.
    """

    def __init__(
            self, robot: Robot, text: str, lock: AbstractContextManager = nullcontext(),
            tally: Tally | None = None):
        self.robot = robot
        self.text = text
        self._lock = lock
        self._kinematics = ForwardKinematics(robot)
        self._places = {link: place for place, link in enumerate(self._kinematics.link_names)}
        tally = Tally() if tally is None else tally
        self.joints = JointStates(robot, tally)
        self._reader = JointStateReader(self.joints.layout)
        self._multi_dof = MultiDofStates(multi_dof_joints(robot), tally)
        self._poses: dict[str, float] = {}
        self._stamp = 0

    def adopt(self, previous: LiveRobot) -> None:
        """Keep what is known of the joints that another description had, too."""
        with self._lock:
            self.joints.adopt(previous.joints)
            self._poses.update(previous._poses)
            self._stamp = previous._stamp

    def receive(self, data: bytes) -> None:
        """Take the joint states of the robot, serialized."""
        with self._lock:
            try:
                self._stamp, layout, positions = self._reader.read(data)
            except ValueError:
                self.joints.faults['malformed'] += 1
            else:
                self.joints.take(layout, positions, time.monotonic())

    def receive_multi_dof(self, message: MultiDOFJointState) -> None:
        """Take the states of planar and floating joints."""
        with self._lock:
            for row, values in self._multi_dof.take(message).items():
                self._poses.update(zip(variable_names(self._multi_dof.joints[row]), values))
                self._stamp = from_time(message.header.stamp)

    def check_link(self, name: str) -> str:
        """
        Return the name of a link, of the root link for an empty one.

        :raises RequestError: the robot has no such link.
        """
        if name and name not in self.robot.links:
            raise RequestError(_unknown('link', name, self.robot.links))
        return name or self.robot.root

    def poses(self, links: Sequence[str], positions: np.ndarray) -> np.ndarray:
        """Return the poses of links in the root link's frame, shape (len(links), 4, 4)."""
        return self._kinematics(positions)[[self._places[link] for link in links]]

    def configuration(self, given: Mapping[str, float] = MappingProxyType({})) -> Configuration:
        """
        Return where the joints stand: as given, else as received, else at rest.

        A mimic joint stands where its leader puts it, whatever is given or received for it.

        :param given: variables of :class:`ForwardKinematics` by name.
        """
        with self._lock:
            stamp = self._stamp
            values = {**self.joints.known(), **self._poses, **given}
        names = self._kinematics.variable_names
        missing = tuple(name for name in names if name not in values)
        return Configuration(
            self._kinematics.configuration({n: values[n] for n in names if n in values}),
            0 if all(name in given for name in names) else stamp, missing)

    def read(
            self, joint_state: JointState, multi_dof: MultiDOFJointState) -> Mapping[str, float]:
        """
        Return the variables that a request gives.

        :raises RequestError: what is given belongs to no joint or has no meaning.
        """
        return {**self._given_positions(joint_state), **self._given_poses(multi_dof)}

    def _given_positions(self, message):
        positions = {}
        for name, position in _pairs(message.name, message.position, 'positions'):
            joint = self._joint(name)
            if joint.type.dof != 1:
                where = ('it has none' if joint.type is JointType.FIXED
                         else 'give its pose in multi_dof_joint_state')
                raise RequestError(
                    f'Joint {quote(name)} is {joint.type.value} and has no single position; '
                    f'{where}')
            if not math.isfinite(position):
                raise RequestError(f'The position of joint {quote(name)} is {position}')
            positions[name] = position
        return positions

    def _given_poses(self, message):
        values = {}
        for name, transform in _pairs(message.joint_names, message.transforms, 'transforms'):
            joint = self._joint(name)
            if joint.type.dof < 2:
                raise RequestError(
                    f'Joint {quote(name)} is {joint.type.value} and takes no transform')
            with np.errstate(all='ignore'):
                pose = joint_values(joint, from_transform(transform))
            if not np.isfinite(pose).all():
                raise RequestError(f'The transform of joint {quote(name)} is not a pose')
            values.update(zip(variable_names(joint), pose))
        return values

    def _joint(self, name) -> Joint:
        if name not in self.robot.joints:
            raise RequestError(_unknown('joint', name, self.robot.joints))
        return self.robot.joints[name]


def _pairs(names: Sequence[str], values: Sequence, what: str):
    if len(names) != len(values):
        raise RequestError(f'There are {len(names)} names of joints but {len(values)} {what}')
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise RequestError(f'Joint {quote(twice[0])} is given more than once')
    return zip(names, values)


def _unknown(kind: str, name: str, names: Iterable[str]) -> str:
    return f'There is no {kind} {quote(name)}. {did_you_mean(name, names)}'.rstrip()
