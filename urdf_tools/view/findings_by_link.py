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
"""The links that findings are about, and the colours of severities."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.model.robot import Robot
from urdf_tools.view.shape_nodes import Rgb

SEVERITY_COLOURS: Mapping[Severity, Rgb] = {
    Severity.ERROR: (220, 40, 40), Severity.WARN: (240, 150, 20), Severity.INFO: (60, 130, 220)}


class FindingsByLink:
    """
    The findings about each link: its own, and those of the joint above it.

    :ivar of_link: name of a link to its findings, the worst first.
    """

    def __init__(self, robot: Robot, findings: Sequence[Finding]):
        self._paths: dict[str, str] = {}
        for link in robot.links.values():
            if link.element is not None:
                self._paths[link.element.path] = link.name
        for joint in robot.joints.values():
            if joint.element is not None:
                self._paths[joint.element.path] = joint.child
        found: dict[str, list[Finding]] = {}
        for finding in findings:
            for name in self.links(finding):
                found.setdefault(name, []).append(finding)
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
        while element:
            if element in self._paths:
                return self._paths[element]
            element = element.rpartition('/')[0]
        return ''

    def colours(self, severity: Severity) -> Mapping[str, Rgb]:
        """Return the links with findings of a severity or a higher one, and their colours."""
        return {link: SEVERITY_COLOURS[findings[0].severity]
                for link, findings in self.of_link.items() if findings[0].severity >= severity}
