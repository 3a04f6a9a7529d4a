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

"""Descriptions of the elements and attributes of URDF and xacro, one or two sentences each."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping

from urdf_tools.check.schema import ROBOT
from urdf_tools.check.schema import Tag
from urdf_tools.check.schema import TEXT
from urdf_tools.model.xml.syntax_tree import Node

JOINT_TYPES: Mapping[str, str] = {
    'revolute': 'rotates about its axis, between limits',
    'continuous': 'rotates about its axis without limits',
    'prismatic': 'slides along its axis, between limits',
    'fixed': 'does not move',
    'floating': 'moves in all six degrees of freedom',
    'planar': 'moves in the plane perpendicular to its axis'}

ELEMENTS: Mapping[str, str] = {
    'robot': 'A robot: a tree of links, connected by joints.',
    'link': 'A rigid body. Its frame is the frame of the joint that moves it.',
    'joint': 'Connects a parent link to a child link. Its frame is the frame of the child link.',
    'joint/parent': 'The link that the joint is attached to.',
    'joint/child': 'The link that the joint moves. A link is the child of at most one joint.',
    'joint/origin': 'The pose of the joint in the frame of the parent link. Default: identity.',
    'origin': 'The pose in the frame of the link. Default: identity.',
    'inertial': 'Mass, centre of mass and inertia of the link. A link without it has no mass.',
    'inertial/origin': 'The centre of mass and the axes of the inertia, in the link frame.',
    'mass': 'The mass of the link.',
    'inertia': 'The inertia matrix about the centre of mass: ixy is minus the integral of x*y dm.',
    'visual': 'A shape of the link that is shown. A link may have several.',
    'collision': 'A shape of the link for collisions and contact. A link may have several.',
    'geometry': 'Exactly one shape: box, cylinder, sphere, capsule or mesh.',
    'box': 'A box, centred on its origin.',
    'cylinder': 'A cylinder about the z axis, centred on its origin.',
    'sphere': 'A sphere, centred on its origin.',
    'capsule': 'A cylinder about the z axis with a half sphere at each end (URDF 1.1).',
    'mesh': 'A triangle mesh from a file.',
    'material': 'A colour or texture, or the name of one that is defined elsewhere.',
    'color': 'The colour of the material.',
    'texture': 'The texture of the material, an image file.',
    'axis': 'The axis, or the normal of a planar joint, in the joint frame. Default: 1 0 0.',
    'calibration': 'Positions of the reference edges with which the joint is calibrated.',
    'dynamics': 'Physical properties of the joint for simulation.',
    'limit': 'The limits of the joint. Required for revolute and prismatic joints.',
    'safety_controller': 'Soft limits, inside the limits of the joint, for a safety controller.',
    'mimic': 'Makes the joint follow another one: position = multiplier * other + offset.',
    'verbose': 'Ignored by most programs.',
    'transmission': 'The mechanical coupling of joints and actuators, for ros_control.',
    'gazebo': 'Settings for Gazebo, for one link or joint or, without reference, for the model.',
    'ros2_control': 'Hardware for ros2_control: its plugin, joints and interfaces.',
    'sensor': 'A sensor of the robot. Few programs read it.',
    'xacro:macro': 'Defines a macro, which <xacro:NAME> calls.',
    'xacro:property': 'Defines a property, for use in ${expressions}.',
    'xacro:arg': 'Declares an argument of the file, for use as $(arg NAME).',
    'xacro:include': 'Includes another xacro file.',
    'xacro:if': 'Keeps its content if the value is true.',
    'xacro:unless': 'Keeps its content if the value is false.',
    'xacro:insert_block': 'Inserts a block parameter of the macro, or a property with content.',
    'xacro:call': 'Calls the macro whose name an expression gives.',
    'xacro:element': 'An element whose tag an expression gives.',
    'xacro:attribute': 'Sets an attribute of the element around it.'}
"""Texts by ``parent/element``, or by ``element`` for any parent."""

ATTRIBUTES: Mapping[str, str] = {
    'robot@name': 'The name of the robot.',
    'robot@version': 'The version of URDF. Default: 1.0.',
    'link@name': 'The name of the link, unique in the robot.',
    'joint@name': 'The name of the joint, unique in the robot.',
    'joint@type': 'One of ' + ', '.join(JOINT_TYPES) + '.',
    **dict.fromkeys(('parent@link', 'child@link'), 'The name of the link.'),
    **dict.fromkeys(('visual@name', 'collision@name'), 'A name for this shape.'),
    'origin@xyz': 'Position in metres. Default: 0 0 0.',
    'origin@rpy': 'Roll, pitch and yaw about fixed axes, in radians. Default: 0 0 0.',
    'origin@quat_xyzw': 'Orientation as a quaternion, instead of rpy.',
    'mass@value': 'Mass in kilograms.',
    **{f'inertia@{name}': f'Entry {name[1:]} of the inertia matrix, in kg m^2.'
       for name in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')},
    'box@size': 'Lengths of the sides along x, y and z, in metres.',
    **dict.fromkeys(('cylinder@radius', 'sphere@radius', 'capsule@radius'), 'Radius in metres.'),
    'cylinder@length': 'Length along z in metres.',
    'capsule@length': 'Length of the cylinder, without the half spheres, in metres.',
    'mesh@filename': 'The file, as package://PACKAGE/PATH, model://, file:// or a path.',
    'mesh@scale': 'Scale along x, y and z. Default: 1 1 1.',
    'material@name': 'The name of the material.',
    'color@rgba': 'Red, green, blue and alpha, each from 0 to 1.',
    'texture@filename': 'The image file, as package://PACKAGE/PATH or a path.',
    'axis@xyz': 'Direction of the axis, a unit vector.',
    'calibration@rising': 'Position at which the signal rises, in rad or m.',
    'calibration@falling': 'Position at which the signal falls, in rad or m.',
    'dynamics@damping': 'Damping in N m s/rad or N s/m. Default: 0.',
    'dynamics@friction': 'Static friction in N m or N. Default: 0.',
    'limit@lower': 'Lower limit in rad or m. Default: 0.',
    'limit@upper': 'Upper limit in rad or m. Default: 0.',
    'limit@effort': 'Maximum effort in N m or N.',
    'limit@velocity': 'Maximum velocity in rad/s or m/s.',
    'limit@acceleration': 'Maximum acceleration in rad/s^2 or m/s^2.',
    'limit@deceleration': 'Maximum deceleration in rad/s^2 or m/s^2.',
    'limit@jerk': 'Maximum jerk in rad/s^3 or m/s^3.',
    'safety_controller@soft_lower_limit': 'Lower soft limit in rad or m. Default: 0.',
    'safety_controller@soft_upper_limit': 'Upper soft limit in rad or m. Default: 0.',
    'safety_controller@k_position': 'Gain of the position limits. Default: 0.',
    'safety_controller@k_velocity': 'Gain of the velocity limits.',
    'mimic@joint': 'The joint to follow.',
    'mimic@multiplier': 'Factor of the position of the other joint. Default: 1.',
    'mimic@offset': 'Offset in rad or m. Default: 0.',
    **dict.fromkeys(('link@type', 'calibration@reference_position', 'verbose@value'),
                    'Ignored by most programs.'),
    'gazebo@reference': 'The link or joint that the settings are for.',
    'xacro:macro@name': 'The name of the macro.',
    'xacro:macro@params': 'Parameters, separated by spaces: name, name:=default, *block, **block.',
    'xacro:property@name': 'The name of the property.',
    'xacro:property@value': 'Its value, which may have ${expressions}.',
    'xacro:property@default': 'Its value unless it is defined already.',
    'xacro:property@scope': 'Where it is defined: local (default), parent or global.',
    'xacro:arg@name': 'The name of the argument.',
    'xacro:arg@default': 'Its value if none is given.',
    'xacro:include@filename': 'The file, often $(find PACKAGE)/PATH.',
    'xacro:include@ns': 'A namespace for the macros and properties of the file.',
    'xacro:include@optional': 'true: do not fail if the file does not exist.',
    'xacro:if@value': 'A condition, such as ${use_camera}.',
    'xacro:unless@value': 'A condition, such as ${use_camera}.',
    'xacro:insert_block@name': 'The name of the block parameter, without its *.',
    'xacro:call@macro': 'The name of the macro.',
    'xacro:element@xacro:name': 'The tag of the element.',
    'xacro:attribute@name': 'The name of the attribute.',
    'xacro:attribute@value': 'The value of the attribute.'}
"""Texts by ``element@attribute``."""


def own_parent(node: Node) -> Node | None:
    """Return the parent of an element after the expansion of xacro, if it is known."""
    return next((outer for outer in node.ancestors() if not outer.tag.startswith('xacro:')), None)


def definition(node: Node | None) -> Tag | None:
    """Return the definition of an element in its parent, or None if URDF does not define it."""
    if node is None:
        return None
    outer = [each.tag for each in node.ancestors() if not each.tag.startswith('xacro:')]
    outermost, *path = (*reversed(outer), node.tag)
    tag = ROBOT if outermost == 'robot' else _ANYWHERE.get(outermost)
    for name in path:
        if tag is ROBOT and name not in ROBOT.children:
            tag = _ANYWHERE.get(name)  # A macro may hold a part of a link or a joint.
        elif tag is not None:
            tag = tag.children.get(name)
    return tag


def _definitions(tag: Tag) -> Iterator[tuple[str, Tag]]:
    for name, child in tag.children.items():
        if child is not None:
            yield name, child
            yield from _definitions(child)


_ANYWHERE = dict(reversed([*_definitions(ROBOT)]))
"""The first definition of each element, wherever it is."""


def element_text(name: str, parent: str = '') -> str:
    """Return what an element is; empty if that is unknown."""
    return ELEMENTS.get(f'{parent}/{name}') or ELEMENTS.get(name, '')


def attribute_text(element: str, name: str) -> str:
    """Return what an attribute is; empty if that is unknown."""
    return ATTRIBUTES.get(f'{element}@{name}', '')


def type_text(tag: Tag | None, name: str) -> str:
    """Return the type of an attribute, and whether it is required, in words."""
    if tag is None or name not in tag.attributes:
        return ''
    n = tag.attributes[name]
    kind = 'text' if n == TEXT else 'number' if n == 1 else f'{n} numbers'
    version = tag.added_in.get(name)
    return kind + (', required' if name in tag.required else '') + (
        f', since URDF {version[0]}.{version[1]}' if version else '')
