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
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from functools import lru_cache
import os
from pathlib import Path
import re
import stat
from typing import Literal
from typing import NamedTuple
from urllib.parse import unquote

from urdf_tools.model.files import real_path
from urdf_tools.model.installed_files import sources_of
from urdf_tools.model.messages import joined
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import MAX_DEPTH
from urdf_tools.model.package_lookup import MAX_PATH
from urdf_tools.model.package_lookup import MESH_FOLDERS
from urdf_tools.model.package_lookup import NAME
from urdf_tools.model.package_lookup import package_name
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.package_lookup import Trust
from urdf_tools.model.package_lookup import TRUSTED

_SCHEME = re.compile(r'([A-Za-z][A-Za-z0-9+.-]+):')
_NAMED = re.compile(rf'[A-Za-z]+://({NAME.pattern})/+(.+)', re.DOTALL)
_FILE = re.compile(r'[A-Za-z]+:(?:(?://(?:localhost)?)?(?=/[^/])|///+(?=/))(/.*)', re.DOTALL)
_NO_AUTHORITY = re.compile(rf'([A-Za-z]+):///+({NAME.pattern}/.+)', re.DOTALL)
_WINDOWS = re.compile(r'[A-Za-z]:[\\/]')

_NOT_IN_NAME = re.compile(r'[^A-Za-z0-9_.-]')

