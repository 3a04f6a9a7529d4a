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

"""New ``<inertial>`` elements in the text of a description, every other byte unchanged."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.document import Document
from urdf_tools.model.editing import AddElements
from urdf_tools.model.editing import AnyChange
from urdf_tools.model.editing import changed
from urdf_tools.model.editing import ReplaceElement
from urdf_tools.model.editing import Tag
from urdf_tools.model.element import Element

_NOISE = 1e-12
"""Numbers to write as zero, as a share of the largest one of the same vector or matrix."""


def rewrite(document: Document, inertias: Mapping[str, SpatialInertia]) -> bytes:
    """
    Return the text of a description with the ``<inertial>`` of links replaced or added.

    The axes of the inertial frames are those of the links.

    :param inertias: name of a link with child elements to its inertia in the frame of the link.
    :raises DescriptionError: the encoding of the text is not based on ASCII.
    """
    return changed(document, (
        _change(link, inertia) for link in document.root.iterfind('link')
        if (inertia := inertias.get(link.get('name', ''))) is not None))


def _change(link: Element, inertia: SpatialInertia) -> AnyChange:
    old = link.find('inertial')
    if old is not None:
        return ReplaceElement(old, _tag(inertia))
    return AddElements(link, (_tag(inertia),), link[0])


def _tag(inertia: SpatialInertia) -> Tag:
    ixx, ixy, ixz, _, iyy, iyz, _, _, izz = _numbers(inertia.rotational.ravel())
    return Tag('inertial', {}, (
        Tag('origin', {'xyz': ' '.join(_numbers(inertia.com)), 'rpy': '0 0 0'}),
        Tag('mass', {'value': f'{inertia.mass:.10g}'}),
        Tag('inertia', {
            'ixx': ixx, 'ixy': ixy, 'ixz': ixz, 'iyy': iyy, 'iyz': iyz, 'izz': izz})))


def _numbers(values: Array) -> list[str]:
    noise = _NOISE * np.abs(values).max()
    return [f'{value:.10g}' if abs(value) > noise else '0' for value in values]
