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

from hashlib import sha256
import json
import os
from pathlib import Path
import re
import shutil
import subprocess
import tarfile
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from set_up import read_lock_file
from site_pages import pages_to_write

import urdf_tools

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / 'tools' / 'requirements' / 'library' / 'packages.lock'
PYTHON = ROOT / '.ros' / 'publishing' / 'bin' / 'python'

pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    not PYTHON.is_file(), reason='"make docs" installs what builds the site')]


def publish(*arguments: str | Path, **options) -> subprocess.CompletedProcess:
    """Run Python in the environment of ``make docs``."""
    environment = {name: value for name, value in os.environ.items() if name != 'PYTHONPATH'}
    result = subprocess.run(
        [PYTHON, *arguments], text=True, capture_output=True, timeout=600, cwd=ROOT,
        env=environment, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> Path:
    """Return the site, built without a warning."""
    folder = tmp_path_factory.mktemp('site')
    result = publish('-m', 'sphinx', '--quiet', '--fail-on-warning', '--nitpicky',
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


@pytest.fixture(scope='module')
def distributions(tmp_path_factory) -> Path:
    """Return a folder with the wheel and the sdist."""
    # The build leaves files in the source folder, so it gets a copy.
    folder = tmp_path_factory.mktemp('distributions')
    source = shutil.copytree(ROOT, folder / 'source', ignore=shutil.ignore_patterns(
        '.*', '__pycache__', 'build', 'install', 'log', '*.egg-info'))
    publish('-m', 'build', '--no-isolation', '--outdir', folder / 'dist', source)
    return folder / 'dist'


def test_distributions(distributions):
    version = ElementTree.parse(ROOT / 'package.xml').findtext('version')
    source = distributions / f'urdf_tools-{version}.tar.gz'
    wheel = distributions / f'urdf_tools-{version}-py3-none-any.whl'
    publish('-m', 'twine', 'check', '--strict', source, wheel)
    with tarfile.open(source) as archive:
        names = {name.partition('/')[2] for name in archive.getnames()}
    assert {'LICENSE', 'README.md', 'package.xml', 'setup.py', 'scripts/state_publisher',
            'urdf/arm.urdf', 'urdf_tools/py.typed'} <= names
    with ZipFile(wheel) as archive:
        assert 'urdf_tools/py.typed' in archive.namelist()
        assert not [name for name in archive.namelist() if name.startswith(('test', 'docs'))]


def test_release_lists_its_components(distributions, tmp_path):
    publish('tools/sbom.py', distributions, tmp_path / 'sbom.json')
    sbom = json.loads((tmp_path / 'sbom.json').read_text())
    library = sbom['metadata']['component']
    assert {file['name']: file['hashes'][0]['content'] for file in library['components']} == {
        file.name: sha256(file.read_bytes()).hexdigest() for file in distributions.iterdir()}

    packages = {
        (part['name'], part['version']):
        {digest['content'] for digest in part['externalReferences'][0]['hashes']}
        for part in sbom['components'] if part['purl'].startswith('pkg:pypi/')}
    assert packages == {
        tuple(locked.split()[0].split('==')): set(re.findall('sha256:(\\w+)', locked))
        for locked in read_lock_file(LOCK)}
    required = {part['name'] for part in sbom['components'] if part.get('scope') == 'required'}
    assert required == {
        'lazy-loader', 'lxml', 'numpy', 'packaging', 'pyyaml', 'setuptools', 'tomli', 'urdfdom-py'}

    modules = {part['name']: part.get('hashes') for part in sbom['components']
               if part['purl'].startswith('pkg:npm/')}
    assert modules.keys() >= {'vscode-languageclient', 'semver', 'brace-expansion'}
    assert [part['name'] for part in sbom['components']
            if part['purl'].startswith('pkg:npm/') and not part.get('licenses')] == []
    for (digest,) in modules.values():
        assert digest['alg'] == 'SHA-512' and len(digest['content']) == 128


def test_each_component_is_there_for_another(distributions, tmp_path):
    publish('tools/sbom.py', distributions, tmp_path / 'sbom.json')
    sbom = json.loads((tmp_path / 'sbom.json').read_text())
    needs = {part['ref']: part.get('dependsOn', []) for part in sbom['dependencies']}
    found: set[str] = set()
    rest = [part['bom-ref'] for part in sbom['components'] if part['type'] == 'application']
    while rest:
        if (ref := rest.pop()) not in found:
            found.add(ref)
            rest += needs[ref]
    parts = [sbom['metadata']['component'], *sbom['components']]
    assert len(found) > 50
    assert found == {part['bom-ref'] for part in parts}


def test_list_of_components_needs_every_package_locked(tmp_path):
    with ZipFile(tmp_path / 'a-1-py3-none-any.whl', 'w') as wheel:
        wheel.writestr('a-1.dist-info/METADATA',
                       'Version: 1\nLicense: MIT\nRequires-Dist: Not_locked>1\n')
    with pytest.raises(AssertionError, match=r'packages.lock lacks not-locked; run .make lock'):
        publish('tools/sbom.py', tmp_path, tmp_path / 'sbom.json')


def test_extension_bundles_what_the_list_of_components_says():
    imports = {name for file in ROOT.glob('editors/vscode/src/*.ts')
               for name in re.findall("from '([^.'][^']*)'", file.read_text())}
    bundled, = re.findall(r'^BUNDLED = \((.*),\)$', (ROOT / 'tools/sbom.py').read_text(), re.M)
    assert {name.partition('/')[0] for name in imports if not name.startswith('node:')} == {
        'vscode', *(name.strip("' ") for name in bundled.split(','))}
