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
"""The descriptions to check: those that are named, in folders, in settings and of SRDF files."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import islice
import os
from pathlib import Path
import re
import shlex
from typing import NamedTuple

from urdf_tools.check.file_lookup import glob_in
from urdf_tools.check.launch_files import launch_arguments
from urdf_tools.check.package_files import is_of_ros_1
from urdf_tools.check.workspace.descriptions import Descriptions
from urdf_tools.check.workspace.descriptions import find_descriptions
from urdf_tools.check.workspace.descriptions import is_semantic
from urdf_tools.check.workspace.settings import Arguments
from urdf_tools.check.workspace.settings import overridden
from urdf_tools.check.workspace.settings import ProjectSettings
from urdf_tools.check.workspace.settings import Root
from urdf_tools.check.workspace.settings import Settings
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.files import real_path
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import is_manifest
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import is_open
from urdf_tools.model.xml.document import read_file
from urdf_tools.xacro.arguments import XacroArguments
from urdf_tools.xacro.files import XacroFiles

_MAX_TEXT = 2**18
_MAX_LAUNCH_FILES = 100
_MAX_NAMED = 30
_MAX_FILES = 1000
_SUFFIXES = ('.urdf.xacro', '.urdf', '.xacro')
_OF_PACKAGES = re.compile(
    r'.*\.(?:py|ya?ml|rviz|launch|launch\.xml)|.*/(?:package\.xml|CMakeLists\.txt)', re.DOTALL)
"""The files that are checked with the package that they are in."""

_ASSISTANT = re.compile(
    r'^[ \t]+urdf:[ \t]*\n(?:[ \t]+(?!srdf:)\w+:[^\n]*\n)+', re.MULTILINE | re.IGNORECASE)
_ENTRY = re.compile(  # A text may go on in the next lines.
    r'^[ \t]+(package|relative_path|xacro_args):[ \t]*["\']?'
    r'([^"\'\n]*(?:\n[ \t]+\w+:=[^"\'\n]*)*)', re.MULTILINE)
_FIND = re.compile(r'\$\(find(?:-pkg-share)?\s+([\w-]+)\)/([\w./-]+\.(?:urdf|xacro))')
_SHARE = re.compile(
    r'(?:get_package_share_(?:directory|path)|FindPackageShare)\(\s*["\']([\w-]+)')
_PATH = re.compile(
    r'(?:["\'][\w./-]+["\']\s*,\s*){0,8}["\'][\w./-]+\.(?:urdf|xacro)["\']')
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
        # A file beside it may hold its macros, such as those of the groups.
        if os.path.isfile(model.path) and not is_semantic(model.path) and not _names(
                _text(Path(srdf)), model.path):
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
    match = re.search(r'<robot\b[^<>]*?\sname\s*=\s*["\']([^"\']*)', _text(Path(path)))
    return '' if match is None else match[1]


def _of_assistant(package: Path, lookup: PackageLookup) -> Iterator[Model]:
    section = _ASSISTANT.search(_text(package / '.setup_assistant') + '\n')
    given = dict(_ENTRY.findall(section[0])) if section else {}
    path = _in_package(given.get('package', ''), given.get('relative_path', ''), package, lookup)
    words = given.get('xacro_args', '').split()
    for file in (path, f'{path}.xacro'):  # The former may be made of the latter.
        yield Model(file, dict(word.split(':=', 1) for word in words if ':=' in word[1:]))


def _of_launch_files(package: Path, srdf: str, lookup: PackageLookup) -> Iterator[Model]:
    """Yield the only description in the launch files that name the SRDF file, or in all."""
    texts = [*map(_text, sorted(glob_in(package / 'launch', '*.*'))[:_MAX_LAUNCH_FILES])]
    for several in ([text for text in texts if _names(text, srdf)], texts):
        found = {path for text in several for name, end in _named(text)
                 if os.path.isfile(path := _in_package(name, end, package, lookup))
                 and not is_semantic(path)}
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


def _names(text: str, path: str) -> bool:
    """Return whether a text names a file, not one whose name only ends like it."""
    return re.search(rf'(?<![\w.-]){re.escape(os.path.basename(path))}', text) is not None


def _in_package(name: str, path: str, package: Path, lookup: PackageLookup) -> str:
    folder = lookup.find(name) if name else package
    return '' if folder is None or not path else os.path.relpath(folder / path.strip())


def _text(path: Path) -> str:
    try:
        return read_regular_file(path, _MAX_TEXT).decode('utf-8', 'replace')
    except (OSError, ValueError):
        return ''


class Target(NamedTuple):
    """
    A description to check.

    :param source: the file, as messages name it.
    :param combinations: the combinations of xacro arguments to check it with; at least one.
    :param settings: those of its project and of the command line.
    :param text: the description, if it does not come from the file.
    :param folder: the folder that was named and searched, if it was found there.
    :param loops: the file of loops beside it, or None.
    :param model: the description, if the source is the SRDF file of a robot.
    :param optional: names of arguments that are meant for other files, if it does not have them.
    :param within: absolute paths of the files and folders whose findings alone are reported; if
        there are none, those of all files are.
    """

    source: str
    combinations: Sequence[Arguments] = ({},)
    settings: Settings = Settings()
    text: bytes | None = None
    folder: str | None = None
    loops: str | None = None
    model: str | None = None
    optional: Collection[str] = ()
    within: Sequence[str] = ()

    def singles(self) -> Iterator[Target]:
        """Yield a target for each of its combinations."""
        return (self._replace(combinations=(arguments,)) for arguments in self.combinations)

    def resources(self) -> ResourceResolver:
        """Return the resolver of the files that it refers to."""
        file = self.model or self.source
        folder = '.' if self.text is not None else os.path.dirname(file) or '.'
        return ResourceResolver(folder, packages=self.settings.packages, trust=self.settings.trust)


class Targets(NamedTuple):
    """
    The descriptions to check.

    :param targets: each file once, in the order of the names.
    :param parts: by folder that was searched, the xacro files in it that are not checked by
        themselves: those that only define macros and properties, or that others include.
    :param unreadable: folders that cannot be read.
    :param remarks: on folders without a description: macros that nothing calls, and descriptions
        of other packages that launch files load.
    """

    targets: tuple[Target, ...]
    parts: Mapping[str, Sequence[str]]
    unreadable: Sequence[str] = ()
    remarks: Sequence[str] = ()


def find_targets(names: Sequence[str] = (), arguments: Arguments = {},
                 project: ProjectSettings | None = None, *, allow_none: bool = False,
                 model: str | None = None, packages: bool = False) -> Targets:
    """
    Find the descriptions to check.

    :param names: files and folders; if there are none, the roots of the settings of the current
        folder are checked. A launch file, or another one of a package, is checked with that.
    :param arguments: xacro arguments, which override those of the settings; files that are not
        named, but found in folders or settings, ignore those that they do not have.
    :param project: the settings; by default those of the nearest files.
    :param allow_none: whether a folder may have no description.
    :param model: the description of the SRDF files; by default :func:`model_of` finds it.
    :param packages: whether to check packages without a description, too.
    :raises SettingsError: the settings are not valid, or there is no description, or none that has
        an argument.
    :raises DescriptionError: a pipe that is named cannot be read.
    """
    project = project or ProjectSettings()
    found: dict[str, Target] = {}
    searched: dict[str, Descriptions] = {}
    unused = list(arguments)
    within: dict[str, list[str]] = {}
    for name in names if packages else ():
        folder = package_of(name)
        within.setdefault(folder or name, []).append(
            os.path.abspath(folder if folder and is_manifest(name) else name))
    of_files = {folder: [] if os.path.abspath(folder) in paths else paths
                for folder, paths in within.items() if os.path.isdir(folder)}
    for source, root, folder in _sources(
            list(within) or names, project, searched, allow_none, packages):
        settings = project.of_file(source)
        if is_manifest(source) and packages:
            found[os.path.abspath(source)] = Target(
                source, settings=settings, folder=folder,
                within=[os.path.dirname(os.path.abspath(source))])
            continue
        if is_semantic(source) and os.path.isfile(source):
            if source.endswith('.xacro') and not robot_name(source):
                raise SettingsError(
                    f'{quote(source, 200)} only defines macros: its <robot> has no name. Check '
                    'the SRDF file that includes it')
            target = _semantic(source, settings, searched.get(folder or ''), model, arguments)
            if target is None and folder is None:
                raise SettingsError(f'{quote(source, 200)} is an SRDF file, and the description '
                                    'of its robot is not found; name it with --model FILE')
            given = {**_launched(source), **arguments}
            target = target or Target(source, (given,), settings, optional=given)
            unused = unused and _not_taken(target, unused)
            found[os.path.abspath(source)] = target._replace(
                within=of_files.get(folder or '') or ())
            continue
        root = root or settings.root(source)
        is_plain = folder is not None and source in searched[folder].plain
        lookup = Target(source, settings=settings).resources().lookup
        combinations = overridden(
            root.combinations if root else ({},),
            _had(_srdf_beside(source), arguments, lookup) if is_plain else arguments)
        # A pipe can be read only once, and not in a process without standard error.
        text = read_file(source) if is_open(source) and Path(source).is_fifo() else None
        target = found.setdefault(os.path.abspath(source), Target(
            source, combinations, settings, text, folder, root.loops if root else None,
            optional=_had(
                _srdf_beside(source), arguments, lookup) if names and folder is None
            else arguments))
        unused = unused and _not_taken(target, unused)
    if unused and found:
        raise SettingsError(
            f'No description has the xacro argument {" or ".join(map(quote, unused))}')
    parts = {name: [path for path in inside.parts if os.path.abspath(path) not in found]
             for name, inside in searched.items()}
    return Targets(tuple(each._replace(within=of_files.get(each.folder or '') or each.within)
                         for each in found.values()), parts, [
        path for inside in searched.values() for path in inside.unreadable], [
            f'{folder}: {text}' for folder, inside in searched.items() if not any(
                each.model or each.folder == folder and not is_manifest(each.source)
                for each in found.values())
            for text in _instead(folder, inside, project)])


def _not_taken(target: Target, names: Sequence[str]) -> list[str]:
    """Return those of the names of xacro arguments that a description does not have."""
    unknown = [name for name in names if name not in target.combinations[0]]
    if target.optional and len(unknown) < len(names):
        given, lookup = dict.fromkeys(names, ''), target.resources().lookup
        files = (target.source, target.model, _srdf_beside(target.source))
        known = {name for file in files if file for name in _had(file, given, lookup)}
        unknown += {*names} - known
    return [name for name in names if name in unknown]


def _semantic(source: str, settings: Settings, inside: Descriptions | None, model: str | None,
              arguments: Arguments) -> Target | None:
    """Return the target of an SRDF file, or None if its description is not found."""
    resources = Target(source, settings=settings).resources()
    found = Model(model) if model else model_of(
        source, () if inside is None else inside.roots, resources.lookup)
    if found is None:
        return None
    launched = _launched(source)
    given = {**launched, **found.arguments, **arguments}
    if inside and not model:
        needed = XacroArguments(found.path, XacroFiles(resources.lookup, {}))
        # Before any is declared.
        early = {*re.findall(r'\$\(arg\s+([^\s()]+)\)', robot_name(found.path))}
        if (needed.used.keys() - needed.declared.keys() | early) - given.keys():
            return None  # Launch files give these values.
    return Target(source, (given,), settings, model=found.path, optional=(
        {**launched, **found.arguments, **_had(source, arguments, resources.lookup)}
        if inside is None else given))


def _launched(srdf: str) -> Arguments:
    """Return the xacro arguments that the launch files which name an SRDF file give."""
    files = sorted(glob_in(project_folder(Path(srdf).absolute().parent) / 'launch', '*.py'))
    builder = re.compile(
        rf'MoveItConfigsBuilder\(\s*["\']{re.escape(Path(srdf).name.split(".srdf")[0])}["\']')
    texts = [text for text in map(_text, files[:_MAX_LAUNCH_FILES])
             if _names(text, srdf) or builder.search(text) and '.srdf' not in text]
    return {name: value for text in reversed(texts)
            for name, value in launch_arguments(text).items()}


def _had(file: str, arguments: Arguments, lookup: PackageLookup) -> Arguments:
    """Return those of some xacro arguments that a file has."""
    if not (arguments and os.path.isfile(file)):
        return {}
    unknown = XacroArguments(file, XacroFiles(lookup, {})).undeclared(arguments)
    return {name: value for name, value in arguments.items() if name not in unknown}


def _srdf_beside(source: str) -> str:
    """Return the SRDF file that xacro expands beside a description, if there is one."""
    stem = os.path.basename(source).split('.')[0]
    return os.path.join(os.path.dirname(source), f'{stem}.srdf.xacro')


def package_of(name: str) -> str | None:
    """Return the folder of the package that a file or folder in it is checked with, or None."""
    path = os.path.abspath(name)
    folder = project_folder(Path(path).parent)
    is_folder = os.path.isdir(path)
    files = map(str, glob_in(Path(path), '*')) if is_folder else filter(os.path.isfile, [path])
    if not any(map(_OF_PACKAGES.fullmatch, files)) or not (folder / 'package.xml').is_file():
        return None
    # A folder with descriptions is searched for these alone.
    found = find_descriptions(name) if is_folder else None
    has_own = found and (found.roots or found.semantic or found.manifests)
    return None if has_own else os.path.relpath(folder)


def _undescribed(found: Descriptions, sources: Sequence[str]) -> list[str]:
    """Return the package.xml of each package for ROS 2 that has no description."""
    described = {project_folder(Path(os.path.abspath(path)).parent)
                 for path in (*sources, *found.roots, *found.semantic)}
    texts = {path: _text(Path(path)) for path in found.manifests
             if Path(os.path.abspath(path)).parent not in described}
    return [path for path, text in texts.items() if not is_of_ros_1(text)]


def _sources(names: Sequence[str], project: ProjectSettings, searched: dict[str, Descriptions],
             allow_none: bool, packages: bool) -> Iterator[tuple[str, Root | None, str | None]]:
    """Yield each file, the entry of the settings that lists it, and the folder it was found in."""
    if not names:
        roots = project.of_folder('.').roots
        if not roots:
            raise SettingsError('Name a file or a folder, - for standard input, or list the '
                                'descriptions as [[roots]] in urdf-tools.toml')
        for root in roots:
            yield _existing(root, ''), root, None
    for name in names:
        if not os.path.isdir(name):
            yield name, None, None
            continue
        searched[name] = find_descriptions(name)
        sources = _in_folder(name, searched[name], project)
        sources += [path for path in searched[name].semantic if not (
            _is_read_beside(path, sources) or project.of_file(path).excludes(path)
            or not (path.endswith('.srdf') or robot_name(path)))]  # It only defines macros.
        sources += [path for path in _undescribed(searched[name], sources)
                    if packages and not project.of_file(path).excludes(path)]
        if not (sources or allow_none):
            raise SettingsError(''.join(
                (quote(name, 200), ' has no description of a robot', *(
                    f'; {text}' for text in _instead(name, searched[name], project) or [
                        'SDF and MJCF files are only checked where they are named']))))
        yield from ((source, None, name) for source in sources)


def _instead(folder: str, found: Descriptions, project: ProjectSettings) -> list[str]:
    """Return what a folder without a description has: macros, or launch files that load one."""
    if found.parts:
        return [f'{quote(found.parts[0], 200)} only defines macros, which nothing calls']
    package = project_folder(Path(os.path.abspath(folder)))
    resources = Target(os.path.join(folder, ''), settings=project.of_folder(folder)).resources()
    for model in _of_launch_files(package, '', resources.lookup):
        above = Path(os.path.abspath(model.path)).parents
        near = next((os.path.relpath(each) for each in (package, package.parent)
                     if each in above), model.path)
        return [f'its launch files load {quote(model.path, 200)}: run urdf-tools check '
                + shlex.quote(near)]
    return []


def _is_read_beside(srdf: str, sources: Sequence[str]) -> bool:
    """Return whether the check of a description beside an SRDF file reads it."""
    stem = os.path.basename(srdf).split('.srdf')[0]
    return any(os.path.dirname(source) == os.path.dirname(srdf) and stem in (
        os.path.basename(source).split('.')[0], robot_name(source)) for source in sources)


def _in_folder(folder: str, found: Descriptions, project: ProjectSettings) -> list[str]:
    """Return the descriptions found in a folder, including those listed in settings."""
    folders = {folder, *(os.path.dirname(path) for path in (*found.roots, *found.parts))}
    roots = {root.file: root for name in sorted(folders) for root in project.of_folder(name).roots}
    above = os.path.join(real_path(folder), '')
    listed = [_existing(root, folder) for file, root in roots.items() if file.startswith(above)]
    sources = {os.path.abspath(path): os.path.normpath(path) for path in (*listed, *found.roots)}
    return sorted(path for path in sources.values() if not project.of_file(path).excludes(path))


def _existing(root: Root, folder: str) -> str:
    """Return the path of a file listed in settings, relative to a folder that contains it."""
    if not os.path.exists(root.file):
        raise SettingsError(f'{root.location}: File {quote(root.file, 200)} does not exist')
    inside = os.path.relpath(root.file, real_path(folder or '.'))
    return root.file if inside.startswith(os.pardir) else os.path.join(folder, inside)
