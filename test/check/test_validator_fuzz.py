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

"""No text makes the validator raise or take long."""

import random

from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st
import pytest
from support.call_count import count_calls
from support.corpus import CORPUS
from support.corpus import SKIPPED
from support.validation_cases import check
from support.validation_cases import CONTINUOUS
from support.validation_cases import GEOMETRY
from support.validation_cases import INERTIAL
from support.validation_cases import REVOLUTE
from support.validation_cases import ROS2_CONTROL
from support.validation_cases import TRANSMISSION
from support.validation_cases import VISUAL

from urdf_tools.check.schema import READERS
from urdf_tools.check.schema import ROBOT

pytestmark = pytest.mark.slow

VALUES = ('', ' ', '0', '-1', '1e308', '1e999', '-1e-320', 'nan', 'inf', '1,5', '${x}', '0x10',
          '1 2 3', '1 2 3 4', '0 0 0', '1e200 1e200 1e200', 'revolute', 'floating', 'world',
          'base_link', 'j', '__a__', '/', 'é', 'a' * 300, '&lt;', 'package://', 'a://b', '1.1')


def _names(tag):
    yield from tag.attributes
    for name, inner in tag.children.items():
        yield name
        if inner is not None:
            yield from _names(inner)


NAMES = sorted({*_names(ROBOT), *(name for _, name in READERS),
                'xacro:if', 'drake:joint', 'x', 'plugin', 'hardware', 'param'})


@st.composite
def elements(draw, depth=3):
    tag = draw(st.sampled_from(NAMES))
    attributes = draw(st.dictionaries(
        st.sampled_from(NAMES), st.sampled_from(VALUES), max_size=4))
    shown = ''.join(f' {name}="{value}"' for name, value in attributes.items())
    children = draw(st.lists(elements(depth - 1), max_size=3)) if depth else []
    return f'<{tag}{shown}>{"".join(children)}</{tag}>'


def assert_sound(report):
    assert 'internal-error' not in [finding.code for finding in report.findings], [
        finding.message for finding in report.findings if finding.code == 'internal-error']
    for finding in report.findings:
        assert len(finding.message) < 2000


@pytest.mark.slow
@given(st.lists(elements(), max_size=6))
@settings(max_examples=150, deadline=None)
def test_any_elements(parts):
    assert_sound(check(f'<robot name="r">{"".join(parts)}</robot>'))


@pytest.mark.parametrize('template', [
    CONTINUOUS, REVOLUTE, GEOMETRY, INERTIAL, ROS2_CONTROL, TRANSMISSION, VISUAL])
@given(parts=st.lists(elements(1), max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_elements_within_a_template(template, parts):
    assert_sound(check(template.format(''.join(parts))))


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_bytes(data):
    assert_sound(check(data))


def _files():
    if not CORPUS.is_dir():
        return SKIPPED
    paths = [path for path in sorted(CORPUS.glob('*/**/*.urdf'))
             if path.stat().st_size < 60_000]
    return [pytest.param(path, id=path.name) for path in paths[::3]]


@pytest.mark.parametrize('path', _files())
def test_mutated_files(path):
    data = path.read_bytes()
    numbers = random.Random(path.name)
    for _ in range(4):
        assert_sound(check(_mutated(data, numbers)))


def _mutated(data, numbers):
    """Return a text with some bytes and values replaced and lines repeated or removed."""
    for _ in range(numbers.randrange(1, 12)):
        start = numbers.randrange(len(data))
        kind = numbers.randrange(4)
        if kind == 0:
            quote = data.find(b'"', start) + 1
            end = data.find(b'"', quote)
            data = data[:quote] + numbers.choice(VALUES).encode() + data[max(end, quote):]
        elif kind == 1:
            line = data.find(b'\n', start) + 1
            end = data.find(b'\n', line)
            data = data[:line] + 2 * data[line:end + 1] + data[max(end, line):]
        elif kind == 2:
            data = data[:start] + bytes([numbers.randrange(256)]) + data[start + 1:]
        else:
            line = data.find(b'\n', start) + 1
            data = data[:line] + data[max(data.find(b'\n', line), line):]
    return data


@pytest.mark.parametrize('text', [
    '<robot name="r">' + '<link name="a"/>' * 60_000 + '</robot>',
    '<robot name="r">' + ''.join(f'<q{i} z="1"/>' for i in range(60_000)) + '</robot>',
    '<robot name="r">' + ''.join(
        f'<joint name="j{i}" type="fixed"><parent link="x{i}"/><child link="y{i}"/></joint>'
        for i in range(4_000)) + '<link name="a"/></robot>',
    '<robot name="r">' + ''.join(
        f'<link name="l{i}"/><joint name="j{i}" type="fixed"><parent link="l{i}"/>'
        f'<child link="l{i // 2}"/></joint>' for i in range(4_000)) + '</robot>',
    '<robot name="r">' + '<!-- urdf-tools: ignore a -->' * 20_000 + '</robot>',
    '<robot name="' + 'a' * 1_000_000 + '"/>',
    '<robot name="r"><link name="' + 'l' * 500_000 + '"><visual name="' + 'v' * 400_000
    + '"/></link></robot>',
    '<robot name="r"><link name="a"><visual><origin xyz="' + '1 ' * 400_000
    + '"/></visual></link></robot>',
], ids=['same-links', 'unknown', 'dangling', 'loops', 'suppressions', 'name', 'names', 'numbers'])
def test_work_is_linear_in_the_length_of_the_text(text):
    report, calls = count_calls(lambda: check(text))
    assert_sound(report)
    assert not report.valid
    # The models of seven programs say something of each link, too.
    assert calls < 32 * len(text)
    _, calls = count_calls(lambda: check(text, asks_programs=False))
    assert calls < 13 * len(text)
