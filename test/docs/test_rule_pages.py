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

"""The pages of the site about rules are made from the rules and their cases."""

import re

import pytest
from site_pages import graph_rule_index
from site_pages import graph_rule_page
from site_pages import rule_index
from site_pages import rule_page
from site_pages import snippet
from site_pages import subject_page
from support.rule_cases import WITHOUT_EXAMPLE

from urdf_tools.check.rule_examples import CONTEXTS
from urdf_tools.check.rule_examples import finding_of_example
from urdf_tools.check.rules import RULES
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.model.xml.document import read_document

MAX_LINES = 22
MAX_COLUMNS = 99


def test_every_rule_is_in_the_index_once():
    assert re.findall(r'\]\(graph-rules/(.*?)\.md\)', graph_rule_index()) == list(GRAPH_RULES)
    subjects = re.findall(r'\]\(rules/subject-(.*?)\.md\)', rule_index())
    pages = [re.findall(r'\]\(([\w-]+)\.md\)', subject_page(subject)) for subject in subjects]
    assert sorted(code for codes in pages for code in codes) == sorted(RULES)
    assert [f'| {len(codes)} |' in row for codes, row in zip(
        pages, rule_index().splitlines()[2:], strict=True)] == [True] * len(pages)


@pytest.mark.slow
def test_pages_of_rules():
    for code, rule in RULES.items():
        page = rule_page(code)
        assert f'# {code}\n' in page
        assert f'**{rule.severity.label}**' in page
        assert not rule.consequences or '## What programs do with it' in page
        if rule.text.fails:
            finding = finding_of_example(rule)
            assert finding is None or finding.message in page
            assert page.count('```yaml' if rule.text.context.endswith('.yaml') else '```xml') == 2


def test_what_programs_do_comes_from_their_accounts():
    assert '- urdf\\_parser\\_py: ' in rule_page('limit-no-effort')
    assert '- mujoco: refuses the description\n' in rule_page('axis-zero')
    assert '- drake: refuses the description\n' in rule_page('axis-zero')
    assert '- gazebo' not in rule_page('axis-not-unit')


def test_pages_of_rules_about_a_graph():
    for code, rule in GRAPH_RULES.items():
        page = graph_rule_page(code)
        assert f'# {code}\n' in page and '## Example' in page and '## Fix' in page
        assert rule.text.summary.endswith('.') and rule.text.example.endswith('.')
        assert rule.fix and not rule.fix.endswith('.')


def test_every_rule_has_an_example_or_a_reason():
    assert {code for code, rule in RULES.items() if not rule.text.fails} == {*WITHOUT_EXAMPLE}


def test_examples_are_short_and_complete():
    for rule in RULES.values():
        for text in (rule.text.fails, rule.text.passes) if rule.text.fails else ():
            shown = snippet(CONTEXTS[rule.text.context], text)
            assert len(shown.splitlines()) <= MAX_LINES, shown
            assert max(map(len, shown.splitlines())) <= MAX_COLUMNS, shown
            if not rule.code.startswith('xml-'):
                assert read_document(f'<a>{shown}</a>').malformed is None


def test_snippet_shows_the_enclosing_element():
    template = '<robot name="r">\n<link name="a"/>\n<link name="b">\n{}\n</link>\n</robot>'
    assert snippet(template, '<x/>\n<y/>') == '<link name="b">\n  <x/>\n  <y/>\n</link>'
    assert snippet('<robot name="r">\n<link name="a"></link>{}</robot>', '<x/>') == '<x/>'
    assert snippet('{}', '<robot/>') == '<robot/>'
