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
"""Findings and losses by link: their colours, and the list of findings."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.folding import fold
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.report import Report
from urdf_tools.findings.rules import Faults
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import accounts
from urdf_tools.programs.models import judged
from urdf_tools.programs.models import NEWEST
from urdf_tools.programs.summaries import comparison
from urdf_tools.view.markup import note
from urdf_tools.view.markup import remark
from urdf_tools.view.scene_nodes import Rgb
import viser

SEVERITY_COLOURS: Mapping[Severity, Rgb] = {
    Severity.ERROR: (220, 40, 40), Severity.WARN: (240, 150, 20), Severity.INFO: (60, 130, 220)}

MARKS: Mapping[str, Severity | None] = {
    'errors': Severity.ERROR, 'warnings': Severity.WARN, 'all': Severity.INFO, 'nothing': None}
"""What colours links: findings, to their lowest severity."""

MAX_SHOWN = 60
"""Maximum number of findings that are listed; the worst come first."""

DROPPED: Rgb = (220, 40, 40)
CHANGED_MASS: Rgb = (240, 130, 20)
MERGED: Rgb = (60, 130, 220)
REDUCED: Rgb = (230, 210, 60)
KEPT: Rgb = (110, 170, 110)

MEANINGS: Mapping[Rgb, str] = {
    KEPT: 'kept', REDUCED: 'without a shape or limit', MERGED: 'part of another link',
    CHANGED_MASS: 'other mass or inertia', DROPPED: 'dropped or refused'}
"""The colours of links and what each means, the worst last."""

_ORDER = tuple(MEANINGS)

_WHOLE = frozenset(('base', 'description', 'inertia', 'joint', 'link', 'mass'))
"""Kinds of elements that a link cannot do without."""


def links_by_element(robot: Robot) -> dict[Element, str]:
    """Return the link of each element of a link, and the one that each joint moves."""
    every = [*((link.element, link.name) for link in robot.links.values()),
             *((joint.element, joint.child) for joint in robot.joints.values())]
    return {element: link for element, link in every if element is not None}


def account_for(choice: str, robot: Robot, resources: ResourceResolver) -> Account:
    """
    Return what becomes of a robot in a program.

    :param choice: one of :data:`~urdf_tools.programs.models.WITH_MJCF`.
    :param resources: finds the meshes of the robot.
    :raises DescriptionError: the conversion repeats too much of the description, or the program
        reads the format itself that it was converted from.
    """
    source = Source.of_robot(robot)
    if own := judged([choice], source)[1]:
        raise DescriptionError(own)
    return account_of(choice, source, _context(robot, resources))


def compared(robot: Robot, resources: ResourceResolver) -> Sequence[Sequence[str]]:
    """Return the rows of the table of all programs that ``urdf-tools account`` prints."""
    source = Source.of_robot(robot)
    found = accounts(judged(NEWEST, source)[0], source, _context(robot, resources), Faults(),
                     lambda name, account: None)
    return [*comparison([account for account, _ in found.values()])] if found else []


def _context(robot: Robot, resources: ResourceResolver) -> Context:
    path = Path(robot.source)
    return Context(resources, path if path.is_file() else None)


def loss_colours(account: Account, robot: Robot) -> Mapping[str, Rgb]:
    """
    Return the colour of each link by what a program drops of it.

    It is dropped if the program drops the link, its mass or its joint, or refuses the robot
    because of one of them, and reduced if it drops one of its shapes, or a limit of its joint.
    """
    links = links_by_element(robot)
    colours = {name: MERGED if name in account.merged else KEPT for name in robot.links}
    for loss in (*account.losses, *account.causes):
        about = [_link_around(element, links) for element in (loss.element, *loss.others)]
        is_merging = loss.of == 'link' and about[0] in account.merged
        for name in () if is_merging or loss.setting else filter(None, about):
            colours[name] = max(colours[name], _colour(loss), key=_ORDER.index)
    return colours


def _colour(loss: Loss) -> Rgb:
    if loss.impact >= Impact.DROPS and not loss.is_harmless:
        return DROPPED if loss.of in _WHOLE else REDUCED
    return CHANGED_MASS if loss.mass or loss.of in ('mass', 'inertia') else KEPT


def _link_around(element: Element | None, links: Mapping[Element, str]) -> str:
    """Return the link that an element belongs to, or an empty text."""
    while element is not None and element not in links:
        element = element.parent
    return '' if element is None else links[element]


class FindingsByLink:
    """
    The findings about each link: its own, and those of the joint above it.

    :ivar of_link: name of a link to its findings, the worst first.
    """

    def __init__(self, robot: Robot, findings: Sequence[Finding]):
        self._paths = {element.path: link for element, link in links_by_element(robot).items()}
        found = grouped((name, finding) for finding in findings for name in self.links(finding))
        self.of_link: Mapping[str, Sequence[Finding]] = {
            link: sorted(about, key=lambda finding: -finding.severity)
            for link, about in found.items()}

    def links(self, finding: Finding) -> list[str]:
        """Return the links that a finding is about: several if a xacro macro made them."""
        instances = () if finding.trace is None else finding.trace.instances
        elements = [finding.element, *(instance.element for instance in instances)]
        links = [self._link(element) for element in elements]
        return [link for link in dict.fromkeys(links) if link]

    def _link(self, element: str) -> str:
        """Return the link that the path of an element belongs to, or an empty string."""
        while element and element not in self._paths:
            element = element.rpartition('/')[0]
        return self._paths.get(element, '')

    def colours(self, severity: Severity) -> Mapping[str, Rgb]:
        """Return the links with findings of a severity or a higher one, and their colours."""
        return {link: SEVERITY_COLOURS[findings[0].severity]
                for link, findings in self.of_link.items() if findings[0].severity >= severity}


def finding_remark(finding: Finding, source: str, title: str) -> str:
    """Return a title with the hint, the location and the xacro source of a finding as HTML."""
    where = location(finding.file(source), finding.line, finding.column)
    return remark(SEVERITY_COLOURS[finding.severity], title, [
        finding.hint, f'{where} [{finding.code}]' if where else f'[{finding.code}]',
        *finding.remarks])


def add_findings(gui: viser.GuiApi, report: Report, by_link: FindingsByLink,
                 select: Callable[[str, Any], None]) -> None:
    """
    Add the findings of a report, folded as in the terminal.

    :param select: called with the name of a link and the event when a user asks for it.
    """
    gui.add_html(note(report.verdict()))
    for line in report.headline()[1:]:
        gui.add_html(note(line.strip()))
    folded = [found for rule in fold(report.findings) for found in rule.folded]
    for found in folded[:MAX_SHOWN]:
        finding = found.first
        others = f' (and {found.others} like it)' if found.others else ''
        gui.add_html(finding_remark(
            finding, report.source, f'{finding.severity.label}: {finding.message}{others}'))
        links = by_link.links(finding)
        if links:
            button = gui.add_button(printable(f'Show {links[0]}'))
            button.on_click(partial(select, links[0]))
    if len(folded) > MAX_SHOWN:
        gui.add_html(note(f'and {len(folded) - MAX_SHOWN} more; urdf-tools check lists them'))
