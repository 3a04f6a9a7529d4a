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

"""The page of the rules is what the rules say."""

from urdf_tools.validation.formats.markdown import rules_page
from urdf_tools.validation.rules import RULES
from write_rules import PAGE


def test_page_is_up_to_date():
    assert PAGE.read_text(encoding='utf-8') == rules_page(), 'run python3 tools/write_rules.py'


def test_every_rule_is_on_the_page_once():
    lines = rules_page().splitlines()
    assert [line[4:] for line in lines if line.startswith('### ')] == list(RULES)
