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

"""Foreign text on its way to people."""

import pytest

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import count
from urdf_tools.model.messages import joined
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import readable

HOSTILE = 'x\n[FATAL] y\r\t\x1b[31m\x07\x7f\x9b\u202e\u2028\u200b\ufeff\udcff\0'


@pytest.mark.parametrize('text', ['', 'left arm', 'Ärmel_手', '└── C:\\robot', "it's"])
def test_printable_text_is_unchanged(text):
    assert printable(text) == text


def test_what_is_not_printable_is_escaped():
    assert printable(HOSTILE) == (
        r'x\n[FATAL] y\r\t\x1b[31m\x07\x7f\x9b\u202e\u2028\u200b\ufeff\xff\x00')
    assert printable(printable(HOSTILE)) == printable(HOSTILE)


@pytest.mark.parametrize('text, shown', [
    ('::error::x', r'\x3a:error::x'), (' ::error', r' \x3a:error'), ('a::b', 'a::b'),
    ('x##vso[task]', r'x#\x23vso[task]')])
def test_commands_to_ci_services_are_escaped(text, shown):
    assert printable(text) == printable(shown) == shown


def test_nouns_with_their_numbers():
    assert [count(number, noun) for number, noun in (
        (1, 'axis'), (2, 'axis'), (2, 'dynamics'), (2, 'mass'), (0, 'joint'))] == [
        '1 axis', '2 axes', '2 dynamics', '2 masses', '0 joints']


@pytest.mark.parametrize('number, form, text', [
    (1000.0, '.3g', '1000'), (999.6, '.3g', '1000'), (33510.3, '.4g', '33510'),
    (1e6, 'g', '1000000'), (5e8, 'g', '5e+08'), (-2000.0, '+.3g', '-2000'),
    (2000.0, '+.3g', '+2000'), (0.25, '+g', '+0.25'),
    (-0.0, 'g', '0'), (-3.9e-19, '.4g', '0'), (2e-15, 'g', '2e-15'), (6.7e-10, '.2g', '6.7e-10'),
    (float('inf'), 'g', 'inf'), (float('nan'), '.3g', 'nan'), (12, 'g', '12')])
def test_numbers_for_people(number, form, text):
    assert readable(number, form) == text


def test_sentences():
    assert joined('Joint is wrong', "Did you mean 'x'?", '', 'Called at a:1') == (
        "Joint is wrong. Did you mean 'x'? Called at a:1")


def test_locations_and_errors_are_one_safe_line():
    assert location(HOSTILE, 3) == f'{printable(HOSTILE)}:3'
    error = DescriptionError(HOSTILE, element=HOSTILE, hint=HOSTILE, source=HOSTILE)
    assert str(error).isprintable()
