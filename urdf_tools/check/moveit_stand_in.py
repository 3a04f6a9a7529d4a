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

"""A stand-in for the description of MoveIt files, made of the names that they agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.moveit_files import MoveItFiles
from urdf_tools.check.yaml_entries import entry_of
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.spelling import is_slip
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.accounts import Context

NEEDS_MORE = ('controller-interface-missing', 'srdf-end-effector', 'srdf-state')
"""The rules about files of MoveIt that need more of a description than its names."""


def stand_in(srdf: str, resources: ResourceResolver) -> Document:
    """
    Return a description with the links and joints that an SRDF file and those beside it name.

    It lacks names that occur only once and differ by one typing error from one that occurs more
    often, so that the rules find them.
    """
    empty = Description(read_document(b'<robot name="robot"/>', srdf), resources.resolve,
                        Context(resources, None, True), srdf=srdf)
    counts = Counter(_named(MoveItFiles(empty)))
    often = [part for part, number in counts.items() if number > 1]
    parts = ''.join(
        f'<{kind} name={quoteattr(name)}/>' for (kind, name), number in counts.items()
        if number > 1 or not any(is_slip(name, other) for same, other in often if same == kind))
    return read_document(f'<robot name="robot">{parts}</robot>'.encode(), srdf)


def _named(files: MoveItFiles) -> Iterator[tuple[str, str]]:
    """Yield kind and name wherever the files name a link or joint."""
    for _, part, attribute, kind in files.names():
        if kind != 'group':
            yield kind, part.get(attribute, '').strip()
    for entry in (*files.limits, *files.positions):
        yield 'joint', entry.get('name', '')
    for _, controller in files.controllers:
        yield from (('joint', each.text or '') for each in entry_of(controller, 'joints') or ())
