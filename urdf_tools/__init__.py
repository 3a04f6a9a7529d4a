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
The URDF toolset for ROS 2, as a library.

A name is imported when it is first used, so a program loads only what it needs. Editors and type
checkers see the imports.
"""

from urdf_tools.lazy_imports import lazy_names

# As in typing, whose import would take longer than all the rest here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from urdf_tools.check.validator import validate  # noqa: I300
    from urdf_tools.check.validator import validates
    from urdf_tools.dynamics import CentreOfMassJacobian
    from urdf_tools.dynamics import CompositeInertia
    from urdf_tools.dynamics import Consistency
    from urdf_tools.dynamics import InverseDynamics
    from urdf_tools.dynamics import LoopForces
    from urdf_tools.dynamics import MassMatrix
    from urdf_tools.dynamics import PrincipalInertia
    from urdf_tools.dynamics import SpatialInertia
    from urdf_tools.dynamics import Verdict
    from urdf_tools.dynamics.comparison import compare
    from urdf_tools.dynamics.comparison import Difference
    from urdf_tools.findings.finding import Finding
    from urdf_tools.findings.finding import Severity
    from urdf_tools.findings.report import Report
    from urdf_tools.installation import __version__
    from urdf_tools.kinematics import Constraint
    from urdf_tools.kinematics import ForwardKinematics
    from urdf_tools.kinematics import InverseKinematics
    from urdf_tools.kinematics import InverseKinematicsBatch
    from urdf_tools.kinematics import InverseKinematicsResult
    from urdf_tools.kinematics import Jacobian
    from urdf_tools.kinematics import KinematicTree
    from urdf_tools.kinematics import ReferenceFrame
    from urdf_tools.model.attachment import attach
    from urdf_tools.model.errors import DescriptionError
    from urdf_tools.model.errors import ErrorKind
    from urdf_tools.model.loader import loads
    from urdf_tools.model.loader import save
    from urdf_tools.model.loops import Loop
    from urdf_tools.model.loops import LoopType
    from urdf_tools.model.pose import Pose
    from urdf_tools.model.records import Calibration
    from urdf_tools.model.records import Dynamics
    from urdf_tools.model.records import Inertial
    from urdf_tools.model.records import Joint
    from urdf_tools.model.records import JointType
    from urdf_tools.model.records import Limits
    from urdf_tools.model.records import Link
    from urdf_tools.model.records import Mimic
    from urdf_tools.model.records import Problem
    from urdf_tools.model.records import Removed
    from urdf_tools.model.records import Safety
    from urdf_tools.model.records import Transmission
    from urdf_tools.model.resources import ResourceResolver
    from urdf_tools.model.robot import Removal
    from urdf_tools.model.robot import Robot
    from urdf_tools.model.robot import RobotMesh
    from urdf_tools.model.shape_records import Box
    from urdf_tools.model.shape_records import Capsule
    from urdf_tools.model.shape_records import Collision
    from urdf_tools.model.shape_records import Cylinder
    from urdf_tools.model.shape_records import Geometry
    from urdf_tools.model.shape_records import Material
    from urdf_tools.model.shape_records import Mesh
    from urdf_tools.model.shape_records import Sphere
    from urdf_tools.model.shape_records import Visual
    from urdf_tools.model.spelling import NamedMapping
    from urdf_tools.model.spelling import UnknownNameError
    from urdf_tools.model.trust import Trust
    from urdf_tools.model.trust import XacroBudget
    from urdf_tools.model.trust import XacroLimits
    from urdf_tools.model.urdf_parser_py import from_urdf_parser_py
    from urdf_tools.model.urdf_parser_py import to_urdf_parser_py
    from urdf_tools.model.xml.document import Document
    from urdf_tools.model.xml.element import Element
    from urdf_tools.programs.mjcf.mjcf_conversion import MjcfOptions
    from urdf_tools.programs.mjcf.mjcf_conversion import to_mjcf
    from urdf_tools.view.robot_window import RobotWindow
    from urdf_tools.view.robot_window import show
    from urdf_tools.xacro.description_files import load

__all__ = [
    'Box', 'Calibration', 'Capsule', 'CentreOfMassJacobian', 'Collision', 'CompositeInertia',
    'Consistency', 'Constraint', 'Cylinder', 'DescriptionError', 'Difference', 'Document',
    'Dynamics', 'Element', 'ErrorKind', 'Finding', 'ForwardKinematics', 'Geometry', 'Inertial',
    'InverseDynamics', 'InverseKinematics', 'InverseKinematicsBatch', 'InverseKinematicsResult',
    'Jacobian', 'Joint', 'JointType', 'KinematicTree', 'Limits', 'Link', 'Loop', 'LoopForces',
    'LoopType', 'MassMatrix', 'Material', 'Mesh', 'Mimic', 'MjcfOptions', 'NamedMapping', 'Pose',
    'PrincipalInertia', 'Problem', 'ReferenceFrame', 'Removal', 'Removed', 'Report',
    'ResourceResolver', 'Robot', 'RobotMesh', 'RobotWindow', 'Safety', 'Severity',
    'SpatialInertia', 'Sphere', 'Transmission', 'Trust', 'UnknownNameError', 'Verdict', 'Visual',
    'XacroBudget', 'XacroLimits', '__version__', 'attach', 'compare', 'from_urdf_parser_py',
    'load', 'loads', 'save', 'show', 'to_mjcf', 'to_urdf_parser_py', 'validate', 'validates']

_NAMES = {
    'urdf_tools.check.validator': ('validate', 'validates'),
    'urdf_tools.dynamics': (
        'CentreOfMassJacobian', 'CompositeInertia', 'Consistency', 'InverseDynamics',
        'LoopForces', 'MassMatrix', 'PrincipalInertia', 'SpatialInertia', 'Verdict'),
    'urdf_tools.dynamics.comparison': ('compare', 'Difference'),
    'urdf_tools.findings.finding': ('Finding', 'Severity'),
    'urdf_tools.findings.report': ('Report',),
    'urdf_tools.installation': ('__version__',),
    'urdf_tools.kinematics': (
        'Constraint', 'ForwardKinematics', 'InverseKinematics', 'InverseKinematicsBatch',
        'InverseKinematicsResult', 'Jacobian', 'KinematicTree', 'ReferenceFrame'),
    'urdf_tools.model.attachment': ('attach',),
    'urdf_tools.model.errors': ('DescriptionError', 'ErrorKind'),
    'urdf_tools.model.loader': ('loads', 'save'),
    'urdf_tools.model.loops': ('Loop', 'LoopType'),
    'urdf_tools.model.pose': ('Pose',),
    'urdf_tools.model.records': (
        'Calibration', 'Dynamics', 'Inertial', 'Joint', 'JointType', 'Limits', 'Link', 'Mimic',
        'Problem', 'Removed', 'Safety', 'Transmission'),
    'urdf_tools.model.resources': ('ResourceResolver',),
    'urdf_tools.model.robot': ('Removal', 'Robot', 'RobotMesh'),
    'urdf_tools.model.shape_records': (
        'Box', 'Capsule', 'Collision', 'Cylinder', 'Geometry', 'Material', 'Mesh', 'Sphere',
        'Visual'),
    'urdf_tools.model.spelling': ('NamedMapping', 'UnknownNameError'),
    'urdf_tools.model.trust': ('Trust', 'XacroBudget', 'XacroLimits'),
    'urdf_tools.model.urdf_parser_py': ('from_urdf_parser_py', 'to_urdf_parser_py'),
    'urdf_tools.model.xml.document': ('Document',),
    'urdf_tools.model.xml.element': ('Element',),
    'urdf_tools.programs.mjcf.mjcf_conversion': ('MjcfOptions', 'to_mjcf'),
    'urdf_tools.view.robot_window': ('RobotWindow', 'show'),
    'urdf_tools.xacro.description_files': ('load',),
}

if not TYPE_CHECKING:  # A type checker would accept any name.
    __getattr__, __dir__ = lazy_names(__name__, _NAMES)
