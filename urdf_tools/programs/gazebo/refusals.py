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

"""Why libsdformat converts nothing of a description."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.urdfdom.reading import refusals as urdfdom_refusals
from urdf_tools.programs.urdfdom.tree import Tree


def refusals(root: Element) -> Iterator[Loss]:
    """Yield why libsdformat, which reads URDF with urdfdom 4, converts nothing of a robot."""
    if root.tag == 'sdf':  # It is no URDF, and Gazebo reads it.
        if 'version' not in root.attrib:
            yield refusal(root, '<sdf> has no version', of='version',
                          hint='Write <sdf version="1.9">')
        return
    yield from urdfdom_refusals(root)
    for element in (*root.findall_tag('link'), *root.findall_tag('joint')):
        if not element.get('name'):
            yield refusal(element, 'The {tag} has no name', of='name', hint='Write name="..."')
    for joints in Tree(root).several_parents():
        yield refusal([joint.child('child') for joint in joints], '{n:joint} have the same child',
                      of='structure', brief='link with several parents', hint='Keep one of them')
