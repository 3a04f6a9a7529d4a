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

"""The verbs check and sdf say the same of a robot: what Gazebo keeps, and whether it loads it."""

from __future__ import annotations

from collections import Counter
from contextlib import redirect_stderr
from contextlib import redirect_stdout
import io
import json
from pathlib import Path
from random import Random
import tempfile

import pytest
from support.random_robots import random_robot
from support.sdf_oracle import NEEDS_ORACLE
from support.sdf_oracle import oracle_loads

from urdf_tools import DescriptionError
from urdf_tools import loads
from urdf_tools import validate
from urdf_tools.cli import main
from urdf_tools.findings.consequences import Impact
from urdf_tools.programs.gazebo import convert
from urdf_tools.validation.rules import RULES
from urdf_tools.validation.rules.gazebo_refusals import REPORTED_BY

pytestmark = pytest.mark.slow

SPECIFIC = {code for codes in REPORTED_BY.values() for code in codes}


def answer_of_sdf(path):
    """Return the exit code of urdf-tools sdf, and its report."""
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(io.StringIO()):
        code = main(['sdf', str(path), '--format', 'json'])
    return code, json.loads(output.getvalue() or '{}')


def require_one_answer(path):
    """Check that check and sdf agree, and return the exit code of sdf."""
    code, answer = answer_of_sdf(path)
    findings = validate(path, max_per_rule=10**6).findings
    assert 'internal-error' not in {finding.code for finding in findings}
    refused = Counter((finding.element, finding.message) for finding in findings
                      if finding.code == 'gazebo-model-refused')
    incomplete = [
        finding.message for finding in findings if finding.code == 'gazebo-model-incomplete']
    if code == 2:
        assert not refused and not incomplete
        return code
    summary = answer['summary']
    links, joints = summary['links'], summary['moving_joints']
    is_complete = (
        links['out'] + summary['lumped'] == links['in'] and joints['out'] == joints['in'])
    assert incomplete == ([] if is_complete else [answer['headline']])
    assert (code == 1) is bool(answer['errors']) is not summary['loads']
    elements = {finding.element for finding in findings if finding.code in SPECIFIC}
    expected = Counter()
    for error in answer['errors']:
        is_own = (error['element'], error['message']) in refused
        if error['message'].endswith('no link is left') and not is_own:
            # Whichever link is to blame, its finding says that Gazebo refuses the model.
            assert any(each.program == 'gazebo' and each.impact is Impact.REFUSES
                       for finding in findings if finding.code in SPECIFIC
                       for each in finding.consequences), error
        else:
            # A finding may be about the mass of the link.
            assert is_own or any(
                f'{element}/'.startswith(f"{error['element']}/") for element in elements), error
        expected[error['element'], error['message']] += is_own
    assert +expected == refused
    return code


def require_one_answer_of_trees(n, seed=20):
    """Check n random trees, and return how often sdf ends with each exit code."""
    random = Random(seed)
    codes = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'robot.urdf'
        for _ in range(n):
            path.write_text(random_robot(random))
            try:
                codes[require_one_answer(path)] += 1
            except AssertionError as error:
                raise AssertionError(path.read_text()) from error
    return codes


@pytest.mark.slow
def test_random_trees_have_one_answer():
    codes = require_one_answer_of_trees(300)
    assert min(codes[code] for code in (0, 1)) > 80, codes


@pytest.mark.slow
def test_robots_have_one_answer(corpus_robot):
    assert require_one_answer(corpus_robot.path) in (0, 1)


def test_bad_descriptions_have_one_answer(corpus):
    for path in sorted((corpus / 'bad').glob('*.urdf')):
        require_one_answer(path)


def test_the_rules_that_report_load_errors_exist():
    assert SPECIFIC <= RULES.keys()


@NEEDS_ORACLE
@pytest.mark.parametrize('seed', range(24))
def test_libsdformat_loads_the_same_trees(seed, tmp_path):
    """It is version 12, which has no frames, so that it loads more than the default."""
    path = tmp_path / 'robot.urdf'
    text = random_robot(Random(seed))
    path.write_text(text)
    try:
        has_errors = bool(convert(loads(text), '12').load_errors)
    except DescriptionError:
        has_errors = True
    assert oracle_loads(path, tmp_path) is not has_errors, text
