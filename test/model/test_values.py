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

"""Numbers of URDF, and reasons for errors."""

import pytest

from urdf_tools.model.messages import quote
from urdf_tools.model.values import parse_number
from urdf_tools.model.values import parse_vector


@pytest.mark.parametrize('text, value', [
    ('1', 1.0), ('-1.5', -1.5), ('+2.', 2.0), ('.5', 0.5), ('1e-3', 0.001), ('1E+3', 1000.0),
    (' 7 ', 7.0), ('\n7\t', 7.0), ('1e-400', 0.0), ('0' * 1000 + '1', 1.0)])
def test_number(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize('text, reason', [
    ('', 'it is empty'),
    (' ', 'it is empty'),
    ('1,5', "'1,5' has a decimal comma"),
    ('nan', "'nan' is not finite"),
    ('-Inf', "'-Inf' is not finite"),
    ('infinity', "'infinity' is not finite"),
    ('1e400', "'1e400' is too large for a number"),
    ('1_000', "'1_000' is not a number"),
    ('0x10', "'0x10' is not a number"),
    ('1e', "'1e' is not a number"),
    ('1.2.3', "'1.2.3' is not a number"),
    ('90deg', "'90deg' is not a number"),
    ('\u0663', "'\u0663' is not a number"),
    ('1 2', "'1 2' has 2 numbers, 1 expected"),
    ('${pi/2}', "'${pi/2}' is a xacro expression that was not expanded"),
    ('x' * 1000, repr('x' * 37 + '...') + ' is not a number')])
def test_invalid_number(text, reason):
    with pytest.raises(ValueError) as raised:
        parse_number(text)
    assert str(raised.value) == reason


@pytest.mark.parametrize('text', ['1 2 3', ' 1  2 3 ', '1\t2\n3'])
def test_vector(text):
    assert parse_vector(text, 3) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize('text, reason', [
    ('', "'' has none, 3 expected"),
    ('1', "'1' has 1 number, 3 expected"),
    ('1 2 3 4', "'1 2 3 4' has 4 numbers, 3 expected"),
    ('1, 2, 3', "'1, 2, 3' has commas between its numbers; URDF takes spaces"),
    ('1,2,3', "'1,2,3' has commas between its numbers; URDF takes spaces"),
    ('1,5 2 3', "'1,5' has a decimal comma"),
    ('1 nan 3', "'nan' is not finite"),
    ('1\u00a02 3', "'1\\xa02 3' has 2 numbers, 3 expected")])
def test_invalid_vector(text, reason):
    with pytest.raises(ValueError) as raised:
        parse_vector(text, 3)
    assert str(raised.value) == reason


@pytest.mark.parametrize('text', [
    '1' * 1_000_000 + 'x', '1.' + '1' * 1_000_000 + 'x', '1e' + '1' * 1_000_000 + 'x',
    '1' + ' ' * 1_000_000 + 'x', '1,' * 1_000_000], ids=lambda text: text[:2])
def test_time_does_not_grow_with_the_square_of_the_digits(text):
    # It takes milliseconds, or an hour with a pattern that can divide digits in several ways.
    with pytest.raises(ValueError):
        parse_number(text)


def test_quote_cuts():
    assert quote('a' * 40) == repr('a' * 40)
    assert quote('a' * 41) == repr('a' * 37 + '...')
    assert quote('\n') == r"'\n'"
