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
The process that reads mesh files, so that a hostile one harms nothing else.

Requests and answers are lines of JSON on standard input and output. It ends with its parent: when
standard input does.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
import contextlib
from dataclasses import asdict
import importlib
import json
import os
from pathlib import Path
import queue
import resource
import sys
import threading
from typing import Any

import numpy as np

from urdf_tools.kinematics.transforms import Array
from urdf_tools.meshes.formats.collada import read_collada
from urdf_tools.meshes.formats.gltf import read_gltf
from urdf_tools.meshes.formats.mesh_file import MeshFile
from urdf_tools.meshes.formats.obj import read_obj
from urdf_tools.meshes.formats.stl import is_text
from urdf_tools.meshes.formats.stl import read_stl
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.meshes.mesh_limits import MeshLimits
from urdf_tools.meshes.mesh_record import MeshRecord
from urdf_tools.meshes.mesh_record import record_mesh
from urdf_tools.meshes.moments import convex_hull
from urdf_tools.model.messages import printable

READERS: Mapping[str, Callable[[MeshFile], Array]] = {
    '.dae': read_collada, '.glb': read_gltf, '.gltf': read_gltf, '.obj': read_obj,
    '.stl': read_stl}

_MAX_TEXT = 500

Request = dict[str, Any]


@np.errstate(all='ignore')
def read_record(path: Path, limits: MeshLimits, task: str, scale: tuple[float, ...]) -> MeshRecord:
    """
    Return what is kept of a mesh file, in this process.

    :param task: the inertia to compute, as :func:`~urdf_tools.meshes.mesh_record.record_mesh`
        takes it.
    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    file = MeshFile(path, limits)
    suffix = path.suffix.lower()
    is_text_file = suffix == '.stl' and is_text(file.data)
    triangles = [READERS[suffix](file)]
    file.data = b''
    return record_mesh(
        triangles.pop(), task, scale, hull=_convex_hull, is_text=is_text_file,
        siblings=tuple(file.siblings))


def main() -> None:
    """Answer requests for records until standard input ends."""
    serve(_record)


def serve(answer: Callable[[Path, Request, MeshLimits], dict[str, Any]]) -> None:
    """
    Answer requests until standard input ends; the first argument of the process has the limits.

    :param answer: takes the path of a mesh, the whole request and the limits, and returns what
        JSON can hold. What it raises is answered as an error.
    """
    limits = MeshLimits(**json.loads(sys.argv[1]))
    answers = os.fdopen(os.dup(1), 'w', encoding='utf-8')
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    np.ones((9, 9)) @ np.ones((9, 9))  # OpenBLAS would block for ever under the limit.
    _limit_memory(limits.memory)
    while True:
        request = json.loads(requests.get())
        _limit_time(limits.time)
        print(json.dumps(_answered(answer, request, limits)), file=answers, flush=True)


def _listen(requests: queue.SimpleQueue[str]) -> None:
    """Hand on requests, and end the process with its parent, whatever it is reading."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


def _limit_memory(megabytes: float) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = int(megabytes * 2**20)
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _convex_hull(points: Array) -> Array:
    """Return the convex hull; scipy is imported without a limit, for the sake of its OpenBLAS."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    with contextlib.suppress(ImportError):
        importlib.import_module('scipy.spatial')
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return convex_hull(points)


def _limit_time(seconds: float) -> None:
    """Let the system end this process after so many more seconds of CPU time."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(usage.ru_utime + usage.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _record(path: Path, request: Request, limits: MeshLimits) -> dict[str, Any]:
    return {'record': asdict(read_record(path, limits, request['task'], tuple(request['scale'])))}


def _answered(
        answer: Callable[[Path, Request, MeshLimits], dict[str, Any]], request: Request,
        limits: MeshLimits) -> dict[str, Any]:
    try:
        return answer(Path(os.fsdecode(bytes.fromhex(request['path']))), request, limits)
    except MeshError as error:
        text, limit = str(error), error.limit
    except MemoryError:
        text, limit = f'reading it takes more than {limits.describe("memory")}', 'memory'
    except RecursionError:
        text, limit = 'it cannot be read: it is nested too deeply', ''
    except Exception as error:  # A defect of a reader must not hide the file that shows it.
        text, limit = f'it cannot be read: {type(error).__name__}: {error}', ''
    return {'error': printable(' '.join(text.split()))[:_MAX_TEXT], 'limit': limit}
