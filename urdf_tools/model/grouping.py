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

"""Values by a key that several of them share, and cycles of nodes with one successor."""

from __future__ import annotations

from collections.abc import Hashable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from typing import TypeVar

Key = TypeVar('Key', bound=Hashable)
Value = TypeVar('Value')


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return the values of each key; keys and values are in the order of the pairs."""
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


Node = TypeVar('Node', bound=Hashable)


def find_cycles(following: Mapping[Node, Node]) -> Iterator[tuple[Node, ...]]:
    """
    Yield every cycle once, in time linear in the number of nodes.

    :param following: node to the next node, such as a mimic joint to the joint that it mimics,
        or a link to its parent.
    :return: the nodes of each cycle in order; a node that is its own successor is a cycle of one.
    """
    visited: set[Node] = set()
    for node in following:
        path: dict[Node, int] = {}
        while node in following and node not in visited and node not in path:
            path[node] = len(path)
            node = following[node]
        if node in path:
            yield tuple(path)[path[node]:]
        visited.update(path)
