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

"""The worker side of xacro expansion: code in xacro files runs here only."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
import fnmatch
import glob
import io
import os
import re
import sys
from types import ModuleType
from types import SimpleNamespace
from xml.dom import expatbuilder
from xml.dom import minidom
from xml.parsers.expat import ExpatError

from urdf_tools.sandbox.confinement import OutOfTime
from urdf_tools.sandbox.worker import ask
from urdf_tools.xacro.guard import guard
from urdf_tools.xacro.guard import UnsafeExpression
from urdf_tools.xacro.text import NONE

TYPE_CHECKING = False  # As in typing, which workers do not import: it takes long.
if TYPE_CHECKING:
    from typing import Any  # noqa: I300
    from typing import IO

Source = tuple[int, int]
"""The source of an element: its tag, and the call of the macro that the tag is part of."""

_KEY = 'urdf_tools.source'

_OBJECT = re.compile(r'&lt;([^"&]{1,100})[^"]{0,100}? at 0x[0-9a-fA-F]+&gt;')
"""What Python writes of a function or the like, with its address in memory."""

_WRAPPED = (
    'parse', 'process_include', 'grab_property', 'handle_macro_call', 'resolve_macro')
"""Functions of xacro that are wrapped to track it."""


class XacroTracker:
    """
    Wraps functions of xacro to follow one expansion.

    :param xacro: the module.
    :param path: the file that is expanded; decides whether paths are shown as relative.
    :param open_file: opens a file to read its text.
    """

    def __init__(self, xacro: ModuleType, path: str, open_file: Callable[[str], IO[str]] = open):
        self._xacro = xacro
        self._open = open_file
        self._relative = not os.path.isabs(path)
        self._original: dict[str, Callable[..., Any]] = {
            name: getattr(xacro, name) for name in _WRAPPED}
        self._root = getattr(xacro, 'root_dir', '')  # Versions before 2.1 have none.
        self._include, self._base, self._call = NONE, NONE, NONE
        self._body: minidom.Element | None = None
        self.files: list[tuple[str, str, int]] = []
        """The files read so far: path, text, and the tag that included it."""
        self.tags = 0
        """Number of tags so far; the number of a tag is how many there are before it."""
        self.calls: list[tuple[int, str, int]] = []
        """The tag that calls a macro, the macro, and the call whose expansion the tag is in."""
        self.properties: dict[str, list[int]] = {}
        """The tags that define a property, by its name."""
        self.malformed: tuple[int, int, int, int] | None = None
        """Where the XML of a file is malformed: file, line, column and call."""

    @contextmanager
    def tracking(self) -> Iterator[None]:
        """Wrap the functions of xacro for a while; only one thread may do so at a time."""
        try:
            for name in _WRAPPED:
                setattr(self._xacro, name, getattr(self, '_' + name))
            yield
        finally:
            for name, function in self._original.items():
                setattr(self._xacro, name, function)

    def tables(self) -> dict[str, object]:
        """Return the tables so far as a JSON value."""
        return {name: getattr(self, name) for name in (
            'files', 'calls', 'properties', 'malformed')}

    def handle(self, operation: int, key: str, data: Source, src: minidom.Node,
               dst: minidom.Node) -> None:
        """Give the source of a node to its clone; minidom calls this, for children first."""
        if self._body is not None:
            data = data[0], self._call
            if src is self._body:
                self._body = None
        dst.setUserData(key, data, self)

    def _parse(self, inp: Any, filename: str | None = None) -> Any:
        if inp is not None or filename is None:
            return self._original['parse'](inp, filename)
        try:
            with self._open(os.path.join(self._root, filename)) as stream:
                text = stream.read()
        except OSError:
            return self._original['parse'](inp, filename)  # Raises what xacro expects.
        self.files.append((self._shown(filename), text, self._include))
        try:
            return _Builder(self._base, self).parseFile(io.StringIO(text))
        except ExpatError as error:
            self.malformed = len(self.files) - 1, error.lineno, error.offset + 1, self._base
            raise

    def _process_include(self, elt: minidom.Element, *rest: Any) -> Any:
        outer = self._include, self._base
        source = source_of(elt)
        if source is not None:
            self._include, self._base = source
        try:
            return self._original['process_include'](elt, *rest)
        finally:
            self._include, self._base = outer

    def _grab_property(self, elt: minidom.Element, table: Any) -> Any:
        source = source_of(elt)
        if source is not None:
            self.properties.setdefault(elt.getAttribute('name'), []).append(source[0])
        return self._original['grab_property'](elt, table)

    def _handle_macro_call(self, node: minidom.Element, *rest: Any) -> Any:
        name = node.tagName
        if name.startswith('xacro:') and name != 'xacro:call':
            source = source_of(node)
            if source is not None:
                self._call = len(self.calls)
                self.calls.append((source[0], name[6:], source[1]))
        return self._original['handle_macro_call'](node, *rest)

    def _resolve_macro(self, *arguments: Any) -> Any:
        found = self._original['resolve_macro'](*arguments)
        self._body = found[2].body  # The node that xacro clones next.
        return found

    def _shown(self, path: str) -> str:
        """Return a path as messages name it: without ``..``, and relative if the first one is."""
        if self._relative and os.path.isabs(path):
            inside = os.path.relpath(os.path.realpath(path), os.path.realpath(os.getcwd()))
            path = path if inside.startswith(os.pardir) else inside
        normal = os.path.normpath(path)
        if normal == path:
            return path
        # Behind a symbolic link, .. is not the folder that its text says.
        return normal if os.path.exists(normal) and os.path.samefile(normal, path) else path


def source_of(node: minidom.Node | None) -> Source | None:
    """Return the source of a node, or of the first node around it that has one."""
    while node is not None:
        source: Source | None = (
            node.getUserData(_KEY) if isinstance(node, minidom.Element) else None)
        if source is not None:
            return source
        node = node.parentNode
    return None


class _Builder(expatbuilder.ExpatBuilderNS):
    """Builds the document that minidom builds, with the source of each tag as user data."""

    def __init__(self, call: int, tracker: XacroTracker):
        super().__init__()
        self._call = call
        self._tracker = tracker

    def start_element_handler(self, name: str, attributes: list[str]) -> None:
        super().start_element_handler(name, attributes)
        self.curNode.setUserData(_KEY, (self._tracker.tags, self._call), self._tracker)
        self._tracker.tags += 1


# Its command line takes a third of the import of xacro, and is not used in a worker.
sys.modules.setdefault('xacro.cli', ModuleType('xacro.cli')).__dict__.setdefault(
    'process_args', None)
try:
    import xacro
    from xacro import substitution_args
    guard(xacro, substitution_args)
except ImportError:
    xacro = None

Answer = tuple[dict[str, object], bytes]


def expand(request: Any, _data: bytes) -> Answer:
    """Answer a request of :func:`~urdf_tools.xacro.expansion.expand_document`."""
    if xacro is None:
        return {'is_installed': False}, b''
    path = request['path']
    variables = _Variables(request['environment'])
    tracker = XacroTracker(xacro, path, _open)
    try:
        with tracker.tracking(), _asking(
                variables if request['withholds'] else request['environment']):
            document = xacro.process_file(path, mappings=request['mappings'])
            text = str(document.toprettyxml(indent='  '))
            if match := _OBJECT.search(text):
                raise UnsafeExpression(f'an expression gives no value, but the {match[1].strip()}')
        found: dict[str, object] = {'text': text}
        if len(text) > request['most_text']:
            return {'length': len(text)}, b''
        found['elements'] = [number for node in document.getElementsByTagName('*')
                             for number in source_of(node) or ()]
    except (Exception, OutOfTime) as error:  # Xacro's expressions may raise anything.
        found = {'error': _described(error, tracker)}
    found['withheld'] = sorted(variables.withheld)
    return {**found, 'tables': tracker.tables()}, b''


def _described(error: BaseException, tracker: XacroTracker) -> dict[str, object]:
    """Return an error as :func:`~urdf_tools.xacro.errors.located_error` takes it."""
    limit = error.limit if isinstance(error, OutOfTime) else (
        'memory' if isinstance(_inner(error), MemoryError) else '')
    source, written = _evaluated(error)
    return {'reason': _reason(error), 'limit': limit, 'source': source,
            'written': written if isinstance(written, str) else None,
            'is_malformed': isinstance(error, ExpatError) and tracker.malformed is not None}


def _reason(error: BaseException) -> str:
    """Return the text of an error without repetitions and the class that xacro prepends."""
    inner = _inner(error)
    return (str(error) or repr(error)).replace(f'{type(inner)}: {inner} {inner}', str(inner))


def _inner(error: BaseException) -> BaseException:
    """Return the error that is wrapped by those of xacro."""
    while (cause := getattr(error, 'exc', None)) is not None:
        error = cause
    return error


def _evaluated(error: BaseException) -> tuple[Source | None, object]:
    """Return the source of the node that xacro was evaluating, and the text of an attribute."""
    found: tuple[Source | None, object] = None, None
    traceback = error.__traceback__
    while traceback is not None:
        frame = traceback.tb_frame
        if str(frame.f_globals.get('__name__')).partition('.')[0] == 'xacro':
            for name in ('node', 'elt', 'tag', 'self'):
                node = frame.f_locals.get(name)
                if isinstance(node, minidom.Node) and (source := source_of(node)) is not None:
                    found = source, frame.f_locals.get('value')
        traceback = traceback.tb_next
    return found


def _asked(kind: str, name: str) -> tuple[dict[str, Any], bytes]:
    """
    Return what the parent responds.

    :raises OSError: a file cannot be read, or is not a file but a device or a pipe.
    :raises RefusedError: the description may not know of it, or there is no such package.
    """
    found, data = ask({kind: name})
    if 'refused' in found:
        raise RefusedError(found['refused'])
    if 'error' in found:
        raise OSError(found['number'], found['error'], name)
    return found, data


def _open(path: str) -> IO[str]:
    """Return the text of a file, which the parent reads if this description may."""
    found, data = _asked('read', path)
    if 'text' in found:
        return io.StringIO(found['text'], newline=None)
    return io.TextIOWrapper(io.BytesIO(data))


def _find(name: str) -> str:
    """Return the folder of a package, which the parent looks for."""
    return str(_asked('find', name)[0]['folder'])


def _glob(pattern: str) -> list[str]:
    """Return the files that match a pattern, as glob does, in folders that the parent lists."""
    folder, name = os.path.split(pattern)
    is_only = not glob.has_magic(folder)
    paths: list[str] = []
    for each in [folder] if is_only else _glob(folder):
        if not glob.has_magic(name):
            paths += filter(os.path.lexists, [os.path.join(each, name)])
            continue
        try:
            names = _asked('list', each)[0]['names']
        except RefusedError:
            if is_only:
                raise
            continue  # One of several folders, such as a link out of the project.
        paths += [os.path.join(each, found) for found in names
                  if fnmatch.fnmatch(found, name) and (found[0] != '.' or name[0] == '.')]
    return paths


class RefusedError(Exception):
    """A request that the parent refuses."""


class _Variables(dict[str, str]):
    """
    The environment variables that a xacro file sees; others are empty.

    :ivar withheld: names of the others that it asked for.
    """

    def __init__(self, values: Mapping[str, str]):
        super().__init__(values)
        self.withheld: set[str] = set()

    def __contains__(self, name: object) -> bool:
        if not super().__contains__(name):
            self.withheld.add(str(name))
        return super().__contains__(name)

    def __missing__(self, name: str) -> str:
        self.withheld.add(name)
        return ''


@contextmanager
def _asking(variables: Mapping[str, str]) -> Iterator[None]:
    """Make xacro access files, packages and environment variables through the parent only."""
    find, names = substitution_args._eval_find, substitution_args._eval_dict
    try:
        setattr(xacro, 'open', _open)  # Found before Python's own.
        setattr(xacro, 'glob', SimpleNamespace(glob=_glob))
        setattr(substitution_args, 'os', SimpleNamespace(path=os.path, environ=variables))
        substitution_args._eval_find = names['find'] = _find
        yield
    finally:
        delattr(xacro, 'open')
        setattr(xacro, 'glob', glob)
        setattr(substitution_args, 'os', os)
        substitution_args._eval_find = names['find'] = find
