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

"""A robot and its latest joint positions, for nodes that compute with them."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from contextlib import AbstractContextManager
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from threading import RLock
import time
from types import MappingProxyType

import numpy as np
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics import variable_names
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import JointStateReader
from urdf_tools.messages.joint_state_reader import no_plan
from urdf_tools.messages.multi_dof_states import multi_dof_joints
from urdf_tools.messages.multi_dof_states import MultiDofStates
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.conversions import deserialize_joint_state
from urdf_tools.ros.conversions import from_time
from urdf_tools.ros.conversions import from_transform
from urdf_tools.ros.current_model import CurrentModel
from urdf_tools.ros.current_model import model_status
from urdf_tools.ros.current_model import ModelSubscription
from urdf_tools.ros.diagnostics import Task
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.joint_states import JointStates
from urdf_tools.ros.joint_states import JointStatesTask
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.topics import JOINT_STATES
from urdf_tools.ros.topics import RawSubscription
from urdf_tools.types import Array

TOLERANCE = 1e-6
"""Radians or metres by which positions may differ that count as equal."""


@dataclass(frozen=True)
class Configuration:
    """
    The positions of all joints of a robot.

    :param positions: the variables of the :class:`KinematicTree`, shape (n,).
    :param stamp: when the positions were measured, in nanoseconds; 0 if all were given.
    :param missing: variables that are zero because they were neither given nor received.
    :param age: seconds since the oldest of the received positions arrived, 0 if there is none.
    :param beyond: joints whose position is outside the limits of the description.
    :param open: a message about loops that are open, or an empty text.
    """

    positions: Array
    stamp: int
    missing: tuple[str, ...] = ()
    age: float = 0.0
    beyond: tuple[str, ...] = ()
    open: str = ''


class LiveRobot:
    """
    A robot and the joint positions received so far, possibly in another thread.

    :param robot: the robot.
    :param text: its description.
    :param lock: held while received positions are read or changed.
    :param log: counts and logs what is skipped of the received messages.
    :ivar tree: the kinematic tree of the robot.
    :ivar loops: moves the loops of the robot, or None if it has none.
    :ivar joints: the joints with one degree of freedom; hold the lock to read them.
    """

    def __init__(
            self, robot: Robot, text: str,
            lock: AbstractContextManager[object] = nullcontext(),
            log: FaultLog | None = None):
        self.robot = robot
        self.text = text
        self.tree = KinematicTree(robot)
        self._lock = lock
        log = FaultLog() if log is None else log
        self.joints = JointStates(robot, JointStateReader(
            robot, log, make_plan=no_plan, deserialize=deserialize_joint_state))
        self._multi_dof = MultiDofStates(multi_dof_joints(robot), log)
        self._multi_dof_values: dict[str, float] = {}
        self._multi_dof_times: dict[str, float] = {}
        self._followers = [
            (name, mimic, robot.joints[name].limits) for name, mimic in self.tree.mimic.items()
            if robot.joints[name].type is not JointType.CONTINUOUS]
        self._stamp = 0
        self.loops = None
        if robot.loops:  # Most have none, and do without the solver.
            from urdf_tools.kinematics.loops.tracker import LoopMotion
            self.loops = LoopMotion(self.tree)

    def adopt(self, previous: LiveRobot) -> None:
        """Take over the states of the joints with the same names."""
        with self._lock:
            self.joints.adopt(previous.joints)
            self._multi_dof_values.update(previous._multi_dof_values)
            self._multi_dof_times.update(previous._multi_dof_times)
            self._stamp = previous._stamp

    def receive(self, data: bytes) -> None:
        """Keep the positions of a serialized joint state."""
        with self._lock:
            try:
                self._stamp, layout, positions = self.joints.reader.read(data)
            except ValueError:
                self.joints.faults['malformed'] += 1
            else:
                self.joints.keep(layout, positions, time.monotonic())

    def receive_multi_dof(self, message: MultiDOFJointState) -> None:
        """Keep the states of planar and floating joints."""
        with self._lock:
            for row, values in self._multi_dof.read(
                    message.joint_names, [from_transform(pose) for pose in message.transforms]
            ).items():
                names = variable_names(self._multi_dof.joints[row])
                self._multi_dof_values.update(zip(names, values.tolist()))
                self._multi_dof_times.update(dict.fromkeys(names, time.monotonic()))
                self._stamp = from_time(message.header.stamp)

    def configuration(self, given: Mapping[str, float] = MappingProxyType({})) -> Configuration:
        """
        Return the positions as given, else as received, else zero.

        Positions of joints in loops that are neither follow if the others determine them.

        A mimic joint follows the joint it mimics, whatever is given or received for it; who takes
        positions from users compares them with :meth:`follow`.

        :param given: variables of the :class:`KinematicTree` by name.
        """
        with self._lock:
            stamp = self._stamp
            values = {**self.joints.known(), **self._multi_dof_values, **given}
            times = {**dict(zip(self.joints.names, self.joints.times.tolist())),
                     **self._multi_dof_times}
        names = self.tree.variable_names
        known = {*values}
        used = [times[name] for name in names if name in values and name not in given]
        positions = self.tree.configuration({n: values[n] for n in names if n in values})
        opening = ''
        if self.loops is not None:
            with self._lock:
                positions, opening = self.loops.close(positions, values, given) if (
                    given) else self.loops.follow(positions, values)
                known = known | self.loops.known(values)
        missing = tuple(name for name in names if name not in known)
        return Configuration(
            positions, 0 if all(name in given for name in names) else stamp, missing,
            time.monotonic() - min(used) if used else 0.0, self._beyond(positions), opening)

    def stale(self, timeout: float) -> tuple[str, ...]:
        """Return the joints and variables that are older than ``timeout`` seconds; 0 is never."""
        now = time.monotonic()
        with self._lock:
            return (*self.joints.stale(now, timeout), *(
                name for name, arrival in self._multi_dof_times.items()
                if 0 < timeout < now - arrival))

    def follow(self, positions: Array, mimic: Mimic) -> float:
        """Return the position of a mimic joint at a configuration of the robot."""
        leader = float(positions[self.tree.variable_index[mimic.joint]])
        return mimic.multiplier * leader + mimic.offset

    def _beyond(self, positions: Array) -> tuple[str, ...]:
        tree = self.tree
        outside = (positions < tree.position_lower - TOLERANCE) | (
            positions > tree.position_upper + TOLERANCE)
        followers = (
            name for name, mimic, limits in self._followers if limits is not None and not (
                limits.lower - TOLERANCE <= self.follow(positions, mimic)
                <= limits.upper + TOLERANCE))
        return (*(tree.variable_names[index] for index in np.flatnonzero(outside)), *followers)


class RobotSubscription:
    """
    Follows ``robot_description``, ``joint_states`` and ``multi_dof_joint_states``.

    It also publishes diagnostics about them.

    :param tasks: further diagnostics, by the names of their statuses.
    :param on_robot: called with each new robot.
    :ivar live: the robot and its joint positions, or None before the first description.
    :ivar description_topic: full name of the topic of the description.
    :ivar loops_file: YAML file of loops in addition to those of the description, or empty.
    """

    def __init__(
            self, node: BaseNode, tasks: Mapping[str, Task] = MappingProxyType({}),
            on_robot: Callable[[LiveRobot], None] = lambda live: None):
        self.live: LiveRobot | None = None
        self._on_robot = on_robot
        # Joint states arrive in a thread of their own.
        self._lock = RLock()
        self._log = FaultLog()
        self._settings = Parameters(node)
        self.loops_file = self._settings.declare_loops_file()
        self._model = CurrentModel(self.loops_file)
        self._settings.declare_table('joint states')
        joint_states = JointStatesTask(
            lambda: self.live.joints if self.live else None, lambda: self.joint_timeout,
            lambda: self._joint_states.publishers)
        self._updater = Updater(node, {
            'Model': partial(model_status, self._model), 'Joint states': joint_states.run,
            **tasks}, self._lock)
        description = ModelSubscription(
            node, self._model, self._use, self._updater.publish,
            build=lambda robot, text: LiveRobot(robot, text, self._lock, self._log))
        self.description_topic = description.topic
        self._joint_states = RawSubscription(
            node, JointState, 'joint_states', self._receive, JOINT_STATES)
        node.create_subscription(
            MultiDOFJointState, 'multi_dof_joint_states', self._receive_multi_dof, JOINT_STATES)

    @property
    def joint_timeout(self) -> float:
        """Age in seconds above which joint states are stale; 0 is never."""
        return float(self._settings['joint_timeout'])

    def _use(self, live: LiveRobot) -> None:
        if self.live is not None:
            live.adopt(self.live)
        self._on_robot(live)
        self.live = live

    def _receive(self, joint_state: bytes) -> None:
        if self.live is not None:
            self.live.receive(joint_state)

    def _receive_multi_dof(self, state: MultiDOFJointState) -> None:
        if self.live is not None:
            self.live.receive_multi_dof(state)
