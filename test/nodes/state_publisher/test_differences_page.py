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
from functools import cache
from pathlib import Path
import re

ROOT = Path(__file__).resolve().parents[3]
# The first table is that of releases.
ROWS = [
    [cell.strip() for cell in line.strip('|').split(' | ')]
    for line in (ROOT / 'docs' / 'differences.md').read_text().partition(
        '| subject | robot_state_publisher')[2].splitlines()[1:]
    if line.startswith('|') and not line.startswith(('| subject', '|---'))]


def test_there_are_rows():
    assert len(ROWS) > 40


@cache
def functions(file):
    return {node.name for node in ast.parse((ROOT / 'test' / file).read_text()).body
            if isinstance(node, ast.FunctionDef)}


def test_each_difference_has_a_reason_and_a_test():
    for row in ROWS:
        assert len(row) == 5 and all(row), row
        tests = re.findall('`(.+?)::(.+?)`', row[-1])
        assert tests, row
        for file, name in tests:
            assert name in functions(file)