_MODEL_PATHS = ('GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'GAZEBO_MODEL_PATH')


_KINDS = (
    (stat.S_ISDIR, 'a folder'), (stat.S_ISFIFO, 'a pipe'), (stat.S_ISSOCK, 'a socket'),
    (stat.S_ISCHR, 'a device'), (stat.S_ISBLK, 'a device'))

ResourceErrorKind = Literal['malformed', 'scheme', 'package', 'outside', 'missing', 'limit']


class ResourceError(ValueError):
    """
    A resource that cannot be found or must not be read.

    :param message: what is wrong, one sentence.
    :param hint: how to fix it, or an empty string.
    :param kind: ``malformed`` (not a valid URI of its scheme), ``scheme`` (not supported),
        ``package`` (the package or model does not exist), ``outside`` (not in a folder that may
        be read), ``missing`` (the file does not exist) or ``limit`` (there are too many).
    """

    def __init__(self, message: str, hint: str, kind: ResourceErrorKind):
        self.message = message
        self.hint = hint
        self.kind = kind
        super().__init__(joined(message, hint))


class ResourceResolver:
    """
    Finds the files that a description refers to, in allowed folders only.

    A description can come from an untrusted source, so it may only read files in

    - its own folder; if that is in a ROS package, a checkout of git or Mercurial, or an unpacked
      archive with a licence, all of it; if it is called ``urdf``, the folder above; folders
      called ``meshes``, ``visual``, ``collision`` or ``assets`` beside it;
    - ROS packages and Gazebo models: those given and those of the environment
      (``AMENT_PREFIX_PATH``, ``ROS_PACKAGE_PATH``, ``GZ_SIM_RESOURCE_PATH``,
      ``GAZEBO_MODEL_PATH``), and models whose folders are beside that of its own model;
    - folders that the caller allows.

    Symbolic links may lead out of packages and models, because ``colcon build
    --symlink-install`` creates such links, but not out of other folders, nor, if the description
    is not trusted, out of packages that are not installed. There is no network access.

    :param folder: the folder of the description; None if it does not come from a file.
    :param packages: folders of packages by name; they take precedence over all others.
    :param allowed: more folders for absolute paths and ``file://``; ``'/'`` allows all.
    :param environment: environment variables; by default those of the process.
    :param trust: what the description may read besides.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, *,
                 packages: Mapping[str, str | os.PathLike[str]] | None = None,
                 allowed: Iterable[str | os.PathLike[str]] = (),
                 environment: Mapping[str, str] | None = None, trust: Trust = TRUSTED):
        self._folder = None if folder is None else _absolute(folder)
        self._allowed = [_absolute(path) for path in allowed]
        self.lookup = PackageLookup(
            self._folder,
            {name: _absolute(path) for name, path in (packages or {}).items()}, environment,
            trust)

    def resolve(self, uri: str) -> Path:
        """
        Return the file that a URI refers to.

        :param uri: ``package://``, ``model://`` or ``file://``, or a path, absolute or relative
            to the description's folder. Percent escapes are decoded in URIs, not in paths.
        :raises ResourceError: the file does not exist or may not be read.
        """
        if '\0' in unquote(uri):
            raise ResourceError(f'{_quoted(uri)} contains a NUL byte', '', 'malformed')
        if len(unquote(uri)) > MAX_PATH or uri.count('/') > MAX_DEPTH:
            raise ResourceError(
                f'File {_quoted(uri)} does not exist',
                f'A path has at most {MAX_PATH} characters and {MAX_DEPTH} slashes', 'missing')
        scheme = _scheme(uri)
        if scheme in ('package', 'model'):
            is_package = scheme == 'package'
            folder, path = self._named(uri, self.find_package if is_package else self._find_model)
            paths = [root / part for root in (self._shared(folder) if is_package else [folder])
                     for part in _spellings(path)]
            folders = [self._folder_of(folder)]
        elif scheme == 'file':
            path = _matched(_FILE, uri, 'file:///PATH, with three slashes')[1]
            paths, folders = [*map(Path, _spellings(path))], self._readable(path)
        elif self._folder is None and not os.path.isabs(uri):
            raise ResourceError(
                f'{_quoted(uri)} is a relative path, but the description is not from a file',
                'Write package://PACKAGE/PATH', 'scheme')
        else:
            path = os.path.join(self._folder or '/', uri)
            paths, folders = [Path(path)], self._readable(path)
        lookup = self.lookup
        if not any(map(os.path.exists, paths)):
            paths += [source for path in map(os.path.abspath, paths)
                      for each in folders if each.contains(Path(path))
                      for source in sources_of(path, each.path, lookup.may_read)]
        # The author of a description on this machine learns of missing files elsewhere.
        found = _find(uri, paths, folders, self._folder is not None and lookup.trust.is_full,
                      lookup.is_trusted)
        if not lookup.is_trusted(found):
            raise ResourceError(f'File {_quoted(uri)} does not exist', '', 'missing')
        return found

    def beside(self, uri: str) -> str | None:
        """
        Return the path of a file beside the description whose URI names no package, or None.

        Exporters of CAD programs write package:///part.stl, package://part.stl,
        package://meshes/part.stl or, on Windows, backslashes.
        """
        path = re.sub('^package:/+', '', uri).replace('\\', '/')
        for relative in (path, f'../{path}') if path != uri else ():
            with suppress(ResourceError):
                self.resolve(relative)
                return relative
        return None

    def resolve_for_use(self, uri: str) -> Path:
        """
        Return the file that a URI refers to, or is meant to refer to (:meth:`beside`).

        It is for what shows, computes or writes; what others load is :meth:`resolve`.

        :raises ResourceError: the file does not exist or may not be read.
        """
        try:
            return self.resolve(uri)
        except ResourceError as error:
            is_meant = error.kind in ('malformed', 'package') or '\\' in uri
            meant = self.beside(uri) if is_meant else None
            if meant is None:
                raise
            return self.resolve(meant)

    def find_package(self, name: str) -> Path | None:
        """Return the folder of a ROS package, as :class:`PackageLookup` finds it, or None."""
        return self.lookup.find(name)

    def _named(self, uri: str, find: Callable[[str], Path | None]) -> tuple[Path, str]:
        three_slashes = _NO_AUTHORITY.fullmatch(uri)
        form = '{}://{}'.format(*three_slashes.groups()) + ', with two slashes' if (
            three_slashes) else f'{_scheme(uri)}://NAME/PATH'
        match = _matched(_NAMED, uri, form)
        folder = find(match[1])
        if folder is None:
            raise ResourceError(
                f'{(_scheme(uri) or "").capitalize()} {quote(match[1])} does not exist',
                'Source the workspace that has it, or add its folder to ROS_PACKAGE_PATH'
                if find == self.find_package else
                'Set GZ_SIM_RESOURCE_PATH to the folder that it is in', 'package')
        return folder, match[2]

    def _shared(self, package: Path) -> list[Path]:
        """Return the folders whose files are installed into the folder of a package."""
        if any(package.is_relative_to(folder) for folder in self.lookup.installed()):
            return [package]
        # The sources of a package in Python may have its data beside its modules.
        name = package_name(package) or package.name
        beside = [package / 'src' / name, package / name]
        return [package, *(folder for folder in beside if os.path.isdir(folder))]

    def _find_model(self, name: str) -> Path | None:
        models = [folder / name for folder in self._model_paths()]
        # Collections of models are folders side by side, each with this file.
        if self._folder is not None and self.lookup.trust.is_full and all(
                (self._folder.parent / each / 'model.config').is_file()
                for each in (self._folder.name, name)):
            models.append(self._folder.parent / name)
        return next((model for model in models if os.path.isdir(model)), self.find_package(name))

    def _readable(self, path: str) -> list[_Folder]:
        """Return the folders in which a file may be read, with the package that it is in."""
        beside = () if self._folder is None else (
            self._folder.parent / name for name in MESH_FOLDERS)
        own = [*filter(None, [self.lookup.project]), *(
            path for path in beside if self.lookup.trust.is_full or not path.is_symlink())]
        installed = [
            *self.lookup.packages.values(), *self.lookup.shares, *self.lookup.crawled.values(),
            *self._model_paths()]
        found = [*(_Folder(path, False) for path in (*own, *self._allowed)),
                 *map(self._folder_of, installed)]
        file = _absolute(path)
        if os.path.exists(file) and not any(folder.contains(file) for folder in found):
            # Such as file://$(find NAME)/..., where the package is in the same sources.
            around = project_folder(file.parent)
            name = package_name(around)
            if name and self.find_package(name) == around:
                found.append(_Folder(around, False))
        return found

    def _folder_of(self, package: Path) -> _Folder:
        """Return the folder of a package, which may have links to others if it is trusted."""
        lookup = self.lookup
        return _Folder(package, lookup.trust.is_full or any(
            package.is_relative_to(folder) for folder in lookup.installed()))

    def _model_paths(self) -> list[Path]:
        return [path for variable in _MODEL_PATHS for path in self.lookup.paths(variable)]


class CachingResolver(ResourceResolver):
    """
    A resolver that remembers the packages that it was asked for.

    :param resolver: finds them, in the same folders.
    """

    def __init__(self, resolver: ResourceResolver):
        vars(self).update(vars(resolver))
        self._package = cache(resolver.find_package)

    def find_package(self, name: str) -> Path | None:
        """Return the folder of a ROS package, or None."""
        return self._package(name)


class _Folder(NamedTuple):
    """A folder that may be read; in installed ones symbolic links may lead elsewhere."""

    path: Path
    installed: bool

    def contains(self, path: Path) -> bool:
        folder = str(self.path)
        return f'{path}{os.sep}'.startswith(folder if folder == os.sep else folder + os.sep)

    def admits(self, file: Path) -> bool:
        return self.contains(file) and (self.installed or _real(file).is_relative_to(
            _real(self.path)))


def resolve_beside(file: Path, uri: str) -> Path:
    """
    Return a file that a resource refers to, such as a buffer of a glTF file.

    It must be a regular file in the folder of the resource or below. Symbolic links may not
    lead out of it; but where the resource itself is a link, as ``colcon build
    --symlink-install`` creates them, the folder that it leads to is allowed, too.

    :param file: the resource that refers to it.
    :param uri: a path relative to its folder, perhaps with percent escapes.
    :raises ResourceError: it does not exist or may not be read.
    """
    if '\0' in unquote(uri):
        raise ResourceError(f'{_quoted(uri)} contains a NUL byte', '', 'malformed')
    if _SCHEME.match(uri) or os.path.isabs(uri):
        raise ResourceError(
            f'{_quoted(uri)} is not relative to the folder of {_quoted(file.name)}',
            'Refer to files in the same folder only', 'scheme')
    folder = _absolute(file).parent
    paths = [folder / part for part in _spellings(uri)]
    roots = _real(folder), _real(file).parent
    if not all(any(_real(path).is_relative_to(root) for root in roots) for path in paths):
        raise _outside(uri)  # Whether it exists or not.
    return _find(uri, paths, [_Folder(folder, True)])


def _find(uri: str, paths: Iterable[Path], folders: list[_Folder], may_tell: bool = False,
          may_name: Callable[[Path], bool] = bool) -> Path:
    """
    Return the first path that is a file; all must be in one of the folders.

    :param may_tell: whether an error may say that a file elsewhere does not exist.
    :param may_name: returns whether an error may name a file beside one that does not exist.
    """
    tried = [*map(_absolute, paths)]
    for path in tried:
        if may_tell and not os.path.exists(path):
            continue
        if not any(folder.admits(path) for folder in folders):
            raise _outside(uri)
        if os.path.isfile(path):
            return path
    raise _missing(
        uri, next((path for path in tried if os.path.isdir(path.parent)), tried[0]), may_name)


def _quoted(uri: str) -> str:
    return quote(uri, 200)


def _outside(uri: str) -> ResourceError:
    return ResourceError(
        f'{_quoted(uri)} is outside the folders that the description may read',
        'Move the file to a package or beside the description, or allow its folder', 'outside')


def _missing(uri: str, path: Path, may_name: Callable[[Path], bool]) -> ResourceError:
    """Return the error about a path that is not a regular file."""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode) and not os.path.exists(path):
            return ResourceError(
                f'{_quoted(uri)} is a symbolic link to a file that does not exist',
                f'It leads to {_quoted(os.readlink(path))}', 'missing')
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return ResourceError(
            f'File {_quoted(uri)} does not exist', _likely_mistake(path, may_name), 'missing')
    kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), 'not a regular file')
    return ResourceError(f'{_quoted(uri)} is {kind}', 'Give the path of a file', 'missing')


def _likely_mistake(path: Path, may_name: Callable[[Path], bool]) -> str:
    try:
        names = _names_in(path.parent, os.stat(path.parent).st_mtime_ns)
    except FileNotFoundError:
        # The first folder that is missing, if it may be told that those above it are not.
        folder = next(each for each in (*path.parents[::-1], path) if not os.path.isdir(each))
        is_told = folder != path and may_name(folder)
        hint = _likely_mistake(folder, may_name) if is_told else ''
        name = folder.name if is_told else path.parent.name
        return f'Folder {quote(name)} does not exist' + (hint and f': {hint}')
    except (OSError, ValueError):
        return f'Folder {quote(path.parent.name)} does not exist'
    same = names.get(path.name.lower())
    if same and may_name(path.with_name(same)):
        return f'{quote(same)} exists; upper and lower case differ'
    stem, suffix = os.path.splitext(path.name.lower())
    others = {os.path.splitext(lower): name for lower, name in names.items()}
    found = [name for (other, _), name in others.items() if other == stem][:1] or [
        name for (other, ending), name in others.items() if ending == suffix and (
            other in stem or stem in other) and min(len(other), len(stem)) > 3
        and _digits(other) == _digits(stem)]
    return f'{quote(found[0])} exists' if len(found) == 1 and may_name(
        path.with_name(found[0])) else ''


def _digits(name: str) -> str:
    return ''.join(filter(str.isdigit, name))


@lru_cache(maxsize=16)
def _names_in(folder: Path, changed: int) -> Mapping[str, str]:
    """
    Return each name in a folder by its name in lower case; cached.

    :param changed: time of the last change of the folder, so that a new file is seen.
    """
    return {name.lower(): name for name in os.listdir(folder)}


def _scheme(uri: str) -> str | None:
    """Return the scheme of a URI in lower case, or None for a path."""
    if _WINDOWS.match(uri):
        raise ResourceError(
            f'{_quoted(uri)} is a Windows path', 'Write package://PACKAGE/PATH', 'scheme')
    match = _SCHEME.match(uri)
    if match is None:
        return None
    scheme = match[1].lower()
    if scheme in ('http', 'https'):
        raise ResourceError(
            f'{_quoted(uri)} is fetched from the network by Gazebo and RViz alone', 'Download it, '
            'such as with "gz fuel download -u URI", and write package://PACKAGE/PATH or a path',
            'scheme')
    if scheme not in ('package', 'model', 'file'):
        raise ResourceError(f'{_quoted(uri)} has an unsupported scheme',
                            'Use package://, model://, file:// or a path', 'scheme')
    return scheme


def _matched(pattern: re.Pattern[str], uri: str, form: str) -> re.Match[str]:
    match = pattern.fullmatch(uri)
    if match is None:
        name = uri.partition(':')[2].lstrip('/').partition('/')[0]
        reason = f', because of {_quoted(wrong[0])} in the name, where only letters, digits and ' \
            '. _ - may be' if (wrong := _NOT_IN_NAME.search(name)) else ''
        raise ResourceError(f'{_quoted(uri)} is malformed{reason}', f'Write {form}', 'malformed')
    return match


def _spellings(path: str) -> Iterable[str]:
    """Return a path with its percent escapes decoded, then as written if that differs."""
    return dict.fromkeys((unquote(path), path))


def _absolute(path: str | os.PathLike[str]) -> Path:
    return Path(os.path.abspath(path))


def _real(path: Path) -> Path:
    try:
        return Path(real_path(path)) if len(str(path)) <= MAX_PATH else path
    except ValueError:  # No file can have this name.
        return path
    except OSError as error:  # A link on the way was replaced meanwhile.
        raise ResourceError(f'{_quoted(str(path))} cannot be read', '', 'missing') from error
