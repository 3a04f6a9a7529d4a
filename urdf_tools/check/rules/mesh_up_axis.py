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

"""The rule about the up axis of glTF files."""

from __future__ import annotations

from collections.abc import Iterator
import math

from urdf_tools.check.bounding_boxes import box_around
from urdf_tools.check.bounding_boxes import Corners
from urdf_tools.check.bounding_boxes import is_gltf
from urdf_tools.check.bounding_boxes import link_boxes
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.loaded_robot import readable_links
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import first_of
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.message import Name
from urdf_tools.model.robot import Link
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('assets')

_MIN_OVERLAP = 0.4
"""Overlap of the boxes around visuals and collisions that fit; the least seen is 0.47."""

_MAX_RATIO = 0.6
"""Overlap of the file as it is over that of the file turned; the largest seen is 0.56."""


@rule('mesh-y-up', WARN,
      fix='Save the meshes as .obj with the axes of the links, which no program turns',
      source='ros2/rviz#1229; turned since ros2/rviz#1482, as Drake does; gz-common '
             '`AssimpLoader.cc`')
def mesh_y_up(description: Description) -> Iterator[Defect]:
    """
    Check that the glTF meshes fit the collisions as they are.

    The y axis of glTF is up. Drake and RViz since June 2025 turn it to z; Gazebo, older RViz and
    urdf-tools view do not, so that a robot that was made for Drake falls apart there. The boxes
    around the visuals and the collisions of each link are compared; the first link that fits only
    turned is reported, unless as many fit only as they are.

    Fails in a link:
        <visual><geometry>
          <mesh filename="bar.gltf"/>
        </geometry></visual>
        <collision>
          <origin xyz="0.05 -0.05 0.5"/>
          <geometry><box size="0.1 0.1 1"/></geometry>
        </collision>
    Passes with
        <collision>
          <origin xyz="0.05 0.5 0.05"/>
          <geometry><box size="0.1 1 0.1"/></geometry>
        </collision>
    """
    turned, as_they_are = [], 0
    for link in readable_links(description):
        overlaps = _overlaps(description, link)
        if overlaps is not None:
            as_is, upright = overlaps
            if upright >= _MIN_OVERLAP and as_is <= _MAX_RATIO * upright:
                turned.append((link, upright, as_is))
            as_they_are += as_is >= _MIN_OVERLAP and upright <= _MAX_RATIO * as_is
    if len(turned) > as_they_are:
        meshes = [_mesh(link) for link, *_ in turned]
        link, upright, as_is = turned[0]
        filename = meshes[0].get('filename', '')
        yield first_of(
            meshes, '{filename:120} fits the collisions of link {link} only with its y axis '
            'turned up: their boxes then overlap by {upright:.0%}, as written by {as_is:.0%}',
            filename=Name(filename), link=Name(link.name), upright=upright, as_is=as_is)


def _mesh(link: Link) -> Element:
    """Return the first glTF mesh of the visuals of a link."""
    element = next(shape.element for shape in link.visuals if is_gltf(shape.geometry))
    assert element is not None, 'shapes of a description have elements'
    return element.child('geometry').child('mesh')


def _overlaps(description: Description, link: Link) -> tuple[float, float] | None:
    """Return the overlap of the collisions with the glTF visuals as they are, and turned."""
    visuals = [shape for shape in link.visuals if is_gltf(shape.geometry)]
    if not (visuals and link.collisions) or any(
            is_gltf(shape.geometry) for shape in link.collisions):
        return None
    as_is, turned = (box_around(description, visuals, which) for which in (0, -1))
    collisions = (*link_boxes(description)[link.name], None)[0]
    if as_is is None or turned is None or collisions is None:
        return None
    return _overlap(as_is, collisions), _overlap(turned, collisions)


def _overlap(one: Corners, other: Corners) -> float:
    """Return the volume of the intersection of two boxes over that of their union."""
    common = math.prod(max(min(most, end) - max(least, start), 0.0)
                       for least, most, start, end in zip(*one, *other))
    whole = sum(math.prod(most - least for least, most in zip(*box)) for box in (one, other))
    return common / (whole - common) if whole > common else 0.0
