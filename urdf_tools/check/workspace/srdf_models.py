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

"""The description that an SRDF file belongs to."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from itertools import islice
import os
from pathlib import Path
import re
import shlex
from typing import NamedTuple

from urdf_tools.check.workspace.argument_matrix import Arguments
from urdf_tools.check.workspace.include_graph import is_semantic
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.resources import read_regular_file

_MAX_TEXT = 2**18
_MAX_LAUNCH_FILES = 100
_MAX_NAMED = 30
_MAX_FILES = 1000
_SUFFIXES = ('.urdf.xacro', '.urdf', '.xacro')

_ASSISTANT = re.compile(
    r'^[ \t]+urdf:[ \t]*\n(?:[ \t]+(?!srdf:)[a-z_]+:[^\n]*\n)+', re.MULTILINE | re.IGNORECASE)
_ENTRY = re.compile(
    r'^[ \t]+(package|relative_path|xacro_args):[ \t]*["\']?([^"\'\n]*)', re.MULTILINE)
_FIND = re.compile(r'\$\(find(?:-pkg-share)?\s+([\w-]+)\)/([\w./-]+\.(?:urdf|xacro))')
_SHARE = re.compile(
    r'(?:get_package_share_(?:directory|path)|FindPackageShare)\(\s*["\']([\w-]+)')
_PATH = re.compile(
    r'(?:["\'][\w./-]+["\']\s*,\s*){0,8}["\'][\w./-]+\.(?:urdf|xacro)["\']')
_ROBOT = re.compile(r'<robot\b[^<>]*?\sname\s*=\s*["\']([^"\']*)')
_DEPENDENCY = re.compile(r'<(?:exec_|run_|build_)?depend\b[^<>]*>\s*([\w-]+)')
_WORD = re.compile(r'["\']([\w./-]+)["\']')


class Model(NamedTuple):
    """
    The description of a robot.

    :param path: its file.
    :param arguments: xacro arguments that its package gives it.
    """

    path: str
    arguments: Arguments = {}


def model_of(srdf: str, roots: Iterable[str], lookup: PackageLookup) -> Model | None:
    """
    Return the description that an SRDF file belongs to, or None.

    It is the one beside it with its name, or the one that the MoveIt Setup Assistant or a launch
    file of its package names, or the nearest of the roots with the name of its robot, or the one
    with this name in the packages that its own depends on.

    :param roots: descriptions that may be meant.
    """
    folder, stem = os.path.dirname(srdf), os.path.basename(srdf).split('.')[0]
    beside = (os.path.join(folder, stem + suffix) for suffix in _SUFFIXES)
    package = project_folder(Path(folder).absolute())
    for model in (*map(Model, beside), *_of_assistant(package, lookup),
                  *_of_launch_files(package, srdf, lookup)):
        if os.path.isfile(model.path) and not is_semantic(model.path):
            return model
    name = robot_name(srdf)
    return _nearest(srdf, [root for root in roots if name and name in (
        os.path.basename(root).split('.')[0], robot_name(root))]) or _nearest(
            srdf, _depended_on(package, {name, stem}, lookup))


def _nearest(srdf: str, roots: Iterable[str]) -> Model | None:
    named: dict[str, str] = {}  # Of arm.urdf and arm.urdf.xacro, the first.
    for root in sorted(roots):
        named.setdefault(root[:root.index('.', root.rfind(os.sep))], root)
    shared = {root: len(os.path.commonpath((os.path.abspath(root), os.path.abspath(srdf))))
              for root in named.values()}
    nearest = [root for root, length in shared.items() if length == max(shared.values())]
    return Model(nearest[0]) if len(nearest) == 1 else None


def robot_name(path: str) -> str:
    """Return the name in the outermost element of a file; empty if there is none."""
    match = _ROBOT.search(_text(Path(path)))
    return '' if match is None else match[1]


def _of_assistant(package: Path, lookup: PackageLookup) -> Iterator[Model]:
    section = _ASSISTANT.search(_text(package / '.setup_assistant') + '\n')
    given = dict(_ENTRY.findall(section[0])) if section else {}
    path = _in_package(given.get('package', ''), given.get('relative_path', ''), package, lookup)
    try:
        words = shlex.split(given.get('xacro_args', ''))
    except ValueError:
        words = []
    for file in (path, f'{path}.xacro'):  # The former may be made of the latter.
        yield Model(file, dict(word.split(':=', 1) for word in words if ':=' in word[1:]))


def _of_launch_files(package: Path, srdf: str, lookup: PackageLookup) -> Iterator[Model]:
    """Yield the only description in the launch files that name the SRDF file, or in all."""
    texts = [*map(_text, sorted((package / 'launch').glob('*.*'))[:_MAX_LAUNCH_FILES])]
    for several in ([text for text in texts if os.path.basename(srdf) in text], texts):
        found = {path for text in several for name, end in _named(text)
                 if os.path.isfile(path := _in_package(name, end, package, lookup))}
        if len(found) == 1:
            yield Model(found.pop())


def _depended_on(package: Path, stems: Collection[str], lookup: PackageLookup) -> Iterator[str]:
    """Yield the descriptions with one of several names in the packages that one depends on."""
    names = {stem + suffix for stem in stems for suffix in _SUFFIXES[:2]}
    found = dict.fromkeys(_DEPENDENCY.findall(_text(package / 'package.xml'))[:_MAX_NAMED])
    for folder in filter(None, map(lookup.find, found)):
        files = (
            path for below in ('urdf', 'robots') for path in (folder / below).glob('**/*.*'))
        yield from (os.path.relpath(path) for path in islice(files, _MAX_FILES)
                    if path.name in names)


def _named(text: str) -> Iterator[tuple[str, str]]:
    """Yield the descriptions that a launch file may name: a package, if any, and the path."""
    yield from _FIND.findall(text)[:_MAX_NAMED]
    packages = ['', *dict.fromkeys(_SHARE.findall(text))][:_MAX_NAMED]
    for match in islice(_PATH.finditer(text), _MAX_NAMED):
        yield from ((name, os.path.join(*_WORD.findall(match[0]))) for name in packages)


def _in_package(name: str, path: str, package: Path, lookup: PackageLookup) -> str:
    folder = lookup.find(name) if name else package
    return '' if folder is None or not path else os.path.relpath(folder / path.strip())


def _text(path: Path) -> str:
    try:
        return read_regular_file(path, _MAX_TEXT)[0].decode('utf-8', 'replace')
    except (OSError, ValueError):
        return ''
