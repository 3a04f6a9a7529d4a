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

"""Tables of sources that a worker answers: it may answer anything, as it ran code of others."""

from copy import deepcopy

import pytest

from urdf_tools.formats.description_files import open_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.xacro import expansion
from urdf_tools.xacro.errors import SourceTables

TABLES = {
    'files': [['a.xacro', '<robot name="r">\n<xacro:include/></robot>', -1],
              ['b.xacro', '<link name="l"><!--note--><xacro:attribute/></link>', 1]],
    'calls': [[1, 'm', -1], [2, 'n', 0]],
    'properties': {'p': [1]},
    'malformed': None}


def test_tables_are_read():
    tables = SourceTables(TABLES, bool)
    root, link = tables.elements([0, -1, 2, 1])
    assert str(root.location) == 'a.xacro:1'
    assert root.call is None
    assert link.chain() == 'Called at b.xacro:1, a.xacro:2, included at a.xacro:2'
    assert [setter.name for setter in link.tag.setters] == ['xacro:attribute']
    files = tables.sources
    assert [len(file.tags) for file in files.files] == [2, 2]
    assert files.files[1].comments[0].parent is link.tag
    assert [tag.name for tag in files.properties['p']] == ['xacro:include']


@pytest.mark.parametrize('path, value', [
    (('files',), 3), (('files', 0), []), (('files', 0, 1), None), (('files', 0, 2), 2),
    (('files', 1, 2), 2), (('files', 1, 2), 9), (('files', 1, 2), 'a'), (('calls', 0, 2), 0),
    (('calls', 0, 2), 1), (('calls', 0, 0), 9), (('calls', 0, 1), 1), (('properties',), []),
    (('properties', 'p'), [9]), (('properties', 'p'), 1)], ids=str)
def test_malformed_tables_are_refused(path, value):
    """No chain of calls or files is endless."""
    tables = deepcopy(TABLES)
    at = tables
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    with pytest.raises(ValueError, match='^malformed tables'):
        SourceTables(tables, bool)


@pytest.mark.parametrize('answer', [
    None, [], {}, {'text': 'a'}, {'text': '<robot/>', 'tables': TABLES},
    {'text': '<robot/>', 'tables': TABLES, 'elements': [9, -1]},
    {'text': '<robot/>', 'tables': TABLES, 'elements': [-3, -1]},
    {'text': '<robot/>', 'tables': TABLES, 'elements': []},
    {'text': '<robot/>', 'tables': TABLES, 'elements': [0, -1, 0, -1]},
    {'text': '<robot/>', 'tables': TABLES, 'elements': 3},
    {'length': 'a'}, {'error': {}, 'tables': TABLES}, {'error': 3, 'tables': TABLES},
    {'error': {'reason': 3, 'limit': '', 'is_malformed': True}, 'tables': TABLES},
    {'error': {'reason': 'a', 'limit': '', 'is_malformed': False, 'source': [9, 9],
               'written': None}, 'tables': TABLES}], ids=str)
def test_other_answers_are_errors(tmp_path, monkeypatch, answer):
    path = tmp_path / 'robot.xacro'
    path.write_text('<robot/>')
    monkeypatch.setattr(expansion._pools[True], 'run', lambda *_, **options: (answer, b''))
    with pytest.raises(DescriptionError):
        open_document(path)
