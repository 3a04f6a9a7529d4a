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

"""No row of the tables of mistakes compares all links with all joints."""

from __future__ import annotations

from collections import Counter

from lxml import etree
import pytest

from support.xpath_work import counted
from urdf_tools.check.rules import known_mistakes
from urdf_tools.check.rules.known_mistakes import Mistake
from urdf_tools.check.validator import validate

LINK = """
<link name="l{0}"><inertial><mass value="{1}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
iyz="0"/></inertial><visual name="v"><geometry><mesh filename="package://p/m{0}.stl"/></geometry>
</visual><collision name="c"><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="wheel{0}"><inertial><mass value="1"/></inertial></link>
<joint name="l{0}" type="continuous"><parent link="l{0}"/><child link="wheel{0}"/></joint>
"""

JOINT = """
<joint name="j{0}" type="{1}"><parent link="l{2}"/><child link="l{0}"/>
<limit lower="-1" upper="1" effort="1" velocity="2"/>{3}</joint>
"""


def robot(number):
    """Return a tree of links with wheels."""
    return '<robot name="r">{}{}</robot>'.format(
        ''.join(LINK.format(each, 99 ** (each % 2)) for each in range(number)), ''.join(
            JOINT.format(each, ('revolute', 'prismatic', 'fixed')[each % 3], (each - 1) // 2,
                         each % 2 * f'<mimic joint="j{each // 2}"/>')
            for each in range(1, number)))


@pytest.fixture
def visits(monkeypatch, tmp_path):
    """Return what returns the nodes that each row visits in a robot with a number of links."""
    count: Counter[str] = Counter()
    row = ['']

    def visit(_):
        count[row[0]] += 1
        return True

    monkeypatch.setitem(known_mistakes._FUNCTIONS, 'visit', visit)
    make, defects = Mistake.__init__, Mistake.defects

    def made(mistake, given):
        make(mistake, given)
        functions = {('f', name): each for name, each in known_mistakes._FUNCTIONS.items()}
        mistake.find = {field: etree.XPath(
            counted(path.path), extensions=functions, namespaces={
                'f': 'f', 're': 'http://exslt.org/regular-expressions'})
            for field, path in mistake.find.items()}

    def found(mistake, document, files):
        row[0] = mistake.row['at']
        return defects(mistake, document, files)

    monkeypatch.setattr(Mistake, '__init__', made)
    monkeypatch.setattr(Mistake, 'defects', found)
    known_mistakes.mistakes.cache_clear()

    def of_robot(number):
        count.clear()
        (tmp_path / 'r.urdf').write_text(robot(number))
        report = validate(tmp_path / 'r.urdf')
        assert not [each for each in report.findings if each.code == 'internal-error']
        return {**count}

    yield of_robot
    known_mistakes.mistakes.cache_clear()


@pytest.mark.slow
def test_rows_about_a_robot_are_proportional_to_it(visits):
    """As much as its size, and what each row visits at least."""
    small, large = visits(150), visits(300)
    assert len(large) > 50 and max(large.values()) > 1000
    assert {row: (small[row], number) for row, number in large.items()
            if number > 2.5 * small[row] + 100} == {}


def test_what_is_counted():
    tree = etree.fromstring('<a><b n="1"><c/></b><b n="2"><c/><c/></b></a>')
    for path, number in (
            ('b', 2), ('b/c', 5), ('//c', 10), ('b[@n = ../b/@n]', 12), ('b[1]/c', 2),
            ('count(b) * 2 div 0.5', 2), ('b/text()', 2), ("b[@n='//c']", 4),
            ('b[position() mod 2 = 1 or c]', 4), ('*[name()="b"]', 2), ('b/..', 2),
            ('descendant::c | b', 5)):
        seen = []
        etree.XPath(counted(path), namespaces={'f': 'f'}, extensions={
            ('f', 'visit'): lambda _: seen.append(1) or True})(tree)
        assert len(seen) == number, path
