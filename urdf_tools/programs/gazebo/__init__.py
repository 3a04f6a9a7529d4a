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

"""
How Gazebo loads a robot: what libsdformat makes of its URDF, and what is lost.

Reading: urdfdom reads the links and joints, ``extensions`` the ``<gazebo>`` elements; ``model``
has what remains of them after lumping, and ``load_errors`` why Gazebo refuses it. Conversion:
``writer`` makes the SDFormat document of the model, which ``losses`` compares with the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import refusal
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.gazebo.conversion import Conversion
from urdf_tools.programs.gazebo.conversion import convert
from urdf_tools.programs.gazebo.document import ALIASES
from urdf_tools.programs.gazebo.document import DEFAULT_RELEASE
from urdf_tools.programs.gazebo.document import get_release
from urdf_tools.programs.gazebo.document import RELEASES
from urdf_tools.programs.gazebo.load_errors import refusals
from urdf_tools.programs.importers import is_number
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.urdfdom.reading import Tree

__all__ = ['account', 'ALIASES', 'Conversion', 'convert', 'DEFAULT_RELEASE', 'RELEASES']


def account(source: Source, context: Context) -> Account:
    """
    Return what becomes of a robot in the default release of Gazebo.

    :raises DescriptionError: the conversion repeats too much of the description.
    """
    if source.robot is None:
        return Account('gazebo', get_release(DEFAULT_RELEASE).library, None,
                       causes=tuple(refusals(source.root)) or tuple(_massless(source.root)))
    return convert(source.robot, context=context).account


def _massless(root: Element) -> Iterator[Loss]:
    """Yield why Gazebo drops all links of what is not a tree for our loader."""
    tree, bodies = Tree(root), set()
    for name in tree.order:
        joint, parent = tree.joints.get(name, (None, WORLD))
        if name != WORLD and (parent == WORLD or parent in bodies and (
                joint is not None and joint.get('type') == 'fixed')):
            bodies.add(name)
    links = [link for link in root.findall_tag('link') if link.get('name') in bodies]
    masses = [mass.get('value', '') for link in links for mass in link.findall('inertial/mass')]
    if tree.order and not any(is_number(text) and float(text) > 0 for text in masses):
        yield refusal(links or root, 'No link is left, because {element} has no mass')
