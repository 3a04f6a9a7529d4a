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
from itertools import islice
import re
from xml.sax.saxutils import quoteattr

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.moveit_files import entry_of
from urdf_tools.check.moveit_files import MoveItFiles
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.spelling import is_slip
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.accounts import Context

_CONVENTIONAL = (('link', 'base_link'), ('link', 'base_footprint'))
_OFTEN = 3
_MAX_COMPARED = 1000
_WORD = re.compile(r'[^\W\d_]+')


def stand_in(srdf: str, resources: ResourceResolver) -> Document:
    """
    Return a description with the links and joints that an SRDF file and those beside it name.

    It lacks names that occur only once and are probably wrong, so that the rules find them: they
    differ by one typing error, or in upper case, from one that occurs more often, or whose words
    do; or they are the end of a joint that a table lacks.
    """
    empty = Description(read_document(b'<robot name="robot"/>', srdf), resources.resolve,
                        Context(resources, None, True), srdf=srdf)
    files = MoveItFiles(empty)
    counts = Counter([*_named(files), *2 * _CONVENTIONAL])
    words = Counter(word for _, name in counts.elements() for word in _WORD.findall(name))
    rarest = {part: min((words[word] for word in _WORD.findall(part[1])), default=0)
              for part in counts}
    tables = [{each.get('name', '') for each in table}
              for table in (files.limits, files.positions)]
    compared = [*islice(counts, _MAX_COMPARED)]
    often = {name for kind, name in compared if kind == 'joint' and counts[kind, name] > 1}
    wrong = {('joint', name) for table in tables for name in table if counts['joint', name] == 1
             and any(other.endswith(f'_{name}') for other in often - table)}
    wrong.update(part for part in counts if counts[part] == 1 and any(
        (counts[other] > 1 or rarest[part] == 1 and rarest[other] >= _OFTEN)
        and part[0] == other[0] and is_slip(part[1], other[1]) for other in compared))
    counts -= Counter(wrong)
    parts = ''.join(f'<{kind} name={quoteattr(name)}/>' for kind, name in counts)
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
