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

"""A robot to which everything happens that an operator knows, once."""

from benchmarks import scenario
from benchmarks.simulated_robot import missed
import pytest

pytestmark = pytest.mark.slow


def test_everything_happens_once(capsys):
    assert scenario.main(['--minutes', '0', '--pause', '0.1']) == 0
    output = capsys.readouterr()
    assert output.err == ''
    for event in ('kill state publisher', 'kill companion', 'replace description', 'jump back',
                  'jump forward', 'restart driver'):
        assert f': {event}: ' in output.out
    assert '; 0 faults' in output.out


@pytest.mark.parametrize(('received', 'lost'), [
    ([10, 20, 30, 40], []), ([20, 40], [30]), ([], [10, 20, 30, 40]), ([30], [])])
def test_joint_states_without_transforms(received, lost):
    assert missed([10, 20, 30, 40], received) == lost
