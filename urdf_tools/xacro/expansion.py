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

"""Expand xacro files in workers, since their macros and expressions are programs."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping
from dataclasses import replace
import os
from pathlib import Path
import time
from typing import Any

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import MAX_BYTES
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import too_large
from urdf_tools.sandbox.answers import COUNT
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.xacro.arguments import needed_argument
from urdf_tools.xacro.arguments import XacroArguments
from urdf_tools.xacro.errors import failure
from urdf_tools.xacro.errors import located_error
from urdf_tools.xacro.errors import SourceTables
from urdf_tools.xacro.files import NOT_FOUND
from urdf_tools.xacro.files import XacroBudget
from urdf_tools.xacro.files import XacroFiles

_ANSWER = (
    {'is_installed': bool}, {'length': COUNT},
    {'tables': {'files': [[str, str, int]], 'calls': [[int, str, int]],
                'properties': {str: [int]}, 'malformed': (None, [COUNT, COUNT, COUNT, int])},
     'withheld': [str], 'text?': str, 'elements?': [int], 'error?': {
         'reason': str, 'limit': str, 'source': (None, [int, int]), 'written': (None, str),
         'is_malformed': bool}})

_pools = {is_trusted: WorkerPool(
    'urdf_tools.xacro.job:expand', 16, is_confined=True, reads_files=False,
    may_fork=is_trusted, is_isolated=True) for is_trusted in (True, False)}


def expand_document(
        path: str, mappings: Mapping[str, str], buffers: Mapping[str, str] = {},
        packages: PackageLookup | None = None, budget: XacroBudget | None = None,
        optional: Collection[str] = ()) -> Document:
    """
    Expand a xacro file, and parse the result, the same text as xacro's own.

    Xacro evaluates Python expressions and reads other files. It runs in a process of its own,
    within limits and kept from the rest of the machine, and touches nothing of this one.

    :param mappings: values of the arguments that ``xacro:arg`` declares.
    :param buffers: absolute path of a file to the text that counts instead of what is on disk.
    :param packages: finds the packages of ``$(find NAME)``, and has what the file may read; by
        default those of the environment and around the file, and all files.
    :param budget: what the expansion may take.
    :param optional: names of arguments that are ignored if the files do not have them.
    :raises DescriptionError: xacro is not installed, or it fails, or the result is no XML, or the
        files do not have an argument.
    """
    if packages is None:
        packages = PackageLookup(Path(os.path.abspath(path)).parent, {})
    budget = budget or XacroBudget()
    request = {
        'path': path, 'mappings': dict(mappings), 'environment': packages.trust.environment(),
        'withholds': not packages.trust.is_full, 'most_text': MAX_BYTES}
    files = XacroFiles(packages, buffers, path)
    limits = budget.next_job()
    started = time.monotonic()
    try:
        if limits.wall <= 0:
            raise LimitExceeded('wall', limits)
        answer: Any = _pools[packages.trust.is_full].run(
            request, limits, respond=files.respond, shape=_ANSWER)[0]
        if not answer.get('is_installed', True):
            from urdf_tools.installation import how_to_install
            raise DescriptionError(
                'A xacro file needs the xacro package, which is not installed', ErrorKind.XACRO,
                hint='Install it with "apt install ros-$ROS_DISTRO-xacro" or '
                + how_to_install('xacro'),
                source=path)
        if 'length' in answer:
            raise too_large(answer['length'], f'{path} (expanded)')
        return _document(path, mappings, answer, limits, budget, files, optional)
    except LimitExceeded as error:
        reason = budget.reason(error.limit, limits)
    except (SandboxError, ValueError, LookupError, TypeError, AttributeError) as error:
        if isinstance(error, DescriptionError):
            raise
        reason = str(error)
    finally:
        budget.spend(time.monotonic() - started)
    raise DescriptionError(failure(reason), ErrorKind.XACRO, source=path)


def _document(path: str, mappings: Mapping[str, str], answer: Any, limits: Limits,
              budget: XacroBudget, files: XacroFiles,
              optional: Collection[str]) -> Document:
    tables = SourceTables(answer['tables'], files.holds, files.source_of)
    if mappings or 'error' in answer:
        arguments = XacroArguments(path, files, tables.sources.files)
        arguments.require(name for name in mappings if name not in optional)
        if 'error' in answer:
            error = dict(answer['error'])
            if error['limit']:
                error['reason'] = budget.reason(error['limit'], limits)
            near = closest(files.missing, files.packages.names(), 0.86) if (
                NOT_FOUND in error['reason']) else None
            raw = tables.element(*error['source']).tag.raw if error['source'] else {}
            typed, hint = needed_argument(error['reason'], arguments, mappings, files.may_read,
                                          ' '.join(raw.values()))
            located = located_error(
                error, path, tables, hint or files.moved(error['reason']), near)
            located.argument = typed
            if near:
                located.misspelling = files.missing, near
            raise located
    document = read_document(str(answer['text']), f'{path} (expanded)')
    elements, sources = list(document.root.iter()), tables.elements(answer['elements'])
    if len(elements) != len(sources):
        raise ValueError('the sources are not those of its elements')
    for element, source in zip(elements, sources):
        element.origin = source
    return replace(document, source=path,
                   xacro=tables.sources._replace(arguments=mappings),
                   withheld=tuple(map(str, answer['withheld'])))
