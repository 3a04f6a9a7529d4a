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

"""
Names at random places in xacro files: what is found of them agrees, and a rename changes no robot.

The files are those of the repository, or of the folders in ``URDF_TOOLS_XACRO_FOLDERS``, which
are separated by colons, with ``URDF_TOOLS_POSITIONS`` places.
"""

from collections import Counter
import os
from pathlib import Path
from random import Random

import pytest

pytest.importorskip('pygls', reason='pygls is not installed')
pytest.importorskip('xacro', reason='xacro is not installed')

from support.editor import close  # noqa: E402
from support.editor import project_in  # noqa: E402
from support.editor import put  # noqa: E402

from urdf_tools.lsp.occurrences import definitions_at  # noqa: E402
from urdf_tools.lsp.occurrences import index_of  # noqa: E402
from urdf_tools.lsp.occurrences import name_at  # noqa: E402
from urdf_tools.lsp.occurrences import occurrences_of  # noqa: E402
from urdf_tools.lsp.occurrences import renamable_at  # noqa: E402
from urdf_tools.lsp.occurrences import renamed  # noqa: E402
from urdf_tools.lsp.occurrences import RenameError  # noqa: E402
from urdf_tools.lsp.source_text import path_of  # noqa: E402
from urdf_tools.model.errors import DescriptionError  # noqa: E402
from urdf_tools.xacro.expansion import expand_document  # noqa: E402

FOLDERS = os.environ.get(
    'URDF_TOOLS_XACRO_FOLDERS', str(Path(__file__).parents[2] / 'urdf')).split(':')
POSITIONS = int(os.environ.get('URDF_TOOLS_POSITIONS', '20'))
NEW = 'another_name'
NAMED = ('link', 'joint', 'material')


class Judge:
    """Looks at names, and remembers what they were."""

    def __init__(self, project):
        self.project = project
        self.seen = Counter()
        self._robots = {}

    def look_at(self, path: str, offset: int) -> None:
        """Check what is found of the name at an offset."""
        source = put(self.project, path, self.project.source(path).text)
        target = name_at(self.project, source, offset)
        index = index_of(self.project, source, target)
        found = occurrences_of(index, target)
        places = {(each.source.path, each.use.start) for each in found}
        assert (path, target.start) in places
        self.seen[target.kind] += 1
        definitions = {(path_of(each.uri), self.offset(each))
                       for each in definitions_at(self.project, source, [], offset)}
        assert definitions <= places
        for each in list(found)[:5]:
            other = name_at(self.project, each.source, each.use.start)
            if other is not None and other.kind == target.kind:
                assert places == {
                    (one.source.path, one.use.start) for one in occurrences_of(
                        index_of(self.project, each.source, other), other)}
        try:
            changed = renamed(self.project, source, [], renamable_at(
                self.project, source, offset), NEW, lambda path: True)
        except RenameError:
            self.seen['refused'] += 1
            return
        assert places <= {(each.source.path, each.use.start) for each in changed}
        self._expand(changed, target)

    def offset(self, location) -> int:
        source = self.project.source(path_of(location.uri))
        return source.positions.offset(location.range.start)

    def _expand(self, changed, target) -> None:
        """Check that the robots are the same after a rename, but for the name."""
        texts = {each.source.path: each.source.text for each in changed}
        for each in sorted(changed, key=lambda each: -each.use.start):
            text = texts[each.source.path]
            texts[each.source.path] = text[:each.use.start] + NEW + text[each.use.end:]
        roots = {root.path: root for path in texts
                 for root in self.project.roots(self.project.source(path))}
        for root in list(roots.values())[:3]:
            before = self._robots.get(root.path)
            if before is None:
                before = self._robots[root.path] = self._robot(root, {})
            if before:
                old = target.name if target.kind in NAMED else NEW
                assert self._robot(root, texts, old) == before, root.path
                self.seen['robots'] += 1

    def _robot(self, root, texts, old: str = ''):
        buffers = {root.path: root.text, **texts}
        try:
            document = expand_document(
                root.path, {}, buffers, self.project.resolver(root).lookup)
        except DescriptionError:
            if texts:
                raise
            self.seen['not expandable'] += 1
            return ()
        return shape(document.root, old)


def shape(element, old: str):
    """Return an element as values, with a name instead of the new one."""
    attributes = {name: old if value == NEW and old else value
                  for name, value in element.attrib.items()}
    return (element.tag, tuple(sorted(attributes.items())), (element.text or '').strip(),
            tuple(shape(child, old) for child in element))


def test_names_at_random_places():
    random = Random(2)
    judges = [Judge(project_in(folder)) for folder in FOLDERS]
    files = [(judge, path) for judge in judges for path in judge.project.files()
             if judge.project.source(path).names.all]
    for _ in range(POSITIONS):
        judge, path = random.choice(files)
        source = judge.project.source(path)
        judge.look_at(path, random.choice(source.names.all).start)
        close(judge.project, path)
    seen = sum((judge.seen for judge in judges), Counter())
    print(dict(seen))
    assert seen['robots'] > POSITIONS // 4
