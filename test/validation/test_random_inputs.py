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

"""Random inputs with a fixed seed; ``python -m benchmarks.fuzz`` takes new ones, and more."""

from random import Random

import pytest
from support.fuzz_inputs import KINDS


@pytest.mark.parametrize('kind, count', [('bytes', 400), ('trees', 150), ('meshes', 120)])
def test_random_inputs(kind, count, tmp_path):
    for number in range(count):
        given = KINDS[kind].make(Random(f'1 {kind} {number}'))
        try:
            KINDS[kind].check(given, tmp_path)
        except Exception as error:
            raise AssertionError(f'Input {number} of {kind}: {given.data!r}') from error
