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
Print what a program has loaded of each description, each in a process of its own.

``python forked_numbers.py mujoco`` runs in the environment of ``make oracle``; each path and each
answer, as JSON, is a line. The program is loaded once, and a description
that ends it, or takes too long, is refused.
"""

from __future__ import annotations

from importlib import import_module
import json
import os
from pathlib import Path
import select
import signal
import sys

SECONDS = 20.0


def main(program: str) -> None:
    """Answer each path as soon as it is read."""
    answers = os.fdopen(os.dup(1), 'w')
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    oracle = import_module('libsdformat_numbers' if program == 'libsdformat' else (
        f'urdf_tools.programs.oracles.{program}_numbers'))
    for line in sys.stdin:
        print(answer_of(oracle, line.rstrip('\n')), file=answers, flush=True)


def answer_of(oracle, path: str) -> str:
    """Return the answer of a child process as JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.write(writing, json.dumps(_loaded(oracle, path)).encode())
        os._exit(0)
    os.close(writing)
    data = b''
    with os.fdopen(reading, 'rb') as file:
        while select.select([file], [], [], SECONDS)[0] and (part := os.read(file.fileno(), 65536)):
            data += part
    if not data:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return data.decode() or json.dumps({'loads': False, 'error': 'It ends the program'})


def _loaded(oracle, path: str) -> dict:
    try:
        return {'loads': True, **oracle.numbers(path)}
    except Exception as error:  # Each program has its own way of refusing.
        return {'loads': False, 'error': str(error).strip()[:300]}


if __name__ == '__main__':
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    main(sys.argv[1])
