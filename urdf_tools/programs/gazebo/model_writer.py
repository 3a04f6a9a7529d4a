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

"""The SDFormat document of the bodies of a robot."""

from __future__ import annotations

from urdf_tools.model.element import Element
from urdf_tools.model.robot import Robot
from urdf_tools.programs.gazebo.bodies_of_robot import Body
from urdf_tools.programs.gazebo.bodies_of_robot import MassProperties
from urdf_tools.programs.gazebo.bodies_of_robot import WORLD
from urdf_tools.programs.gazebo.extension_insertion import extend_link
from urdf_tools.programs.gazebo.extension_insertion import extend_model
from urdf_tools.programs.gazebo.extensions import Extensions
from urdf_tools.programs.gazebo.joint_writer import write_joint
from urdf_tools.programs.gazebo.lumping import is_reducible
from urdf_tools.programs.gazebo.rotation_angles import gz_math_rpy
from urdf_tools.programs.gazebo.rotation_angles import number_text
from urdf_tools.programs.gazebo.rotation_angles import numbers_text
from urdf_tools.programs.gazebo.rotation_angles import pose_of
from urdf_tools.programs.gazebo.rotation_angles import urdfdom_rpy
from urdf_tools.programs.gazebo.shape_writer import write_shapes
from urdf_tools.programs.gazebo.targets import Target
from urdf_tools.programs.gazebo.traced_xml import items_of
from urdf_tools.programs.gazebo.traced_xml import Node
from urdf_tools.programs.gazebo.vectors import lenient_vector

_INERTIA = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')


class ModelWriter:
    """
    Writes the links and joints that libsdformat makes of a robot.

    :param lumps: fixed joints are lumped.
    :ivar document: the ``<sdf>`` element.
    :ivar massless: the links that are dropped because they have no mass.
    """

    def __init__(self, robot: Robot, root: Body, extensions: Extensions, target: Target,
                 lumps: bool):
        self._extensions = extensions
        self._target = target
        self._lumps = lumps
        self.massless: list[Body] = []
        self.document = Node('sdf', None, version=target.sdf_version)
        self._model = self.document.add('model', None, items_of(robot.element, 'name'))
        self._model.attrib['name'] = robot.name
        self._write_bodies(root)
        extend_model(self._model, extensions, target)
        self._write_origin(None if robot.element is None else robot.element.find('origin'))

    def _write_bodies(self, root: Body) -> None:
        pending = list(reversed(root.children)) if root.name == WORLD else [root]
        while pending:
            body = pending.pop()
            if self._stops_at(body):
                self.massless.append(body)
                continue
            if self._has_link(body):
                self._write_link(body)
            pending.extend(reversed(body.children))

    def _stops_at(self, body: Body) -> bool:
        """Tell whether a body is dropped with its descendants."""
        if body.name == WORLD or not self._is_massless(body):
            return False
        is_passed = (self._target.lumped_passes and self._lumps
                     and is_reducible(body, self._extensions))
        return not is_passed

    def _is_massless(self, body: Body) -> bool:
        return body.inertial is None or self._target.is_massless(body.inertial.mass)

    def _has_link(self, body: Body) -> bool:
        if self._is_massless(body):
            return False
        of_world = body.parent is not None and body.parent.name == WORLD
        return of_world or not self._lumps or not is_reducible(body, self._extensions)

    def _write_link(self, body: Body) -> None:
        link = Node('link', None, items_of(body.link.element, 'name'))
        link.attrib['name'] = body.name
        if body.joint is not None:
            link.add('pose').attrib['relative_to'] = body.joint.name
        assert body.inertial is not None, 'links without mass are not written'
        _write_inertial(link, body.inertial)
        write_shapes(link, body, self._extensions)
        extend_link(link, self._extensions)
        is_lumped = (body.parent is not None and body.parent.name != WORLD and self._lumps
                     and is_reducible(body, self._extensions))
        if not is_lumped:
            write_joint(self._model, body, self._extensions, self._target)
        self._model.append(link)

    def _write_origin(self, origin: Element | None) -> None:
        if origin is not None:
            pose = pose_of(lenient_vector(origin.get('xyz')), lenient_vector(origin.get('rpy')))
            self._model.put(
                'pose', numbers_text((*pose.xyz, *urdfdom_rpy(pose.quaternion))),
                items_of(origin, 'xyz', 'rpy'))


def _write_inertial(link: Node, properties: MassProperties) -> None:
    inertial = link.add('inertial', None, properties.sources)
    origin = properties.origin
    inertial.add('pose', numbers_text((*origin.xyz, *gz_math_rpy(origin.quaternion))))
    inertial.add('mass', number_text(properties.mass))
    inertia = inertial.add('inertia')
    matrix = properties.matrix
    for name in _INERTIA:
        row, column = ('xyz'.index(letter) for letter in name[1:])
        inertia.add(name, number_text(float(matrix[row, column])))
