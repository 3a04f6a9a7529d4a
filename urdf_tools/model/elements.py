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
URDF elements to the records of :mod:`urdf_tools.model.robot`.

The only module that knows urdf_parser_py. That parser reads URDF 1.0 and expects it to be
right: it prints what it does not know, gives up at the first fault and knows no lines. So it
gets every element alone, as a copy that holds only what its own tables list and with each value
checked before. What came after URDF 1.0, and how elements hold together, is read from the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
import math
from typing import Any
from typing import TypeVar

from lxml import etree
from urdf_parser_py import urdf
from urdf_parser_py.xml_reflection import core

from urdf_tools.model.document import Element
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Box
from urdf_tools.model.robot import Calibration
from urdf_tools.model.robot import Capsule
from urdf_tools.model.robot import Collision
from urdf_tools.model.robot import Cylinder
from urdf_tools.model.robot import Dynamics
from urdf_tools.model.robot import Geometry
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Limits
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Material
from urdf_tools.model.robot import Mesh
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Pose
from urdf_tools.model.robot import Problem
from urdf_tools.model.robot import Quaternion
from urdf_tools.model.robot import Safety
from urdf_tools.model.robot import Sphere
from urdf_tools.model.robot import Transmission
from urdf_tools.model.robot import Visual
from urdf_tools.model.values import parse_number
from urdf_tools.model.values import parse_vector

Record = TypeVar('Record')

_SHAPES = {
    'box': (urdf.Box, Box),
    'cylinder': (urdf.Cylinder, Cylinder),
    'sphere': (urdf.Sphere, Sphere),
    'mesh': (urdf.Mesh, Mesh)}

_IDENTITY = Pose()

_BOUNDED = (JointType.REVOLUTE, JointType.PRISMATIC)

_LIMITS = ('lower', 'upper', 'effort', 'velocity', 'acceleration', 'deceleration', 'jerk')


