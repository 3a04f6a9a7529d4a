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
"""The list of findings, each with a button that moves the camera to its link."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from functools import partial
from typing import Any

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.folding import fold
from urdf_tools.findings.report import Report
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable
from urdf_tools.model.robot import Robot
from urdf_tools.view.link_data import links_by_element
from urdf_tools.view.markup import note
from urdf_tools.view.markup import remark
from urdf_tools.view.shape_nodes import Rgb
import viser

SEVERITY_COLOURS: Mapping[Severity, Rgb] = {
    Severity.ERROR: (220, 40, 40), Severity.WARN: (240, 150, 20), Severity.INFO: (60, 130, 220)}


MARKS: Mapping[str, Severity | None] = {
    'errors': Severity.ERROR, 'errors and warnings': Severity.WARN,
    'all findings': Severity.INFO, 'nothing': None}
"""The label of the findings that colour their links, to their lowest severity."""


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


MAX_SHOWN = 60
"""Most findings that are listed; the worst come first."""


def finding_remark(finding: Finding, source: str, title: str) -> str:
    """Return a title with the hint, the location and the xacro source of a finding as HTML."""
    place = location(finding.file(source), finding.line, finding.column)
    return remark(SEVERITY_COLOURS[finding.severity], title, [
        finding.hint, f'{place} [{finding.code}]' if place else f'[{finding.code}]',
        *finding.remarks])


def add_findings(gui: viser.GuiApi, report: Report, by_link: FindingsByLink,
                 select: Callable[[str, Any], None]) -> None:
    """
    Add the findings of a report, folded as in the terminal.

    :param select: called with the name of a link and the event when a user asks for it.
    """
    gui.add_html(note(report.outcome()))
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
