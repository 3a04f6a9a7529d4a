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

"""Find folders of ROS packages around a description, and say what it may read."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from functools import cached_property
from functools import lru_cache
from itertools import chain
from itertools import islice
import os
from pathlib import Path
import re
import stat
import subprocess
import time
from typing import NamedTuple
from xml.etree import ElementTree

from urdf_tools.model.files import read_regular_file
from urdf_tools.model.files import real_path

NAME = re.compile(r'[A-Za-z0-9_][A-Za-z0-9_.-]*')
"""The names of packages."""

MESH_FOLDERS = ('assets', 'collision', 'meshes', 'visual')
"""Names of mesh folders, which are not packages."""

_CHECKOUT = ('.git', '.hg')
_LICENCES = ('LICENSE', 'LICENSE.md', 'LICENSE.txt')
"""Files of a checkout, or of one that was unpacked without its history."""

_SOURCES = 'src'
_MAX_PACKAGES = 5000
_SECONDS = 10.0


class Trust(NamedTuple):
    """
    Whether the author of a description may read what its user may read.

    :ivar is_full: whether xacro may include files elsewhere, and see all environment variables.
    :ivar variables: names of the environment variables that xacro sees if it may not.
    """

    is_full: bool = True
    variables: frozenset[str] = frozenset()

    def environment(self) -> dict[str, str]:
        """Return the environment variables that xacro sees."""
        return {name: value for name, value in os.environ.items()
                if self.is_full or name in self.variables}


TRUSTED = Trust()
"""For descriptions whose author may read all of this anyway."""


class PackageLookup:
    """
    Finds packages by name.

    They are looked for in this order:

    - those that are given;
    - the one whose folder contains the description: what is edited counts, not what is installed;
    - those that are installed (``AMENT_PREFIX_PATH``), and those of ``ROS_PACKAGE_PATH``;
    - those in the sources around the description, which may not be built yet: in a folder above
      it that has the name of the package, beside its own package, in its checkout of git or
      Mercurial, and in the folder ``src`` of its workspace.

    :param folder: the folder of the description; None if it does not come from a file.
    :param packages: folders of packages by name.
    :param environment: the environment variables; by default those of the process.
    :param trust: what the description may read besides.
    """

    def __init__(self, folder: Path | None, packages: Mapping[str, Path],
                 environment: Mapping[str, str] | None = None, trust: Trust = TRUSTED):
        self.packages = packages
        self.trust = trust
        self._folder = folder
        self._environment = os.environ if environment is None else environment

    def find(self, name: str) -> Path | None:
        """Return the folder of a package, or None."""
        preferred = self._preferred.get(name)
        if preferred is not None or not NAME.fullmatch(name):
            return preferred
        for share in self.shares:
            if os.path.isfile(share / 'ament_index' / 'resource_index' / 'packages' / name):
                return share / name
        return self.crawled.get(name) or self._around(name) or self._in_sources(name)

    @property
    def _preferred(self) -> dict[str, Path]:
        """The packages that take precedence over installed ones."""
        project = None if self.project is None else package_name(self.project)
        own = {project: self.project} if project is not None and self.project else {}
        return {**own, **self.packages}

    @cached_property
    def shares(self) -> list[Path]:
        """The ``share`` folders of install prefixes."""
        return [prefix / 'share' for prefix in self.paths('AMENT_PREFIX_PATH')]

    @cached_property
    def crawled(self) -> dict[str, Path]:
        """The packages below the entries of ROS_PACKAGE_PATH; the first of each name wins."""
        return _first_of_each(self.paths('ROS_PACKAGE_PATH'))

    def sources(self) -> dict[str, Path]:
        """Return the packages in the sources around the description, the nearest of each name."""
        return _first_of_each(self._source_folders)

    def folders(self) -> list[Path]:
        """Return the folders of the project, of the packages, and of the sources around it."""
        own = () if self._folder is None else (self._folder, *filter(None, [self.project]))
        return [*own, *self._source_folders, *self.packages.values(), *self.installed()]

    def is_around(self, path: str, more: Iterable[Path] = ()) -> bool:
        """Return whether a file is in one of the folders, or of more without links."""
        real, absolute = Path(real_path(path)), Path(os.path.abspath(path))
        return any(real.is_relative_to(folder) for folder in (*self._real_folders, *more)) or any(
            absolute.is_relative_to(folder) for folder in self.installed())

    def holds(self, path: str, more: Iterable[Path] = ()) -> bool:
        """Return whether a file is in one of the folders, and tracked by git if need be."""
        return self.is_around(path, more) and self.is_trusted(path)

    def is_trusted(self, path: str | os.PathLike[str]) -> bool:
        """Return whether git tracks a file, or the author of the description need not care."""
        return self.trust.is_full or is_tracked(Path(real_path(path)))

    def may_read(self, path: str) -> bool:
        """Return whether a file that a user names may be read: a link must not lead out."""
        return self.trust.is_full or (self.holds if os.path.islink(path) else self.is_around)(path)

    @cached_property
    def _real_folders(self) -> list[Path]:
        return [folder.resolve() for folder in self.folders()]

    def installed(self) -> list[Path]:
        """Return the install prefixes, whose symbolic links may point elsewhere."""
        return [*self.shares, *self.paths('ROS_PACKAGE_PATH')]

    def names(self) -> list[str]:
        """Return the names of the packages: its own, given, installed, and in the sources."""
        installed = [marker.name for share in self.shares
                     for marker in share.glob('ament_index/resource_index/packages/*')]
        return [*self._preferred, *self.crawled, *self.sources(), *installed]

    def paths(self, variable: str) -> list[Path]:
        """Return the folders that an environment variable lists."""
        entries = self._environment.get(variable, '').split(os.pathsep)
        return [Path(path) for path in dict.fromkeys(map(os.path.abspath, filter(None, entries)))]

    @cached_property
    def project(self) -> Path | None:
        """The package or the checkout around the description, or its folder."""
        return None if self._folder is None else project_folder(self._folder)

    def _around(self, name: str) -> Path | None:
        """Find a package that contains the description, or is beside a folder around it."""
        if self._folder is None or self.project is None:
            return None
        if (package_name(self.project) or self.project.name) == name:
            return self.project
        for folder in _upwards(self._folder):
            is_own = folder.is_relative_to(self.project)
            for package, counts in (
                    (folder, is_own or folder == self._folder.parent),
                    (folder / name, is_own and name not in MESH_FOLDERS)):
                # Without a manifest, the name of the folder is that of the package.
                found = package_name(package) or (
                    package.name if counts and os.path.isdir(package) else '')
                if found == name and (self.trust.is_full or self.is_around(
                        str(package), [package.parent.resolve()])):
                    return package
        return None

    def _in_sources(self, name: str) -> Path | None:
        packages = map(_packages_in, self._source_folders)
        return next((found[name] for found in packages if name in found), None)

    @cached_property
    def _source_folders(self) -> list[Path]:
        """The folders around the description that hold packages, the nearest first."""
        return [] if self.project is None else [
            folder for folder in _upwards(self.project)
            if folder.name == _SOURCES or _has(folder, _CHECKOUT + _LICENCES)]


def _packages_in(folder: Path) -> dict[str, Path]:
    """Return the packages below a folder by name, cached for some seconds."""
    return _packages_at(folder, int(time.monotonic() / _SECONDS))


@lru_cache(64)
def _packages_at(folder: Path, _time: int) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for package in islice(packages_below(folder), _MAX_PACKAGES):
        if name := package_name(package):
            found.setdefault(name, package)
    return found


def _first_of_each(folders: Iterable[Path]) -> dict[str, Path]:
    """Return the packages below folders by name."""
    return dict(ChainMap(*map(_packages_in, folders)))


def project_folder(folder: Path) -> Path:
    """
    Return the package or the checkout that a folder is in, or else the folder itself.

    Where there is neither, the nearest folder with a licence is taken for one that was unpacked.
    """
    around = _upwards(folder)
    projects = (above for above in around
                if os.path.lexists(above / 'package.xml') or _has(above, _CHECKOUT))
    licensed = (above for above in around if _has(above, _LICENCES))
    return next(chain(projects, licensed), folder.parent if folder.name == 'urdf' else folder)


def checkout_or_package(folder: Path) -> Path | None:
    """Return the checkout that a folder is in, or else its package, or None."""
    around = _upwards(folder)
    checkouts = (above for above in around if _has(above, _CHECKOUT))
    packages = (above for above in around if os.path.lexists(above / 'package.xml'))
    return next(chain(checkouts, packages), None)


def is_tracked(file: Path) -> bool:
    """
    Return whether git tracks a file, or it is in no checkout of git.

    Where git cannot tell, hidden files such as those of .git are taken for untracked.
    """
    above = _upwards(file.parent)
    checkout = next((folder for folder in above if os.path.exists(folder / '.git')), None)
    if checkout is None:
        return True
    relative = file.relative_to(checkout)
    try:
        index = (checkout / '.git' / 'index').stat().st_mtime_ns
    except OSError:  # In a worktree, .git is a file.
        index = 0
    tracked = _tracked_files(checkout, index, int(time.monotonic() / _SECONDS))
    if tracked is None:
        return not any(part.startswith('.') for part in relative.parts)
    return str(relative) in tracked


@lru_cache(8)
def _tracked_files(checkout: Path, _index: int, _time: int) -> frozenset[str] | None:
    """Return the files that git tracks, or None if git fails."""
    # Nothing that the checkout configures is run, such as the remote that missing objects of a
    # sparse index would be fetched from, and its owner may be another user.
    environment = {**os.environ, 'GIT_ALLOW_PROTOCOL': '', 'GIT_NO_LAZY_FETCH': '1'}
    command = ['git', '-c', 'core.fsmonitor=false', '-c', 'safe.directory=*', '-C', str(checkout),
               'ls-files', '-z']
    try:
        result = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True,
                                env=environment)
    except (OSError, subprocess.SubprocessError):
        return None
    return frozenset(os.fsdecode(result.stdout).split('\0'))


def _has(folder: Path, names: tuple[str, ...]) -> bool:
    """Return whether a folder has one of some files; a home folder is not a project."""
    # Where nobody knows the home folder, as in a container, this is no path of one.
    home = Path(os.path.expanduser('~'))
    # A link counts whether the file that it leads to exists or not, which is not to be told.
    return folder != home and any(os.path.lexists(folder / name) for name in names)


def _upwards(folder: Path) -> list[Path]:
    """Return a folder and those around it but the outermost, the nearest first."""
    return [folder, *folder.parents][:-1]


IGNORE_MARKERS = frozenset(('AMENT_IGNORE', 'CATKIN_IGNORE', 'COLCON_IGNORE'))
"""Marker files of folders that ROS tools skip; colcon writes one into its outputs."""

MAX_BYTES = 2**20
"""Maximum size of a manifest in bytes."""

MAX_PATH = 4096
"""Maximum length of a path in characters; Linux allows as many bytes."""

MAX_DEPTH = 200
"""Maximum number of slashes of a path."""

MAX_FOLDERS = 20_000
"""Maximum number of folders searched for packages; others are skipped."""


def packages_below(folder: Path) -> Iterator[Path]:
    """Yield the folders of the ROS packages below a folder, as catkin finds them."""
    for path, folders, files in islice(os.walk(folder), MAX_FOLDERS):
        if IGNORE_MARKERS.intersection(files):
            folders.clear()
        elif 'package.xml' in files:
            folders.clear()
            yield Path(path)
        folders[:] = sorted(name for name in folders if not name.startswith('.'))


def is_manifest(path: str) -> bool:
    """Return whether a path is that of the manifest of a package, package.xml."""
    return os.path.basename(path) == 'package.xml'


def package_name(folder: Path) -> str | None:
    """Return the name in the package manifest of a folder, or None."""
    manifest = folder / 'package.xml'
    try:
        status = os.stat(manifest)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return _name_in_manifest(manifest, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _name_in_manifest(manifest: Path, changed: int, size: int) -> str | None:
    """
    Return the name in a package manifest, or None; cached.

    :param changed: modification time, which with the size detects a changed file.
    """
    try:
        data = read_regular_file(manifest, MAX_BYTES)
        if b'<!ENTITY' in data or b'\0' in data:  # No manifest has entities.
            return None
        return (ElementTree.fromstring(data).findtext('name') or '').strip()
    except (OSError, ValueError, LookupError, ElementTree.ParseError):
        return None
