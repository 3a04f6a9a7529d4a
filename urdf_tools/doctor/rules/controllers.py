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

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from typing import Any

from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import parent_of
from urdf_tools.doctor.graph_rules import ERROR
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import INFO
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import Controller
from urdf_tools.doctor.observation import ControllerManager
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.robots import description_topics
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.model.grouping import grouped
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import closest

rule = GRAPH_RULES.in_category('control')


def declared(robot: Robot, kind: str,
             parts: Collection[str] = ('joint', 'gpio', 'sensor')) -> dict[str, list[str]]:
    """
    Return the interfaces in the ``<ros2_control>`` of a description.

    :param kind: ``command_interface`` or ``state_interface``.
    :param parts: tags of the components that count.
    :return: name of each component to its interfaces, such as ``joint1/position``.
    """
    found: dict[str, list[str]] = {}
    for system in robot.extensions:
        if system.tag != 'ros2_control':
            continue
        for part in system:
            name = part.get('name')
            if part.tag in parts and name:
                found.setdefault(name, []).extend(
                    f'{name}/{interface.get("name", "")}' for interface in part
                    if interface.tag == kind)
    return found


def _controlled(
        observation: Observation) -> Iterator[tuple[ObservedRobot, list[ControllerManager]]]:
    """Yield each robot with its controller managers, if all of them have responded."""
    for robot in observation.robots:
        managers = [manager for manager in observation.managers
                    if _controls(observation, manager, robot)]
        if managers and not any(manager.silent for manager in managers):
            yield robot, managers


def _controls(observation: Observation, manager: ControllerManager, robot: ObservedRobot) -> bool:
    """Return whether a manager subscribes to the description of a robot, or is beside it."""
    used = [topic for topic in description_topics(observation.graph)
            if manager.node in observation.graph.subscribing(topic)]
    if used:
        return robot.topic in used
    return len(observation.robots) == 1 or parent_of(robot.topic) == parent_of(manager.node)


@rule('control-not-checked', INFO)
def control_not_checked(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that controllers can be checked.

    Controller managers are asked with the services of controller_manager_msgs.

    Example: The doctor runs on a workstation without ros2_control.
    """
    if observation.unasked:
        yield GraphDefect(
            '', 'The controllers of {nodes:and} are not checked, because controller_manager_msgs '
            'is not installed here', sorted(observation.unasked))


@rule('control-manager-silent', WARN)
def control_manager_silent(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that controller managers respond.

    Without a response, the other rules about ros2_control are not applied to their robot.

    Example: A callback of the controller manager blocks until the hardware is there.
    """
    for manager in observation.managers:
        if manager.silent:
            yield GraphDefect(
                in_namespace(manager.node, manager.silent),
                '{nodes} does not respond to {service}', (manager.node,), service=manager.silent)


@rule('control-interface-missing', ERROR)
def control_interface_missing(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the interfaces that controllers require exist.

    Without them, a controller cannot be activated.

    Example: A controller is configured for "wrist", but the joint is called "wrist_1".
    """
    for robot, managers in _controlled(observation):
        for manager in managers:
            for kind, existing in (('command', manager.interfaces), ('state', manager.states)):
                listed = declared(robot.robot, f'{kind}_interface').values()
                yield from _missing(robot, manager, kind, existing or sum(listed, []))


def _missing(robot: ObservedRobot, manager: ControllerManager, kind: str,
             existing: Collection[str]) -> Iterator[GraphDefect]:
    known = frozenset(existing)
    # Controllers export interfaces to others.
    chained = tuple(f'{controller.name}/' for controller in manager.controllers)
    for controller in manager.controllers:
        required = controller.required if kind == 'command' else controller.required_states
        missing = tuple(
            name for name in required if name not in known and not name.startswith(chained))
        if missing:
            yield GraphDefect(
                robot.topic, 'Controller {controller} of {nodes} requires ' + (
                    '{interfaces:nonexistent command interface}: {interfaces}'
                    if kind == 'command' else
                    '{interfaces:nonexistent state interface}: {interfaces}'), (manager.node,),
                suggestion=closest(missing[0], existing), subject=controller.name,
                controller=Name(controller.name), kind=kind, interfaces=missing)


@rule('control-interface-unused', WARN)
def control_interface_unused(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that an active controller commands each joint that has command interfaces.

    For a gpio, which is commanded now and then, a controller that is not active is enough. A joint
    that mimics another one follows it.

    Example: The gripper controller was loaded, but never activated.
    """
    for robot, managers in _controlled(observation):
        controllers = [controller for manager in managers for controller in manager.controllers]
        needed = {name for controller in controllers
                  for name in (*controller.claimed, *controller.required)}
        active = {name for controller in controllers if controller.state == 'active'
                  for name in (*controller.claimed, *controller.required)}
        mimics = {joint.name for joint in robot.robot.joints.values() if joint.mimic is not None}
        idle = tuple(
            part for tag, used in (('joint', active), ('gpio', needed))
            for part, names in declared(robot.robot, 'command_interface', (tag,)).items()
            if names and not used.intersection(names) and part not in mimics)
        if idle:
            loaded: dict[str, Any] = grouped(
                (controller.state, controller.name) for controller in controllers
                if controller.state in ('inactive', 'unconfigured'))
            yield GraphDefect(
                robot.topic, 'No active controller of {nodes:and} commands {components}'
                + ('; inactive: {inactive}' if 'inactive' in loaded else '')
                + ('; unconfigured: {unconfigured}' if 'unconfigured' in loaded else ''),
                sorted(manager.node for manager in managers), components=idle, **loaded)


@rule('control-joint-left-out', INFO)
def control_joint_left_out(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that each joint that moves and mimics no other is known to ros2_control.

    Example: A joint was added to the arm, but not to its <ros2_control>.
    """
    for robot, managers in _controlled(observation):
        known = {*declared(robot.robot, 'command_interface'),
                 *(name for manager in managers for name in _parts(manager.controllers))}
        left = tuple(joint.name for joint in moving_joints(robot.robot)
                     if joint.mimic is None and joint.name not in known)
        if left:
            yield GraphDefect(
                robot.topic, 'Robot {robot} has {joints:joint} that neither its <ros2_control> '
                'nor a controller of {nodes:and} uses: {joints}',
                sorted(manager.node for manager in managers), robot=Name(robot.robot.name),
                joints=left)


def _parts(controllers: Iterable[Controller]) -> Iterator[str]:
    """Yield the components whose interfaces controllers require, such as joints."""
    for controller in controllers:
        for name in (*controller.required, *controller.required_states):
            part = name.rpartition('/')[0]
            yield part
            # An interface that another controller exports begins with the name of that one.
            yield part.partition('/')[2]
