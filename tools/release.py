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
Prepare a release: write a version, or make the branch that bloom releases from.

bloom finds packages as colcon does and does not look inside a package for another one. The branch
``release`` has the packages of this clone beside each other, each with the changelog and the
licence; its commits are made from the files of a tag alone, and nothing else is changed.
"""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
import re
import subprocess
import sys

ROOT = Path(__file__).resolve().parents[1]

NESTED = ('ament_cmake_urdf_tools', 'urdf_tools_interfaces')
"""The packages below the top folder, which is the package ``urdf_tools``."""

EXTENSION = 'editors/vscode/package.json'
"""The manifest of the extension for Visual Studio Code, which has the version, too."""

SHARED = ('CHANGELOG.rst', 'LICENSE')
"""Files of the top folder that bloom wants in each package."""

BRANCH = 'refs/heads/release'


class ReleaseError(Exception):
    """A release that cannot be prepared; the text tells the user the reason."""


def main() -> int:
    """Do what the arguments say, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.strip().partition('\n')[0])
    steps = parser.add_subparsers(dest='step', required=True)
    version = steps.add_parser('version', help='write a version into manifests and changelog')
    layout = steps.add_parser('layout', help='make the branch release from a tag')
    version.add_argument('version')
    layout.add_argument('tag', help='what to release, named by its version')
    arguments = parser.parse_args()
    try:
        if arguments.step == 'version':
            write_version(ROOT, arguments.version, date.today())
        else:
            print(make_layout(ROOT, arguments.tag))
    except ReleaseError as error:
        print(f'release: {error}.', file=sys.stderr)
        return 1
    return 0


def write_version(root: Path, version: str, today: date) -> None:
    """
    Write a version into all manifests, and with the date over the latest changes.

    :raises ReleaseError: the version is not of the form 1.2.3, or nothing has changed.
    """
    if not re.fullmatch(r'\d+\.\d+\.\d+', version):
        raise ReleaseError(f"'{version}' is not a version such as 1.2.3")
    changelog = root / 'CHANGELOG.rst'
    text = changelog.read_text(encoding='utf-8')
    title = f'{version} ({today.isoformat()})'
    released = re.sub(r'^Forthcoming\n-+$', f'{title}\n{"-" * len(title)}', text, count=1,
                      flags=re.MULTILINE)
    if released == text:
        raise ReleaseError('CHANGELOG.rst has nothing under "Forthcoming"')
    changelog.write_text(released, encoding='utf-8')
    version_in_xml = '<version>.*?</version>', f'<version>{version}</version>'
    manifests = {
        **{f'{name}/package.xml': version_in_xml for name in ('.', *NESTED)},
        EXTENSION: ('"version": ".*?"', f'"version": "{version}"')}
    for name, (pattern, replacement) in manifests.items():
        manifest = root / name
        text = manifest.read_text(encoding='utf-8')
        manifest.write_text(re.sub(pattern, replacement, text, count=1), encoding='utf-8')


def make_layout(root: Path, tag: str) -> str:
    """
    Commit the packages of a tag beside each other, with a tag ``release-<tag>``.

    The work tree and the index stay as they are.

    :return: what was made, in a sentence.
    :raises ReleaseError: there is no such tag, it has another version, or it is released.
    """
    source = _git(root, 'for-each-ref', '--format=%(*objectname)%(objectname)', f'refs/tags/{tag}')
    if not source:
        raise ReleaseError(f"there is no tag '{tag}'")
    source = source[:40]  # The commit of an annotated tag comes before the tag itself.
    versions = {name: _version(root, source, name) for name in ('.', *NESTED)}
    if {*versions.values()} != {tag}:
        raise ReleaseError(f"the packages of '{tag}' have the versions {versions}")
    trees = {'urdf_tools': _tree(root, [
        entry for entry in _entries(root, f'{source}^{{tree}}')
        if entry.partition('\t')[2] not in NESTED])}
    top = _entries(root, f'{source}^{{tree}}')
    for name in NESTED:
        shared = [entry for entry in top if entry.partition('\t')[2] in SHARED]
        trees[name] = _tree(root, [*_entries(root, f'{source}:{name}'), *shared])
    tree = _tree(root, [f'040000 tree {tree}\t{name}' for name, tree in trees.items()])
    before = _git(root, 'for-each-ref', '--format=%(objectname)', BRANCH)
    parents = ('-p', before) if before else ()
    commit = _git(root, 'commit-tree', tree, *parents, '-m',
                  f'{tag}\n\nThe packages of {source} beside each other.')
    _git(root, 'tag', f'release-{tag}', commit)
    _git(root, 'update-ref', BRANCH, commit)
    return f'release-{tag} is on the branch release, with {", ".join(sorted(trees))}'


def _version(root: Path, commit: str, package: str) -> str:
    path = 'package.xml' if package == '.' else f'{package}/package.xml'
    match = re.search('<version>(.*?)</version>', _git(root, 'show', f'{commit}:{path}'))
    return match[1] if match else ''


def _entries(root: Path, tree: str) -> list[str]:
    """Return the lines of a tree as ``git ls-tree`` has them."""
    return _git(root, 'ls-tree', tree).splitlines()


def _tree(root: Path, entries: list[str]) -> str:
    return _git(root, 'mktree', text=''.join(f'{entry}\n' for entry in entries))


def _git(root: Path, *arguments: str, text: str = '') -> str:
    """
    Return the output of git.

    :raises ReleaseError: with what git says if it fails.
    """
    result = subprocess.run(
        ['git', *arguments], cwd=root, text=True, input=text, capture_output=True)
    if result.returncode:
        raise ReleaseError(result.stderr.strip().rstrip('.'))
    return result.stdout.strip()


if __name__ == '__main__':
    sys.exit(main())
