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

from collections.abc import Iterator
from collections.abc import Mapping

import numpy as np

from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.document import Document
from urdf_tools.model.editing import Edit
from urdf_tools.model.editing import edited
from urdf_tools.model.editing import element_end
from urdf_tools.model.editing import line_start
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
    return edited(document, (
        _edit(document.data, link, inertia) for link in document.root.iterfind('link')
        if (inertia := inertias.get(link.get('name', ''))) is not None))


def _edit(data: bytes, link: Element, inertia: SpatialInertia) -> Edit:
    old = link.find('inertial')
    anchor = link[0] if old is None else old
    newline, indent = line_start(data, anchor.start)
    _, outer = line_start(data, link.start)
    step = (indent.removeprefix(outer) or b'  ') if newline else b''
    lines = [line.encode() for line in _lines(inertia)]
    text = b''.join((
        b'<inertial>', *(newline + indent + step + line for line in lines),
        newline + indent + b'</inertial>'))
    if old is not None:
        return Edit(old.start, element_end(data, old), text)
    return Edit(anchor.start, anchor.start, text + newline + indent)


def _lines(inertia: SpatialInertia) -> Iterator[str]:
    x, y, z = _numbers(inertia.com)
    ixx, ixy, ixz, _, iyy, iyz, _, _, izz = _numbers(inertia.rotational.ravel())
    yield f'<origin xyz="{x} {y} {z}" rpy="0 0 0"/>'
    yield f'<mass value="{inertia.mass:.10g}"/>'
    yield (f'<inertia ixx="{ixx}" ixy="{ixy}" ixz="{ixz}" iyy="{iyy}" iyz="{iyz}" izz="{izz}"/>')


def _numbers(values: Array) -> list[str]:
    noise = _NOISE * np.abs(values).max()
    return [f'{value:.10g}' if abs(value) > noise else '0' for value in values]
