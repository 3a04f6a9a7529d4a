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

"""What a worker does that expands a xacro file: whatever code is in there runs here only."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
from contextlib import nullcontext
from contextlib import redirect_stderr
import io
import os
from types import TracebackType
from xml.dom import minidom
from xml.parsers.expat import ExpatError

from urdf_tools.late_imports import import_late
from urdf_tools.model.xacro_guard import guard
from urdf_tools.model.xacro_tracking import can_track
from urdf_tools.model.xacro_tracking import Source
from urdf_tools.model.xacro_tracking import source_of
from urdf_tools.model.xacro_tracking import XacroTracker
from urdf_tools.sandbox.confinement import OutOfTime

TYPE_CHECKING = False  # As in typing, which workers do not import: it takes long.
if TYPE_CHECKING:
    from typing import Any  # noqa: I300

import_late('yaml')  # It takes as long as xacro, which uses it for load_yaml only.
try:
    import xacro
    from xacro import substitution_args
    guard(xacro, substitution_args)
except ImportError:
    xacro = None

Answer = tuple[dict[str, object], bytes]


def expand(request: Any, _data: bytes) -> Answer:
    """Answer a request of :func:`~urdf_tools.model.xacro_expansion.expand_xacro`."""
    if xacro is None:
        return {'is_installed': False}, b''
    os.environ.clear()
    os.environ.update(request['environment'])
    path = request['path']
    tracker = XacroTracker(xacro, path, request['buffers']) if can_track(xacro) else None
    try:
        with tracker.tracking() if tracker else nullcontext(), _finding(request['packages']):
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
    return {**found, 'tables': None if tracker is None else tracker.tables()}, b''


def _described(error: BaseException, tracker: XacroTracker | None) -> dict[str, object]:
    """Return what :func:`~urdf_tools.model.xacro_errors.located_error` takes."""
    limit = error.limit if isinstance(error, OutOfTime) else (
        'memory' if isinstance(error, MemoryError) else '')
    found: dict[str, object] = {'reason': str(error) or repr(error), 'limit': limit}
    if tracker is None:
        with redirect_stderr(io.StringIO()) as stack:
            xacro.print_location()
        return {**found, 'stack': stack.getvalue()}
    source, written = _evaluated(error)
    return {**found, 'source': source, 'written': written if isinstance(written, str) else None,
            'is_malformed': isinstance(error, ExpatError) and tracker.malformed is not None}


def _evaluated(error: BaseException) -> tuple[Source | None, object]:
    """Return the source of the node that xacro was evaluating, and the text of an attribute."""
    source, written = None, None
    for node, value in _tag_variables(error.__traceback__):
        found = source_of(node)
        if found is not None:
            source, written = found, value
    return source, written


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


@contextmanager
def _finding(packages: Mapping[str, Any]) -> Iterator[None]:
    """Let xacro find the packages in source folders, too."""
    original = substitution_args._eval_find
    lookup = None

    def find(name: str) -> str:
        if name in packages['preferred']:
            return str(packages['preferred'][name])
        # Many files need none of what this imports.
        from urdf_tools.model.package_lookup import PackageLookup
        nonlocal lookup
        lookup = lookup or PackageLookup.from_data(packages)
        return str(lookup.find(name) or original(name))
    names = substitution_args._eval_dict
    try:
        substitution_args._eval_find = names['find'] = find
        yield
    finally:
        substitution_args._eval_find = names['find'] = original
