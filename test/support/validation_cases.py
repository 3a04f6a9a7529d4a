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

"""Templates of small descriptions that cases complete, and helpers to check them."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from typing import Any
from typing import NamedTuple

from urdf_tools.check.fixes import autofix
from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.rule_examples import CONTEXTS
from urdf_tools.check.rules import RULES
from urdf_tools.check.validator import validates
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import Document


class Case(NamedTuple):
    """
    A rule with a small description that violates it, and the same one fixed.

    The page of the rule shows ``bad`` and ``good`` as they are, so they are complete elements.

    :param template: the description that ``bad`` and ``good`` are inserted into, at the ``{}``.
    :param line: expected line of the finding about ``bad``.
    :param message: its expected message.
    :param severity: its expected severity; by default that of the rule.
    :param consumers: the programs it must name; by default those that the rule states without a
        condition, and perhaps others of the rule.
    :param effects: what it must say of some programs.
    :param unaffected: programs that it must not name, besides those effects.
    """

    code: str
    template: str
    bad: str
    good: str
    line: int
    message: str
    severity: Severity | None = None
    consumers: tuple[str, ...] | None = None
    effects: Mapping[str, str] | None = None
    unaffected: tuple[str, ...] = ()


def example(
        code: str, line: int, message: str, *more: Any, **options: Any) -> Case:
    """Return the case of the example of a rule; the other parameters are those of a Case."""
    text = RULES[code].text
    return Case(
        code, CONTEXTS[text.context], text.fails, text.passes, line, message, *more, **options)


WHOLE = '{}'

ROBOT = CONTEXTS['a robot']

LINKS = CONTEXTS['a robot with two links']

FIXED, REVOLUTE, CONTINUOUS = (
    CONTEXTS[f'a {kind} joint'] for kind in ('fixed', 'revolute', 'continuous'))

LINK = CONTEXTS['a link']

VISUAL = CONTEXTS['a visual']

GEOMETRY = CONTEXTS['a collision geometry']

INERTIAL = CONTEXTS['an inertial']

FOLLOWER = CONTEXTS['the joint that follows another']

DRIVEN = CONTEXTS['a robot with joints']

TRANSMISSION = CONTEXTS['a transmission']

ROS2_CONTROL = CONTEXTS['a ros2_control system']


def chain(length: int) -> str:
    """Return a robot of ``length`` links, each of which is the parent of the next."""
    links = [f'<link name="l{i}"/>' for i in range(length)]
    joints = [f'<joint name="j{i}" type="fixed"><parent link="l{i - 1}"/><child link="l{i}"/>'
              '</joint>' for i in range(1, length)]
    return ROBOT.format('\n'.join((*links, *joints)))


def mimics(**leaders: str) -> str:
    """Return the joints a, b and c, some of which mimic others, for :data:`LINKS`."""
    joints = []
    for name in 'abc':
        mimic = f'<mimic joint="{leaders[name]}"/>' if name in leaders else ''
        joints.append(
            f'<link name="{name}_link"/>\n<joint name="{name}" type="continuous">\n'
            f'  <parent link="base_link"/><child link="{name}_link"/>{mimic}\n</joint>')
    return '\n'.join(joints)


def masses(parent: float, child: float | str) -> str:
    """Return two links of these masses and a joint that moves the second, for :data:`ROBOT`."""
    links = [
        f'<link name="{name}"><inertial>\n  <mass value="{mass}"/>\n'
        '  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.02"/>\n'
        '</inertial></link>'
        for name, mass in (('base_link', parent), ('tip', child))]
    return '\n'.join((
        *links,
        '<joint name="j" type="continuous">\n'
        '  <parent link="base_link"/><child link="tip"/>\n</joint>'))


def check(text: str | bytes, resources: ResourceResolver | None = None, **options) -> Report:
    """Validate a text, with the files that it refers to if there is what finds them."""
    if resources is not None:
        options['categories'] = CATEGORIES
    return validates(text, resources=resources, **options)


def codes(text: str | bytes, **options) -> list[str]:
    """Return the codes of what is wrong with a text."""
    return [finding.code for finding in check(text, **options).findings]


def body(mass: str, moment: str, more: str = '') -> str:
    """Return a link that a joint moves, with this mass and diagonal inertia, for :data:`ROBOT`."""
    return (
        f'<link name="base_link"/>\n<link name="tip"><inertial>\n  <mass value="{mass}"/>\n'
        f'  <inertia ixx="{moment}" ixy="0" ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/>\n'
        '</inertial></link>\n<joint name="j" type="continuous">\n'
        f'  <parent link="base_link"/><child link="tip"/>\n</joint>{more}')


def autofixed(document: Document, check: Callable[[Document], Report]) -> bytes:
    """Return the text of a URDF description with every defect fixed that has one safe fix."""
    return autofix(lambda texts: document, check).after.get(document.source, document.data)
