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

"""Mimic joints and the joints that they follow."""

import pytest
from support.chains import robot

from urdf_tools.kinematics import resolve_mimic
from urdf_tools.model.robot import Mimic


def test_chain_of_mimic_joints_is_collapsed():
    chain = robot(
        'c revolute <mimic joint="b" multiplier="-0.5" offset="1"/>',
        'b revolute <mimic joint="a" multiplier="3" offset="0.2"/>',
        'a revolute')
    mimic = resolve_mimic(chain)
    assert set(mimic) == {'b', 'c'}
    assert mimic['b'] == Mimic('a', 3.0, 0.2)
    assert mimic['c'].joint == 'a'
    assert mimic['c'].multiplier == pytest.approx(-1.5)
    assert mimic['c'].offset == pytest.approx(0.9)


def test_several_followers_of_one_leader():
    chain = robot(
        'a prismatic', 'b revolute <mimic joint="a"/>',
        'c revolute <mimic joint="a" multiplier="2"/>')
    assert resolve_mimic(chain) == {'b': Mimic('a'), 'c': Mimic('a', 2.0)}


def test_thousands_of_followers_in_a_row():
    count = 5000
    chain = robot('j0 revolute', *(
        f'j{i} revolute <mimic joint="j{i - 1}" offset="1"/>' for i in range(1, count)))
    assert resolve_mimic(chain)[f'j{count - 1}'] == Mimic('j0', 1.0, count - 1.0)
