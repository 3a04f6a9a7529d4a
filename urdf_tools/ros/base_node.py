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


"""What the nodes of this package have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.node import Node


class BaseNode(Node):
    """
    A node that stops what it has started, even if its constructor fails halfway.

    :param options: further arguments of :class:`Node`.
    """

    def __init__(self, name: str, **options: Any):
        self._ends: list[Callable[[], None]] = []
        super().__init__(name, **options)

    def at_end(self, end: Callable[[], None]) -> None:
        """Call a function before the node is destroyed, the function given last first."""
        self._ends.append(end)

    def destroy_node(self) -> None:
        for end in reversed(self._ends):
            end()
        super().destroy_node()
