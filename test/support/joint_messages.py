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

"""Joint states as a node receives them."""

from collections.abc import Sequence

from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from urdf_tools import loads
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import JointStateReader
from urdf_tools.messages.joint_state_reader import no_plan
from urdf_tools.ros.joint_states import JointStates


def joint_states(description: str, log: FaultLog | None = None) -> JointStates:
    """Return the joint states of a robot."""
    robot = loads(description)
    return JointStates(robot, JointStateReader(robot, log, make_plan=no_plan))


def joint_state(
        names: Sequence[str], positions: Sequence[float] = (), velocities: Sequence[float] = (),
        efforts: Sequence[float] = ()) -> JointState:
    """Return a message."""
    return JointState(name=[*names], position=positions, velocity=velocities, effort=efforts)


def receive(
        joints: JointStates, names: Sequence[str], positions: Sequence[float],
        time: float) -> None:
    """Let a message arrive at a time."""
    message = JointState(name=names, position=[float(position) for position in positions])
    _, layout, values = joints.reader.read(bytes(serialize_message(message)))
    joints.keep(layout, values, time)
