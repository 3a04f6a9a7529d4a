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

from urdf_tools import DescriptionError
from urdf_tools import loads
from urdf_tools import validates


@pytest.mark.parametrize('kind, numbers', [
    ('bytes', range(400)), ('trees', range(150)), ('meshes', range(120)),
    *(('robots', range(start, start + 500)) for start in range(0, 1000, 250)),
    pytest.param('robots', range(1000, 101_000), marks=pytest.mark.slow)])
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_random_inputs(kind, numbers, tmp_path):
    for number in numbers:
        given = KINDS[kind].make(Random(f'1 {kind} {number}'))
        try:
            KINDS[kind].check(given, tmp_path)
        except Exception as error:
            raise AssertionError(f'Input {number} of {kind}: {given.data!r}') from error


@pytest.mark.parametrize('joint', [
    '<x:joint name="j" type="fixed"/>',
    '<x:joint name="j" type="fixed"><parent link="a"/><child link="b"/></x:joint>',
    '<joint name="j" type="fixed"><x:parent link="a"/><child link="b"/></joint>',
    '<joint name="j" type="fixed"><parent x:link="a"/><child link="b"/></joint>',
    '<joint x:name="j" type="fixed"><parent link="a"/><child link="b"/></joint>',
    '<gazebo><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></gazebo>'])
def test_what_is_no_joint_connects_nothing(joint):
    """The validator and the loader have one idea of a joint."""
    text = f'<robot name="r" xmlns:x="u"><link name="a"/><link name="b"/>{joint}</robot>'
    with pytest.raises(DescriptionError):
        loads(text)
    assert not validates(text).valid
