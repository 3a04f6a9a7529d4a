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

"""The page of differences from robot_state_publisher: each is held by tests that exist."""

import ast
from pathlib import Path
import re

import pytest

ROOT = Path(__file__).resolve().parents[3]
ROWS = [
    [cell.strip() for cell in line.strip('|').split(' | ')]
    for line in (ROOT / 'docs' / 'differences.md').read_text().splitlines()
    if line.startswith('|') and not line.startswith(('| subject', '|---'))]


def test_there_are_rows():
    assert len(ROWS) > 40


@pytest.mark.parametrize('row', ROWS, ids=lambda row: row[0])
def test_each_difference_has_a_reason_and_a_test(row):
    assert len(row) == 5
    assert all(row)
    tests = re.findall('`(.+?)::(.+?)`', row[-1])
    assert tests
    for file, name in tests:
        functions = {node.name for node in ast.walk(ast.parse((ROOT / 'test' / file).read_text()))
                     if isinstance(node, ast.FunctionDef)}
        assert name in functions
