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

"""Combinations of xacro arguments: each value of each argument with each of the others."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import product
from math import prod

from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.model.messages import quote

Arguments = Mapping[str, str]
"""Values of xacro arguments, by name."""

MAX_COMBINATIONS = 256
"""Most combinations that one description is checked with."""


def combinations(matrix: Mapping[str, object]) -> tuple[Arguments, ...]:
    """
    Return all combinations of the values in a matrix; one without arguments if it is empty.

    :param matrix: name of an argument to its value, or to a list of its values.
    :raises SettingsError: a value is not text, a number or a boolean, or there are too many.
    """
    values = {name: _values(name, value) for name, value in matrix.items()}
    number = prod(map(len, values.values()))
    if number > MAX_COMBINATIONS:
        found = f'{number:,}' if number < 1_000_000 else 'more than a million'
        raise SettingsError(
            f'The arguments have {found} combinations; at most {MAX_COMBINATIONS} are checked. '
            'List fewer values, or several roots of the same file with the combinations that '
            'matter')
    return tuple(dict(zip(values, chosen)) for chosen in product(*values.values()))


def overridden(all_of_root: Iterable[Arguments], given: Arguments) -> tuple[Arguments, ...]:
    """Return combinations with some arguments overridden, each combination once."""
    return tuple({tuple(arguments.items()): arguments for arguments in (
        {**arguments, **given} for arguments in all_of_root)}.values())


def label(arguments: Arguments) -> str:
    """Return arguments in command-line syntax, such as ``prefix:=left_``."""
    return ' '.join(f'{name}:={value}' for name, value in arguments.items())


def condition(chosen: Sequence[Arguments], combinations: Sequence[Arguments]) -> tuple[str, ...]:
    """
    Return briefly in which of the combinations something appears.

    :param chosen: the combinations in which it appears.
    :return: empty for all of them; one argument if it appears exactly where that has one value;
        else each combination.
    """
    if len(chosen) == len(combinations):
        return ()
    labels = {label(arguments) for arguments in chosen}
    for name, value in chosen[0].items():
        same = {label(arguments) for arguments in combinations if arguments.get(name) == value}
        if same == labels:
            return (label({name: value}),)
    return tuple(label(arguments) or 'no arguments' for arguments in chosen)


def _values(name: str, value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    if not name or not values:
        raise SettingsError(f'Argument {quote(name)} has no {"value" if name else "name"}')
    for item in values:
        if not isinstance(item, (str, int, float)):
            raise SettingsError(
                f'The value of argument {quote(name)} is not text, a number, true or false')
    return list(dict.fromkeys(
        str(item).lower() if isinstance(item, bool) else str(item) for item in values))
