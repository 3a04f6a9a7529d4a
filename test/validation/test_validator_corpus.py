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

"""The validator against real robots, and against files that other programs refuse."""

import csv

from corpus import CORPUS
import pytest

from urdf_tools.model.document import read_document
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.validation import Severity
from urdf_tools.validation import validate
from urdf_tools.validation.autofix import autofix

NEEDED = {'error': Severity.ERROR, 'warning': Severity.WARN}

DISPUTED = 'urdfdom__parse_joint_doubles_two_parents'
"""A link with two parents: the same text that tesseract wants to be refused."""

IMPOSSIBLE = {
    'pr2': {'sensor_mount_link', 'double_stereo_link'},
    'fetch': {'r_gripper_finger_link', 'l_gripper_finger_link'},
    'stretch_re1': {'link_gripper_fingertip_left', 'link_gripper_fingertip_right'},
    'peer_kdl_inertia_rpy1': {'link2'},
    'peer_kdl_inertia_rpy2': {'link2'}}
"""The links whose inertia no body can have."""


def _bad_files():
    if not CORPUS.is_dir():
        return [pytest.param(None, id='no-corpus', marks=pytest.mark.skip(
            reason=f'no corpus of robots in {CORPUS} (set URDF_TOOLS_CORPUS to its folder)'))]
    with open(CORPUS / 'BAD_INDEX.tsv', newline='') as file:
        return [pytest.param(row, id=row['file'].removeprefix('bad/').removesuffix('.urdf'))
                for row in csv.DictReader(file, delimiter='\t')]


@pytest.mark.parametrize('row', _bad_files())
def test_bad_file(row):
    report = validate(CORPUS / row['file'])
    codes = {finding.code: finding.severity for finding in report.findings}
    assert 'internal-error' not in codes
    worst = max(codes.values(), default=Severity.INFO)
    if DISPUTED in row['file']:
        assert [code for code in codes if codes[code] is Severity.ERROR] == ['multiple-parents']
    elif row['level'] == 'accept':
        assert worst is not Severity.ERROR, codes
    elif row['level'] in NEEDED:
        assert worst >= NEEDED[row['level']], codes


def test_robot_has_no_error_but_its_own(corpus_robot):
    report = validate(corpus_robot.path, resources=ResourceResolver(
        corpus_robot.path.parent,
        packages={path.name: path for path in corpus_robot.packages.iterdir()}))
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    assert {finding.code for finding in errors} <= {
        'inertia-triangle', 'inertia-diagonal-not-positive'}
    assert {finding.element.split("'")[1] for finding in errors} == IMPOSSIBLE.get(
        corpus_robot.name, set())


def test_cure_of_a_robot_is_done_once_and_makes_no_finding(corpus_robot):
    def check(document):
        return validate(document, most_per_rule=10**6)
    document = read_document(corpus_robot.path.read_bytes())
    cured = autofix(document, check)
    assert autofix(cured, check).data == cured.data
    before, after = check(document), check(cured)
    assert len(after.findings) <= len(before.findings)
    assert {finding.code for finding in after.findings} <= {
        finding.code for finding in before.findings}
