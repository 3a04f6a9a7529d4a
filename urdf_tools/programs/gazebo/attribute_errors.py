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
"""Attributes that SDFormat requires of what ``<gazebo>`` elements contain."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping

from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.gazebo.model import GazeboModel

_REQUIRED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    'model': {'plugin': ('name', 'filename'), 'joint': ('name', 'type'), 'frame': ('name',),
              'gripper': ('name',), 'link': ('name',)},
    'link': {'sensor': ('name', 'type'), 'light': ('name', 'type'), 'projector': ('name',),
             'battery': ('name',), 'particle_emitter': ('name', 'type')},
    'joint': {'sensor': ('name', 'type')},
    'sensor': {'plugin': ('name', 'filename')},
    'projector': {'plugin': ('name', 'filename')},
}
"""
Parent to the children that SDFormat defines in it, with their required attributes.

What SDFormat does not define in a parent, such as a plugin in a link, it does not check.
"""

_SENSORS = frozenset((
    'air_pressure', 'air_speed', 'altimeter', 'boundingbox_camera', 'camera', 'contact', 'custom',
    'depth', 'depth_camera', 'force_torque', 'gps', 'gpu_lidar', 'gpu_ray', 'imu', 'lidar',
    'logical_camera', 'magnetometer', 'multicamera', 'navsat', 'ray', 'rfid', 'rfidtag', 'rgbd',
    'rgbd_camera', 'segmentation', 'segmentation_camera', 'sonar', 'thermal', 'thermal_camera',
    'wideanglecamera', 'wide_angle_camera', 'wireless_receiver', 'wireless_transmitter'))
"""The types of sensors that a libsdformat from 12 to 15 knows."""

_EXAMPLES = {'filename': 'the library of the plugin', 'name': 'a name of its own'}


def attribute_errors(model: GazeboModel) -> Iterator[Loss]:
    """Yield which required attributes are missing, so that libsdformat reads no model."""
    for parent, element in _checked(model):
        for attribute in _REQUIRED[parent][element.tag]:
            # An empty name is an error of names.
            if not element.get(attribute) and not (
                    attribute == 'name' and attribute in element.attrib
                    and element.tag in ('joint', 'frame', 'link', 'sensor')):
                has_name = attribute != 'name' and element.get('name')
                yield refusal(
                    element, 'The {tag} {name} has {no} {missing}' if has_name else
                    'The {tag} has {no} {missing}', missing=attribute, of='attribute',
                    no='an empty' if attribute in element.attrib else 'no',
                    hint='Write {missing}= with {example}',
                    example=_EXAMPLES.get(attribute, f'the type of the {element.tag}'))


def sensor_errors(model: GazeboModel) -> Iterator[Loss]:
    """Yield which sensors have a type that libsdformat does not know."""
    for _, element in _checked(model):
        kind = element.get('type')
        if element.tag == 'sensor' and kind and kind not in _SENSORS:
            near = closest(kind, _SENSORS)
            yield refusal(
                element, 'The {tag} {name} has the unknown type {type}' if element.get('name') else
                'The {tag} has the unknown type {type}', type=Name(kind), near=Name(near or ''),
                hint='Did you mean {near}?' if near else 'Write one that SDFormat defines',
                of='attribute')


def _checked(model: GazeboModel) -> Iterator[tuple[str, Element]]:
    """Yield the elements whose attributes are checked, each with the tag of its parent."""
    for reference in model.applied:
        parent = 'joint' if reference in model.joints else 'link' if reference else 'model'
        yield from _checked_in(parent, model.copied(reference))


def _checked_in(parent: str, elements: Iterable[Element]) -> Iterator[tuple[str, Element]]:
    for element in elements:
        if element.tag in _REQUIRED.get(parent, ()):
            yield parent, element
            yield from _checked_in(element.tag, element)
