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

from urdf_tools.check.validator import validate as validate
from urdf_tools.check.validator import validates as validates
from urdf_tools.dynamics import CentreOfMassJacobian as CentreOfMassJacobian
from urdf_tools.dynamics import CompositeInertia as CompositeInertia
from urdf_tools.dynamics import Consistency as Consistency
from urdf_tools.dynamics import InverseDynamics as InverseDynamics
from urdf_tools.dynamics import LoopForces as LoopForces
from urdf_tools.dynamics import MassMatrix as MassMatrix
from urdf_tools.dynamics import PrincipalInertia as PrincipalInertia
from urdf_tools.dynamics import SpatialInertia as SpatialInertia
from urdf_tools.dynamics import Verdict as Verdict
from urdf_tools.dynamics.comparison import compare as compare
from urdf_tools.dynamics.comparison import Difference as Difference
from urdf_tools.findings.finding import Finding as Finding
from urdf_tools.findings.finding import Severity as Severity
from urdf_tools.findings.report import Report as Report
from urdf_tools.installation import __version__ as __version__
from urdf_tools.kinematics import Constraint as Constraint
from urdf_tools.kinematics import ForwardKinematics as ForwardKinematics
from urdf_tools.kinematics import InverseKinematics as InverseKinematics
from urdf_tools.kinematics import InverseKinematicsBatch as InverseKinematicsBatch
from urdf_tools.kinematics import InverseKinematicsResult as InverseKinematicsResult
from urdf_tools.kinematics import Jacobian as Jacobian
from urdf_tools.kinematics import KinematicTree as KinematicTree
from urdf_tools.kinematics import ReferenceFrame as ReferenceFrame
from urdf_tools.meshes.facts import RobotMesh as RobotMesh
from urdf_tools.model.attachment import attach as attach
from urdf_tools.model.errors import DescriptionError as DescriptionError
from urdf_tools.model.errors import ErrorKind as ErrorKind
from urdf_tools.model.loader import loads as loads
from urdf_tools.model.loader import save as save
from urdf_tools.model.loops import Loop as Loop
from urdf_tools.model.loops import LoopType as LoopType
from urdf_tools.model.pose import Pose as Pose
from urdf_tools.model.records import Calibration as Calibration
from urdf_tools.model.records import Dynamics as Dynamics
from urdf_tools.model.records import Inertial as Inertial
from urdf_tools.model.records import Joint as Joint
from urdf_tools.model.records import JointType as JointType
from urdf_tools.model.records import Limits as Limits
from urdf_tools.model.records import Link as Link
from urdf_tools.model.records import Mimic as Mimic
from urdf_tools.model.records import Problem as Problem
from urdf_tools.model.records import Removed as Removed
from urdf_tools.model.records import Safety as Safety
from urdf_tools.model.records import Transmission as Transmission
from urdf_tools.model.resources import ResourceResolver as ResourceResolver
from urdf_tools.model.robot import Removal as Removal
from urdf_tools.model.robot import Robot as Robot
from urdf_tools.model.shape_records import Box as Box
from urdf_tools.model.shape_records import Capsule as Capsule
from urdf_tools.model.shape_records import Collision as Collision
from urdf_tools.model.shape_records import Cylinder as Cylinder
from urdf_tools.model.shape_records import Geometry as Geometry
from urdf_tools.model.shape_records import Material as Material
from urdf_tools.model.shape_records import Mesh as Mesh
from urdf_tools.model.shape_records import Sphere as Sphere
from urdf_tools.model.shape_records import Visual as Visual
from urdf_tools.model.spelling import NamedMapping as NamedMapping
from urdf_tools.model.spelling import UnknownNameError as UnknownNameError
from urdf_tools.model.trust import Trust as Trust
from urdf_tools.model.trust import XacroBudget as XacroBudget
from urdf_tools.model.trust import XacroLimits as XacroLimits
from urdf_tools.model.urdf_parser_py import from_urdf_parser_py as from_urdf_parser_py
from urdf_tools.model.urdf_parser_py import to_urdf_parser_py as to_urdf_parser_py
from urdf_tools.model.xml.document import Document as Document
from urdf_tools.model.xml.element import Element as Element
from urdf_tools.programs.mjcf.conversion import MjcfOptions as MjcfOptions
from urdf_tools.programs.mjcf.conversion import to_mjcf as to_mjcf
from urdf_tools.view.robot_window import RobotWindow as RobotWindow
from urdf_tools.view.robot_window import show as show
from urdf_tools.xacro.description_files import load as load
