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


"""Parts of the messages of rules."""

from __future__ import annotations

from collections.abc import Sized

from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote

_MAX_NAME_LENGTH = 80


def describe(element: Element) -> str:
    """Return an element in words for a message, such as ``<axis> of joint 'elbow'``."""
    text = _named(element)
    owner = element.parent
    while owner is not None:
        if owner.tag in ('link', 'joint') and owner.get('name'):
            return f'{text} of {_named(owner)}'
        owner = owner.parent
    return text


def _named(element: Element) -> str:
    name = element.get('name')
    if not name:
        return f'<{element.tag[:_MAX_NAME_LENGTH]}>'
    tag = element.tag if element.tag.isalpha() else f'<{element.tag[:_MAX_NAME_LENGTH]}>'
    return f'{tag} {quote(name, _MAX_NAME_LENGTH)}'


def first_of_many(elements: Sized) -> str:
    """Return the end of a message about the first of several elements, empty for only one."""
    return f', first of {len(elements)} occurrences' if len(elements) > 1 else ''


def subject(element: Element) -> str:
    """Return :func:`describe` of an element as it begins a sentence: ``Joint 'elbow'``."""
    text = describe(element)
    return text[:1].upper() + text[1:]
