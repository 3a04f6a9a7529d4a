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
Look up what is locked in an exported vulnerability database, or list the licences of what is here.

The database is a folder with the records of OSV (https://osv.dev) as JSON, in ZIP files or not:
``PyPI/all.zip`` and ``npm/all.zip`` of its export, or a clone of a repository of such records.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Mapping
from functools import cache
from importlib.metadata import Distribution
from importlib.metadata import distributions
import json
from pathlib import Path
import re
import sys
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

from packaging.utils import canonicalize_name
from packaging.version import Version
from set_up import ENVIRONMENTS
from set_up import read_lock_file
from set_up import REQUIREMENTS
from set_up import ROOT

NPM_LOCK = ROOT / 'editors' / 'vscode' / 'package-lock.json'

UNKNOWN = 'unknown'

Package = tuple[str, str, str]
"""Ecosystem (``PyPI`` or ``npm``), name and version."""


def main() -> int:
    """Do what the arguments say, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.strip().partition('\n')[0])
    parser.add_argument('database', nargs='?', type=Path, help='a folder; without, list licences')
    database = parser.parse_args().database
    return list_licences() if database is None else look_up(database)


def look_up(database: Path) -> int:
    """Print which records affect what is locked, and return 1 if one does or some are missing."""
    by_name = defaultdict(list)
    for package in (packages := locked_packages()):
        by_name[package[:2]].append(package)
    lines, missing, newest = set(), {ecosystem for ecosystem, _ in by_name}, ''
    for record in records(database):
        newest = max(newest, record['modified'])
        for affected in record.get('affected', ()) if 'withdrawn' not in record else ():
            ecosystem, name = (affected.get('package', {}).get(key) for key in (
                'ecosystem', 'name'))
            missing.discard(ecosystem)
            name = canonicalize_name(name) if ecosystem == 'PyPI' else name
            for package in by_name.get((ecosystem, name), ()):
                if problem := problem_of(package, record, affected):
                    lines.add(f'{", ".join(packages[package])}: {problem}')
    if missing:
        print(f'audit: {database} has no records of {", ".join(sorted(missing))}.',
              file=sys.stderr)
        return 1
    print('\n'.join([*sorted(lines), f'{len(packages)} locked versions, {len(lines)} known '
                     f'vulnerabilities; the newest record is of {newest[:10]}']))
    return 1 if lines else 0


def locked_packages() -> dict[Package, list[str]]:
    """Return all packages of all lock files, each with the lock files that it is in."""
    packages = defaultdict(list)
    for path in sorted(REQUIREMENTS.rglob('*.lock')):
        for locked in read_lock_file(path):
            name, version = re.match(r'(\S+)==(\S+)', locked).groups()
            packages['PyPI', name, version].append(path.relative_to(REQUIREMENTS).as_posix())
    for name, module in npm_modules():
        packages['npm', name, module['version']].append(NPM_LOCK.name)
    return packages


def npm_modules() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the name of each module in the lock file of the extension, and what that says."""
    for key, module in json.loads(NPM_LOCK.read_text(encoding='utf-8'))['packages'].items():
        if key:
            yield module.get('name') or key.rpartition('node_modules/')[2], module


def records(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a database."""
    for path in folder.rglob('*.json'):
        yield json.loads(path.read_bytes())
    for path in folder.rglob('*.zip'):
        with ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith('.json'):
                    yield json.loads(archive.read(name))


def problem_of(package: Package, record: Mapping[str, Any], affected: Mapping[str, Any]) -> str:
    """Return what a record says about a package; empty if it does not affect that version."""
    ecosystem, name, version = package
    unclear = ''
    try:
        if not is_affected(ecosystem, version, affected):
            return ''
    except ValueError as error:
        unclear = f' (unclear: {error})'
    fixed = sorted({event['fixed'] for each in ranges(affected) for event in each['events']
                    if 'fixed' in event})
    text = ' '.join((record.get('summary') or record.get('details', '')).split())[:100]
    line = (f'{name} {version}: {" ".join([record["id"], *record.get("aliases", ())])}: {text}'
            f'{unclear}; fixed in {", ".join(fixed) or "no version"}')
    return ''.join(each if each.isprintable() else '?' for each in line)


def ranges(affected: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the ranges of versions, without those of commits."""
    return [each for each in affected.get('ranges', ()) if each['type'] != 'GIT']


def is_affected(ecosystem: str, version: str, affected: Mapping[str, Any]) -> bool:
    """
    Return whether a version is in the list or in a range of versions that a record has.

    :raises ValueError: versions cannot be compared.
    """
    if version in affected.get('versions', ()):
        return True
    order = Version if ecosystem == 'PyPI' else semantic_version
    this = order(version)
    for each in ranges(affected):
        events = [(kind, value) for event in each['events'] for kind, value in event.items()]
        # '0' is before all versions.
        starts = [order(value) for kind, value in events if kind == 'introduced' and value != '0']
        ends = [order(value) for kind, value in events if kind == 'fixed']
        lasts = [order(value) for kind, value in events if kind == 'last_affected']
        ended = [end for end in ends if end <= this] + [last for last in lasts if last < this]
        started = [start for start in starts if start <= this]
        if (started or ('introduced', '0') in events) and (
                not ended or started and max(started) > max(ended)):
            return True
    return False


def semantic_version(version: str) -> tuple[tuple[int, ...], bool, tuple[tuple[object, ...], ...]]:
    """
    Return what orders a version as https://semver.org says.

    :raises ValueError: it is not one.
    """
    core, _, before = version.partition('+')[0].partition('-')
    numbers = tuple(map(int, core.split('.')))
    parts = tuple((0, int(part)) if part.isdigit() else (1, part) for part in before.split('.'))
    return numbers + (0, 0)[:3 - len(numbers)], not before, parts


def list_licences() -> int:
    """Print the packages of each licence, those without a known one last."""
    by_licence = defaultdict(list)
    for (_, name, version), licence in sorted(licences().items()):
        by_licence[licence].append(f'{name} {version}')
    for licence in sorted(by_licence, key=lambda licence: (licence == UNKNOWN, licence)):
        print(f'{licence} ({len(by_licence[licence])}): {", ".join(by_licence[licence])}')
    return 0


@cache
def licences() -> dict[Package, str]:
    """Return the licences of the packages that make has installed, and of the locked modules."""
    found = {('npm', name, module['version']): module.get('license', UNKNOWN)
             for name, module in npm_modules()}
    for pattern in ('*/lib', '*/python/lib'):
        for folder in ENVIRONMENTS.glob(f'{pattern}/python3*/site-packages'):
            for package in distributions(path=[str(folder)]):
                name = canonicalize_name(package.metadata['Name'])
                found['PyPI', name, package.version] = licence_of(package, folder.parents[2])
    return found


def licence_of(package: Distribution, prefix: Path) -> str:
    """
    Return the licence of a package as its metadata names it, without what is a text.

    Packages of ROS have theirs in package.xml.
    """
    data = package.metadata
    named = data.get('License-Expression') or data.get('License') or ''
    if named not in ('', 'UNKNOWN') and '\n' not in named:
        return named
    classes = [line.rpartition(' :: ')[2] for line in data.get_all('Classifier', ())
               if line.startswith('License :: ')]
    name = data['Name'].removeprefix('ros-').replace('-', '_')
    manifest = prefix / 'share' / name / 'package.xml'
    if not classes and manifest.is_file():
        classes = [each.text or '' for each in ElementTree.parse(manifest).iter('license')]
    return ', '.join(classes) or UNKNOWN


if __name__ == '__main__':
    sys.exit(main())
