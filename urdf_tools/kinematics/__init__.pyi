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

from .forward import ForwardKinematics as ForwardKinematics
from .inverse import Constraint as Constraint
from .inverse import InverseKinematics as InverseKinematics
from .inverse import InverseKinematicsBatch as InverseKinematicsBatch
from .inverse import InverseKinematicsResult as InverseKinematicsResult
from .jacobian import Jacobian as Jacobian
from .jacobian import ReferenceFrame as ReferenceFrame
from .joint_transforms import moving_joints as moving_joints
from .joint_transforms import resolve_mimic as resolve_mimic
from .kinematic_tree import KinematicTree as KinematicTree
from .loops.mechanism import Closure as Closure
from .loops.mechanism import Mechanism as Mechanism
from .loops.tracker import LoopTracker as LoopTracker
from .multi_dof import joint_transform as joint_transform
from .multi_dof import joint_values as joint_values
from .multi_dof import variable_names as variable_names
from .multi_dof import velocity_names as velocity_names
from .transforms import exp as exp
from .transforms import log as log
