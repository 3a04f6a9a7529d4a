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

"""Kinematic trees, forward kinematics, Jacobians; mimic, planar and floating joints."""

from urdf_tools.lazy_imports import lazy_names

# What others use of one module, such as those who read meshes, does not import the others.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from urdf_tools.kinematics.forward import ForwardKinematics  # noqa: I300
    from urdf_tools.kinematics.inverse import Constraint
    from urdf_tools.kinematics.inverse import InverseKinematics
    from urdf_tools.kinematics.inverse_results import InverseKinematicsBatch
    from urdf_tools.kinematics.inverse_results import InverseKinematicsResult
    from urdf_tools.kinematics.jacobian import Jacobian
    from urdf_tools.kinematics.jacobian import ReferenceFrame
    from urdf_tools.kinematics.joint_transforms import moving_joints
    from urdf_tools.kinematics.joint_transforms import resolve_mimic
    from urdf_tools.kinematics.kinematic_tree import KinematicTree
    from urdf_tools.kinematics.loops.loop_closure import Closure
    from urdf_tools.kinematics.loops.loop_tracker import LoopTracker
    from urdf_tools.kinematics.loops.mechanism import Mechanism
    from urdf_tools.kinematics.multi_dof import joint_transform
    from urdf_tools.kinematics.multi_dof import joint_values
    from urdf_tools.kinematics.multi_dof import variable_names
    from urdf_tools.kinematics.multi_dof import velocity_names
    from urdf_tools.kinematics.transforms import exp
    from urdf_tools.kinematics.transforms import log
else:
    __getattr__, __dir__ = lazy_names(__name__, {
        'urdf_tools.kinematics.forward': ('ForwardKinematics',),
        'urdf_tools.kinematics.inverse': ('Constraint', 'InverseKinematics'),
        'urdf_tools.kinematics.inverse_results': (
            'InverseKinematicsBatch', 'InverseKinematicsResult'),
        'urdf_tools.kinematics.jacobian': ('Jacobian', 'ReferenceFrame'),
        'urdf_tools.kinematics.joint_transforms': ('moving_joints', 'resolve_mimic'),
        'urdf_tools.kinematics.kinematic_tree': ('KinematicTree',),
        'urdf_tools.kinematics.loops.loop_closure': ('Closure',),
        'urdf_tools.kinematics.loops.loop_tracker': ('LoopTracker',),
        'urdf_tools.kinematics.loops.mechanism': ('Mechanism',),
        'urdf_tools.kinematics.multi_dof': (
            'joint_transform', 'joint_values', 'variable_names', 'velocity_names'),
        'urdf_tools.kinematics.transforms': ('exp', 'log')})

__all__ = [
    'Closure', 'Constraint', 'ForwardKinematics', 'InverseKinematics', 'InverseKinematicsBatch',
    'InverseKinematicsResult', 'Jacobian', 'KinematicTree', 'LoopTracker', 'Mechanism',
    'ReferenceFrame', 'exp', 'joint_transform', 'joint_values', 'log', 'moving_joints',
    'resolve_mimic', 'variable_names', 'velocity_names']
