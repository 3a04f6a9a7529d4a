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
from dataclasses import fields

from urdf_tools.model.element import Element
from urdf_tools.programs.mujoco.mujoco_attributes import Attributes


@dataclass(frozen=True)
class Release:
    """
    What differs between the releases of MuJoCo.

    :ivar version: the release that the model was compared with.
    :ivar strips_paths: takes the names of mesh files without their folders; until 3.8.
    :ivar reads_mimic: makes a constraint of ``<mimic>``.
    :ivar limits_continuous: a continuous joint has the limits that are written.
    :ivar shares_meshes: takes mesh files with the same name for one file.
    :ivar renames_joints: gives a repeated joint name a number.
    :ivar bounds_zero: with ``boundinertia``, a principal moment may be zero.
    :ivar places_fused: places the inertia of a fused body where it is; 3.3 mixes up the frames.
    """

    version: str
    strips_paths: bool = False
    reads_mimic: bool = True
    limits_continuous: bool = False
    shares_meshes: bool = False
    renames_joints: bool = True
    bounds_zero: bool = True
    places_fused: bool = True


NEWEST = Release('4.0')
LAST_TO_STRIP = Release('3.3', True, False, True, True, False, False, False)


@dataclass(frozen=True)
class Compiler:
    """The options of ``<mujoco><compiler>``, with the defaults for a URDF."""

    strippath: bool
    fusestatic: bool = True
    discardvisual: bool = True
    balanceinertia: bool = False
    autolimits: bool = True
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    inertiafromgeom: str = 'auto'
    meshdir: str = ''


_WORDS = {
    'angle': ('radian', 'degree'), 'coordinate': ('local',),
    'inertiafromgeom': ('true', 'false', 'auto'), **dict.fromkeys((
        'strippath', 'fusestatic', 'discardvisual', 'balanceinertia', 'autolimits', 'usethread',
        'alignfree', 'saveinertial', 'fitaabb'), ('true', 'false'))}
"""The words that options can be."""


def read_compiler(
        robot: Element, release: Release, attributes: Attributes) -> Compiler:
    """Return the options that a description sets."""
    section = attributes.child(attributes.child(robot, 'mujoco'), 'compiler')
    if section is None:
        return Compiler(release.strips_paths)
    for name, words in _WORDS.items():
        if section.get(name, words[0]) not in words:
            attributes.refuse(section, 'The option {attribute} is none of {words}', of='attribute',
                              attribute=name, words=words)
    if len(section.get('eulerseq', 'xyz')) != 3:
        attributes.refuse(section, 'The option {attribute} is not three axes', of='attribute',
                          attribute='eulerseq')
    attributes.numbers(section, 'inertiagrouprange', 2, ())
    values: dict[str, bool | float | str] = {'strippath': release.strips_paths}
    if 'assetdir' in section.attrib:
        values['meshdir'] = section.attrib['assetdir']
    for field in fields(Compiler):
        if field.name in section.attrib:
            text = section.attrib[field.name]
            values[field.name] = text if field.type == 'str' else text == 'true' if (
                field.type == 'bool') else attributes.numbers(section, field.name, 1, (0.0,))[0]
    return Compiler(**values)  # type: ignore[arg-type]  # Of the types of the fields.
