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

"""Actuators, from what commands the joints of a description, and sensors of ``<gazebo>``."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from math import atan
from math import degrees
from math import pi
from math import tan
from typing import Literal
from typing import NamedTuple
from xml.etree.ElementTree import Element as Node

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loop_reader import gazebo_pose
from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.importers import summed
from urdf_tools.programs.mjcf.bodies import Bodies
from urdf_tools.programs.mjcf.bodies import ranges
from urdf_tools.programs.mjcf.xml import add
from urdf_tools.programs.mjcf.xml import pose
from urdf_tools.programs.mjcf.xml import unique
from urdf_tools.programs.robot_parts import command_interfaces
from urdf_tools.programs.robot_parts import driven_joints
from urdf_tools.programs.tables import TABLES

_TAGS = TABLES['actuators of mjcf']
"""What actuators control, to the tags of those of MuJoCo and their gains."""

Kind = Literal['auto', 'position', 'velocity', 'effort', 'none']


class Actuator(NamedTuple):
    """
    An actuator of a joint.

    :ivar kind: of :data:`_TAGS`.
    :ivar element: where it is written; None if it is added.
    """

    joint: Joint
    kind: str
    element: Element | None


def actuators_of(robot: Robot, kind: Kind, losses: Losses) -> list[Actuator]:
    """
    Return the actuators that joints get, in the order of the joints of the tree.

    :param kind: what all of them control; ``auto`` for positions, unless ``<ros2_control>``
        commands something else.
    :param losses: gets what is left out.
    """
    driven, written = driven_joints(robot), dict(commands_of(robot))
    # Where all limits on efforts are zero or left out, they are not known.
    driven = driven or frozenset(
        name for name, joint in robot.joints.items()
        if joint.mimic is None and joint.type in (JointType.REVOLUTE, JointType.PRISMATIC))
    found = []
    for joint in robot.tree:
        if joint.name not in driven or kind == 'none':
            continue
        command, element = written.get(joint.name, ('', None))
        if element is not None and element.tag == 'transmission':
            command = 'position'  # Its interface is that of ROS 1, often effort.
        is_left = kind == 'auto' and bool(written) and not command
        if is_left or joint.type.dof > 1:
            losses.note('actuator', Impact.DROPS, joint.element,
                        '{joint} has no actuator, as nothing commands it' if is_left else
                        '{joint} has no actuator, as it has several degrees of freedom',
                        is_harmless=is_left)
            continue
        made = Actuator(joint, (command or 'position') if kind == 'auto' else kind, element)
        found.append(made if made.kind == command else made._replace(element=None))
    return found


def commands_of(robot: Robot) -> Iterator[tuple[str, tuple[str, Element]]]:
    """Yield joints and what commands them, the one that counts last; positions come first."""
    for transmission in robot.transmissions:
        if (element := transmission.element) is not None:
            texts = ' '.join(each.text or '' for each in element.iter('hardwareInterface'))
            kind = next((kind for kind in _TAGS if kind in texts.lower()), 'effort')
            for name in transmission.joints:
                yield name, (kind, element)
    for joint, interfaces in command_interfaces(robot):
        commanded = [kind for kind in _TAGS if kind in interfaces]
        if commanded:
            yield joint.get('name', ''), (commanded[0], joint)


def write_actuators(parent: Node, actuators: list[Actuator],
                    given: Mapping[str, Mapping[str, float]]) -> None:
    """
    Append actuators.

    :param given: settings of joints by name, with gains.
    """
    for each in actuators:
        tag, parameters = _TAGS[each.kind]
        limits = ranges(each.joint)
        add(parent, tag, {
            'name': each.joint.name, 'joint': each.joint.name,
            **{name: [given[each.joint.name][name]] for name in parameters},
            'ctrlrange': limits[each.kind],
            'forcerange': None if each.kind == 'effort' else limits['effort']})


def unused(robot: Robot, actuators: list[Actuator]) -> Iterator[Loss]:
    """Yield what is left out of the commands of a description, and limits that nothing keeps."""
    limited = {each.joint.name for each in actuators if each.kind == 'velocity'}
    unkept = [joint.element.find_tag('limit') for joint in robot.tree
              if joint.type.dof == 1 and joint.name not in limited and joint.element is not None
              and joint.limits is not None and joint.limits.velocity]
    yield from summed('limit', Impact.IGNORES, unkept, 'MuJoCo has no velocity limits: those '
                      'of {n:joint} are left out', hint='The controllers have to keep to them')
    used = {each.element: each for each in actuators if each.element is not None}
    for transmission in robot.transmissions:
        yield loss('transmission', Impact.IGNORES, transmission.element, '{transmission} acts at '
                   'its joint; its reduction and motor are left out'
                   if transmission.element in used else '{transmission} is left out',
                   is_harmless=True)
    for joint, interfaces in command_interfaces(robot):
        kind = used[joint].kind if joint in used else ''
        others = tuple(Name(name) for name in interfaces if name != kind)
        if others:
            yield loss('interface', Impact.IGNORES, joint, 'The command interfaces {others} of '
                       '{joint} are left out', others=others, is_harmless=bool(kind))


_SENSORS: Mapping[str, Mapping[str, str]] = TABLES['sensors of mujoco']
"""Types of sensors to the tags of those at a site of MuJoCo, by the ends of their names."""

_FORWARD = (0.5, -0.5, -0.5, 0.5)
"""The turn from Gazebo's camera, which looks along x with z up, to MuJoCo's, along -z."""


def write_sensors(sensor: Node, bodies: Bodies, losses: Losses) -> None:
    """Append sensors, with their sites and cameras in the bodies."""
    names = {site.get('name', '') for node in bodies.nodes.values()
             for site in node.findall('site')}
    for gazebo in bodies.robot.gazebo:
        link = gazebo.get('reference', '')
        if is_joint := link not in bodies.robot.links:
            joint = bodies.robot.joints.get(link)
            link = '' if joint is None else joint.child
        for element in gazebo.findall_tag('sensor'):
            kind = element.get('type', '').removeprefix('gz:').lower()
            name = unique(element.get('name') or kind, names)
            is_known = bool(link) and kind in _SENSORS
            if not is_known or is_joint != (kind == 'force_torque'):
                losses.note('sensor', Impact.DROPS, element, 'Sensor {name} of type {kind} is '
                            'left out', hint='' if is_known else 'MuJoCo has none',
                            name=Name(element.get('name', '')), kind=Name(kind))
                continue
            names |= {name, *(f'{name}_{suffix}' for suffix in _SENSORS[kind])}
            origin = _origin(element, name, losses)
            if kind == 'contact':
                add(sensor, kind, {'name': name, 'body1': bodies.names[link]})
            elif not _SENSORS[kind]:
                _write_camera(bodies.nodes[link], name, element, origin)
            else:
                add(bodies.nodes[link], 'site', {'name': name, **pose(origin)})
            for suffix, tag in _SENSORS[kind].items():
                add(sensor, tag, {'name': f'{name}_{suffix}', **(
                    {'objtype': 'site', 'objname': name} if suffix == 'quat' else {'site': name})})
            losses.note('sensor', Impact.IGNORES, element, 'The rate, the noise and the topic of '
                        'sensor {name} are left out', name=Name(name), is_harmless=True)


def _origin(sensor: Element, name: str, losses: Losses) -> Pose:
    """Return the pose of a sensor in its link, the same where it cannot be read."""
    pose = sensor.find_tag('pose')
    try:
        return Pose() if pose is None else gazebo_pose(pose)
    except DescriptionError as error:
        losses.note('sensor', Impact.CHANGES, pose, 'Sensor {name} is at the frame of its link: '
                    '{problem}', name=Name(name), problem=FreeText(error.message))
        return Pose()


def _write_camera(node: Node, name: str, element: Element, origin: Pose) -> None:
    width, height, across = (
        _number(element, f'camera/{path}', default) for path, default in (
            ('image/width', 0.0), ('image/height', 0.0), ('horizontal_fov', 1.047)))
    is_known = width > 0 and height > 0 and 0 < across < pi
    turned = quaternion_product(origin.quaternion, _FORWARD)
    add(node, 'camera', {
        'name': name, **pose(Pose(origin.xyz, tuple(turned.tolist()))),
        'fovy': [degrees(2 * atan(tan(across / 2) * height / width)) if is_known else 45.0]})


def _number(element: Element, path: str, default: float) -> float:
    """Return the first number in a descendant; the default where a word there is not one."""
    try:
        return [*map(parse_number, element.findtext(path, '').split()), default][0]
    except ValueError:
        return default