class ElementReader:
    """
    Reads the elements of one description.

    What is unreadable inside a link or a joint is left out and noted in ``problems``; only
    what the tree of frames cannot do without raises.

    :param version: major and minor URDF version of the description.
    """

    def __init__(self, version: tuple[int, int]):
        self.version = version
        self.problems: list[Problem] = []

    def note(self, element: Element, message: str) -> None:
        """Note a problem with an element."""
        self.problems.append(Problem(message, element.path, element.line))

    def link(self, element: Element) -> Link:
        """
        Read a ``<link>``.

        :raises DescriptionError: it has no name.
        """
        return Link(
            name=_name(element),
            inertial=self._optional(self._inertial, element, 'inertial'),
            visuals=self._every(self._visual, element, 'visual'),
            collisions=self._every(self._collision, element, 'collision'),
            element=element)

    def joint(self, element: Element) -> Joint:
        """
        Read a ``<joint>``.

        :raises DescriptionError: it has no name, no known type, no parent or child, or its
            frame cannot be read.
        """
        name = _name(element)
        joint_type = _joint_type(element)
        return Joint(
            name=name,
            type=joint_type,
            parent=_get(_child(element, 'parent'), 'link'),
            child=_get(_child(element, 'child'), 'link'),
            origin=self._origin(element),
            axis=self._axis(element, joint_type),
            limits=self._limits(element, joint_type),
            mimic=self._optional(_mimic, element, 'mimic'),
            dynamics=self._optional(_dynamics, element, 'dynamics'),
            safety=self._optional(_safety, element, 'safety_controller'),
            calibration=self._optional(_calibration, element, 'calibration'),
            element=element)

    def material(self, element: Element) -> Material:
        """Read a ``<material>``, be it a definition or a mere reference by name."""
        color = self._optional(_color, element, 'color')
        texture = self._optional(_texture, element, 'texture')
        return Material(element.get('name', ''), color, texture, element)

    def transmission(self, element: Element) -> Transmission:
        """Read a ``<transmission>`` of the present form or of the PR2's."""
        kind = element.get('type') or (element.findtext('type') or '').strip()
        return Transmission(
            name=element.get('name', ''),
            type=kind,
            joints=_names(element, 'joint'),
            actuators=_names(element, 'actuator'),
            element=element)

    def _attempt(self, read: Callable[[Element], Record], element: Element) -> Record | None:
        try:
            return read(element)
        except DescriptionError as error:
            self.problems.append(Problem(error.message, error.element, error.line))
            return None

    def _optional(self, read, parent, tag):
        element = parent.find(tag)
        return None if element is None else self._attempt(read, element)

    def _every(self, read, parent, tag):
        records = [self._attempt(read, element) for element in parent.iterfind(tag)]
        return tuple(record for record in records if record is not None)

    def _inertial(self, element):
        return Inertial(
            mass=_number(_child(element, 'mass'), 'value'),
            **_attributes(urdf.Inertia, _child(element, 'inertia')),
            origin=self._origin(element),
            element=element)

    def _visual(self, element):
        return Visual(
            geometry=_geometry(_child(element, 'geometry')),
            origin=self._origin(element),
            name=element.get('name', ''),
            material=self._optional(self.material, element, 'material'),
            element=element)

    def _collision(self, element):
        return Collision(
            geometry=_geometry(_child(element, 'geometry')),
            origin=self._origin(element),
            name=element.get('name', ''),
            element=element)

    def _origin(self, parent):
        element = parent.find('origin')
        if element is None:
            return _IDENTITY
        pose = _attributes(urdf.Pose, element)
        xyz = pose.get('xyz', (0.0, 0.0, 0.0))
        if 'quat_xyzw' not in element.attrib:
            return Pose(xyz, _quaternion(*pose['rpy'])) if 'rpy' in pose else Pose(xyz)
        if self.version < (1, 1):
            self.note(element, 'quat_xyzw is ignored, as URDF before 1.1 does not know it')
            return Pose(xyz, _quaternion(*pose.get('rpy', (0.0, 0.0, 0.0))))
        if 'rpy' in pose:
            raise element.error('The origin has both rpy and quat_xyzw', 'Remove one of them')
        quaternion = _vector(element, 'quat_xyzw', 4)
        if not any(quaternion):
            self.note(element, 'quat_xyzw is all zero; no rotation is taken')
            return Pose(xyz)
        return Pose(xyz, _normalised(quaternion))

    def _axis(self, joint, joint_type):
        element = joint.find('axis')
        if element is None or joint_type in (JointType.FIXED, JointType.FLOATING):
            return Joint.axis
        if 'xyz' not in element.attrib:
            self.note(element, 'The axis has no xyz; 1 0 0 is taken')
            return Joint.axis
        axis = _vector(element, 'xyz', 3)
        if not any(axis):
            self.note(element, 'The axis has no direction, so the joint cannot move its link')
            return axis
        return _normalised(axis)

    def _limits(self, joint, joint_type):
        element = joint.find('limit')
        if element is None:
            if joint_type in _BOUNDED:
                self.note(joint, f'The joint is {joint_type.value} and has no <limit>')
            return None
        given = {name: self._attempt(partial(_number, name=name), element)
                 for name in _LIMITS if name in element.attrib}
        values = {'lower': -math.inf, 'upper': math.inf}
        if joint_type in _BOUNDED:
            values.update(dict.fromkeys(values.keys() - given.keys(), 0.0))
        values.update((name, value) for name, value in given.items() if value is not None)
        if values['lower'] > values['upper']:
            self.note(element, f'lower ({values["lower"]:g}) is above upper '
                               f'({values["upper"]:g}); the joint is taken to have neither')
        elif joint_type is not JointType.CONTINUOUS:
            return Limits(**values)
        return Limits(**{**values, 'lower': -math.inf, 'upper': math.inf})


