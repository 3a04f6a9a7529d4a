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

"""The audit in an exported database, and the licences of what is installed."""

from importlib.metadata import PathDistribution
import json
from zipfile import ZipFile

import audit
import pytest

LOCKED = {('PyPI', 'zope-mesh', '1.5'): ['kilted.lock'], ('npm', '@a/b', '2.0.0-rc.1'): ['npm']}


def record(name, ecosystem, package, *events, **fields):
    return {'id': name, 'modified': '2026-01-02T00:00:00Z', **fields, 'affected': [
        {'package': {'ecosystem': ecosystem, 'name': package}, 'ranges': [
            {'type': 'GIT', 'events': [{'introduced': '0'}]},
            {'type': 'ECOSYSTEM', 'events': [dict([event]) for event in events]}]}]}


@pytest.fixture
def look_up(tmp_path, monkeypatch, capsys):
    """Return a function that looks up what is locked in a database with records."""
    monkeypatch.setattr(audit, 'locked_packages', lambda: LOCKED)

    def run(*records):
        (tmp_path / 'PyPI').mkdir()
        with ZipFile(tmp_path / 'PyPI' / 'all.zip', 'w') as archive:
            for number, each in enumerate(records):
                archive.writestr(f'{number}.json', json.dumps(each))
        (tmp_path / 'npm.json').write_text(json.dumps(
            record('OLD', 'npm', '@a/b', ('introduced', '0'), ('fixed', '2.0.0-rc.0'))))
        code = audit.look_up(tmp_path)
        return code, capsys.readouterr()
    return run


def test_what_affects_a_locked_version_is_printed(look_up):
    code, printed = look_up(
        record('PYSEC-1', 'PyPI', 'Zope.mesh', ('introduced', '0'), ('fixed', '1.6'),
               aliases=['CVE-1'], details='Reads\n\x1b[2Jtoo much'),
        record('PYSEC-2', 'PyPI', 'zope-mesh', ('introduced', '0'), ('fixed', '1.5')),
        record('PYSEC-3', 'PyPI', 'other', ('introduced', '0')),
        record('PYSEC-4', 'PyPI', 'zope-mesh', ('introduced', '0'), withdrawn='2026-01-01'),
        record('GHSA-5', 'npm', '@a/b', ('introduced', '2.0.0-alpha'), ('last_affected', '2.0.0')),
        record('GHSA-6', 'npm', '@a/b', ('introduced', 'two')))
    assert code == 1
    assert printed.out.splitlines() == [
        'kilted.lock: zope-mesh 1.5: PYSEC-1 CVE-1: Reads ?[2Jtoo much; fixed in 1.6',
        'npm: @a/b 2.0.0-rc.1: GHSA-5: ; fixed in no version',
        "npm: @a/b 2.0.0-rc.1: GHSA-6:  (unclear: invalid literal for int() with base 10: 'two'); "
        'fixed in no version',
        '2 locked versions, 3 known vulnerabilities; the newest record is of 2026-01-02']


def test_nothing_known_is_said(look_up):
    code, printed = look_up(record('PYSEC-3', 'PyPI', 'other', ('introduced', '0')))
    assert code == 0
    assert printed.out.startswith('2 locked versions, 0 known vulnerabilities')


def test_a_database_without_an_index_is_an_error(look_up):
    code, printed = look_up()
    assert code == 1 and not printed.out
    assert printed.err.endswith('has no records of PyPI.\n')


@pytest.mark.parametrize('events, affected', [
    ('introduced 0', True), ('introduced 1.5', True), ('introduced 1.5.1', False),
    ('introduced 1, fixed 1.5', False), ('introduced 1, fixed 1.5.1', True),
    ('introduced 1.1, last_affected 1.5', True), ('introduced 1, last_affected 1.4', False),
    ('introduced 1, fixed 1.2, introduced 1.3, fixed 1.6', True),
    ('introduced 1.3, fixed 1.4, introduced 0, fixed 1.2', False),
    ('introduced 1.6, introduced 0, fixed 1.5', False)])
@pytest.mark.parametrize('ecosystem, version', [('PyPI', '1.5'), ('npm', '1.5.0')])
def test_ranges_of_versions(events, affected, ecosystem, version):
    parts = [dict([each.split()]) for each in events.split(',')]
    ranges = [{'type': 'ECOSYSTEM', 'events': parts}]
    assert audit.is_affected(ecosystem, version, {'ranges': ranges}) == affected
    assert audit.is_affected(ecosystem, version, {'ranges': ranges, 'versions': [version]})


def test_semantic_versions_are_ordered():
    # The example of https://semver.org, section 11.
    versions = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2',
                '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '2.0.0', '2.1.0', '2.1.1']
    assert sorted(reversed(versions), key=audit.semantic_version) == versions
    assert audit.semantic_version('1.0.0+build') == audit.semantic_version('1.0')


def test_everything_locked_is_looked_up():
    packages = audit.locked_packages()
    assert {ecosystem for ecosystem, _, _ in packages} == {'PyPI', 'npm'}
    assert any('oracle/programs.lock' in locks for locks in packages.values())
    assert any(name.startswith('@vscode/') for _, name, _ in packages)


@pytest.mark.parametrize('fields, expected', [
    ('License-Expression: MIT\nLicense: BSD', 'MIT'), ('License: BSD', 'BSD'),
    ('License: Permission is\n   granted\nClassifier: License :: OSI Approved :: MIT License',
     'MIT License'),
    ('License: UNKNOWN', 'unknown'), ('', 'Apache License 2.0')])
def test_licences_are_named_as_packages_name_them(tmp_path, fields, expected):
    manifest = tmp_path / 'share' / 'std_msgs' / 'package.xml'
    folder = tmp_path / 'ros_std_msgs-1.dist-info'
    for path in (manifest.parent, folder):
        path.mkdir(parents=True)
    name = 'other' if expected == 'unknown' else 'ros-std-msgs'
    (folder / 'METADATA').write_text(f'Metadata-Version: 2.4\nName: {name}\n{fields}\n')
    manifest.write_text('<package><license>Apache License 2.0</license></package>')
    assert audit.licence_of(PathDistribution(folder), tmp_path) == expected


def test_what_is_installed_here_has_licences():
    licences = audit.licences()
    assert licences['npm', 'semver', '7.8.6'] == 'ISC'
    prefixes = [*audit.ENVIRONMENTS.glob('*/python')]
    if not prefixes:
        pytest.skip("this clone is not set up; 'make setup' does it")
    assert {'MIT', 'Apache License 2.0'} <= {*licences.values()}
