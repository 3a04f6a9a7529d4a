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

"""What can be folded: elements and comments of several lines."""

from __future__ import annotations

from lsprotocol import types

from urdf_tools.lsp.project import Source

_MAX_RANGES = 5000


def folding_ranges(source: Source) -> list[types.FoldingRange]:
    """Return the ranges of lines that can be folded; the line of an end tag stays."""
    found: dict[int, types.FoldingRange] = {}
    line = source.positions.line_number
    for node in source.tree.nodes:
        start = line(node.start)
        end = line(node.close) - 1 if node.close >= 0 else line(max(node.tag_end, node.end) - 1)
        if end > start:
            found.setdefault(start, types.FoldingRange(start, end))
    for begin, after in source.tree.hidden:
        start, end = line(begin), line(after - 1)
        if end > start:
            found.setdefault(start, types.FoldingRange(
                start, end, kind=types.FoldingRangeKind.Comment))
    return [found[start] for start in sorted(found)[:_MAX_RANGES]]
