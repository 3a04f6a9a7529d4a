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

from urdf_tools.findings.finding import Severity
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.monitoring.graph import in_namespace
from urdf_tools.monitoring.graph import node_list
from urdf_tools.monitoring.graph import parent_of
from urdf_tools.monitoring.graph_rules import Disorder
from urdf_tools.monitoring.graph_rules import in_category
from urdf_tools.monitoring.observation import Controller
from urdf_tools.monitoring.observation import ControllerManager
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.observation import ObservedRobot
from urdf_tools.monitoring.robots import description_topics

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('control')


def declared(
        robot: Robot, kind: str,
        parts: Collection[str] = ('joint', 'gpio', 'sensor')) -> dict[str, list[str]]:
    """
    Return the interfaces in the ``<ros2_control>`` of a description.

    :param kind: ``command_interface`` or ``state_interface``.
    :param parts: tags of what they are of.
    :return: name of each part to its interfaces, such as ``joint1/position``.
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


def _controlled(seen: Observation) -> Iterator[tuple[ObservedRobot, list[ControllerManager]]]:
    """Yield each robot with its controller managers, if all of them have answered."""
    for robot in seen.robots:
        managers = [manager for manager in seen.managers if _controls(seen, manager, robot)]
        if managers and not any(manager.silent for manager in managers):
            yield robot, managers


def _controls(seen: Observation, manager: ControllerManager, robot: ObservedRobot) -> bool:
    """Tell whether a manager takes its description from that of a robot, or is beside it."""
    used = [topic for topic in description_topics(seen.graph)
            if any(end.node == manager.node for end in seen.graph.subscribers.get(topic, ()))]
    if used:
        return robot.topic in used
    return len(seen.robots) == 1 or parent_of(robot.topic) == parent_of(manager.node)


@rule('control-not-checked', INFO,
      hint='Install it beside urdf_tools, such as ros-kilted-controller-manager-msgs with apt',
      example='The doctor runs on a workstation without ros2_control.')
def control_not_checked(seen: Observation) -> Iterator[Disorder]:
    """Check that controller managers can be asked, for which their interfaces are needed."""
    if seen.unasked:
        yield Disorder(
            '', f'The controllers of {node_list(seen.unasked)} are not checked, because '
            'controller_manager_msgs is not installed here', seen.unasked)


@rule('control-manager-silent', WARN,
      hint='See whether "ros2 control list_controllers" answers; it may hang, or have been built '
           'with another version of controller_manager_msgs',
      example='The hardware is waited for in a callback of the controller manager.')
def control_manager_silent(seen: Observation) -> Iterator[Disorder]:
    """
    Check that controller managers answer.

    The other rules about ros2_control are not applied to the robot of one that does not.
    """
    for manager in seen.managers:
        if manager.silent:
            yield Disorder(
                in_namespace(manager.node, manager.silent),
                f'{manager.node} does not answer to {manager.silent}', (manager.node,))


@rule('control-interface-missing', ERROR,
      hint='Add the interface to the <ros2_control> of the description, or correct the '
           'parameters of the controller',
      example='A controller is configured for "wrist", which the description calls "wrist_1".')
def control_interface_missing(seen: Observation) -> Iterator[Disorder]:
    """
    Check that the interfaces that controllers need exist.

    Such a controller cannot be activated.
    """
    for robot, managers in _controlled(seen):
        for manager in managers:
            for what, existing in (
                    ('required', manager.interfaces or _all(robot.robot, 'command_interface')),
                    ('required_states', manager.states or _all(robot.robot, 'state_interface'))):
                yield from _missing(robot, manager, what, existing)


def _missing(robot: ObservedRobot, manager: ControllerManager, what: str,
             existing: tuple[str, ...]) -> Iterator[Disorder]:
    known = frozenset(existing)
    chained = _chained(manager.controllers)
    for controller in manager.controllers:
        needed: tuple[str, ...] = getattr(controller, what)
        missing = [name for name in needed
                   if name not in known and not name.startswith(chained)]
        if missing:
            yield Disorder(
                robot.topic, f'Controller {quote(controller.name)} of {manager.node} '
                f'needs {count(len(missing), "interface")} that '
                f'{"does" if len(missing) == 1 else "do"} not exist: {name_list(missing)}',
                (manager.node,), did_you_mean(missing[0], existing), subject=controller.name)


def _all(robot: Robot, kind: str) -> tuple[str, ...]:
    return tuple(name for names in declared(robot, kind).values() for name in names)


def _chained(controllers: Iterable[Controller]) -> tuple[str, ...]:
    """Return what the names of interfaces begin with that controllers export to others."""
    return tuple(f'{controller.name}/' for controller in controllers)


@rule('control-interface-unused', WARN,
      hint='Load and activate a controller for them',
      example='The gripper controller was loaded, and never activated.')
def control_interface_unused(seen: Observation) -> Iterator[Disorder]:
    """
    Check that an active controller commands each joint that has command interfaces.

    For those of a gpio, which are commanded now and then, a controller that is not active is
    enough. Joints that mimic another one follow it.
    """
    for robot, managers in _controlled(seen):
        controllers = [controller for manager in managers for controller in manager.controllers]
        needed = {name for controller in controllers
                  for name in (*controller.claimed, *controller.required)}
        active = {name for controller in controllers if controller.state == 'active'
                  for name in (*controller.claimed, *controller.required)}
        mimics = {joint.name for joint in robot.robot.joints.values() if joint.mimic is not None}
        idle = [part for tag, used in (('joint', active), ('gpio', needed))
                for part, names in declared(robot.robot, 'command_interface', (tag,)).items()
                if names and not used.intersection(names) and part not in mimics]
        if idle:
            inactive = [f'{controller.name} is {controller.state}'
                        for controller in controllers if controller.state != 'active']
            state = f'; {name_list(inactive)}' if inactive else ''
            nodes = tuple(manager.node for manager in managers)
            yield Disorder(
                robot.topic, f'No active controller of {node_list(nodes)} commands '
                f'{name_list(idle)}{state}', nodes)


@rule('control-joint-left-out', INFO,
      hint='Add them to the <ros2_control> of the description if a motor moves them',
      example='A joint was added to the arm, and not to its <ros2_control>.')
def control_joint_left_out(seen: Observation) -> Iterator[Disorder]:
    """Check that each joint of the model that moves by itself is known to ros2_control."""
    for robot, managers in _controlled(seen):
        known = {*declared(robot.robot, 'command_interface'),
                 *(name for manager in managers for name in _parts(manager.controllers))}
        left = [joint.name for joint in moving_joints(robot.robot)
                if joint.mimic is None and joint.name not in known]
        if left:
            nodes = tuple(manager.node for manager in managers)
            yield Disorder(
                robot.topic, f'{count(len(left), "joint")} of robot {quote(robot.robot.name)} '
                f'{"is" if len(left) == 1 else "are"} neither in its <ros2_control> nor in a '
                f'controller of {node_list(nodes)}: {name_list(left)}', nodes)


def _parts(controllers: Iterable[Controller]) -> Iterator[str]:
    """Yield the parts whose interfaces controllers need, such as joints."""
    for controller in controllers:
        for name in (*controller.required, *controller.required_states):
            part = name.rpartition('/')[0]
            yield part
            # An interface that another controller exports begins with the name of that one.
            yield part.partition('/')[2]
