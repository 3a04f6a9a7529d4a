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

"""The hint on a joint whose parent and child are swapped, and joints that close no loop."""

import pytest

from urdf_tools.check.validator import validates

LINKS = ''.join(f'<link name="{name}"/>' for name in ('base_link', 'a', 'b', 'c'))
HINT = ("Swap <parent> and <child> of joint 'k' if they are confused, or attach one of the joints "
        'to another link')


def joint(name, parent, child, content=''):
    return (f'<joint name="{name}" type="fixed"><parent link="{parent}"/><child link="{child}"/>'
            f'{content}</joint>')


@pytest.mark.parametrize('joints', [
    (('j', 'base_link', 'a'), ('k', 'b', 'a'), ('l', 'b', 'c')),
    (('l', 'b', 'c'), ('k', 'b', 'a'), ('j', 'base_link', 'a'))])
def test_swapped_parent_and_child(joints):
    text = ''.join(joint(*each) for each in joints)
    hints = {each.code: each.hint for each in
             validates(f'<robot name="r">{LINKS}{text}</robot>').findings}
    assert hints['multiple-parents'] == hints['multiple-roots'] == HINT


def test_several_causes_give_no_hint():
    text = joint('j', 'base_link', 'a') + joint('k', 'b', 'a') + joint('l', 'c', 'a')
    hints = {each.code: each.hint for each in
             validates(f'<robot name="r">{LINKS}{text}</robot>').findings}
    assert 'Swap' not in hints['multiple-parents']


@pytest.mark.parametrize('kind, is_loop', [('gearbox', False), ('screw', False), ('belt', True)])
def test_couplings_close_no_loop(kind, is_loop):
    text = joint('j', 'base_link', 'a') + joint('k', 'base_link', 'b') + joint('l', 'b', 'c')
    codes = {each.code for each in validates(
        f'<robot name="r">{LINKS}{text}<gazebo><joint name="g" type="{kind}"><parent>a</parent>'
        '<child>c</child></joint></gazebo></robot>').findings}
    assert ('loop-unreadable' in codes) is is_loop
