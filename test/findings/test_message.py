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

"""Templates of messages and their arguments."""

import pickle

import pytest

from urdf_tools.findings.message import as_data
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name

MANY = tuple('abcdefghijkl')


@pytest.mark.parametrize('field, value, text', [
    ('x', Name("it's"), '"it\'s"'),
    ('x:6', Name('abcdefgh'), "'abc...'"),
    ('x', 'a {brace}', 'a {brace}'),
    ('x:.3g', 1.23456, '1.23'),
    ('x', ('a', 'b', 'c'), 'a, b, c'),
    ('x', (Name('a'), Name('b')), "'a', 'b'"),
    ('x', MANY, 'a, b, c, d, e, f, g, h, i, j and 2 more'),
    ('x:and', ('a',), 'a'),
    ('x:and', ('a', 'b'), 'a and b'),
    ('x:and', (Name('a'), 'b', 'c'), "'a', b and c"),
    ('x:and', MANY, 'a, b, c, d, e, f, g, h, i, j and 2 more'),
    ('x:and', (), ''),
    ('x:joint', 1, '1 joint'),
    ('x:joint', 2, '2 joints'),
    ('x:d', 2, '2'),
    ('x:joint', ('a',), '1 joint'),
    ('x:moving joint', ('a', 'b'), '2 moving joints')])
def test_fields(field, value, text):
    message = Message(f'{{{field}}}', x=value)
    assert message == text
    assert pickle.loads(pickle.dumps(message)).arguments == {'x': value}


@pytest.mark.parametrize('text', [
    '{tag}{zzz}', '${prefix}_${link}', '{', '}', '{0.__class__}', '%s'])
def test_a_text_from_outside_is_no_template(text):
    assert Message('{text}', text=FreeText(text)) == text
    assert Message('It is {name}', name=Name(text)) == f"It is '{text}'"
    assert Message('{text}', text=FreeText(text)).extended(' ({n:joint})', n=2) == (
        f'{text} (2 joints)')


def test_a_template_is_always_filled_in():
    assert Message('Write {{name}}') == 'Write {name}'
    with pytest.raises(KeyError):
        Message('{name}')
    with pytest.raises(TypeError):
        Message('{name}', {'name': 'a'})


def test_data_for_json():
    assert as_data({'name': Name('a'), 'names': ('b',), 'number': 1.5, 'bad': float('nan')}) == {
        'name': 'a', 'names': ['b'], 'number': 1.5, 'bad': 'nan'}
