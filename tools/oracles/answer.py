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

``python answer.py mujoco`` runs in the environment of ``make oracle``. The first line is
the version of the program, each other one the answer to the arguments of ``numbers`` in a line of
standard input, both as JSON. The program is loaded once; a description that ends it, or takes too
long, is refused.
"""

from __future__ import annotations

from importlib import import_module
import json
import os
import resource
import sys

CPU_SECONDS = 20
"""The time for a description; that of a clock would depend on what else the machine does."""


def main(program: str) -> None:
    """Answer each path as soon as it is read."""
    answers = os.fdopen(os.dup(1), 'w')
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    oracle = import_module(f'{program}_numbers')
    print(json.dumps(oracle.VERSION), file=answers, flush=True)
    for line in sys.stdin:
        print(answer_of(oracle, json.loads(line)), file=answers, flush=True)


def answer_of(oracle, request: list) -> str:
    """Return the answer of a child process as JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        os.close(reading)
        with os.fdopen(writing, 'w') as file:
            json.dump(loaded(oracle, request), file)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    os.waitpid(child, 0)
    return text or json.dumps({'loads': False, 'error': 'It ends the program'})


def loaded(oracle, request: list) -> dict:
    """Return what a program loads, or why it does not."""
    try:
        return {'loads': True, **oracle.numbers(*request)}
    except Exception as error:  # Each program has its own way of refusing.
        return {'loads': False, 'error': str(error).strip()[:300]}


if __name__ == '__main__':
    main(sys.argv[1])
