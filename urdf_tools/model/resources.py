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

"""Resolve URIs of meshes and textures to files that a description may read."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
import os
from pathlib import Path
import re
from typing import Literal
from urllib.parse import unquote

from urdf_tools.model.document import read_document
from urdf_tools.model.document import read_file
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import quote

_SCHEME = re.compile(r'([A-Za-z][A-Za-z0-9+.-]+):')
_NAME = re.compile(r'[A-Za-z0-9_][A-Za-z0-9_.-]*')
_NAMED = re.compile(rf'[A-Za-z]+://({_NAME.pattern})/+(.+)', re.DOTALL)
_FILE = re.compile(r'[A-Za-z]+:(?://(?:localhost)?)?(/[^/].*)', re.DOTALL)
_WINDOWS = re.compile(r'[A-Za-z]:[\\/]')

_MODEL_PATHS = ('GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'GAZEBO_MODEL_PATH')
_IGNORE_MARKERS = frozenset(('AMENT_IGNORE', 'CATKIN_IGNORE', 'COLCON_IGNORE'))


ResourceErrorKind = Literal['malformed', 'scheme', 'package', 'outside', 'missing']


class ResourceError(ValueError):
    """
    A resource that cannot be found or must not be read.

    :param message: what is wrong, one sentence.
    :param hint: how to fix it, or an empty string.
    :param kind: ``malformed`` (not a valid URI of its scheme), ``scheme`` (not supported),
        ``package`` (the package or model does not exist), ``outside`` (not in a folder that may
        be read) or ``missing`` (the file does not exist).
    """

    def __init__(self, message: str, hint: str, kind: ResourceErrorKind):
        self.message = message
        self.hint = hint
        self.kind = kind
        super().__init__(f'{message}. {hint}' if hint else message)


class ResourceResolver:
    """
    Finds the files that a description refers to, in allowed folders only.

    A description can come from an untrusted source, so it may only read files in

    - its own folder; if that is in a ROS package or is called ``urdf``, the package or the
      folder above, because meshes are usually there;
    - ROS packages and Gazebo models: those given and those of the environment
      (``AMENT_PREFIX_PATH``, ``ROS_PACKAGE_PATH``, ``GZ_SIM_RESOURCE_PATH``,
      ``GAZEBO_MODEL_PATH``);
    - folders that the caller allows.

    Symbolic links may lead out of packages and models, because ``colcon build
    --symlink-install`` creates such links, but not out of other folders. There is no network
    access.

    :param folder: the folder of the description; None if it does not come from a file.
    :param packages: folders of packages by name; they take precedence over the environment.
    :param allowed: more folders for absolute paths and ``file://``; ``'/'`` allows all.
    :param environment: environment variables; by default those of the process.
    """

    def __init__(
            self,
            folder: str | os.PathLike[str] | None = None,
            *,
            packages: Mapping[str, str | os.PathLike[str]] | None = None,
            allowed: Iterable[str | os.PathLike[str]] = (),
            environment: Mapping[str, str] = os.environ):
        self._folder = None if folder is None else _absolute(folder)
        self._packages = {name: _absolute(path) for name, path in (packages or {}).items()}
        self._allowed = [_absolute(path) for path in allowed]
        self._environment = environment

    def resolve(self, uri: str) -> Path:
        """
        Return the file that a URI refers to.

        :param uri: ``package://``, ``model://`` or ``file://``, or a path, absolute or relative
            to the description's folder. Percent escapes are decoded in URIs, not in paths.
        :raises ResourceError: the file does not exist or may not be read.
        """
        if '\0' in unquote(uri):
            raise ResourceError(f'{_quoted(uri)} contains a NUL byte', '', 'malformed')
        scheme = _scheme(uri)
        if scheme == 'package':
            package, path = self._named(uri, self.find_package)
            return _find(uri, [package / part for part in _spellings(path)],
                         [_Folder(package, True)])
        if scheme == 'model':
            model, path = self._named(uri, self._find_model)
            return _find(uri, [model / part for part in _spellings(path)], [_Folder(model, True)])
        if scheme == 'file':
            path = _matched(_FILE, uri, 'file:///PATH, with three slashes')[1]
            return _find(uri, [Path(part) for part in _spellings(path)], self._readable())
        if self._folder is None and not os.path.isabs(uri):
            raise ResourceError(
                f'{_quoted(uri)} is a relative path, but the description is not from a file',
                'Write package://PACKAGE/PATH', 'scheme')
        return _find(uri, [Path(self._folder or '/', uri)], self._readable())

    def find_package(self, name: str) -> Path | None:
        """Return the folder of a ROS package, or None."""
        if name in self._packages:
            return self._packages[name]
        if not _NAME.fullmatch(name):
            return None
        for share in self._shares():
            if os.path.isfile(share / 'ament_index' / 'resource_index' / 'packages' / name):
                return share / name
        return self._crawled.get(name) or self._around(name)

    def _named(self, uri: str, find: Callable[[str], Path | None]) -> tuple[Path, str]:
        match = _matched(_NAMED, uri, f'{_scheme(uri)}://NAME/PATH')
        folder = find(match[1])
        if folder is None:
            raise ResourceError(
                f'{(_scheme(uri) or "").capitalize()} {quote(match[1])} does not exist',
                'Source the workspace that has it, or give its folder', 'package')
        return folder, match[2]

    def _find_model(self, name: str) -> Path | None:
        models = (folder / name for folder in self._model_paths())
        return next((model for model in models if model.is_dir()), self.find_package(name))

    def _readable(self) -> list[_Folder]:
        own = [] if self._folder is None else [_project(self._folder)]
        installed = [
            *self._packages.values(), *self._shares(), *self._crawled.values(),
            *self._model_paths()]
        return [*(_Folder(path, False) for path in (*own, *self._allowed)),
                *(_Folder(path, True) for path in installed)]

    def _shares(self) -> list[Path]:
        return [prefix / 'share' for prefix in self._paths('AMENT_PREFIX_PATH')]

    def _model_paths(self) -> list[Path]:
        return [path for variable in _MODEL_PATHS for path in self._paths(variable)]

    def _paths(self, variable: str) -> list[Path]:
        entries = self._environment.get(variable, '').split(os.pathsep)
        return [_absolute(entry) for entry in entries if entry]

    @cached_property
    def _crawled(self) -> dict[str, Path]:
        """The packages below the entries of ROS_PACKAGE_PATH; the first of a name is used."""
        found: dict[str, Path] = {}
        for entry in self._paths('ROS_PACKAGE_PATH'):
            for package in _packages_below(entry):
                name = _package_name(package)
                if name:
                    found.setdefault(name, package)
        return found

    def _around(self, name: str) -> Path | None:
        """Find a package that contains the description, or is beside a folder around it."""
        if self._folder is None:
            return None
        project = _project(self._folder)
        if (_package_name(project) or project.name) == name:
            return project
        candidates = (package for folder in _upwards(self._folder)
                      for package in (folder, folder / name))
        return next((path for path in candidates if _package_name(path) == name), None)


@dataclass(frozen=True)
class _Folder:
    """A folder that may be read; in installed ones symbolic links may lead elsewhere."""

    path: Path
    installed: bool

    def contains(self, path: Path) -> bool:
        return path.is_relative_to(self.path)

    def admits(self, file: Path) -> bool:
        return self.contains(file) and (
            self.installed or file.resolve().is_relative_to(self.path.resolve()))


def _find(uri: str, paths: Iterable[Path], folders: list[_Folder]) -> Path:
    """Return the first path that is a file; all must be in one of the folders."""
    for path in map(_absolute, paths):
        if not any(folder.contains(path) for folder in folders):
            raise _outside(uri)
        if os.path.isfile(path):
            if not any(folder.admits(path) for folder in folders):
                raise _outside(uri)
            return path
    raise ResourceError(f'File {_quoted(uri)} does not exist', _likely_mistake(path), 'missing')


def _quoted(uri: str) -> str:
    return quote(uri, 200)


def _outside(uri: str) -> ResourceError:
    return ResourceError(
        f'{_quoted(uri)} is outside the folders that the description may read',
        'Move the file to a package or beside the description, or allow its folder',
        'outside')


def _likely_mistake(path: Path) -> str:
    if os.path.isdir(path):
        return 'It is a folder'
    try:
        names = os.listdir(path.parent)
    except (OSError, ValueError):
        return f'Folder {quote(path.parent.name)} does not exist'
    same = [name for name in names if name.lower() == path.name.lower()]
    return f'{quote(same[0])} exists; upper and lower case differ' if same else ''


def _scheme(uri: str) -> str | None:
    """Return the scheme of a URI in lower case, or None for a path."""
    if _WINDOWS.match(uri):
        raise ResourceError(
            f'{_quoted(uri)} is a Windows path', 'Write package://PACKAGE/PATH', 'scheme')
    match = _SCHEME.match(uri)
    if match is None:
        return None
    scheme = match[1].lower()
    if scheme not in ('package', 'model', 'file'):
        raise ResourceError(
            f'{_quoted(uri)} has an unsupported scheme',
            'Use package://, model://, file:// or a path', 'scheme')
    return scheme


def _matched(pattern: re.Pattern[str], uri: str, form: str) -> re.Match[str]:
    match = pattern.fullmatch(uri)
    if match is None:
        raise ResourceError(f'{_quoted(uri)} is malformed', f'Write {form}', 'malformed')
    return match


def _spellings(path: str) -> Iterable[str]:
    """Return a path with its percent escapes decoded, then as written if that differs."""
    return dict.fromkeys((unquote(path), path))


def _absolute(path: str | os.PathLike[str]) -> Path:
    return Path(os.path.abspath(path))


def _project(folder: Path) -> Path:
    for above in _upwards(folder):
        if os.path.isfile(above / 'package.xml'):
            return above
    return folder.parent if folder.name == 'urdf' else folder


def _upwards(folder: Path) -> Iterator[Path]:
    while folder != folder.parent:
        yield folder
        folder = folder.parent


def _packages_below(folder: Path) -> Iterator[Path]:
    for path, folders, files in os.walk(folder):
        if _IGNORE_MARKERS.intersection(files):
            folders.clear()
        elif 'package.xml' in files:
            folders.clear()
            yield Path(path)
        folders[:] = sorted(name for name in folders if not name.startswith('.'))


def _package_name(folder: Path) -> str | None:
    """Return the name in the package manifest of a folder, or None."""
    manifest = folder / 'package.xml'
    if not os.path.isfile(manifest):
        return None
    try:
        return read_document(read_file(manifest)).root.findtext('name', '').strip()
    except DescriptionError:
        return None
