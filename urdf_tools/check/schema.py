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

"""The grammar of URDF: its elements, where they may be, their attributes and types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property
from functools import lru_cache
from typing import Any

from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element import Element

TEXT = 0
"""The type of an attribute that holds any text; other types are the number of numbers."""


@dataclass(frozen=True)
class Tag:
    """
    The definition of an element in URDF, for one kind of parent.

    :param attributes: name of each attribute to its type.
    :param children: tag of each child to its definition; None allows any content.
    :param required: the required attributes and children.
    :param many: the children that may occur more than once.
    :param added_in: attributes and children newer than URDF 1.0, to the version that added them.
    """

    attributes: Mapping[str, int] = field(default_factory=dict)
    children: Mapping[str, Tag | None] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    many: tuple[str, ...] = ()
    added_in: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The names of all attributes and children."""
        return *self.attributes, *self.children

    def closest(self, word: str) -> str | None:
        """Return the attribute or child that a misspelled word probably meant, or None."""
        return _closest_alike(word, self.words)


@lru_cache(maxsize=4096)
def _closest_alike(word: str, known: tuple[str, ...]) -> str | None:
    alike = [name for name in known if name[0] == word[0] or name[-1] == word[-1]]
    return closest(word, alike, 0.66) if alike else None


_ORIGIN = Tag({'xyz': 3, 'rpy': 3, 'quat_xyzw': 4}, added_in={'quat_xyzw': (1, 1)})

_MATERIAL = Tag(
    {'name': TEXT},
    {'color': Tag({'rgba': 4}, required=('rgba',)),
     'texture': Tag({'filename': TEXT}, required=('filename',))},
    required=('name',))

SHAPES: Mapping[str, Tag] = {
    'box': Tag({'size': 3}, required=('size',)),
    'cylinder': Tag({'radius': 1, 'length': 1}, required=('radius', 'length')),
    'sphere': Tag({'radius': 1}, required=('radius',)),
    'capsule': Tag({'radius': 1, 'length': 1}, required=('radius', 'length')),
    'mesh': Tag({'filename': TEXT, 'scale': 3}, required=('filename',)),
}
"""The children of ``<geometry>``, which must have exactly one."""

_GEOMETRY = Tag(children=SHAPES, many=tuple(SHAPES), added_in={'capsule': (1, 1)})

INERTIA = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')
"""The attributes of ``<inertia>``."""

_LINK = Tag(
    {'name': TEXT, 'type': TEXT},
    {'inertial': Tag(
        children={
            'origin': _ORIGIN,
            'mass': Tag({'value': 1}, required=('value',)),
            'inertia': Tag(dict.fromkeys(INERTIA, 1), required=INERTIA)},
        required=('mass', 'inertia')),
     'visual': Tag(
         {'name': TEXT},
         {'origin': _ORIGIN, 'geometry': _GEOMETRY, 'material': _MATERIAL},
         required=('geometry',)),
     'collision': Tag(
         {'name': TEXT},
         {'origin': _ORIGIN, 'geometry': _GEOMETRY, 'verbose': Tag({'value': TEXT})},
         required=('geometry',))},
    required=('name',), many=('visual', 'collision'))

_NEWER_LIMITS = dict.fromkeys(('acceleration', 'deceleration', 'jerk'), (1, 2))

_JOINT = Tag(
    {'name': TEXT, 'type': TEXT},
    {'origin': _ORIGIN,
     'parent': Tag({'link': TEXT}, required=('link',)),
     'child': Tag({'link': TEXT}, required=('link',)),
     'axis': Tag({'xyz': 3}, required=('xyz',)),
     'calibration': Tag({'rising': 1, 'falling': 1, 'reference_position': 1}),
     'dynamics': Tag({'damping': 1, 'friction': 1}),
     'limit': Tag(
         {'lower': 1, 'upper': 1, 'effort': 1, 'velocity': 1, **dict.fromkeys(_NEWER_LIMITS, 1)},
         required=('effort', 'velocity'), added_in=_NEWER_LIMITS),
     'safety_controller': Tag(
         {'soft_lower_limit': 1, 'soft_upper_limit': 1, 'k_position': 1, 'k_velocity': 1},
         required=('k_velocity',)),
     'mimic': Tag({'joint': TEXT, 'multiplier': 1, 'offset': 1}, required=('joint',))},
    required=('name', 'type', 'parent', 'child'))

