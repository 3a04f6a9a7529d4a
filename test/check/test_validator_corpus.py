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

"""The validator with real robots, and with files that other programs reject."""

import csv
from functools import cache

import pytest
from support.corpus import CORPUS
from support.corpus import SKIPPED
from support.validation_cases import autofixed

from urdf_tools.check.validator import validate
from urdf_tools.check.validator import validates
from urdf_tools.findings.finding import Severity
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import read_document

NEEDED = {'error': Severity.ERROR, 'warning': Severity.WARN}

DISPUTED = 'urdfdom__parse_joint_doubles_two_parents'
"""A link with two parents, accepted here and rejected by tesseract's tests."""

INCONSISTENT = {
    'pr2': {'sensor_mount_link', 'double_stereo_link'},
    'fetch': {'r_gripper_finger_link', 'l_gripper_finger_link'},
    'stretch_re1': {'link_gripper_fingertip_left', 'link_gripper_fingertip_right'},
    'peer_kdl_inertia_rpy1': {'link2'},
    'peer_kdl_inertia_rpy2': {'link2'}}
"""Links with a physically inconsistent inertia, by robot."""

SAME_NAMES = {'baxter', 'minitaur', 'nao_v40'}
"""Robots with joints that have the names of links."""


def _bad_files():
    if not CORPUS.is_dir():
        return SKIPPED
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


def test_robots_have_only_known_errors(corpus_robot):
    report = validate(corpus_robot.path, resources=ResourceResolver(
        corpus_robot.path.parent,
        packages={path.name: path for path in corpus_robot.packages.iterdir()}))
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    clashes = [finding for finding in report.findings if finding.code == 'program-refuses'
               and 'gazebo' in finding.consumers and 'name' in finding.message]
    assert bool(clashes) == (corpus_robot.name in SAME_NAMES)
    assert {finding.code for finding in errors} <= {
        'inertia-triangle', 'inertia-diagonal-not-positive'}
    assert {finding.element.split("'")[1] for finding in errors} == INCONSISTENT.get(
        corpus_robot.name, set())


def test_autofix_is_idempotent_and_adds_no_finding(corpus_robot):
    @cache
    def check(document):
        return validates(document, max_per_rule=10**6)
    document = read_document(corpus_robot.path.read_bytes())
    data = autofixed(document, check)
    fixed = read_document(data)
    assert autofixed(fixed, check) == data
    before, after = check(document), check(fixed)
    assert len(after.findings) <= len(before.findings)
    assert {finding.code for finding in after.findings} <= {
        finding.code for finding in before.findings}
