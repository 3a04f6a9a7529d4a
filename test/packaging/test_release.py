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

"""The branch that bloom releases from, and the version of a release."""

from datetime import date
import json
from pathlib import Path
import shutil
import subprocess
from xml.etree import ElementTree

import pytest
from release import EXTENSION
from release import make_layout
from release import NESTED
from release import ReleaseError
from release import write_version

ROOT = Path(__file__).resolve().parents[2]
VERSION = ElementTree.parse(ROOT / 'package.xml').findtext('version')


def git(folder: Path, *arguments: str) -> str:
    """Run git, and return its output."""
    return subprocess.run(
        ['git', '-c', 'user.name=test', '-c', 'user.email=test@example.org', *arguments],
        cwd=folder, text=True, capture_output=True, check=True).stdout


@pytest.fixture
def clone(tmp_path, monkeypatch) -> Path:
    """Return a repository with the manifests of this one, and the version as its tag."""
    for variable in ('GIT_AUTHOR', 'GIT_COMMITTER'):
        monkeypatch.setenv(f'{variable}_NAME', 'test')
        monkeypatch.setenv(f'{variable}_EMAIL', 'test@example.org')
    folder = tmp_path / 'clone'
    for path in (Path('.'), *map(Path, NESTED)):
        folder.joinpath(path).mkdir(exist_ok=True)
        shutil.copy(ROOT / path / 'package.xml', folder / path)
    for name in ('CHANGELOG.rst', 'LICENSE', 'setup.py'):
        shutil.copy(ROOT / name, folder)
    folder.joinpath(EXTENSION).parent.mkdir(parents=True)
    shutil.copy(ROOT / EXTENSION, folder / EXTENSION)
    git(folder, 'init', '--quiet')
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', '-m', 'Release')
    git(folder, 'tag', VERSION)
    return folder


def test_layout_has_the_packages_beside_each_other(clone):
    make_layout(clone, VERSION)
    files = git(clone, 'ls-tree', '-r', '--name-only', f'release-{VERSION}').split()
    shared = ['CHANGELOG.rst', 'LICENSE', 'package.xml']
    assert files == sorted([
        *(f'{package}/{name}' for package in ('urdf_tools', *NESTED) for name in shared),
        f'urdf_tools/{EXTENSION}', 'urdf_tools/setup.py'])
    assert git(clone, 'rev-parse', 'release') == git(clone, 'rev-parse', f'release-{VERSION}')
    assert git(clone, 'status', '--porcelain') == ''


def test_bloom_finds_the_packages_of_the_layout(clone):
    packages = pytest.importorskip('catkin_pkg.packages', reason='catkin_pkg is not installed')
    assert [*packages.find_packages(str(clone))] == ['.']
    make_layout(clone, VERSION)
    git(clone, 'checkout', '--quiet', 'release')
    assert {*packages.find_packages(str(clone))} == {'urdf_tools', *NESTED}


def test_releases_follow_each_other(clone):
    make_layout(clone, VERSION)
    write_version(clone, '9.0.0', date(2030, 1, 2))
    git(clone, 'commit', '--quiet', '--all', '-m', 'Next')
    git(clone, 'tag', '-a', '9.0.0', '-m', 'annotated')
    make_layout(clone, '9.0.0')
    assert git(clone, 'rev-parse', 'release~') == git(clone, 'rev-parse', f'release-{VERSION}')


def test_what_is_no_release_is_refused(clone):
    with pytest.raises(ReleaseError, match="no tag '9.9.9'"):
        make_layout(clone, '9.9.9')
    git(clone, 'tag', '9.9.9')
    with pytest.raises(ReleaseError, match='have the versions'):
        make_layout(clone, '9.9.9')
    make_layout(clone, VERSION)
    with pytest.raises(ReleaseError, match='already exists'):
        make_layout(clone, VERSION)


def test_version_is_written_everywhere(clone):
    write_version(clone, '9.0.0', date(2030, 1, 2))
    for path in clone.rglob('package.xml'):
        assert ElementTree.parse(path).findtext('version') == '9.0.0'
    assert json.loads(clone.joinpath(EXTENSION).read_text(encoding='utf-8'))['version'] == '9.0.0'
    lines = clone.joinpath('CHANGELOG.rst').read_text().splitlines()
    title = lines.index('9.0.0 (2030-01-02)')
    assert lines[title + 1] == '-' * len(lines[title])
    assert 'Forthcoming' not in lines
    with pytest.raises(ReleaseError, match='Forthcoming'):
        write_version(clone, '9.0.1', date(2030, 1, 3))
    with pytest.raises(ReleaseError, match='not a version'):
        write_version(clone, 'next', date(2030, 1, 3))
