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

import pytest

from urdf_tools.findings.rules import Faults


def test_a_lack_of_memory_is_not_a_fault():
    faults = Faults()
    with pytest.raises(MemoryError), faults.contained('some'):
        raise ValueError('Cannot allocate memory')
    assert not [*faults.findings()]


def test_each_fault_is_reported_once_with_its_parts():
    faults = Faults()
    for part in ('rule a', 'rule b', 'rule a'):
        for text in ('x', '{y}'):
            with faults.contained(part):
                raise ValueError(text)
    found = [str(finding.message) for finding in faults.findings()]
    line = found[0].split(': ')[0]
    assert line.startswith('Rule a and rule b failed at test_faults.py:')
    assert found == [f'{line}: ValueError: x', f'{line}: ValueError: {{y}}']
