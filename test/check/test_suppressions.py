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

"""Comments that suppress findings."""

import pytest
from support.validation_cases import check
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT

ABOVE = '<!-- urdf-tools: ignore axis-zero exported by CAD -->\n<axis xyz="0 0 0"/>'


def codes(snippet):
    return [finding.code for finding in check(REVOLUTE.format(snippet)).findings]


@pytest.mark.parametrize('snippet', [
    ABOVE,
    '<axis xyz="0 0 0"/> <!-- urdf-tools: ignore axis-zero -->',
    '<!--urdf-tools: ignore limit-missing, axis-zero-->\n<!-- two -->\n<axis xyz="0 0 0"/>',
])
def test_comment_above_or_beside_an_element(snippet):
    assert 'axis-zero' not in codes(snippet)
    assert check(REVOLUTE.format(snippet)).suppressed == 1


@pytest.mark.parametrize('snippet', [
    '<axis xyz="0 0 0"/>\n<!-- urdf-tools: ignore axis-zero -->',
    '<!-- urdf-tools: ignore axis-zero -->\n<origin/><axis xyz="0 0 0"/>',
    '<!-- urdf-tools ignore axis-zero -->\n<axis xyz="0 0 0"/>',
])
def test_comment_elsewhere_has_no_effect(snippet):
    assert 'axis-zero' in codes(snippet)


def test_comment_applies_to_the_content_of_the_element():
    text = ROBOT.format(
        '<link name="base_link"/>\n<!-- urdf-tools: ignore size-not-positive -->\n'
        '<link name="a">\n<visual><geometry><sphere radius="0"/></geometry></visual></link>')
    report = check(text)
    assert 'size-not-positive' not in [finding.code for finding in report.findings]
    assert 'disconnected' in [finding.code for finding in report.findings]


def test_comment_above_the_robot_applies_to_the_file():
    report = check('<!-- urdf-tools: ignore no-joints -->\n' + ROBOT.format(
        '<link name="base_link"/>'))
    assert 'no-joints' not in [finding.code for finding in report.findings]


def test_unused_codes_are_reported_one_by_one():
    report = check(REVOLUTE.format(
        '<!-- urdf-tools: ignore axis-zero, axis-not-unit -->\n<axis xyz="0 0 0"/>'))
    unused, = (finding for finding in report.findings if finding.code == 'suppression-unused')
    assert unused.line == 5
    assert 'axis-not-unit' in unused.message


def test_codes_of_rules_not_applied_are_not_unused():
    report = check(REVOLUTE.format(ABOVE), categories=['names'])
    assert not report.findings


@pytest.mark.parametrize('code', ['no-such-rule', 'axis-zero'])
def test_findings_about_comments_are_limited(code):
    report = check(ROBOT.format(f'<!-- urdf-tools: ignore {code} -->\n' * 200), max_per_rule=30)
    rule = 'suppression-unknown' if code == 'no-such-rule' else 'suppression-unused'
    assert [finding.code for finding in report.findings].count(rule) == 30
    assert report.omitted == {rule: 170}


def test_one_comment_on_a_line_of_many_elements_is_used_by_the_first():
    report = check(ROBOT.format(
        '<link/><!-- urdf-tools: ignore link-no-name --><link/>\n' * 3))
    assert report.suppressed == 3
    assert [finding.code for finding in report.findings].count('link-no-name') == 3
