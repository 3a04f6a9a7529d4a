#!/usr/bin/env python3
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
Print what a program has loaded of each description whose path is on standard input.

It runs in the environment of ``make oracle``: ``python read_numbers.py mujoco``. The first line is
the version of the program, each other one the answer to a path, as JSON.
"""

from __future__ import annotations

from importlib import import_module
import json
import os
import sys


def main(program: str) -> None:
    """Answer each path as soon as it is read."""
    # Programs print warnings to both.
    answers = os.fdopen(os.dup(1), 'w')
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    oracle = import_module(f'{program}_numbers')
    print(json.dumps(oracle.VERSION), file=answers, flush=True)
    for line in sys.stdin:
        try:
            answer = {'loads': True, **oracle.numbers(line.rstrip('\n'))}
        except Exception as error:  # Each program has its own way of refusing.
            answer = {'loads': False, 'error': str(error).strip()[:300]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == '__main__':
    main(sys.argv[1])
