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

"""Convert URDF elements to the records of :mod:`urdf_tools.model.robot`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
import math
from typing import Any
from typing import TypeVar

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import normalized
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.pose import Vector3
from urdf_tools.model.records import Box
from urdf_tools.model.records import Calibration
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Dynamics
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import INERTIA
from urdf_tools.model.records import Inertial
from urdf_tools.model.records import Joint
from urdf_tools.model.records import JointType
from urdf_tools.model.records import Limits
from urdf_tools.model.records import Link
from urdf_tools.model.records import Material
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Mimic
from urdf_tools.model.records import Problem
from urdf_tools.model.records import Rgba
from urdf_tools.model.records import Safety
from urdf_tools.model.records import Sphere
from urdf_tools.model.records import Transmission
from urdf_tools.model.records import UNLIMITED
from urdf_tools.model.records import Visual
from urdf_tools.model.values import read_attributes
from urdf_tools.model.values import read_number
from urdf_tools.model.values import read_text
from urdf_tools.model.values import read_vector
from urdf_tools.model.values import TEXT
from urdf_tools.model.xml.element import Element

Record = TypeVar('Record')

_RECORDS: dict[str, tuple[Callable[..., Any], dict[str, int], dict[str, int]]] = {
    'box': (Box, {'size': 3}, {}),
    'cylinder': (Cylinder, {'radius': 1, 'length': 1}, {}),
    'sphere': (Sphere, {'radius': 1}, {}),
    'mesh': (Mesh, {'filename': TEXT}, {'scale': 3}),
    'capsule': (Capsule, {'radius': 1, 'length': 1}, {}),
    'mimic': (Mimic, {'joint': TEXT}, {'multiplier': 1, 'offset': 1}),
    'dynamics': (Dynamics, {}, {'damping': 1, 'friction': 1}),
    'safety_controller': (Safety, {'k_velocity': 1}, {
        'k_position': 1, 'soft_lower_limit': 1, 'soft_upper_limit': 1}),
    'calibration': (Calibration, {}, {'rising': 1, 'falling': 1})}
"""Constructor and attributes of each record that is written as a single element."""

_SHAPES = ('box', 'cylinder', 'sphere', 'mesh', 'capsule')

_INERTIA = dict.fromkeys(INERTIA, 1)

_IDENTITY = Pose()

_JOINT_TYPES = {joint_type.value: joint_type for joint_type in JointType}

BOUNDED = (JointType.REVOLUTE, JointType.PRISMATIC)

_LIMITS = ('lower', 'upper', 'effort', 'velocity', 'acceleration', 'deceleration', 'jerk')


class ElementReader:
    """
    Reads the elements of one description.

    Invalid parts of a link or joint are left out and noted in ``problems``. Only what the tree
    of frames depends on raises.

    :param version: major and minor URDF version of the description.
    """

    def __init__(self, version: tuple[int, int]):
        self.version = version
        self.problems: list[Problem] = []

    def note(self, element: Element, message: str) -> None:
        """Note a problem with an element."""
        self._keep(element.error(message))

    def _keep(self, error: DescriptionError) -> None:
        self.problems.append(Problem(error.message, error.element, error.line, error.source))

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

        :raises DescriptionError: it has no name, parent or child, its type is unknown, or its
            origin or axis cannot be read.
        """
        name = _name(element)
        joint_type = _joint_type(element)
        return Joint(
            name=name,
            type=joint_type,
            parent=read_text(element.child('parent'), 'link'),
            child=read_text(element.child('child'), 'link'),
            origin=self.origin(element),
            axis=self._axis(element, joint_type),
            limits=self._limits(element, joint_type),
            mimic=self._optional(_record, element, 'mimic'),
            dynamics=self._optional(_record, element, 'dynamics'),
            safety=self._optional(_record, element, 'safety_controller'),
            calibration=self._optional(_record, element, 'calibration'),
            element=element)

    def material(self, element: Element) -> Material:
        """Read a ``<material>``, which is a definition or a reference by name."""
        color = self._optional(_color, element, 'color')
        texture = self._optional(partial(read_text, name='filename'), element, 'texture')
        return Material(element.get('name', ''), color, texture, element)

    def transmission(self, element: Element) -> Transmission:
        """Read a ``<transmission>`` of the current form or of the PR2's."""
        return Transmission(
            name=element.get('name', ''),
            type=element.get('type') or (element.findtext('type') or '').strip(),
            joints=_names(element, 'joint'),
            actuators=_names(element, 'actuator'),
            element=element)

    def _attempt(self, read: Callable[[Element], Record], element: Element) -> Record | None:
        try:
            return read(element)
        except DescriptionError as error:
            self._keep(error)
            return None

    def _optional(
            self, read: Callable[[Element], Record], parent: Element, tag: str) -> Record | None:
        element = parent.find(tag)
        return None if element is None else self._attempt(read, element)

    def _every(self, read: Callable[[Element], Record], parent: Element,
               tag: str) -> tuple[Record, ...]:
        records = [self._attempt(read, element) for element in parent.findall_tag(tag)]
        return tuple([record for record in records if record is not None])

    def _inertial(self, element: Element) -> Inertial:
        return Inertial(
            mass=read_number(element.child('mass'), 'value'),
            **read_attributes(element.child('inertia'), _INERTIA),
            origin=self.origin(element),
            element=element)

    def _visual(self, element: Element) -> Visual:
        return Visual(
            geometry=_geometry(element.child('geometry')),
            origin=self.origin(element),
            name=element.get('name', ''),
            material=self._optional(self.material, element, 'material'),
            element=element)

    def _collision(self, element: Element) -> Collision:
        return Collision(
            geometry=_geometry(element.child('geometry')),
            origin=self.origin(element),
            name=element.get('name', ''),
            element=element)

    def origin(self, parent: Element) -> Pose:
        """
        Read the ``<origin>`` of an element; the identity if it has none.

        :raises DescriptionError: it cannot be read.
        """
        element = parent.find('origin')
        if element is None:
            return _IDENTITY
        pose = read_attributes(element, {}, {'xyz': 3, 'rpy': 3})
        rotation = quaternion_from_rpy(*pose['rpy']) if 'rpy' in pose else Pose.quaternion
        if 'quat_xyzw' in element.attrib:
            if self.version < (1, 1):
                self.note(element, 'quat_xyzw is ignored, because it needs URDF 1.1')
            elif 'rpy' in pose:
                raise element.error('The origin has both rpy and quat_xyzw', 'Remove one of them')
            else:
                x, y, z, w = read_vector(element, 'quat_xyzw', 4)
                if any((x, y, z, w)):
                    rotation = normalized((x, y, z, w))
                else:
                    self.note(element, 'quat_xyzw is all zero; the rotation is taken as none')
        return Pose(pose.get('xyz', Pose.xyz), rotation)

    def _axis(self, joint: Element, joint_type: JointType) -> Vector3:
        element = joint.find('axis')
        if element is None or joint_type in (JointType.FIXED, JointType.FLOATING):
            return Joint.axis
        if 'xyz' not in element.attrib:
            self.note(element, 'The axis has no xyz; 1 0 0 is used')
            return Joint.axis
        x, y, z = read_vector(element, 'xyz', 3)
        axis = (x, y, z)
        if not any(axis):
            self.note(element, 'The axis is zero, so the joint cannot move its child link')
            return axis
        return normalized(axis)

    def _limits(self, joint: Element, joint_type: JointType) -> Limits | None:
        element = joint.find('limit')
        if element is None:
            if joint_type in BOUNDED:
                self.note(joint, f'The joint is {joint_type.value} and has no <limit>')
            return None
        values = {'lower': -math.inf, 'upper': math.inf}
        if joint_type in BOUNDED:
            values.update(dict.fromkeys(values.keys() - element.attrib.keys(), 0.0))
        for name in _LIMITS:
            if name in element.attrib:
                value = self._attempt(partial(read_number, name=name), element)
                # Converters write such a velocity where there is no limit, as URDF wants one.
                if value is not None and not (name == 'velocity' and value >= UNLIMITED):
                    values[name] = value
        if values['lower'] > values['upper']:
            self.note(element, f'lower ({values["lower"]:g}) is above upper '
                               f'({values["upper"]:g}); neither is used')
        elif joint_type is not JointType.CONTINUOUS:
            return Limits(**values)
        return Limits(**{**values, 'lower': -math.inf, 'upper': math.inf})


