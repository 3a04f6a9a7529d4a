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

"""Tell xacro files that describe a robot from those that other files include."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from typing import TypeVar

Tag = TypeVar('Tag')

_INSTANTIATING = frozenset(('link', 'joint', 'xacro:call', 'xacro:insert_block'))
_DEFINING = frozenset((
    'xacro:macro', 'xacro:property', 'xacro:arg', 'xacro:include', 'xacro:attribute',
    'xacro:element'))
_CONDITIONAL = frozenset(('xacro:if', 'xacro:unless'))


def is_macro_only(
        tags: Iterable[Tag], name: Callable[[Tag], str],
        children: Callable[[Tag], Iterable[Tag]]) -> bool:
    """
    Tell whether a xacro file only defines what other files use, as far as its text tells.

    :param tags: the tags directly inside of its root.
    :param name: returns the name of a tag as written.
    :param children: returns the tags directly inside of a tag.
    """
    pending = list(tags)
    while pending:
        tag = pending.pop()
        text = name(tag)
        if text in _CONDITIONAL:
            pending.extend(children(tag))
        elif text in _INSTANTIATING or (text.startswith('xacro:') and text not in _DEFINING):
            return False
    return True
