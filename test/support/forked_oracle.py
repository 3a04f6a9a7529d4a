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

"""A program that loads each description in a process of its own, started by a fork."""

from __future__ import annotations

import json
import os
from pathlib import Path
import subprocess
import tempfile
from typing import Any

from support.program_oracles import PYTHON

from urdf_tools.programs.oracles.oracle import Numbers
from urdf_tools.programs.oracles.oracle import packages_of

_SCRIPT = Path(__file__).with_name('forked_numbers.py')


class ForkedOracle:
    """
    A program in the environment of ``make oracle``, to load thousands of descriptions.

    It is loaded once. What a description does to it, such as a crash, is no matter for the next.
    """

    def __init__(self, program: str):
        self._folder = tempfile.TemporaryDirectory()  # Some write logs.
        self._program = program
        # The libraries of ROS are not those of the program.
        self._process = subprocess.Popen(
            [PYTHON, '-E', '-s', _SCRIPT, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, cwd=self._folder.name,
            env={name: os.environ[name] for name in ('PATH', 'HOME') if name in os.environ})
        self.version: str = self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def numbers(self, path: Path) -> Numbers:
        """Return what the program has loaded, or why it loads nothing."""
        assert self._process.stdin is not None
        print(json.dumps([str(path), *packages_of(self._program, path)]),
              file=self._process.stdin, flush=True)
        answer: Numbers = self._answer()
        return answer

    def close(self) -> None:
        """End the program."""
        self._process.communicate()
        self._folder.cleanup()
