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

"""The cases of all rules, and the rules of which docs/rules.md shows no example."""

import cases_assets
import cases_extensions
import cases_geometry
import cases_grammar
import cases_inertia
import cases_joint_axes
import cases_joint_dynamics
import cases_joint_limits
import cases_joint_mimic
import cases_names
import cases_structure
import cases_xml_document

CASES = tuple(case for module in (
    cases_xml_document, cases_grammar, cases_names, cases_structure, cases_joint_axes,
    cases_joint_limits, cases_joint_mimic, cases_joint_dynamics, cases_inertia, cases_geometry,
    cases_extensions, cases_assets) for case in module.CASES)

TESTED_ELSEWHERE = {
    'file-unreadable': 'no text of a description violates it',
    'xacro-failed': 'no text of a description violates it',
    'internal-error': 'no text of a description violates it'}
"""Rules without a case and why; see test_validator.py."""

WITHOUT_EXAMPLE = {
    **TESTED_ELSEWHERE,
    'xml-too-large': 'the smallest description that violates it has 129 nested elements',
    'deep-chain': 'the smallest description that violates it has 52 links'}
"""Rules without an example in docs/rules.md and why."""

EXAMPLES = {case.code: case for case in reversed(CASES) if case.code not in WITHOUT_EXAMPLE}
"""Code of a rule to the case that docs/rules.md shows, the first one of the rule."""