def _attributes(kind: type[core.Object], element: Element) -> dict[str, Any]:
    """Return the attributes that an element has, as urdf_parser_py reads them."""
    known = kind.XML_REFL.attribute_map
    copy = etree.Element(element.tag)
    for name, attribute in known.items():
        if name in element.attrib:
            copy.set(name, _checked(element, name, attribute.value_type))
        elif attribute.required:
            raise element.error(f'<{element.tag}> has no {name}')
    try:
        read = kind.from_xml(copy, core.Path(element.tag))
    except Exception as error:  # The parser raises whatever it meets, bare Exception included.
        raise element.error(f'<{element.tag}> cannot be read: {error}') from error
    values = {name: getattr(read, known[name].var) for name in copy.attrib}
    return {name: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()}


def _checked(element, name, value_type):
    if isinstance(value_type, core.VectorType):
        _vector(element, name, int(value_type.count))
    elif value_type.type is float:
        _number(element, name)
    return element.attrib[name]


def _number(element: Element, name: str) -> float:
    return _parsed(element, name, parse_number)


def _vector(element: Element, name: str, n: int) -> tuple[float, ...]:
    return _parsed(element, name, lambda text: parse_vector(text, n))


def _parsed(element, name, parse):
    text = _get(element, name)
    try:
        return parse(text)
    except ValueError as reason:
        raise element.error(f'{name} of <{element.tag}> cannot be read: {reason}') from None


def _get(element: Element, name: str) -> str:
    text = element.get(name)
    if text is None:
        raise element.error(f'<{element.tag}> has no {name}')
    return text


def _child(element: Element, tag: str) -> Element:
    child = element.find(tag)
    if child is None:
        raise element.error(f'<{element.tag}> has no <{tag}>')
    return child


def _name(element):
    name = element.get('name')
    if not name:
        raise element.error(f'A {element.tag} has no name', f'Write <{element.tag} name="...">')
    return name


def _names(element, tag):
    return tuple(child.get('name', '') for child in element.iterfind(tag))


def _joint_type(element):
    text = element.get('type')
    try:
        return JointType(text)
    except ValueError:
        fault = 'has no type' if text is None else f'is of unknown type {quote(text)}'
        types = ', '.join(joint_type.value for joint_type in JointType)
        raise element.error(
            f'Joint {quote(element.attrib["name"])} {fault}',
            f'The types of URDF are {types}') from None


def _geometry(element: Element) -> Geometry:
    shape = next(iter(element), None)
    if shape is None:
        raise element.error('<geometry> has no shape in it')
    if shape.tag == 'capsule':
        return Capsule(_number(shape, 'radius'), _number(shape, 'length'))
    if shape.tag not in _SHAPES:
        raise shape.error(
            f'<{shape.tag}> is no shape of URDF',
            f'The shapes are {", ".join(_SHAPES)} and capsule')
    kind, record = _SHAPES[shape.tag]
    return record(**_attributes(kind, shape))


def _color(element):
    return _attributes(urdf.Color, element)['rgba']


def _texture(element):
    return _attributes(urdf.Texture, element)['filename']


def _mimic(element):
    return Mimic(**_attributes(urdf.JointMimic, element))


def _dynamics(element):
    return Dynamics(**_attributes(urdf.JointDynamics, element))


def _safety(element):
    values = _attributes(urdf.SafetyController, element)
    return Safety(**{name.removesuffix('_limit'): value for name, value in values.items()})


def _calibration(element):
    return Calibration(**_attributes(urdf.JointCalibration, element))


def _quaternion(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Return ``Rz(yaw) Ry(pitch) Rx(roll)``, rotations about fixed axes, as a quaternion."""
    sr, cr = math.sin(roll / 2), math.cos(roll / 2)
    sp, cp = math.sin(pitch / 2), math.cos(pitch / 2)
    sy, cy = math.sin(yaw / 2), math.cos(yaw / 2)
    return (
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy)


def _normalised(vector):
    """Return a vector at length one; scaled first, as squares of tiny numbers vanish."""
    largest = max(abs(component) for component in vector)
    scaled = [component / largest for component in vector]
    length = math.hypot(*scaled)
    return tuple(component / length for component in scaled)
