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

from urdf_tools.model.messages import name_list
from urdf_tools.ros.tally import PERIOD
from urdf_tools.ros.tally import Tally


def test_each_kind_is_told_at_once_and_then_now_and_then():
    told = []
    now = 100.0
    tally = Tally(told.append, {'a': 'A happened', 'b': 'B happened'}, lambda: now)
    tally.add('a')
    tally.add('a', 5)
    tally.add('b', about=lambda: 'here')
    tally.add('c')
    assert told == ['A happened', 'B happened: here']
    now += PERIOD
    tally.add('a')
    assert told[2:] == ['A happened']
    assert tally.counts == {'a': 7, 'b': 1, 'c': 1}


def test_few_names_are_listed():
    assert name_list(()) == ''
    assert name_list(('a', 'b')) == 'a, b'
    assert name_list(tuple('abcdefghijkl')) == 'a, b, c, d, e, f, g, h, i, j and 2 more'
