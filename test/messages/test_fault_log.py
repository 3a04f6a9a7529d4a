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

import time

from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.fault_log import PERIOD


def test_each_kind_is_logged_at_once_and_then_once_a_period(monkeypatch):
    logged = []
    now = 100.0
    monkeypatch.setattr(time, 'monotonic', lambda: now)
    faults = FaultLog(logged.append, {'a': 'A happened', 'b': 'B happened'})
    faults.add('a')
    faults.add('a', 5)
    faults.add('b', detail=lambda: 'here')
    faults.add('c')
    assert logged == ['A happened', 'B happened: here']
    now += PERIOD
    faults.add('a')
    assert logged[2:] == ['A happened']
    assert faults.counts == {'a': 7, 'b': 1, 'c': 1}