def _name(element: Element) -> str:
    name = element.get('name')
    if not name:
        raise element.error(f'A {element.tag} has no name', f'Write <{element.tag} name="...">')
    return name


def _names(element: Element, tag: str) -> tuple[str, ...]:
    return tuple(child.get('name', '') for child in element.iterfind(tag))


def _joint_type(element: Element) -> JointType:
    text = element.get('type')
    if text not in _JOINT_TYPES:
        fault = 'has no type' if text is None else f'has the unknown type {quote(text)}'
        raise element.error(f'Joint {quote(element.attrib["name"])} {fault}',
                            f'The types of URDF are {", ".join(_JOINT_TYPES)}')
    return _JOINT_TYPES[text]


def _geometry(element: Element) -> Geometry:
    shape = next(iter(element), None)
    if shape is None:
        raise element.error('<geometry> is empty')
    if shape.tag not in _SHAPES:
        raise shape.error(f'<{shape.tag}> is not a shape of URDF',
                          'The shapes are box, cylinder, sphere, mesh and capsule')
    geometry: Geometry = _record(shape)
    return geometry


def _record(element: Element) -> Any:
    make, required, optional = _RECORDS[element.tag]
    values = read_attributes(element, required, optional)
    return make(**{name.removesuffix('_limit'): value for name, value in values.items()})


def _color(element: Element) -> Rgba:
    r, g, b, a = read_vector(element, 'rgba', 4)
    return r, g, b, a
