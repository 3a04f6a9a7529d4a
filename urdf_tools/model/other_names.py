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
"""What other libraries call attributes and functions of this one, for suggestions."""

OTHER_NAMES: dict[str, dict[str, str]] = {
    'urdf_tools': {
        'URDF': 'load', 'RobotWrapper': 'load', 'buildModelFromUrdf': 'load',
        'buildModelFromXML': 'loads', 'from_xml_file': 'load', 'from_xml_string': 'loads',
        'parse': 'loads', 'Model': 'Robot', 'SE3': 'Pose', 'Inertia': 'SpatialInertia',
        'JointLimit': 'Limits', 'JointMimic': 'Mimic', 'Color': 'Material',
        'buildGeomFromUrdf': 'RobotMesh', 'appendModel': 'attach',
        'neutral': 'robot.kinematics.neutral()',
        'randomConfiguration': 'robot.kinematics.random_configuration(rng)',
        'integrate': 'robot.kinematics.integrate', 'difference': 'robot.kinematics.difference',
        'framesForwardKinematics': 'ForwardKinematics',
        'updateFramePlacements': 'ForwardKinematics',
        'computeJointJacobians': 'Jacobian', 'computeFrameJacobian': 'Jacobian',
        'getFrameJacobian': 'Jacobian', 'jacobianCenterOfMass': 'CentreOfMassJacobian',
        'rnea': 'InverseDynamics', 'nonLinearEffects': 'InverseDynamics',
        'computeGeneralizedGravity': 'InverseDynamics', 'crba': 'MassMatrix',
        'centerOfMass': 'CompositeInertia', 'computeTotalMass': 'robot.mass'},
    'Robot': {
        'link_map': 'links', 'joint_map': 'joints', 'base_link': 'root', 'get_root': 'root',
        'get_chain': 'path', 'parent_map': 'parent_joint', 'child_map': 'child_joints',
        'parents': 'parent_joint', 'children': 'child_joints', 'supports': 'path',
        'num_actuated_joints': 'actuated_joint_names', 'num_dofs': 'nv',
        'actuated_joint_indices': 'kinematics.variable_index',
        'actuated_dof_indices': 'kinematics.variable_index',
        'zero_cfg': 'kinematics.neutral()', 'cfg': 'kinematics.neutral()',
        'q0': 'kinematics.neutral()', 'center_cfg': 'kinematics.ranges()', 'update_cfg': 'fk',
        'forwardKinematics': 'fk', 'placement': 'fk', 'framePlacement': 'fk',
        'scene': 'meshes', 'collision_scene': 'meshes', 'display': 'show', 'errors': 'problems',
        'validate': 'urdf_tools.validate', 'check_valid': 'urdf_tools.validate',
        'write_xml': 'to_xml', 'write_xml_string': 'to_xml', 'to_xml_string': 'to_xml',
        'write_xml_file': 'save', 'split_along_joints': 'without', 'remove_aggregate': 'without',
        'add_link': 'replace', 'add_joint': 'replace', 'add_aggregate': 'replace',
        'model': 'kinematics', 'createData': 'kinematics', 'njoints': 'joint_names',
        'names': 'joint_names', 'nbodies': 'link_names', 'nframes': 'link_names',
        'frames': 'link_names', 'lowerPositionLimit': 'kinematics.position_lower',
        'upperPositionLimit': 'kinematics.position_upper',
        'velocityLimit': 'kinematics.velocity_limit', 'effortLimit': 'kinematics.effort_limit',
        'idx_qs': 'kinematics.variable_index', 'getFrameId': 'kinematics.link_index',
        'getBodyId': 'kinematics.link_index', 'getJointId': 'kinematics.joint_index',
        'existFrame': 'links', 'existBodyName': 'links', 'existJointName': 'joints',
        'inertias': 'links[...].inertial', 'com': 'urdf_tools.CompositeInertia',
        'gravity': 'urdf_tools.InverseDynamics', 'nle': 'urdf_tools.InverseDynamics',
        'rnea': 'urdf_tools.InverseDynamics', 'computeJointJacobian': 'urdf_tools.Jacobian',
        'computeFrameJacobian': 'urdf_tools.Jacobian', 'getFrameJacobian': 'urdf_tools.Jacobian',
        'jacobian': 'urdf_tools.Jacobian', 'inverse_kinematics': 'urdf_tools.InverseKinematics',
        'ik': 'urdf_tools.InverseKinematics', 'link_fk': 'fk', 'neutral': 'kinematics.neutral()',
        'random': 'kinematics.random_configuration(rng)',
        'centerOfMass': 'urdf_tools.CompositeInertia'},
    'Joint': {
        'joint_type': 'type', 'safety_controller': 'safety', 'parent_link': 'parent',
        'child_link': 'child'},
    'Link': {
        'mass': 'inertial.mass', 'inertia': 'inertial.matrix'},
    'Inertial': {'inertia': 'matrix', 'com': 'origin.xyz'},
    'Pose': {'position': 'xyz', 'translation': 'xyz'},
    'Material': {'color': 'rgba'},
    'Mesh': {'mesh': 'filename'}, 'Box': {'box': 'size'}, 'Sphere': {'sphere': 'radius'},
    'Cylinder': {'cylinder': 'radius'}}
"""Class, or ``urdf_tools`` for the package, to other names to what is written here."""
