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

"""The work of the validator is linear in the number of each kind of element and of defect."""

import pytest
from support.call_count import calls_of_each
from support.call_count import comparisons_as_calls
from support.call_count import forget_results
from support.large_descriptions import DEFECTS
from support.large_descriptions import ELEMENTS
from support.validation_cases import check

from urdf_tools.check.topology import Topology

pytestmark = pytest.mark.slow


def superlinear(text, counts):
    """
    Return the functions whose calls grow faster than the number of elements, with their calls.

    What is added as the number doubles, doubles where the work is linear, and grows fourfold
    where it is quadratic.
    """
    check(text(counts[0]))
    measured = []
    for count in counts:
        description = text(count)
        forget_results()
        with comparisons_as_calls():
            report, calls = calls_of_each(lambda: check(description))
        assert 'internal-error' not in [finding.code for finding in report.findings]
        measured.append(calls)
    few, some, many = measured
    return {name: (few[name], some[name], many[name]) for name in many
            if many[name] - some[name] > 2.4 * (some[name] - few[name]) + 4 * counts[0]}


@pytest.mark.parametrize('kind', ELEMENTS)
def test_work_is_linear_in_the_number_of_elements(kind):
    assert not superlinear(ELEMENTS[kind], (40, 80, 160))


@pytest.mark.parametrize('code', DEFECTS)
def test_work_is_linear_in_the_number_of_defects(code):
    assert not superlinear(DEFECTS[code], (20, 40, 80))


def test_a_search_through_all_links_for_each_is_found(monkeypatch):
    search = Topology._search
    monkeypatch.setattr(Topology, '_search', lambda topology: [
        link for link in topology.links if link in [*topology.links]] and search(topology))
    assert superlinear(ELEMENTS['links'], (40, 80, 160))
