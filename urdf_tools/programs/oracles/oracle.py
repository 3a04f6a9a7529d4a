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

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
import re
import tempfile
from typing import Any

import numpy as np

from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import MODELS
from urdf_tools.programs.source import Source
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import WorkerPool

PACKAGES = {'mujoco': 'mujoco', 'drake': 'drake', 'pybullet': 'pybullet', 'pinocchio': 'pin',
            'urdfdom': '', 'usd': 'urdf-usd-converter'}
"""The programs that can be asked, each with a module beside this one, to their Python package."""

_PACKAGE = re.compile(r'(?:package|model)://([^/"\']+)/')

LIMITS = Limits(memory=8192, time=120, wall=300, answer=1)

Numbers = Mapping[str, Any]


def installed_release(program: str) -> str:
    """Return the release of a program in this interpreter; empty where it has none."""
    try:
        return metadata.version(PACKAGES[program]) if PACKAGES.get(program) else ''
    except metadata.PackageNotFoundError:
        return ''


class NotInstalled(Exception):
    """A program that the interpreter does not have; the text is the reason."""


class Oracle:
    """
    A program in a confined worker with limits, which is started again if a description ends it.

    It reads any file, as the program does, and writes only into a temporary folder.

    :ivar name: the program.
    :ivar version: its release.
    """

    def __init__(self, program: str, python: str = ''):
        """
        Start it.

        :param program: one of :data:`PACKAGES`.
        :param python: the interpreter that has it; empty for this one.
        :raises NotInstalled: the interpreter does not have the program.
        :raises SandboxError: there is no such interpreter.
        """
        self.name = program
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

    def _ask(self, path: str, *arguments: Mapping[str, str]) -> Numbers:
        answer: Numbers = self._pool.run(
            [self.name, path, self._folder.name, *arguments], LIMITS)[0]
        return answer

    def numbers(self, path: Path, lookup: PackageLookup | None = None) -> Numbers:
        """
        Return what the program has loaded, or why it loads nothing.

        :param lookup: finds packages; by default as for a description at the path.
        :raises SandboxError: there is no answer within the time.
        """
        try:
            return self._ask(str(path.absolute()), *packages_of(self.name, path, lookup))
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


def packages_of(program: str, path: Path, lookup: PackageLookup | None = None
                ) -> list[Mapping[str, str]]:
    """Return the packages that the user of a program has to add, if it is Drake."""
    lookup = lookup or ResourceResolver(path.parent).lookup
    if program != 'drake':
        return []
    names = _PACKAGE.findall(path.read_text(errors='replace'))
    return [{name: str(folder) for name in names if (folder := lookup.find(name))}]


@dataclass(frozen=True)
class Comparison:
    """
    What a program has loaded of a description, beside its account.

    :param version: the release of the program.
    :param account: that of this release, or else of the newest one before that was compared.
    :param theirs: what the program has.
    :param ours: the same of the account.
    """

    version: str
    account: Account
    theirs: Numbers
    ours: Numbers

    @property
    def is_of_release(self) -> bool:
        """Whether the account was compared with this release."""
        return is_release(self.version, self.account.version)

    @property
    def different(self) -> tuple[str, ...]:
        """The names of what differs; the numbers count where both load the description."""
        loads = self.theirs['loads'], self.ours['loads']
        if not all(loads) or self.account.kept is None:
            return () if loads[0] == loads[1] else ('loads',)
        return tuple(name for name, value in self.theirs.items() if not _is_equal(
            name, self.ours.get(name), value))

    def data(self) -> dict[str, Any]:
        """Return it as data for JSON."""
        return {'version': self.version, 'account': self.account.version,
                'compared': self.is_of_release, 'program': dict(self.theirs),
                'model': dict(self.ours), 'different': list(self.different)}


def compare(program: Oracle, path: Path, source: Source, context: Context) -> Comparison:
    """
    Load a description in a program, and compare with its account.

    :param source: what is in the file at the path.
    :raises SandboxError: there is no answer within the time.
    """
    accounts = [account_of(name, source, context) for name in MODELS
                if name.partition('-')[0] == program.name]
    account = account_of_release(accounts, program.version)
    return Comparison(program.version, account, program.numbers(
        path, context.resolver.lookup), numbers_of(account))


def account_of_release(accounts: Sequence[Account], version: str) -> Account:
    """Return the account of the newest release that is not after a version, or else the first."""
    before = [each for each in accounts if _numbers(each.version) <= _numbers(version)]
    return max(before, key=lambda each: _numbers(each.version), default=accounts[0])


def is_release(version: str, release: str) -> bool:
    """Return whether a version, such as 3.8.1, is of a release, such as 3.8."""
    return f'{version}.'.startswith(f'{release}.')


def _numbers(version: str) -> list[int]:
    return list(map(int, re.findall(r'\d+', version)))


def numbers_of(account: Account) -> Numbers:
    """Return what a program has according to its account, by the names that oracles use."""
    if account.kept is None or account.causes:
        return {'loads': account.loads, 'error': ''.join(
            str(cause.message) for cause in account.causes[:1])}
    counts = dict(vars(account.kept))
    body = counts.pop('body')
    return {'loads': True, 'base': account.base, **counts, 'mass': body.mass,
            'centre_of_mass': body.com, 'inertia': body.rotational}


def _is_equal(name: str, mine: Any, theirs: Any) -> bool:
    if not isinstance(theirs, (float, list)):
        return theirs is None or bool(mine == theirs)
    # What is zero may be rounded to less than that.
    size = max(np.abs(theirs).max(), 1e-9)
    # What depends on a mesh is not a number where meshes are not read.
    return bool(np.isnan(mine).any() or np.allclose(mine, theirs, rtol=1e-6, atol=1e-6 * (
        0 if name == 'mass' else max(size, 1) if name == 'centre_of_mass' else size)))
