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
The process that checks descriptions, beside others of its kind.

Requests and answers are pickles on standard input and output. It ends with its parent: when
standard input does.
"""

from __future__ import annotations

import os
import pickle
import queue
import threading
from typing import BinaryIO

from urdf_tools.meshes.mesh_facts import set_mesh_limits
from urdf_tools.meshes.mesh_limits import MeshLimits
from urdf_tools.meshes.mesh_processes import share_processors
from urdf_tools.workspace.single_check import check_single
from urdf_tools.workspace.single_check import SingleCheck


def main() -> None:
    """Answer requests until standard input ends."""
    answers = os.fdopen(os.dup(1), 'wb')
    requests = os.fdopen(os.dup(0), 'rb')
    # What an expression in a xacro file reads or prints is not what is said here.
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    limits: MeshLimits
    limits, workers = pickle.load(requests)
    set_mesh_limits(limits)
    share_processors(workers)
    checks: queue.SimpleQueue[SingleCheck] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, checks), daemon=True).start()
    while True:
        pickle.dump(check_single(checks.get()), answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _listen(requests: BinaryIO, checks: queue.SimpleQueue[SingleCheck]) -> None:
    """Hand on requests, and end the process with its parent, whatever it is checking."""
    try:
        while True:
            checks.put(pickle.load(requests))
    except EOFError:
        os._exit(0)
