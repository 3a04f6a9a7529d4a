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

"""The files of a description are looked up once, and not without end."""

from pathlib import Path

import pytest
from support.call_count import calls_of_each
from support.call_count import forget_results
from support.validation_cases import check
from support.validation_cases import ROBOT

from urdf_tools.check import file_lookup
from urdf_tools.check.file_lookup import FileLookup
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver


def find(uri):
    if uri.startswith('no'):
        raise ResourceError(f'{uri} does not exist', '', 'missing')
    return Path(uri)


def test_each_file_is_looked_up_once(monkeypatch):
    asked = []
    lookup = FileLookup(lambda uri: asked.append(uri) or find(uri))
    for _ in range(3):
        assert lookup('a.stl') == Path('a.stl')
        with pytest.raises(ResourceError, match='no.stl does not exist'):
            lookup('no.stl')
    assert asked == ['a.stl', 'no.stl']


def test_files_beyond_the_limit_are_not_looked_for(monkeypatch):
    monkeypatch.setattr(file_lookup, 'MAX_FILES', 2)
    lookup = FileLookup(find)
    assert [lookup(uri) for uri in ('a', 'b', 'a')] == [Path('a'), Path('b'), Path('a')]
    with pytest.raises(ResourceError, match='more than 2 files') as error:
        lookup('c')
    assert error.value.kind == 'limit'


def test_meshes_beyond_the_limit_are_findings(monkeypatch, tmp_path):
    monkeypatch.setattr(file_lookup, 'MAX_FILES', 5)  # Three are beside the description.
    meshes = ''.join(f'<visual><geometry><mesh filename="no{i}.stl"/></geometry></visual>'
                     for i in range(4))
    report = check(ROBOT.format(f'<link name="base_link">{meshes}</link>'),
                   ResourceResolver(tmp_path, environment={}))
    found = [finding.message for finding in report.findings if finding.code == 'mesh-not-found']
    assert found == [
        "File 'no0.stl' does not exist", "File 'no1.stl' does not exist",
        *(f"'no{i}.stl' is not looked for, because the description refers to more than 5 files"
          for i in (2, 3))]


def test_a_package_is_looked_for_once(monkeypatch, tmp_path):
    asked, find_package = [], PackageLookup.find
    monkeypatch.setattr(PackageLookup, 'find', lambda lookup, name: asked.append(
        name) or find_package(lookup, name))
    meshes = ''.join(f'<visual><geometry><mesh filename="package://nowhere/{i}.stl"/></geometry>'
                     '</visual>' for i in range(4))
    report = check(ROBOT.format(f'<link name="base_link">{meshes}</link>'),
                   ResourceResolver(tmp_path, environment={}))
    assert [finding.code for finding in report.findings].count('package-not-found') == 4
    assert asked.count('nowhere') == 1


@pytest.mark.parametrize('start', ['file:///', 'package://nowhere/', 'package:///', ''])
def test_each_folder_of_a_path_is_not_looked_into(tmp_path, start):
    """Where a file does not exist, no project is looked for in each folder of its path."""
    def visits(folders):
        forget_results()
        meshes = ''.join(
            f'<visual><geometry><mesh filename="{start}{number}/{folders}m.stl"/></geometry>'
            '</visual>' for number in range(3))
        report, calls = calls_of_each(lambda: check(
            ROBOT.format(f'<link name="base_link">{meshes}</link>'),
            ResourceResolver(tmp_path, environment={})))
        assert {finding.code for finding in report.findings} & {
            'mesh-not-found', 'package-not-found', 'mesh-outside-package'}
        return sum(count for name, count in calls.items() if 'stat' in name or 'exists' in name)

    assert visits('a/' * 190) <= visits('a/') + 3
