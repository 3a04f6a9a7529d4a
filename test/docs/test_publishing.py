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

"""What ``make docs`` and ``make dist`` make, with the tools that these install."""

import os
from pathlib import Path
import shutil
import subprocess
import tarfile
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from site_pages import pages_to_write

import urdf_tools

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / '.ros' / 'publishing' / 'bin' / 'python'

pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    not PYTHON.is_file(), reason='"make docs" installs what builds the site')]


def publish(*arguments: str | Path, **options) -> subprocess.CompletedProcess:
    """Run a module in the environment of ``make docs``."""
    environment = {name: value for name, value in os.environ.items() if name != 'PYTHONPATH'}
    result = subprocess.run(
        [PYTHON, '-m', *arguments], text=True, capture_output=True, timeout=600, cwd=ROOT,
        env=environment, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> Path:
    """Return the site, built without a warning."""
    folder = tmp_path_factory.mktemp('site')
    result = publish('sphinx', '--quiet', '--fail-on-warning', '--nitpicky',
                     '-d', folder / 'cache', 'docs', folder / 'site')
    assert result.stderr == ''
    return folder / 'site'


def test_site_has_every_page(site):
    made = {path.relative_to(site).with_suffix('.md').as_posix() for path in site.rglob('*.html')}
    written = {path.relative_to(ROOT / 'docs').as_posix()
               for folder in ('docs', 'docs/tutorials') for path in (ROOT / folder).glob('*.md')}
    assert made >= written | {name for name, _ in pages_to_write()}


def test_site_loads_nothing_from_elsewhere(site):
    for name in ('index.html', 'check.html', 'api/Robot.html', 'search.html'):
        page = (site / name).read_text(encoding='utf-8')
        assert 'src="http' not in page and 'src="//' not in page
        assert 'rel="stylesheet" type="text/css" href="http' not in page


def test_site_is_for_phones_and_searchable(site):
    assert 'name="viewport"' in (site / 'index.html').read_text(encoding='utf-8')
    assert 'limit-inverted' in (site / 'searchindex.js').read_text(encoding='utf-8')


def test_every_public_name_is_documented(site):
    for name in urdf_tools.__all__:
        if not name.startswith('_'):
            page = (site / 'api' / f'{name}.html').read_text(encoding='utf-8')
            assert f'id="urdf_tools.{name}"' in page


def test_distributions(tmp_path):
    # The build leaves files in the source folder, so it gets a copy.
    folder = shutil.copytree(ROOT, tmp_path / 'source', ignore=shutil.ignore_patterns(
        '.*', '__pycache__', 'build', 'install', 'log', '*.egg-info'))
    publish('build', '--no-isolation', '--outdir', tmp_path, folder)
    version = ElementTree.parse(ROOT / 'package.xml').findtext('version')
    source = tmp_path / f'urdf_tools-{version}.tar.gz'
    wheel = tmp_path / f'urdf_tools-{version}-py3-none-any.whl'
    publish('twine', 'check', '--strict', source, wheel)
    with tarfile.open(source) as archive:
        names = {name.partition('/')[2] for name in archive.getnames()}
    assert {'LICENSE', 'README.md', 'package.xml', 'setup.py', 'scripts/state_publisher',
            'urdf/arm.urdf', 'urdf_tools/py.typed'} <= names
    with ZipFile(wheel) as archive:
        assert 'urdf_tools/py.typed' in archive.namelist()
        assert not [name for name in archive.namelist() if name.startswith(('test', 'docs'))]