ROBOT = Tag(
    {'name': TEXT, 'version': TEXT},
    {'link': _LINK, 'joint': _JOINT, 'material': _MATERIAL, 'origin': Tag({'xyz': 3, 'rpy': 3}),
     'transmission': None, 'gazebo': None, 'ros2_control': None, 'sensor': None},
    required=('name',),
    many=('link', 'joint', 'material', 'transmission', 'gazebo', 'ros2_control', 'sensor'))
"""The outermost element."""

_REDUCTION = dict.fromkeys(('mechanicalReduction', 'mechanical_reduction', 'offset'))

TRANSMISSION = Tag(
    {'name': TEXT, 'type': TEXT},
    {'type': None,
     'joint': Tag({'name': TEXT}, {'hardwareInterface': None, **_REDUCTION}, required=('name',)),
     'actuator': Tag(
         {'name': TEXT}, {'hardwareInterface': None, **_REDUCTION}, required=('name',))},
    required=('name', 'type', 'joint', 'actuator'))
"""A ``<transmission>`` of ROS; each program may define further elements in it."""

READERS: Mapping[tuple[str, str], str] = {
    ('robot', 'mujoco'): 'MuJoCo',
    ('robot', 'frame'): 'Drake',
    ('robot', 'loop_joint'): 'Isaac',
    ('robot', 'fixed_frame'): 'Isaac',
    ('robot', 'mujoco_camera'): 'Isaac',
    ('robot', 'deformable'): 'PyBullet',
    ('robot', 'reduced_deformable'): 'PyBullet',
    ('robot', 'group_state'): 'MoveIt',
    ('link', 'contact'): 'PyBullet',
    ('link', 'audio_source'): 'PyBullet',
    ('link', 'drake_ignore'): 'Drake',
    ('collision', 'drake_compliance'): 'Drake',
    ('collision', 'concave'): 'PyBullet',
    ('collision', 'group'): 'PyBullet',
    ('collision', 'mask'): 'PyBullet',
    ('material', 'specular'): 'PyBullet',
    ('joint', 'dont_collapse'): 'Isaac',
    ('dynamics', 'spring_stiffness'): 'Isaac',
    ('origin', 'wxyz'): 'Tesseract',
}
"""
Parent or element, and the element or attribute in it that URDF does not define, to its reader.

The evidence of the rule unknown-element names the sources.
"""


def is_foreign(name: str) -> bool:
    """Return whether a tag or attribute has a namespace prefix, and so is not part of URDF."""
    return ':' in name or name == 'xmlns'


def is_robot_origin(element: Element) -> bool:
    """Return whether an element is the <origin> of the robot, which only Gazebo reads."""
    return (element.tag == 'origin' and element.parent is not None
            and element.parent.parent is None)


def definition(element: Element) -> Tag:
    """Return the definition of an element of URDF or in a <transmission>; else an empty one."""
    if element.parent is None:
        return ROBOT
    if element.tag == 'transmission' and element.parent.parent is None:
        return TRANSMISSION
    return definition(element.parent).children.get(element.tag) or Tag()


def misspelling(element: Element, name: str) -> dict[str, Any]:
    """
    Return the options of a defect if a missing name was misspelled.

    :param name: the missing attribute or child.
    """
    tag = definition(element)
    is_attribute = name in tag.attributes
    wrong = next((
        word for word in (element.attrib if is_attribute else (child.tag for child in element))
        if word not in tag.words and not is_foreign(word) and tag.closest(word) == name), None)
    if wrong is None:
        return {}
    written = {'missing': name, 'written': wrong}
    return {'hint': 'Write {missing}= for {written}=', **written} if is_attribute else {
        'hint': 'Write <{missing}> for <{written}>', **written, 'at': element.find_tag(wrong)}
