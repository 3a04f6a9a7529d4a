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
What people who know yourdfpy, Pinocchio or urdf_parser_py write first.

Each line is an expression in the words of the public interface of their library, and after ``->``
the words that the error has to name. Lines without work, those with ``-> ?`` are not answered.
"""

from pathlib import Path

import pytest

import urdf_tools
from urdf_tools import UnknownAttributeError

ARM = Path(__file__).resolve().parents[1] / 'urdf' / 'arm.urdf'

GUESSES = """
# of none of these
urdf_tools.load_mjcf('a.xml') -> load
robot.random_configuration() -> kinematics.random_configuration()
robot.home -> kinematics.neutral()
robot.to_sdf() -> urdf-tools sdf
robot.with_joint_limits() -> joints[...].with_limit
# yourdfpy
urdf_tools.URDF.load(path) -> load
robot.robot.links -> ?
robot.link_map -> links
robot.joint_map -> joints
robot.joint_names
robot.link_names
robot.actuated_joints
robot.actuated_joint_names
robot.num_actuated_joints -> actuated_joint_names
robot.num_dofs -> nv
robot.actuated_joint_indices -> kinematics.variable_index
robot.actuated_dof_indices -> kinematics.variable_index
robot.base_link -> root
robot.zero_cfg -> kinematics.neutral()
robot.center_cfg -> kinematics.ranges()
robot.cfg -> kinematics.neutral()
robot.update_cfg(q) -> fk
robot.get_transform('tool0')
robot.get_transform('tool0', 'base_link')
robot.get_transform(frame_to='tool0', frame_from='base_link')
robot.show
robot.scene -> meshes
robot.collision_scene -> meshes
robot.errors -> problems
robot.validate() -> urdf_tools.validate
robot.write_xml_string() -> to_xml
robot.write_xml_file('a.urdf') -> save
robot.write_xml() -> to_xml
robot.split_along_joints() -> without
robot.link_fk(q) -> fk
robot.jacobian(q, 'tool0') -> urdf_tools.Jacobian
robot.inverse_kinematics() -> urdf_tools.InverseKinematics
robot.neutral() -> kinematics.neutral()
robot.centerOfMass(q) -> urdf_tools.CompositeInertia
robot.contains('link', 'tool0') -> ?
robot.materials
robot.transmission -> transmissions
joint.limit.lower
joint.limit.velocity
joint.mimic
joint.axis
joint.origin[:3, 3] -> ?
joint.safety_controller -> safety
joint.type == 'revolute'
joint.parent
link.visuals[0].origin
link.visuals[0].geometry.radius
link.visuals[0].geometry.cylinder.radius -> radius
link.visuals[0].material.color -> rgba
link.collisions[0].geometry
link.inertial.mass
link.inertial.inertia -> matrix
# Pinocchio
urdf_tools.buildModelFromUrdf(path) -> load
urdf_tools.buildModelFromXML(text) -> loads
urdf_tools.RobotWrapper.BuildFromURDF(path) -> load
urdf_tools.buildGeomFromUrdf(path) -> RobotMesh
urdf_tools.neutral(robot) -> robot.kinematics.neutral()
urdf_tools.randomConfiguration(robot) -> robot.kinematics.random_configuration()
urdf_tools.integrate(robot, q, v) -> robot.kinematics.integrate
urdf_tools.difference(robot, q, q) -> robot.kinematics.difference
urdf_tools.forwardKinematics(robot, q) -> ForwardKinematics
urdf_tools.framesForwardKinematics(robot, q) -> ForwardKinematics
urdf_tools.updateFramePlacements(robot) -> ForwardKinematics
urdf_tools.computeJointJacobians(robot, q) -> Jacobian
urdf_tools.computeFrameJacobian(robot, q, 'tool0') -> Jacobian
urdf_tools.getFrameJacobian(robot, 'tool0') -> Jacobian
urdf_tools.rnea(robot, q, v, v) -> InverseDynamics
urdf_tools.nonLinearEffects(robot, q, v) -> InverseDynamics
urdf_tools.computeGeneralizedGravity(robot, q) -> InverseDynamics
urdf_tools.crba(robot, q) -> MassMatrix
urdf_tools.aba(robot, q, v, v) -> ?
urdf_tools.centerOfMass(robot, q) -> CompositeInertia
urdf_tools.jacobianCenterOfMass(robot, q) -> CentreOfMassJacobian
urdf_tools.computeTotalMass(robot) -> robot.mass
urdf_tools.appendModel(robot, robot) -> attach
urdf_tools.buildReducedModel(robot, [1], q) -> ?
urdf_tools.SE3.Identity() -> Pose
urdf_tools.Inertia.Random() -> SpatialInertia
urdf_tools.Model() -> Robot
robot.model.nq -> kinematics
robot.nq
robot.nv
robot.njoints -> joint_names
robot.nbodies -> link_names
robot.nframes -> link_names
robot.names -> joint_names
robot.frames -> link_names
robot.joints[1]
robot.parents -> parent_joint
robot.lowerPositionLimit -> kinematics.position_lower
robot.upperPositionLimit -> kinematics.position_upper
robot.velocityLimit -> kinematics.velocity_limit
robot.effortLimit -> kinematics.effort_limit
robot.inertias[1] -> links[...].inertial
robot.getFrameId('tool0') -> kinematics.link_index
robot.getJointId('elbow_joint') -> kinematics.joint_index
robot.existFrame('tool0') -> links
robot.existJointName('elbow_joint') -> joints
robot.q0 -> kinematics.neutral()
robot.mass
robot.mass(q) -> ?
robot.com(q) -> urdf_tools.CompositeInertia
robot.forwardKinematics(q) -> fk
robot.placement(q, 3) -> fk
robot.display(q) -> show
# urdf_parser_py
urdf_tools.Robot.from_xml_file(path)
robot.get_root() -> root
robot.get_chain('base_link', 'tool0') -> path
robot.parent_map -> parent_joint
robot.child_map -> child_joints
robot.links[0].name
robot.joints[0].child
[one.joint_type for one in robot.joints] -> ?
robot.gazebos -> gazebo
robot.to_xml_string() -> to_xml
robot.to_xml()
robot.check_valid() -> urdf_tools.validate
robot.add_link(link) -> replace
robot.add_joint(joint) -> replace
robot.remove_aggregate(link) -> without
joint.joint_type -> type
joint.limit.effort
joint.origin.xyz
joint.origin.rpy
joint.origin.position -> xyz
link.visual.geometry -> visuals
link.collision.geometry -> collisions
"""


def guesses():
    """Return each expression with what its error has to name, empty for those that work."""
    lines = [line for line in GUESSES.strip().split('\n') if not line.startswith('#')]
    return [(expression, named) for expression, _, named in (
        line.partition(' -> ') for line in lines)]


@pytest.fixture(scope='module')
def names():
    robot = urdf_tools.load(ARM)
    return {
        'urdf_tools': urdf_tools, 'robot': robot, 'path': ARM, 'text': ARM.read_text(),
        'joint': robot.joints['elbow_joint'], 'link': robot.links['forearm_link'],
        'q': [0] * robot.nq, 'v': [0] * robot.nv}


def test_how_many_there_are():
    assert len(guesses()) == 132
    assert sum(named != '?' for _, named in guesses()) >= 121


@pytest.mark.parametrize('expression, named', guesses())
def test_guesses(names, expression, named):
    if not named:
        eval(expression, dict(names))
        return
    with pytest.raises((AttributeError, TypeError)) as caught:
        eval(expression, dict(names))
    if named != '?':
        assert isinstance(caught.value, UnknownAttributeError)
        assert str(caught.value).endswith(f'Did you mean {named!r}?'), caught.value
