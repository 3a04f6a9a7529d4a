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


"""The work of a function, as a number of calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
from cProfile import Profile
from functools import _lru_cache_wrapper
import sys
from typing import TypeVar

import pytest

from urdf_tools.model.xml.element import Element

Result = TypeVar('Result')


def forget_results() -> None:
    """Empty the caches of functions, so that each measurement begins alike."""
    for name, module in [*sys.modules.items()]:
        for each in vars(module).values() if name.startswith('urdf_tools.') else ():
            if isinstance(each, _lru_cache_wrapper):
                each.cache_clear()


def count_calls(function: Callable[[], Result]) -> tuple[Result, int]:
    """Return the result of a function and the number of function calls it takes."""
    result, calls = calls_of_each(function)
    return result, sum(calls.values())


def calls_of_each(function: Callable[[], Result]) -> tuple[Result, Counter[str]]:
    """Return the result of a function and the calls of each function that it takes, by name."""
    profile = Profile()
    result = profile.runcall(function)
    calls: Counter[str] = Counter()
    for entry in profile.getstats():
        calls[str(entry.code)] += entry.callcount
    return result, calls


class CountedText(str):
    """A text whose comparisons and hashes are calls."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other)

    def __hash__(self) -> int:
        return str.__hash__(self)


@contextmanager
def comparisons_as_calls() -> Iterator[None]:
    """
    Let :func:`count_calls` see comparisons of elements, tags and values of attributes, too.

    Searches through lists and tuples, and lookups in dictionaries, are not calls otherwise.
    """
    make = Element.__init__

    def element(self: Element, tag: str, attributes: dict[str, str], *args: object) -> None:
        make(self, CountedText(tag), {
            key: CountedText(value) for key, value in attributes.items()}, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Element, '__init__', element)
        patch.setattr(Element, '__eq__', lambda one, other: one is other)
        patch.setattr(Element, '__hash__', lambda one: object.__hash__(one))
        yield
