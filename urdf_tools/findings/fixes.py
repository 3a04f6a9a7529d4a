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

"""Fixes: changes to the text of a description that resolve a defect."""

from __future__ import annotations

from urdf_tools.model.xml.editing import Change
from urdf_tools.model.xml.editing import RemoveAttribute
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element

Fix = tuple[Change, ...]


def written(fix: Fix, element: Element) -> list[str]:
    """Return the attributes of an element that a fix sets, replaces or removes."""
    return [name for change in fix if isinstance(change, (SetAttribute, RemoveAttribute))
            if change.element is element
            for name in (change.name, getattr(change, 'instead_of', '')) if name]


def format_numbers(values: tuple[float, ...]) -> str:
    """Return numbers as text for a description, with 12 significant digits."""
    return ' '.join(f'{value + 0.0:.12g}' for value in values)
