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

"""Accounts of how programs load a robot, as a table with lines below it."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence

from urdf_tools.cli.output import print_lines
from urdf_tools.cli.output import print_table
from urdf_tools.model.messages import printable
from urdf_tools.programs.account_lines import lines_of
from urdf_tools.programs.accounts import Account

_COUNTS = {
    'links': 'links', 'moving_joints': 'moving joints', 'fixed_joints': 'fixed joints',
    'mimic': 'mimic joints', 'position_limits': 'position limits',
    'velocity_limits': 'velocity limits', 'effort_limits': 'effort limits', 'damping': 'damping',
    'friction': 'friction', 'actuators': 'actuators'}


def print_accounts(
        accounts: Mapping[str, Account], robot: str, source: str, remark: str = '',
        releases: Mapping[str, str] = {}) -> None:
    """
    Print a table with a column for each program, then what each of them loses.

    :param remark: why there are no numbers; empty if there are.
    :param releases: programs of which another release is installed, with what to know about it.
    """
    print(f'{printable(source)}: {printable(robot)}')
    if remark:
        print(printable(remark))
    titles = [f'{account.program} {account.version}' for account in accounts.values()]
    print_table(['', 'description', *titles], _rows(tuple(accounts.values())))
    for title, (name, account) in zip(titles, accounts.items()):
        print(f'\n{title}')
        if name in releases:
            print(f'  another release: {printable(releases[name])}')
        print_lines(lines_of(account, source))


def _rows(accounts: Sequence[Account]) -> Iterator[list[str]]:
    yield ['loads', '', *('yes' if each.loads else 'no' for each in accounts)]
    source = accounts[0].source
    parts = [each.kept for each in accounts if each.kept is not None]
    if source is None:
        return
    yield ['base', '', *(each.base if each.loads else '-' for each in accounts)]
    yield _row('mass (kg)', f'{source.body.mass:.6g}', [
        f'{each.body.mass:.6g}' for each in parts], accounts)
    for name, words in _COUNTS.items():
        kept = [str(getattr(each, name)) for each in parts]
        if getattr(source, name) or set(kept) != {'0'}:
            yield _row(words, str(getattr(source, name)), kept, accounts)
    for name, words in (('visuals', 'visual shapes'), ('collisions', 'collision shapes')):
        formats = [getattr(each, name) for each in parts]
        for suffix in sorted({*getattr(source, name), *(each for of in formats for each in of)}):
            yield _row(f'{words}, {suffix}', str(getattr(source, name).get(suffix, 0)),
                       [str(of.get(suffix, 0)) for of in formats], accounts)


def _row(words: str, source: str, kept: Iterable[str], accounts: Iterable[Account]) -> list[str]:
    return [words, source, *(text if each.loads else '-' for text, each in zip(kept, accounts))]
