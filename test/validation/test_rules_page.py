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

"""docs/rules.md is generated from the rules and their cases; docs/consumers.md names rules."""


import pytest
from support.rule_cases import EXAMPLES
from support.rule_cases import WITHOUT_EXAMPLE

from urdf_tools.model.document import read_document
from urdf_tools.validation.rules import RULES
from write_rules import PAGE
from write_rules import rules_page
from write_rules import snippet

MAX_LINES = 12
MAX_COLUMNS = 99


def test_page_is_up_to_date():
    assert PAGE.read_text(encoding='utf-8') == rules_page(EXAMPLES), (
        'run python3 tools/write_rules.py')


def test_every_rule_is_on_the_page_once():
    lines = rules_page(EXAMPLES).splitlines()
    assert [line[4:] for line in lines if line.startswith('### ')] == list(RULES)


def test_links_lead_to_headings():
    page = rules_page(EXAMPLES)
    headings = {line.lstrip('# ').lower().replace(' ', '-').replace(',', '')
                for line in page.splitlines() if line.startswith('##')}
    links = {link.partition(')')[0] for link in page.split('](#')[1:]}
    assert links == headings


def test_every_rule_has_an_example_or_a_reason():
    assert EXAMPLES.keys() | WITHOUT_EXAMPLE.keys() == RULES.keys()


@pytest.mark.parametrize('code', EXAMPLES)
def test_examples_are_short_and_complete(code):
    case = EXAMPLES[code]
    for text in (case.bad, case.good):
        lines = snippet(case.template, text).splitlines()
        assert len(lines) <= MAX_LINES
        assert max(map(len, lines)) <= MAX_COLUMNS
        if not code.startswith('xml-'):
            document = read_document(f'<a>{snippet(case.template, text)}</a>')
            assert document.malformed is None


def test_snippet_shows_the_enclosing_element():
    template = '<robot name="r">\n<link name="a"/>\n<link name="b">\n{}\n</link>\n</robot>'
    assert snippet(template, '<x/>\n<y/>') == '<link name="b">\n  <x/>\n  <y/>\n</link>'
    assert snippet('<robot name="r">\n<link name="a"></link>{}</robot>', '<x/>') == '<x/>'
    assert snippet('{}', '<robot/>') == '<robot/>'
