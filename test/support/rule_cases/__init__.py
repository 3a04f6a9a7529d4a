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

"""The cases of all rules, and the rules whose pages show no example."""

from support.rule_cases import assets
from support.rule_cases import extensions
from support.rule_cases import gazebo_names
from support.rule_cases import geometry
from support.rule_cases import grammar
from support.rule_cases import inertia
from support.rule_cases import joint_mimic
from support.rule_cases import joints
from support.rule_cases import link_masses
from support.rule_cases import loops
from support.rule_cases import names
from support.rule_cases import overlaps
from support.rule_cases import ros2_control_parts
from support.rule_cases import statics
from support.rule_cases import structure
from support.rule_cases import xml_document

CASES = tuple(case for module in (
    xml_document, grammar, names, structure, joints, joint_mimic, loops, inertia, link_masses,
    statics, geometry, overlaps, extensions, ros2_control_parts, gazebo_names, assets)
    for case in module.CASES)

TESTED_ELSEWHERE = {
    'file-unreadable': 'no text of a description violates it',
    'xacro-failed': 'no text of a description violates it',
    'conversion-failed': 'its files are those of test/formats',
    'conversion-loss': 'its files are those of test/formats',
    'xacro-variable-withheld': 'no text of a description violates it',
    'mesh-repeated-ids': 'its files are those of test_mesh_rules.py',
    **dict.fromkeys((
        'controller-interface-missing', 'controller-list-empty', 'parameter-type',
        'parameter-unknown', 'initial-position-invalid', 'moveit-acceleration-missing',
        'ros2control-group-unreported',
        'moveit-controller-unknown-joint', 'moveit-controller-unlisted',
        'moveit-file-unreadable', 'moveit-limits-invalid', 'moveit-limits-unknown-joint',
        'moveit-solver-unknown-group',
        'srdf-chain', 'srdf-empty-group', 'srdf-end-effector', 'srdf-group-cycle',
        'srdf-other-robot', 'srdf-state', 'srdf-unknown-name', 'srdf-virtual-joint'),
        'its files are those of test_moveit_rules.py'),
    **dict.fromkeys((
        'bridge-clock-missing', 'bridge-refused', 'bridge-topic-unpublished',
        'gazebo-resource-path', 'launch-description-as-yaml', 'parameter-frame-unknown',
        'launch-moveit-file-missing', 'launch-parameters-namespace',
        'launch-simulated-control-node', 'package-files-not-installed',
        'sensor-frame-not-optical'),
        'its files are those of test_package_rules.py'),
    'sensor-without-system': 'its worlds are those of test_package_files.py',
    'known-mistake': 'its files are those of test_known_mistakes.py',
    'launch-call-refused': 'its files are those of test_launch_calls.py',
    'robots-differ': 'its files are those of test_same_robot.py',
    'parameters-not-found': 'its files are those of test_package_files.py',
    'internal-error': 'no text of a description violates it',
    **dict.fromkeys(('program-changes', 'program-refuses'), 'test_one_verdict.py tests them')}
"""Rules without a case and why; see test_validator.py and test_trust.py."""

WITHOUT_EXAMPLE = {
    **{code: reason for code, reason in TESTED_ELSEWHERE.items()
       if 'test_moveit_rules.py' not in reason},
    'xml-too-large': 'the smallest description that violates it has 129 nested elements',
    'deep-chain': 'the smallest description that violates it has 52 links',
    'mirrored-joint-odd': 'the smallest description that violates it has six joints'}
"""Rules whose pages show no example, and why."""

EXAMPLES = {case.code: case for case in reversed(CASES) if case.code not in WITHOUT_EXAMPLE}
"""Code of a rule to the case that its page shows, the first one of the rule."""
