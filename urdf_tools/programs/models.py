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
The models of programs, each a function ``account(source, context) -> Account``.

It has two steps: its own reading of the document, which works on the element tree and so also
where our loader refuses the description, and the conversion of what it has read.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
import re
from typing import TypeVar

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.message import Name
from urdf_tools.findings.rules import Faults
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.tables import TABLES

_Shown = TypeVar('_Shown')

MODELS: Mapping[str, str] = TABLES['models']
"""
Each program, with its release if it is an older one, to the module with its model.

Of those without a module it is known what users reported.
"""

NEWEST = tuple(name for name in MODELS if MODELS[name] and '-' not in name
               and name not in ('isaac', 'mjcf'))
"""
The programs without their older releases.

Isaac reads what the converter to USD writes, so only who asks for it is told more. MJCF is not a
program that reads the description, but what this one makes of it when asked, so no check is about
it.
"""

WITH_MJCF = (*NEWEST, 'mjcf')


def account_of(program: str, source: Source, context: Context) -> Account:
    """
    Return what becomes of a description in a program.

    :raises KeyError: the program is not in :data:`MODELS`.
    :raises DescriptionError: the conversion repeats too much of the description.
    """
    release = program.split('-')[1:]
    account: Account = import_module(f'urdf_tools.programs.{MODELS[program]}').account(
        source, context, *release) if MODELS[program] else Account(program, '', None)
    account = with_reported(program, account, source.root)
    # Gazebo and MJCF have accounts of loops.
    if source.robot is None or not account.loads or program in ('gazebo', 'mjcf'):
        return account
    return replace(account, losses=(*account.losses, *(loss(
        'loop', Impact.DROPS, loop.element, 'Leaves loop {loop} of links {parent} and {child} '
        'open', loop=Name(loop.name), parent=Name(loop.parent), child=Name(loop.child))
        for loop in source.robot.loops)))


def with_reported(program: str, account: Account, root: Element) -> Account:
    """
    Return an account with what users reported to be lost in other releases and settings.

    :param root: the outermost element of the description.
    """
    return replace(account, losses=(*account.losses, *_reported(program, root))) if (
        account.loads) else account


def _reported(program: str, root: Element) -> Iterator[Loss]:
    """Yield what users reported to be lost of a description, in the releases that it names."""
    children = {child.get('link') for child in root.iterfind('joint/child')}
    for each in TABLES['reported'].get(program, ()):
        attribute = each.get('attribute')
        found = [element for element in root.iterfind(each['at']) if all(
            re.fullmatch(pattern, element.get(name, ''), re.DOTALL)
            for name, pattern in each['with'].items()) and (
                'without' not in each or element.find(each['without']) is None) and (
                    'root' not in each or element.get('name') not in children)]
        names = tuple(Name(element.get(attribute or '', '')) for element in found
                      ) if '{names' in each['says'] else ()
        for of_one in [found] if names else [[one] for one in found]:
            yield loss(each['of'], Impact[each['does'].upper()], of_one, each['says'],
                       hint=each.get('hint', ''), attribute=attribute, names=names,
                       setting=each['setting'])


def judged(programs: Collection[str], source: Source) -> tuple[list[str], str]:
    """
    Return the programs that read a description as URDF, and a sentence about the others.

    Without others, which read the format that it was converted from, the sentence is empty.
    """
    readers = TABLES['readers'].get(source.format, ())
    own = [name for name in programs if name.split('-')[0] in readers]
    return [name for name in programs if name not in own], own and (
        f'{" and ".join(own)} read{"s" * (len(own) == 1)} the {source.format} itself; other '
        'programs are judged by the URDF that urdf-tools urdf writes') or ''


def accounts(
        programs: Iterable[str], source: Source, context: Context, faults: Faults,
        show: Callable[[str, Account], _Shown]) -> dict[str, tuple[Account, _Shown]]:
    """
    Return what becomes of a description in several programs, and how that is shown.

    :param faults: where it is noted that the model of a program raises an exception, also while it
        is shown; the others are returned.
    :param show: returns what is shown of a program and its account.
    """
    found = {}
    for program in programs:
        with faults.contained(f'the model of {program}'):
            account = account_of(program, source, context)
            found[program] = account, show(program, account)
    return found
