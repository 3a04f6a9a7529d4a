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

"""The release of MuJoCo that is modelled, and the options that a description sets."""

from __future__ import annotations

from dataclasses import dataclass

from urdf_tools.model.xml.element import Element
from urdf_tools.programs.mujoco.mujoco_attributes import Attributes


@dataclass
class Compiler:
    """
    The options of ``<mujoco><compiler>``, with the defaults for a URDF.

    :ivar is_3_3: the release, which is not an option. MuJoCo 3.3 strips the folders from names of
        mesh files, and treats files with the same name as one; limits continuous joints, ignores
        ``<mimic>``, and refuses repeated joint names; mixes up the frames of bodies that it fuses.
    """

    is_3_3: bool
    strippath: bool
    fusestatic: bool = True
    discardvisual: bool = True
    balanceinertia: bool = False
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    inertiafromgeom: str = 'auto'
    meshdir: str = ''


_WORDS = {'angle': ('radian', 'degree'), 'inertiafromgeom': ('true', 'false', 'auto')}
"""The words that options can be, besides ``true`` and ``false``."""


def read_compiler(robot: Element, is_3_3: bool, attributes: Attributes) -> Compiler:
    """Return the options that a description sets."""
    compiler = Compiler(is_3_3, strippath=is_3_3)
    section = attributes.child(attributes.child(robot, 'mujoco'), 'compiler')
    if section is None:
        return compiler
    for name, text in section.attrib.items():
        default = None if name == 'is_3_3' else getattr(compiler, name, None)
        words = ('true', 'false') if isinstance(default, bool) else _WORDS.get(name, (text,))
        if text not in words:
            attributes.refuse(section, 'Option {attribute} is not one of {words}', of='attribute',
                              attribute=name, words=words)
        if isinstance(default, bool):
            setattr(compiler, name, text == 'true')
        elif isinstance(default, float):
            setattr(compiler, name, attributes.number(section, name))
        elif default is not None:
            setattr(compiler, name, text)
    return compiler
