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

"""Pairs that are brought up to date in the text of an SRDF file."""

import pytest

from urdf_tools.collision.srdf_matrix import new_matrix
from urdf_tools.collision.srdf_matrix import Pair
from urdf_tools.collision.srdf_matrix import update_matrix
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.document import read_document

SRDF = b"""<?xml version="1.0"?>
<!-- Mine -->
<robot name="arm">
    <group name="all"><chain base_link="a" tip_link="c"/></group>
    <disable_collisions link1="b" link2="a" reason='Never'/>  <!-- why -->
    <disable_collisions link1="a" link2="c" reason="Never"/>
    <disable_collisions link1="a" link2="d" reason="User"/>
    <disable_collisions link1="x" link2="y" reason="Never"/>
    <enable_collisions link1="b" link2="d"/>
</robot>
"""


def pair(first, second, reason, distance=0.0):
    return Pair(first, second, reason, distance, {}, 1000, 0)


PAIRS = (pair('a', 'b', 'Adjacent'), pair('a', 'c', ''), pair('a', 'd', ''),
         pair('b', 'c', 'Never', 0.1), pair('b', 'd', 'Never', 0.1), pair('c', 'd', 'Default'))


def updated(data, pairs=PAIRS, with_default=False):
    return update_matrix(read_document(data), pairs, with_default)


def test_only_pairs_change():
    update = updated(SRDF)
    assert update.data == SRDF.replace(b"'Never'", b"'Adjacent'").replace(
        b'\n    <disable_collisions link1="a" link2="c" reason="Never"/>', b'').replace(
        b'link2="y" reason="Never"/>', b'link2="y" reason="Never"/>\n'
        b'    <disable_collisions link1="b" link2="c" reason="Never"/>')
    assert [(each.kind, each.pair.first, each.pair.second, each.before, each.after)
            for each in update.changes] == [
        ('changed', 'a', 'b', 'Never', 'Adjacent'), ('removed', 'a', 'c', 'Never', ''),
        ('kept', 'a', 'd', 'User', 'User'), ('added', 'b', 'c', '', 'Never')]


def test_twice_is_no_change():
    first = updated(SRDF)
    again = updated(first.data)
    assert again.data == first.data
    assert [each.kind for each in again.changes] == ['kept']


def test_pairs_that_touch_at_zero():
    assert b'link1="c" link2="d" reason="Default"' in updated(SRDF, with_default=True).data
    listed = SRDF.replace(b'link1="x" link2="y" reason="Never"',
                          b'link1="d" link2="c" reason="Default"')
    assert b'reason="Default"' in updated(listed).data


def test_the_last_pair_is_removed_where_others_are_added():
    data = (b'<robot name="r">\n  <disable_collisions link1="a" link2="c" reason="Never"/>\n'
            b'</robot>')
    assert updated(data, PAIRS[:2]).data == (
        b'<robot name="r">\n  <disable_collisions link1="a" link2="b" reason="Adjacent"/>\n'
        b'</robot>')


def test_a_new_file():
    update = updated(new_matrix('a & b'), PAIRS[:1])
    root = read_document(update.data).root
    assert root.get('name') == 'a & b'
    assert [dict(each.attrib) for each in root] == [
        {'link1': 'a', 'link2': 'b', 'reason': 'Adjacent'}]


def test_an_encoding_that_is_not_based_on_ascii():
    with pytest.raises(DescriptionError):
        updated('<robot name="r"/>'.encode('utf-16'))
