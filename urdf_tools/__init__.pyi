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

from .check.validator import validate as validate
from .check.validator import validates as validates
from .dynamics import CentreOfMassJacobian as CentreOfMassJacobian
from .dynamics import CompositeInertia as CompositeInertia
from .dynamics import Consistency as Consistency
from .dynamics import InverseDynamics as InverseDynamics
from .dynamics import LoopForces as LoopForces
from .dynamics import MassMatrix as MassMatrix
from .dynamics import PrincipalInertia as PrincipalInertia
from .dynamics import SpatialInertia as SpatialInertia
from .dynamics import Verdict as Verdict
from .dynamics.comparison import compare as compare
from .dynamics.comparison import Difference as Difference
from .findings.finding import Finding as Finding
from .findings.finding import Severity as Severity
from .findings.report import Report as Report
from .formats.description_files import load as load
from .formats.loader import loads as loads
from .installation import __version__ as __version__
from .kinematics import Constraint as Constraint
from .kinematics import ForwardKinematics as ForwardKinematics
from .kinematics import InverseKinematics as InverseKinematics
from .kinematics import InverseKinematicsBatch as InverseKinematicsBatch
from .kinematics import InverseKinematicsResult as InverseKinematicsResult
from .kinematics import Jacobian as Jacobian
from .kinematics import KinematicTree as KinematicTree
from .kinematics import ReferenceFrame as ReferenceFrame
from .meshes.facts import RobotMesh as RobotMesh
from .model.composition import attach as attach
from .model.errors import DescriptionError as DescriptionError
from .model.errors import ErrorKind as ErrorKind
from .model.errors import MissingFileError as MissingFileError
from .model.loader import save as save
from .model.loops import Loop as Loop
from .model.loops import LoopType as LoopType
from .model.package_lookup import Trust as Trust
from .model.pose import Pose as Pose
from .model.records import Box as Box
from .model.records import Calibration as Calibration
from .model.records import Capsule as Capsule
from .model.records import Collision as Collision
from .model.records import Cylinder as Cylinder
from .model.records import Dynamics as Dynamics
from .model.records import Geometry as Geometry
from .model.records import Inertial as Inertial
from .model.records import Joint as Joint
from .model.records import JointType as JointType
from .model.records import Limits as Limits
from .model.records import Link as Link
from .model.records import Material as Material
from .model.records import Mesh as Mesh
from .model.records import Mimic as Mimic
from .model.records import Problem as Problem
from .model.records import Removed as Removed
from .model.records import Safety as Safety
from .model.records import Sphere as Sphere
from .model.records import Transmission as Transmission
from .model.records import Visual as Visual
from .model.resources import ResourceResolver as ResourceResolver
from .model.robot import Robot as Robot
from .model.spelling import NamedMapping as NamedMapping
from .model.spelling import UnknownAttributeError as UnknownAttributeError
from .model.spelling import UnknownNameError as UnknownNameError
from .model.urdf_parser_py import from_urdf_parser_py as from_urdf_parser_py
from .model.urdf_parser_py import to_urdf_parser_py as to_urdf_parser_py
from .model.xml.document import Document as Document
from .model.xml.element import Element as Element
from .programs.mjcf.conversion import MjcfOptions as MjcfOptions
from .programs.mjcf.conversion import to_mjcf as to_mjcf
from .programs.mjcf.settings import MjcfSettings as MjcfSettings
from .view.robot_window import RobotWindow as RobotWindow
from .view.robot_window import show as show
from .xacro.files import XacroBudget as XacroBudget
from .xacro.files import XacroLimits as XacroLimits
