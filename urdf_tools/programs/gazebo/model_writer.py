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

"""The SDFormat document of a model."""

from __future__ import annotations

from urdf_tools.programs.gazebo.bodies_of_robot import Body
from urdf_tools.programs.gazebo.bodies_of_robot import MassProperties
from urdf_tools.programs.gazebo.extension_insertion import extend_link
from urdf_tools.programs.gazebo.extension_insertion import extend_model
from urdf_tools.programs.gazebo.extension_references import move_extensions
from urdf_tools.programs.gazebo.gazebo_model import GazeboModel
from urdf_tools.programs.gazebo.joint_writer import write_frames
from urdf_tools.programs.gazebo.joint_writer import write_joint
from urdf_tools.programs.gazebo.sdf_values import gz_math_rpy
from urdf_tools.programs.gazebo.sdf_values import lenient_vector
from urdf_tools.programs.gazebo.sdf_values import number_text
from urdf_tools.programs.gazebo.sdf_values import numbers_text
from urdf_tools.programs.gazebo.sdf_values import pose_of
from urdf_tools.programs.gazebo.sdf_values import urdfdom_rpy
from urdf_tools.programs.gazebo.shape_writer import write_shapes
from urdf_tools.programs.gazebo.traced_xml import items_of
from urdf_tools.programs.gazebo.traced_xml import Node

INERTIA = (('ixx', 0, 0), ('ixy', 0, 1), ('ixz', 0, 2), ('iyy', 1, 1), ('iyz', 1, 2),
           ('izz', 2, 2))


def write_model(model: GazeboModel) -> Node:
    """
    Return the ``<sdf>`` element of a model; once, as the extensions are moved.

    :raises DescriptionError: libsdformat repeats too much of the description.
    """
    for body in model.lumped:
        assert body.parent is not None, 'it is lumped into its parent'
        move_extensions(body, body.parent, model.extensions, model.target)
    robot = model.robot
    document = Node('sdf', None, version=model.target.sdf_version)
    node = document.add('model', None, items_of(robot.element, 'name'))
    node.attrib['name'] = robot.name
    for body in model.links:
        _write_link(node, body, model)
    extend_model(node, model.extensions, model.target)
    if model.target.has_frames:
        for body in model.lumped:
            write_frames(node, body)
    origin = None if robot.element is None else robot.element.find('origin')
    if origin is not None:
        pose = pose_of(lenient_vector(origin.get('xyz')), lenient_vector(origin.get('rpy')))
        node.put('pose', numbers_text((*pose.xyz, *urdfdom_rpy(pose.quaternion))),
                 items_of(origin, 'xyz', 'rpy'))
    return document


def _write_link(parent: Node, body: Body, model: GazeboModel) -> None:
    """Append a link to the model, after its joint."""
    link = Node('link', None, items_of(body.link.element, 'name'), name=body.name)
    if body.joint is not None:
        link.add('pose').attrib['relative_to'] = body.joint.name
        write_joint(parent, body, model.extensions, model.target)
    assert body.inertial is not None, 'links without mass are not written'
    _write_inertial(link, body.inertial)
    write_shapes(link, body, model.extensions)
    extend_link(link, model.extensions)
    parent.append(link)


def _write_inertial(link: Node, properties: MassProperties) -> None:
    inertial = link.add('inertial', None, properties.sources)
    origin = properties.origin
    inertial.add('pose', numbers_text((*origin.xyz, *gz_math_rpy(origin.quaternion))))
    inertial.add('mass', number_text(properties.mass))
    inertia = inertial.add('inertia')
    for name, row, column in INERTIA:
        inertia.add(name, number_text(float(properties.matrix[row, column])))
