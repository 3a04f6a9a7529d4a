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
"""The descriptions around the examples of rules, and how programs load failing examples."""

from __future__ import annotations

from pathlib import Path

from urdf_tools.check.validator import validates
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.rules import AnyRule
import yaml

CONTEXTS: dict[str, str] = {}
"""The names of what the examples of rules are part of, to the descriptions around them."""

for _name, (_outer, _text) in yaml.safe_load(
        (Path(__file__).parent / 'rule_examples.yaml').read_bytes()).items():
    CONTEXTS[_name] = CONTEXTS[_outer].format(_text) if _outer else _text


def finding_of_example(rule: AnyRule) -> Finding | None:
    """
    Return the finding about the example that fails, or None if it needs files.

    Its consequences are those of programs with a model, and what the rule states of this example.
    """
    if not rule.text.fails:
        return None
    findings = validates(CONTEXTS[rule.text.context].format(rule.text.fails)).findings
    return next((finding for finding in findings if finding.code == rule.code), None)


def consequences_of(rule: AnyRule) -> Consequences:
    """Return what programs do with the example that fails, and what the rule states at all."""
    finding = finding_of_example(rule)
    stated = {each.program for each in rule.consequences}
    return (*rule.consequences, *(
        each for each in (() if finding is None else finding.consequences)
        if each.program not in stated))
