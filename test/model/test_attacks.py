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

"""Descriptions that try to exhaust time and memory, each read in a process with a memory limit."""

import json
import os
import re
import subprocess
import sys

import pytest
from support import attacks

pytestmark = pytest.mark.slow

ERRORS = {
    'entities that expand': 'declares XML entities',
    'external entity': 'declares XML entities',
    'external document type': 'which it does not define',
    'default attributes': 'declares XML entities',
    '100 MB of text': 'has 100000024 bytes; at most 33554432 are read',
    '30 MB of lines': 'The robot has no links',
    'a million nested': 'nested deeper than 128',
    'a million side by side': 'more than 160000 elements and comments',
    'many comments': 'more than 160000 elements and comments',
    'many open comments': 'not well-formed',
    'many bad comments': 'more than 160000 elements and comments',
    'comments before a second root': 'junk after document element',
    'many attributes': 'more than 500000 attributes',
    'huge attribute': 'more than 1048576 bytes',
    'large attribute': 'version .* is malformed',
    'huge name': 'more than 1048576 bytes',
    'spaces before a declaration': 'The robot has no name',
    'not UTF-8': 'not well-formed',
    'NUL bytes': 'not well-formed',
    'a cycle': 'connected in a cycle',
    'many roots': 'has 20000 root links',
    'similar names': 'does not exist',
}
LARGE = {
    'a chain': {'links': 36_001, 'problems': 0},
    'a cycle of mimics': {'links': 28_001, 'problems': 28_000},
}


def test_every_attack_has_its_outcome():
    assert {*ERRORS, *LARGE} == {*attacks.ATTACKS}


@pytest.mark.parametrize('attack', ERRORS)
def test_attack_ends_in_one_short_error(attack):
    error = outcome(attack)['error']
    assert re.search(ERRORS[attack], error)
    assert len(error) < 2000


@pytest.mark.parametrize('attack', LARGE)
def test_large_robot_loads(attack):
    assert outcome(attack) == LARGE[attack]


def outcome(attack):
    process = subprocess.run(
        [sys.executable, attacks.__file__, attack], capture_output=True, text=True, timeout=120,
        # Each thread of a numerical library would take its share of the bounded memory.
        env={**os.environ, 'OPENBLAS_NUM_THREADS': '1', 'PYTHONPATH': os.pathsep.join(sys.path)})
    assert process.returncode == 0, process.stderr[-2000:]
    return json.loads(process.stdout)
