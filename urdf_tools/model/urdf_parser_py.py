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

"""
Conversion of robots from and to the objects of urdf_parser_py.

Programs that were written for urdf_parser_py go on with a robot that was loaded here, and robots
that they make can be used here. urdf_parser_py is imported with this module only.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
import copy
import math
from typing import Any
from xml.etree import ElementTree

from urdf_parser_py import urdf
from urdf_parser_py.xml_reflection import core
from urdf_parser_py.xml_reflection.basics import etree
from urdf_parser_py.xml_reflection.basics import node_add
from urdf_parser_py.xml_reflection.basics import xml_string

from urdf_tools.model.element_reader import BOUNDED
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.pose import normalized
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.pose import Vector3
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import Material
from urdf_tools.model.records import Visual
from urdf_tools.model.robot import Calibration
from urdf_tools.model.robot import Dynamics
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Limits
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import Safety
from urdf_tools.model.robot import Transmission
from urdf_tools.model.values import parse_number
from urdf_tools.model.values import read_vector
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.element import Element


def from_urdf_parser_py(robot: urdf.Robot) -> Robot:
    """
    Return the robot that objects of urdf_parser_py describe; the objects stay as they are.

    What is in the lists ``links``, ``joints``, ``visuals`` and so on counts, however it came
    there; ``to_xml_string()`` of urdf_parser_py leaves out what was appended to them or set as
    ``link.visual``. Attributes that are None are missing. Bounds of fixed, planar and floating
    joints that are both zero are those that urdf_parser_py sets if there are none, and are left
    out.

    :param robot: a ``urdf_parser_py.urdf.Robot``.
    :raises DescriptionError: the objects are not a tree of named links and joints.
    """
    root = urdf.Robot(robot.name).to_xml()
    _write(root, robot)
    for joint in root.iterfind('joint'):
        limit = joint.find('limit')
        if limit is not None and joint.get('type') not in BOUNDED and all(
                limit.get(name, '0.0') in ('0.0', '-0.0') for name in ('lower', 'upper')):
            for name in ('lower', 'upper'):
                limit.attrib.pop(name, None)
    try:
        return build_robot(read_document(xml_string(root)))
    except DescriptionError as error:
        error.line = error.column = None  # They refer to a text that the user has not seen.
        raise


def to_urdf_parser_py(robot: Robot) -> urdf.Robot:
    """
    Return a robot as objects of urdf_parser_py, with the values that it reads from a file.

    It cannot hold, and so the objects do not have:

    - names of visuals and collisions, capsules, and the limits of acceleration, deceleration and
      jerk;
    - elements below ``<robot>`` other than links, joints, materials, transmissions and
      ``<gazebo>``, and the version, which is 1.0;
    - the difference between a value that is missing and its default: poses, axes and scales of
      meshes are always there, and soft limits and edges of calibration are 0 if they are missing,
      and so are bounds of joints that have none; the axis of a fixed or floating joint is 1 0 0.

    An effort or velocity that is missing is None, though ``to_xml_string()`` wants one.
    """
    made = urdf.Robot(robot.name)
    for material in robot.materials.values():
        made.add_aggregate('material', _material(material, urdf.Material))
    for link in robot.links.values():
        made.add_link(_link(link))
    for joint in robot.joints.values():
        made.add_joint(_joint(joint))
    for transmission in robot.transmissions:
        made.add_aggregate('transmission', _transmission(transmission))
    for element in _gazebo(robot):
        made.add_aggregate('gazebo', element)
    return made


def _write(node: Any, thing: Any) -> None:
    """Write an object into an XML element, by the tables of urdf_parser_py."""
    for attribute in thing.XML_REFL.attributes:
        value = getattr(thing, attribute.var)
        if value is not None:
            node.set(attribute.xml_var, _text(value))
    for child in thing.XML_REFL.scalars:
        value = getattr(thing, child.var)
        if value is not None:
            _write_child(node, child, value)
    for children in thing.XML_REFL.aggregates:
        for value in getattr(thing, children.var):
            _write_child(node, children, value)


def _write_child(parent: Any, child: core.Element, value: Any) -> None:
    kind = child.value_type
    if isinstance(kind, core.RawType):
        # An element moves where it is appended.
        parent.append(copy.deepcopy(value))
        return
    node = node_add(parent, child.xml_var)
    if isinstance(kind, urdf.GeometricType):
        _write(node_add(node, kind.factory.get_name(value)), value)
    elif isinstance(kind, core.SimpleElementType):
        node.set(kind.attribute, _text(value))
    elif isinstance(value, core.Object):
        _write(node, value)
    else:
        node.text = _text(value)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return ' '.join(map(_text, value)) if isinstance(value, Iterable) else repr(float(value))


def _link(link: Link) -> urdf.Link:
    made = urdf.Link(link.name, inertial=_inertial(link.inertial))
    for visual in link.visuals:
        if not isinstance(visual.geometry, Capsule):
            made.add_aggregate('visual', urdf.Visual(
                _geometry(visual.geometry), _material(visual.material, urdf.LinkMaterial),
                _pose(visual)))
    for collision in link.collisions:
        if not isinstance(collision.geometry, Capsule):
            made.add_aggregate('collision', urdf.Collision(
                _geometry(collision.geometry), _pose(collision)))
    return made


def _inertial(inertial: Inertial | None) -> urdf.Inertial | None:
    return None if inertial is None else urdf.Inertial(
        inertial.mass, urdf.Inertia(
            inertial.ixx, inertial.ixy, inertial.ixz, inertial.iyy, inertial.iyz, inertial.izz),
        _pose(inertial))


def _geometry(geometry: Geometry) -> Any:
    values = {name: list(value) if isinstance(value, tuple) else value
              for name, value in vars(geometry).items()}
    return getattr(urdf, type(geometry).__name__)(**values)


def _material(material: Material | None, kind: type) -> Any:
    return None if material is None else kind(
        material.name,
        None if material.rgba is None else urdf.Color(list(material.rgba)),
        None if material.texture is None else urdf.Texture(material.texture))


def _joint(joint: Joint) -> urdf.Joint:
    return urdf.Joint(
        joint.name, joint.parent, joint.child, joint.type.value, list(_axis(joint)), _pose(joint),
        None if joint.limits is None else _limit(joint.limits, joint.type),
        _made(urdf.JointDynamics, joint.dynamics), _made(urdf.SafetyController, joint.safety),
        _made(urdf.JointCalibration, joint.calibration), _made(urdf.JointMimic, joint.mimic))


def _made(kind: type, record: Dynamics | Safety | Calibration | Mimic | None) -> Any:
    """Return an object with the values of a record, which are in the same order."""
    return record and kind(*(0.0 if value is None else value for value in vars(record).values()))


def _limit(limits: Limits, joint_type: JointType) -> urdf.JointLimit:
    lower, upper = (
        value if joint_type in BOUNDED or math.isfinite(value) else 0.0
        for value in (limits.lower, limits.upper))
    return urdf.JointLimit(limits.effort, limits.velocity, lower, upper)


def _axis(joint: Joint) -> Vector3:
    """Return the axis of a joint as written, if the element still matches the record."""
    element = None if joint.element is None else joint.element.find('axis')
    if element is not None and 'xyz' in element.attrib and any(joint.axis):
        x, y, z = read_vector(element, 'xyz', 3)
        if any((x, y, z)) and normalized((x, y, z)) == joint.axis:
            return x, y, z
    return joint.axis


def _pose(thing: Visual | Collision | Inertial | Joint) -> urdf.Pose:
    pose = thing.origin
    return urdf.Pose(list(pose.xyz), list(_rpy(pose, thing.element)))


def _rpy(pose: Pose, element: Element | None) -> Vector3:
    """Return roll, pitch and yaw as written, if they still match the pose."""
    origin = None if element is None else element.find('origin')
    if origin is not None and 'rpy' in origin.attrib:
        roll, pitch, yaw = read_vector(origin, 'rpy', 3)
        if quaternion_from_rpy(roll, pitch, yaw) == pose.quaternion:
            return roll, pitch, yaw
    return rpy_of(pose.rotation)


def _transmission(transmission: Transmission) -> Any:
    element = transmission.element
    if element is not None and 'type' in element.attrib and (
            len(transmission.joints) == len(transmission.actuators) == 1):
        return urdf.PR2Transmission(
            transmission.name, *transmission.joints, *transmission.actuators, transmission.type,
            _reduction(element))
    made = urdf.Transmission(transmission.name)
    made.type = transmission.type
    for name, written in _written(element, 'joint', transmission.joints):
        joint = urdf.TransmissionJoint(name)
        for interface in written.iterfind('hardwareInterface'):
            joint.add_aggregate('hardwareInterface', interface.text or '')
        made.add_aggregate('joint', joint)
    for name, written in _written(element, 'actuator', transmission.actuators):
        actuator = urdf.Actuator(name)
        actuator.mechanicalReduction = _reduction(written)
        made.add_aggregate('actuator', actuator)
    return made


def _written(element: Element | None, tag: str,
             names: Iterable[str]) -> Iterator[tuple[str, ElementTree.Element]]:
    """Yield names with their elements in a transmission; an empty element if there is none."""
    elements = {} if element is None else {
        child.get('name', ''): child for child in element.iterfind(tag)}
    for name in names:
        yield name, elements.get(name, ElementTree.Element(tag))


def _reduction(element: ElementTree.Element) -> float | None:
    """Return the mechanical reduction in an element; None if there is no number."""
    try:
        return parse_number(element.findtext('mechanicalReduction', ''))
    except ValueError:
        return None


def _gazebo(robot: Robot) -> Any:
    """Return the ``<gazebo>`` elements as lxml elements, as urdf_parser_py stores them."""
    declared = {} if robot.element is None else {
        name: uri for name, uri in robot.element.attrib.items() if name.startswith('xmlns:')}
    root = ElementTree.Element('robot', declared)
    root.extend(robot.gazebo)
    # Real descriptions have prefixes that they do not declare.
    return list(etree.fromstring(
        ElementTree.tostring(root, encoding='unicode'), etree.XMLParser(recover=True)))
