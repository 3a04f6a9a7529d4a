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


"""docs/doctor.md has all rules about a running graph."""

from urdf_tools.monitoring.rules import GRAPH_RULES
from write_doctor import PAGE
from write_doctor import with_rules


def test_page_is_up_to_date():
    page = PAGE.read_text(encoding='utf-8')
    assert page == with_rules(page), 'run python3 tools/write_doctor.py'


def test_every_rule_is_on_the_page_once():
    lines = PAGE.read_text(encoding='utf-8').splitlines()
    assert [line[4:] for line in lines if line.startswith('### ')] == list(GRAPH_RULES)


def test_every_rule_says_what_why_and_how():
    for rule in GRAPH_RULES.values():
        assert rule.summary.endswith('.') and rule.example.endswith('.')
        assert rule.hint and not rule.hint.endswith('.')
