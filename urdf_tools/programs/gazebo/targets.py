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

"""Versions of SDFormat, and where their conversions of URDF differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """
    The conversion of URDF in one version of libsdformat.

    The lines are those of ``src/parser_urdf.cc`` in the release that ``library`` names.

    :param library: the release whose behaviour this is.
    :param simulator: the Gazebo that has it.
    :param sdf_version: the version of SDFormat that the converter writes.
    :param has_frames: lumping leaves a frame for the joint and one for the link.
    :param rounds_frames: the pose of such a frame is rounded to six digits.
    :param has_mimic: ``<mimic>`` is converted.
    :param moves_lights: the pose of a light follows its lumped link.
    :param moves_joint_ends: the ends of joints in ``<gazebo>`` follow lumped links.
    :param rounds_each_step: the pose of a sensor is rounded each time that its link is lumped.
    :param lumped_passes: a lumped link without mass does not take its descendants with it.
    :param smallest_mass: masses in kg up to this one count as none.
    :param negative_is_massless: a negative mass counts as none.
    :param static_everywhere: each ``<gazebo>`` without reference sets ``<static>``.
    :param joins_model: ``__model__`` can be an end of a joint.
    :param checks_all_names: names of siblings with unlike tags must differ, too, as ``ign sdf
        -k`` wants it; Gazebo does not.
    :param corrected_offsets: element that marks corrected offsets of a plugin.
    """

    library: str
    simulator: str
    sdf_version: str
    has_frames: bool = True
    rounds_frames: bool = False
    has_mimic: bool = True
    moves_lights: bool = True
    moves_joint_ends: bool = True
    rounds_each_step: bool = True
    lumped_passes: bool = True
    smallest_mass: float = 0.0
    negative_is_massless: bool = True
    static_everywhere: bool = False
    joins_model: bool = True
    checks_all_names: bool = False
    corrected_offsets: str = 'gz::corrected_offsets'

    def is_massless(self, mass: float) -> bool:
        """Return whether a mass in kg counts as none; NaN does not."""
        return (mass if self.negative_is_massless else abs(mass)) <= self.smallest_mass


TARGETS: Mapping[str, Target] = {
    '12.3': Target('libsdformat 12.3', 'no Gazebo; ign sdf of Debian 12', '1.7', has_frames=False,
                   has_mimic=False, moves_lights=False, moves_joint_ends=False,
                   rounds_each_step=False, lumped_passes=False, smallest_mass=1e-6,
                   negative_is_massless=False, static_everywhere=True, joins_model=False,
                   checks_all_names=True, corrected_offsets='ignition::corrected_offsets'),
    'fortress': Target('libsdformat 12.9', 'Gazebo Fortress, with ROS 2 Humble', '1.7',
                       rounds_frames=True, has_mimic=False),
    'harmonic': Target('libsdformat 14', 'Gazebo Harmonic, with ROS 2 Jazzy', '1.11'),
    'ionic': Target('libsdformat 15', 'Gazebo Ionic, with ROS 2 Kilted', '1.11'),
    'jetty': Target('libsdformat 16', 'Gazebo Jetty, with ROS 2 Lyrical', '1.11'),
}
"""The conversions by the name of the Gazebo that has them, or by the release."""

ALIASES: Mapping[str, str] = {
    '12': '12.3', '12.9': 'fortress', '14': 'harmonic', '15': 'ionic', '16': 'jetty'}
"""Other names of targets: the number of the library."""

DEFAULT_TARGET = 'harmonic'


def target_named(name: str) -> Target:
    """
    Return a target by its name or its other name.

    :raises KeyError: there is none.
    """
    return TARGETS[ALIASES.get(name, name)]
