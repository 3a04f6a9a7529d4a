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

"""Tests of suggestions for wrong names."""

import copy
import pickle

import pytest

from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import NamedMapping
from urdf_tools.model.spelling import Spelling


@pytest.mark.parametrize(('name', 'near'), [
    ('laeder', 'leader'), ('gripper', 'gripper_joint'), ('Leader_Link', 'leader'),
    ('left_arm_joint', 'left_arm'), ('arm', None), ('joint', None)])
def test_an_end_may_be_missing_or_too_much(name, near):
    assert Spelling(['leader', 'gripper_joint', 'left_arm']).near(name) == near


@pytest.mark.parametrize(('name', 'known', 'near'), [
    ('gripper_joint', ['base_joint'], None), ('laser_link', ['base_link'], None),
    ('laser_link', ['base_link', 'lasr_link'], 'lasr_link'),
    ('wirst_joint', ['wrist_joint'], 'wrist_joint'),
    ('wheel_left_joint', ['left_wheel_joint'], 'left_wheel_joint'),
    ('base_lnk', ['base_link'], 'base_link')])
def test_names_are_not_alike_by_their_ending_alone(name, known, near):
    assert closest(name, known) == near


def test_a_name_as_an_attribute():
    names = NamedMapping({'elbow': 1, 'base-link': 2}, 'joint')
    for wrong, said in (
            ('elbow', "'elbow' is no attribute; write joints['elbow']"),
            ('elbwo', "'elbwo' is no attribute; write joints['elbow']"),
            ('item', "NamedMapping has no attribute 'item'. Did you mean 'items'?")):
        with pytest.raises(AttributeError) as caught:
            getattr(names, wrong)
        assert str(caught.value) == said
    assert copy.deepcopy(names) == pickle.loads(pickle.dumps(names)) == names
    assert not hasattr(names, '_other')
