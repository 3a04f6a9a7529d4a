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

from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
from contextlib import nullcontext
from contextlib import redirect_stderr
import io
import os
import sys
from types import ModuleType
from types import SimpleNamespace
from types import TracebackType
from xml.dom import minidom
from xml.parsers.expat import ExpatError

from urdf_tools.sandbox.confinement import OutOfTime
from urdf_tools.sandbox.worker import ask
from urdf_tools.xacro.guard import guard
from urdf_tools.xacro.guard import VALUES
from urdf_tools.xacro.tracking import can_track
from urdf_tools.xacro.tracking import Source
from urdf_tools.xacro.tracking import source_of
from urdf_tools.xacro.tracking import XacroTracker

TYPE_CHECKING = False  # As in typing, which workers do not import: it takes long.
if TYPE_CHECKING:
    from typing import Any  # noqa: I300
    from typing import IO

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
    tracker = XacroTracker(xacro, path, _open) if can_track(xacro) else None
    try:
        with tracker.tracking() if tracker else nullcontext(), _asking(
                variables if request['withholds'] else request['environment']):
            document = xacro.process_file(path, mappings=request['mappings'])
            text = str(document.toprettyxml(indent='  '))
        found: dict[str, object] = {'text': text}
        if len(text) > request['most_text']:
            return {'length': len(text)}, b''
        if tracker is not None:
            found['elements'] = [number for node in document.getElementsByTagName('*')
                                 for number in source_of(node) or ()]
    except (Exception, OutOfTime) as error:  # Xacro's expressions may raise anything.
        found = {'error': _described(error, tracker)}
    found['withheld'] = sorted(variables.withheld)
    return {**found, 'tables': None if tracker is None else tracker.tables()}, b''


def _described(error: BaseException, tracker: XacroTracker | None) -> dict[str, object]:
    """Return an error as :func:`~urdf_tools.xacro.errors.located_error` takes it."""
    limit = error.limit if isinstance(error, OutOfTime) else (
        'memory' if isinstance(_inner(error), MemoryError) else '')
    found: dict[str, object] = {
        'reason': _reason(error), 'limit': limit, 'values': getattr(_inner(error), VALUES, {})}
    if tracker is None:
        with redirect_stderr(io.StringIO()) as stack:
            xacro.print_location()
        return {**found, 'stack': stack.getvalue()}
    if near := _near_key(_inner(error).__traceback__):
        found['near_key'] = near
    source, written = _evaluated(error)
    return {**found, 'source': source, 'written': written if isinstance(written, str) else None,
            'is_malformed': isinstance(error, ExpatError) and tracker.malformed is not None}


def _near_key(traceback: TracebackType | None) -> str | None:
    """Return the key of a YAML table that resembles the one that xacro did not find, if any."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    table = {} if traceback is None else traceback.tb_frame.f_locals
    if not hasattr(table, 'get'):  # The names in $(eval ...) are no mapping.
        return None
    if not isinstance(table.get('self'), dict) or not isinstance(table.get('item'), str):
        return None
    from difflib import get_close_matches  # Only errors need it.
    return next(iter(get_close_matches(
        table['item'], [key for key in table['self'] if isinstance(key, str)], 1)), None)


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
    found = [(source, value) for node, value in _tag_variables(error.__traceback__)
             if (source := source_of(node)) is not None]
    return found[-1] if found else (None, None)


def _tag_variables(traceback: TracebackType | None) -> Iterator[tuple[minidom.Node, object]]:
    """Yield the nodes that xacro's functions on the stack work on, and text, innermost last."""
    while traceback is not None:
        frame = traceback.tb_frame
        if str(frame.f_globals.get('__name__')).partition('.')[0] == 'xacro':
            for name in ('node', 'elt', 'tag', 'self'):
                value = frame.f_locals.get(name)
                if isinstance(value, minidom.Node):
                    yield value, frame.f_locals.get('value')
        traceback = traceback.tb_next


def _open(path: str) -> IO[str]:
    """
    Return the text of a file, which the parent reads if this description may.

    :raises OSError: it cannot be read, or is no file but a device or a pipe.
    :raises RefusedError: this description may not read it.
    """
    found, data = ask({'read': path})
    if 'refused' in found:
        raise RefusedError(found['refused'])
    if 'error' in found:
        raise OSError(found['number'], found['error'], path)
    if 'text' in found:
        return io.StringIO(found['text'], newline=None)
    return io.TextIOWrapper(io.BytesIO(data))


def _find(name: str) -> str:
    """
    Return the folder of a package, which the parent looks for.

    :raises RefusedError: there is none.
    """
    found, _ = ask({'find': name})
    if 'refused' in found:
        raise RefusedError(found['refused'])
    return str(found['folder'])


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
        setattr(substitution_args, 'os', SimpleNamespace(path=os.path, environ=variables))
        substitution_args._eval_find = names['find'] = _find
        yield
    finally:
        delattr(xacro, 'open')
        setattr(substitution_args, 'os', os)
        substitution_args._eval_find = names['find'] = find
