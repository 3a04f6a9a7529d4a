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


"""Rules about ros2_control: its controllers, and the interfaces that the description has."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.monitoring.graph import parent_of
from urdf_tools.monitoring.graph_rules import Disorder
from urdf_tools.monitoring.graph_rules import in_category
from urdf_tools.monitoring.observation import ControllerManager
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.observation import ObservedRobot
from urdf_tools.validation.finding import Severity

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('control')


def declared(robot: Robot, kind: str) -> dict[str, list[str]]:
    """
    Return the interfaces in the ``<ros2_control>`` of a description.

    :param kind: ``command_interface`` or ``state_interface``.
    :return: name of each part to its interfaces, such as ``joint1/position``.
    """
    parts: dict[str, list[str]] = {}
    for system in robot.extensions:
        if system.tag != 'ros2_control':
            continue
        for part in system:
            name = part.get('name')
            if part.tag in ('joint', 'gpio', 'sensor') and name:
                parts.setdefault(name, []).extend(
                    f'{name}/{interface.get("name", "")}' for interface in part
                    if interface.tag == kind)
    return parts


def _pairs(seen: Observation) -> Iterator[tuple[ObservedRobot, ControllerManager]]:
    """Yield each controller manager with the robot that it controls."""
    for manager in seen.managers:
        for robot in seen.robots:
            if len(seen.robots) == 1 or parent_of(robot.topic) == parent_of(manager.node):
                yield robot, manager


@rule('control-interface-missing', ERROR,
      hint='Add the interface to the <ros2_control> of the description, or correct the '
           'parameters of the controller',
      example='A controller is configured for "wrist", which the description calls "wrist_1".')
def control_interface_missing(seen: Observation) -> Iterator[Disorder]:
    """
    Check that the interfaces that controllers need exist.

    Such a controller cannot be activated.
    """
    for robot, manager in _pairs(seen):
        for what, existing in (
                ('required', manager.interfaces or _all(robot.robot, 'command_interface')),
                ('required_states', manager.states or _all(robot.robot, 'state_interface'))):
            for controller in manager.controllers:
                chained = tuple(f'{other.name}/' for other in manager.controllers)
                needed: tuple[str, ...] = getattr(controller, what)
                missing = tuple(name for name in needed
                                if name not in existing and not name.startswith(chained))
                if missing:
                    yield Disorder(
                        robot.topic, f'Controller {quote(controller.name)} of {manager.node} '
                        f'needs {count(len(missing), "interface")} that '
                        f'{"does" if len(missing) == 1 else "do"} not exist: '
                        f'{name_list(missing)}', (manager.node,),
                        did_you_mean(missing[0], existing))


def _all(robot: Robot, kind: str) -> tuple[str, ...]:
    return tuple(name for names in declared(robot, kind).values() for name in names)


@rule('control-interface-unused', WARN,
      hint='Load and activate a controller for them',
      example='The gripper controller was loaded, and never activated.')
def control_interface_unused(seen: Observation) -> Iterator[Disorder]:
    """Check that an active controller commands each joint that has command interfaces."""
    for robot, manager in _pairs(seen):
        used = {name for controller in manager.controllers if controller.state == 'active'
                for name in (*controller.claimed, *controller.required)}
        idle = [part for part, names in declared(robot.robot, 'command_interface').items()
                if names and not used.intersection(names)]
        if idle:
            inactive = [f'{controller.name} is {controller.state}'
                        for controller in manager.controllers if controller.state != 'active']
            state = f'; {name_list(inactive)}' if inactive else ''
            yield Disorder(
                robot.topic, f'No active controller of {manager.node} commands '
                f'{name_list(idle)}{state}', (manager.node,))


@rule('control-joint-left-out', INFO,
      hint='Add them to the <ros2_control> of the description if a motor moves them',
      example='A joint was added to the arm, and not to its <ros2_control>.')
def control_joint_left_out(seen: Observation) -> Iterator[Disorder]:
    """Check that ros2_control knows each joint of the model that moves by itself."""
    for robot, manager in _pairs(seen):
        known = {name for kind in ('command_interface', 'state_interface')
                 for name in declared(robot.robot, kind)}
        known.update(name.partition('/')[0] for controller in manager.controllers
                     for name in (*controller.required, *controller.required_states))
        left = [joint.name for joint in moving_joints(robot.robot)
                if joint.mimic is None and joint.name not in known]
        if left:
            yield Disorder(
                robot.topic, f'{count(len(left), "joint")} of robot {quote(robot.robot.name)} '
                f'{"is" if len(left) == 1 else "are"} neither in its <ros2_control> nor in a '
                f'controller of {manager.node}: {name_list(left)}', (manager.node,))
