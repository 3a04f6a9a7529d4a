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

"""Names to what they name, read-only; a wrong name says which there are, and which was meant."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from textwrap import shorten
from typing import TypeVar

from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.spelling import does_not_exist

Value = TypeVar('Value', covariant=True)


class UnknownNameError(KeyError):
    """
    A name that does not exist; the text is a sentence with those that do.

    :param name: the name.
    :param names: the known ones.
    :param what: what they are names of, such as ``link``.
    """

    def __init__(self, name: object, names: tuple[str, ...], what: str):
        self.name = name
        self.names = names
        self.what = what
        super().__init__(name, names, what)

    def __str__(self) -> str:
        return does_not_exist(str(self.name), self.names, self.what)


class NamedMapping(Mapping[str, Value]):
    """
    A read-only mapping of names.

    :param values: name to value, in order.
    :param what: what they are names of, such as ``link``, for the message.
    """

    __slots__ = ('_values', '_what', '__weakref__')

    def __init__(self, values: Mapping[str, Value], what: str):
        self._values = dict(values)
        self._what = what

    def __getitem__(self, name: str) -> Value:
        try:
            return self._values[name]
        except KeyError:
            raise UnknownNameError(name, tuple(self._values), self._what) from None

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
