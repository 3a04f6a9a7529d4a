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

"""Decide which fixes of an expanded description can be made in its xacro files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.fixes import written
from urdf_tools.model.messages import count
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.editing import Change
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.element_sources import ElementSource


class SourceChanges:
    """
    Decides whether changes of elements can be made in their sources.

    What is changed has to be written as a literal, and all elements that come from it have to
    need the same change.

    :param document: the expanded description.
    :param findings: the findings whose fixes are to be made.
    """

    def __init__(self, document: Document, findings: Iterable[Finding]):
        self._wanted = Counter(
            _key(change) for finding in findings for change in changes_of(finding))
        self._made = Counter(element.origin.location for element in document.root.iter()
                             if element.origin is not None)

    def obstacle(self, change: Change) -> str:
        """Return why a change cannot be made there, or an empty string."""
        origin = change.element.origin
        if origin is None:
            return 'its source is not known'
        obstacle = _not_literal(change, origin)
        agreeing, instances = self._wanted[_key(change)], self._made[origin.location]
        if not obstacle and agreeing < instances:
            return f'only {agreeing} of {count(instances, "instance")} need the same change'
        return obstacle


def changes_of(finding: Finding) -> list[Change]:
    """Return the changes of all instances of a finding."""
    if finding.trace is None:
        return list(finding.fix)
    return [change for instance in finding.trace.instances for change in instance.fix]


def _key(change: Change) -> tuple[object, ...]:
    """Return the key that changes share if they are one change of the source."""
    origin = change.element.origin
    return type(change), origin and origin.location, *change[1:]


def _not_literal(change: Change, origin: ElementSource) -> str:
    """Return why what is changed is not written as a literal, or an empty string."""
    names = written((change,), change.element)
    if isinstance(change, RemoveElement):
        names = list(origin.tag.raw)
        if origin.tag.setters:
            return 'xacro:attribute makes its attributes'
    for name in names:
        source = origin.attribute(name)
        if source is not None and not source.is_literal:
            return f'{name} comes from {source.raw}'
        if source is not None and name not in origin.tag.raw:
            return f'{name} comes from xacro:attribute'
    return ''
