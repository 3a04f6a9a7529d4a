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

"""Suggestions for misspelled names, and mappings whose errors suggest names."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from difflib import get_close_matches
from enum import Enum
from functools import cache
from functools import lru_cache
from itertools import islice
import json
from pathlib import Path
import re
from textwrap import shorten
from typing import NoReturn
from typing import TYPE_CHECKING
from typing import TypeVar

from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote

_MAX_LENGTH = 80
_MAX_COMPARED = 2000
_MAX_VARIANTS = 200_000


def did_you_mean(name: str, names: Iterable[str] | Spelling, cutoff: float = 0.6) -> str:
    """
    Return ``Did you mean 'x'?``, or an empty string if no known name is close.

    :param names: the known names; a :class:`Spelling` of them for many lookups.
    :param cutoff: minimum similarity, from 0 to 1; ignored with a :class:`Spelling`.
    """
    near = names.near(name) if isinstance(names, Spelling) else closest(name, names, cutoff)
    return f'Did you mean {quote(near)}?' if near else ''


def does_not_exist(name: str, names: Collection[str], what: str, listed: str = '') -> str:
    """
    Return the message that a name does not exist, with the one probably meant.

    :param what: what the names are names of, such as ``link``.
    :param listed: where the known names are listed; by default the message has some of them.
    """
    if not listed:
        known = (one if len(one) <= _MAX_LENGTH else f'{one[:_MAX_LENGTH]}...' for one in names)
        listed = (f'Known are {name_list([*map(printable, known)])}'
                  if names else f'There is no {what}')
    alike = [other for other in islice(names, _MAX_COMPARED) if _kinds(name) & _kinds(other)]
    meant = did_you_mean(name, alike, 0.0) if alike else did_you_mean(name, names)
    return ' '.join(filter(None, (
        f'{what.capitalize()} {quote(name, 80)} does not exist.', meant, listed)))


_KINDS = tuple(map(str.split, (
    'lidar laser rplidar scan hokuyo velodyne ouster', 'camera cam realsense zed kinect',
    'imu gyro', 'gripper hand tool tcp flange ee effector', 'base footprint chassis')))
"""Words in names of parts that stand for parts of the same kind."""


def _kinds(name: str) -> set[int]:
    """Return which kinds of parts a name is about."""
    words = re.findall('[a-z]+', name[:_MAX_LENGTH].lower())
    return {kind for kind, known in enumerate(_KINDS) if not {*known}.isdisjoint(words)}


def closest(name: str, names: Iterable[str], cutoff: float = 0.6) -> str | None:
    """
    Return the known name most similar to a wrong one, or None if none is similar enough.

    Names with the same ending, ``_joint`` or ``_link``, have to be alike without it.

    :param cutoff: minimum similarity, from 0 to 1, as in :mod:`difflib`.
    """
    comparable = (other for other in names if len(other) <= _MAX_LENGTH)
    near = get_close_matches(name[:_MAX_LENGTH], islice(comparable, _MAX_COMPARED), 3, cutoff)
    return next((other for other in near if not cutoff or _are_alike(name, other)), None)


def _are_alike(name: str, other: str) -> bool:
    ending = re.search('_(?:joint|link)$', name.casefold())
    if not ending or not other.casefold().endswith(ending[0]):
        return True
    stems = [each[:-len(ending[0])] for each in (name, other)]
    words, known = ({*re.findall('[a-z]{2,}', stem.lower())} for stem in stems)
    return bool(words & known or get_close_matches(stems[0], stems[1:], 1, 0.7))


class Spelling:
    """
    An index of known names that finds the one that differs from a wrong name by a typing error.

    Two names are near if removing at most one character of each makes them equal, ignoring case:
    a character is missing, extra, replaced, or swapped with its neighbour. The time of a lookup
    does not depend on the number of known names. Of very many names only the first are indexed.

    :param alike: of how many wrong names without a near one the most similar is looked for, which
        takes time.
    """

    def __init__(self, names: Iterable[str], alike: int = 0):
        self._names, self._alike = names, alike
        self._near: dict[str, str] = {}
        self._shared: set[str] = set()
        for name in names:
            if len(self._near) >= _MAX_VARIANTS:
                break
            for variant in _variants(name):
                if self._near.setdefault(variant, name) != name:
                    self._shared.add(variant)

    def near(self, name: str) -> str | None:
        """Return the known name that was probably meant, or None; ``a`` may be ``a_joint``."""
        folded = name.casefold()
        near = next(filter(None, map(self._near.get, (
            *_variants(name), f'{folded}_joint', f'{folded}_link',
            re.sub('_(?:joint|link)$', '', folded)))), None)
        if near is None and self._alike:
            self._alike -= 1
            near = closest(name, self._names, 0.8)
        return near

    def only(self, name: str) -> str | None:
        """
        Return the known name that was certainly meant, or None.

        It is the only one that is near, and has the same numbers and words of one or two letters,
        which tell the names of similar parts apart.
        """
        variants = {*_variants(name)}
        near = {self._near[variant] for variant in variants & self._near.keys()}
        found = near.pop() if len(near) == 1 and not variants & self._shared else None
        return found if found and _marks(found) == _marks(name) else None


spelling_of = lru_cache(maxsize=512)(Spelling)
"""The index of a tuple of names, kept for the latest; some are those of descriptions."""


def _marks(name: str) -> list[str]:
    """Return what tells the names of similar parts apart: numbers, and words like l and fr."""
    return re.findall(r'\d+|(?<![A-Za-z])[A-Za-z]{1,2}(?![A-Za-z])', name)


def _variants(name: str) -> Iterator[str]:
    name = name.casefold()[:_MAX_LENGTH]
    yield name
    yield from (name[:i] + name[i + 1:] for i in range(len(name)))


Value = TypeVar('Value', covariant=True)


class NamedEnum(str, Enum):
    """Members that equal their names; the error for a wrong name lists the valid ones."""

    @classmethod
    def _missing_(cls, value: object) -> None:
        what = re.sub('(?<=[a-z])(?=[A-Z])', ' ', cls.__name__).lower()
        raise ValueError(does_not_exist(str(value), [each.value for each in cls], what))


class UnknownNameError(KeyError):
    """
    A name that does not exist; the text is a sentence with those that do.

    :param name: the name.
    :param names: the known ones.
    :param what: what they are names of, such as ``link``.
    :param reason: a sentence on why it is none of them, if that is known.
    """

    def __init__(self, name: object, names: tuple[str, ...], what: str, reason: str = ''):
        self.name = name
        self.names = names
        self.what = what
        self.reason = reason
        super().__init__(name, names, what, reason)

    def __str__(self) -> str:
        return self.reason or does_not_exist(str(self.name), self.names, self.what)


@cache
def other_names() -> dict[str, dict[str, str]]:
    """Return what other libraries call what is here, by owner; hasattr() does not need it."""
    names: dict[str, dict[str, str]] = json.loads(
        Path(__file__).with_name('other_names.json').read_bytes())
    return names


class UnknownAttributeError(AttributeError):
    """
    An attribute that does not exist; the text is a sentence with the one probably meant.

    :param owner: what lacks it, such as a class or module.
    :param names: the attributes that there are.
    """

    def __init__(self, owner: str, name: str, names: tuple[str, ...]):
        # Without an object Python does not look for a name to add on its own.
        super().__init__(owner, name, names, name=name, obj=None)

    def __str__(self) -> str:
        owner, name, names = self.args
        others = other_names().get(owner, {})
        near = name if name in others else closest(name, (*names, *others), 0.65)
        meant = f'. Did you mean {quote(others.get(near, near), 80)}?' if near else ''
        return f'{owner} has no attribute {quote(name, 80)}{meant}'


class _SuggestingClass(type):
    """Classes whose errors for an unknown attribute suggest one."""

    if not TYPE_CHECKING:
        def __getattr__(cls, name: str) -> NoReturn:
            """Raise the error for an attribute that does not exist."""
            raise UnknownAttributeError(cls.__name__, name, tuple(dir(cls)))


class Suggesting(metaclass=_SuggestingClass):
    """Objects whose errors for an unknown attribute suggest one."""

    if not TYPE_CHECKING:  # Type checkers would take any attribute for a valid one.
        def __getattr__(self, name: str) -> NoReturn:
            """Raise the error for an attribute that does not exist."""
            raise UnknownAttributeError(type(self).__name__, name, tuple(dir(self)))

    def __dir__(self) -> list[str]:
        """Return the attributes, without those that are private."""
        return [name for name in super().__dir__() if not name.startswith('_')]


class NamedMapping(Mapping[str, Value]):
    """
    A read-only mapping of names, which also answers by index.

    :param values: name to value, in order.
    :param what: what they are names of, such as ``link``, for the message.
    :param reasons: name that is none of them to a sentence on why, for the message.
    """

    __slots__ = ('_values', '_what', '_reasons', '__weakref__')

    def __init__(self, values: Mapping[str, Value], what: str, reasons: Mapping[str, str] = {}):
        self._values = dict(values)
        self._what = what
        self._reasons = reasons

    def __getitem__(self, name: str | int) -> Value:
        try:
            return self._values[name]  # type: ignore[index]
        except KeyError:
            if isinstance(name, int):
                return [*self._values.values()][name]
            raise UnknownNameError(
                name, tuple(self._values), self._what, self._reasons.get(name, '')) from None

    if not TYPE_CHECKING:
        def __getattr__(self, name: str) -> NoReturn:
            """Raise the error for an attribute that does not exist, with how a name is written."""
            near = None if name.startswith('_') else closest(name, self._values, 0.65)
            if near is None:
                raise UnknownAttributeError(type(self).__name__, name, tuple(dir(type(self))))
            raise AttributeError(
                f'{quote(name, 80)} is no attribute; write {self._what}s[{near!r}]', name=name)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return shorten(
            f'<{count(len(self), self._what)}: {name_list(list(self))}>', 99, placeholder='...>')

    def get(self, name: str, default: object = None) -> object:  # type: ignore[override]
        """Return the value of a name, or a default."""
        return self._values.get(name, default)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._values)
