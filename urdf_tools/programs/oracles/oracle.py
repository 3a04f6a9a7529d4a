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

"""What a program itself loads of a description, and where its account says something else."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from pathlib import Path
import tempfile
from typing import Any

import numpy as np

from urdf_tools.programs.accounts import Account
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import WorkerPool

PROGRAMS = ('mujoco', 'drake', 'pybullet', 'pinocchio', 'urdfdom', 'usd')
"""The programs that can be asked, each with a module beside this one."""

LIMITS = Limits(memory=8192, time=120, wall=300, answer=1)

Numbers = Mapping[str, Any]


class NotInstalled(Exception):
    """A program that the interpreter does not have; the text is the reason."""


class Oracle:
    """
    A program in a confined worker with limits, which is started again if a description ends it.

    It reads any file, as the program does, and writes only into a temporary folder.

    :ivar version: the release of the program.
    """

    def __init__(self, program: str, python: str = ''):
        """
        Start it.

        :param program: one of :data:`PROGRAMS`.
        :param python: the interpreter that has it; empty for this one.
        :raises NotInstalled: the interpreter does not have the program.
        :raises SandboxError: there is no such interpreter.
        """
        self._program = program
        self._folder = tempfile.TemporaryDirectory()
        self._pool = WorkerPool(
            f'{__package__}.read_numbers:read', 1, is_confined=True, python=python,
            allowed={'writable': [self._folder.name], 'runs_programs': program == 'urdfdom'})
        try:
            answer = self._ask('')
            if 'missing' in answer:
                raise NotInstalled(answer['missing'])
        except BaseException:
            self.close()
            raise
        self.version = str(answer['version'])

    def _ask(self, path: str) -> Numbers:
        answer: Numbers = self._pool.run([self._program, path, self._folder.name], LIMITS)[0]
        return answer

    def numbers(self, path: Path) -> Numbers:
        """
        Return what the program has loaded, or why it loads nothing.

        :raises SandboxError: there is no answer within the time.
        """
        try:
            return self._ask(str(path.resolve()))
        except LimitExceeded as error:
            if error.limit != 'memory':
                raise
            reason = f'it crashes, or needs more than {LIMITS.memory:g} MB of memory'
        except SandboxError as error:
            reason = str(error)
        return {'loads': False, 'error': reason}

    def close(self) -> None:
        """End the program."""
        self._pool.end()
        self._folder.cleanup()


def differences(account: Account, numbers: Numbers) -> Iterator[tuple[str, Any, Any]]:
    """Yield each number that differs: its name, and what account and program have."""
    if account.loads != numbers['loads']:
        yield 'loads', account.loads, numbers['loads']
    kept = account.kept
    if not (account.loads and numbers['loads']) or kept is None:
        return
    body = kept.body
    ours = {**vars(kept), 'base': account.base, 'mass': body.mass,
            'centre_of_mass': body.com, 'inertia': body.rotational}
    for name in numbers.keys() - {'loads', 'error'}:
        mine, theirs = ours[name], numbers[name]
        if isinstance(theirs, (float, list)):
            # What is zero may be rounded to less than that.
            size = max(np.abs(theirs).max(), 1e-9)
            # An inertia that depends on a mesh is not a number where meshes are not read.
            is_equal = np.isnan(mine).any() or np.allclose(mine, theirs, rtol=1e-6, atol=1e-6 * (
                0 if name == 'mass' else max(size, 1) if name == 'centre_of_mass' else size))
        else:
            is_equal = theirs is None or mine == theirs
        if not is_equal:
            yield name, mine, theirs
