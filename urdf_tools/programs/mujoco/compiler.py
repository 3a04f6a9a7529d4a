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

"""The releases of MuJoCo that are modelled, and the options that a description sets."""

from __future__ import annotations

from dataclasses import dataclass

from urdf_tools.model.xml.element import Element
from urdf_tools.programs.mujoco.attributes import Attributes


@dataclass(frozen=True)
class Release:
    """
    A release of MuJoCo, and how it differs from others.

    :ivar is_4: the ones before treat mesh files with the same name as one; limit continuous
        joints, ignore ``<mimic>``, and refuse repeated joint names; mix up the frames of bodies
        that they fuse, and do not bound an inertia that is not positive.
    :ivar strips_paths: whether it strips the folders from names of mesh files, whose suffix may
        then be of any case: up to 3.6.
    """

    version: str
    is_4: bool = False
    strips_paths: bool = False


RELEASES = {release.version: release for release in (
    Release('4.0', is_4=True), Release('3.8'), Release('3.3', strips_paths=True))}
"""The releases that were compared, by their versions."""


@dataclass
class Compiler:
    """
    The options of ``<mujoco><compiler>``, with the defaults for a URDF.

    :ivar release: the release, which is not an option.
    """

    release: Release
    strippath: bool
    fusestatic: bool = True
    discardvisual: bool = True
    balanceinertia: bool = False
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    autolimits: bool = True
    inertiafromgeom: str = 'auto'
    meshdir: str = ''


_WORDS = {'angle': ('radian', 'degree'), 'inertiafromgeom': ('true', 'false', 'auto'),
          **dict.fromkeys(('alignfree', 'fitaabb', 'saveinertial', 'usethread'), (
              'true', 'false'))}
"""The words that options can be, besides ``true`` and ``false``."""


def read_compiler(robot: Element, release: Release, attributes: Attributes) -> Compiler:
    """Return the options that a description sets."""
    compiler = Compiler(release, strippath=release.strips_paths)
    section = attributes.child(attributes.child(robot, 'mujoco'), 'compiler')
    if section is None:
        return compiler
    for name, text in section.attrib.items():
        default = None if name == 'release' else getattr(compiler, name, None)
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
