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

pytestmark = pytest.mark.slow


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
    if code == 2:
        return code
    is_refused = any(each.program == 'gazebo' and each.impact is Impact.REFUSES
                     for finding in findings for each in finding.consequences)
    assert (code == 1) is bool(answer['causes']) is is_refused is not answer['loads']
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
