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

"""Sensors of ``<gazebo>`` that MuJoCo has, too."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan
from math import degrees
from math import pi
from math import tan
from xml.etree.ElementTree import Element as Node

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.mjcf.mjcf_bodies import Bodies
from urdf_tools.programs.mjcf.mjcf_xml import add
from urdf_tools.programs.mjcf.mjcf_xml import pose
from urdf_tools.programs.mjcf.mjcf_xml import unique

_SENSORS = {
    'imu': (('accelerometer', 'acc'), ('gyro', 'gyro'), ('framequat', 'quat')),
    'force_torque': (('force', 'force'), ('torque', 'torque')),
    'contact': (('contact', ''),)}
"""Types of sensors to the tags of those in MuJoCo, with what their names end with."""

_CAMERAS = ('camera', 'depth', 'depth_camera', 'rgbd_camera', 'rgbd', 'wideanglecamera')

_FORWARD = (0.5, -0.5, -0.5, 0.5)
"""The turn from Gazebo's camera, which looks along x with z up, to MuJoCo's, along -z."""


def write_sensors(sensor: Node, bodies: Bodies, losses: list[Loss]) -> None:
    """Append sensors, with their sites and cameras in the bodies."""
    names = {site.get('name', '') for node in bodies.nodes.values()
             for site in node.findall('site')}
    for gazebo in bodies.robot.gazebo:
        link, is_joint = _owner(bodies, gazebo.get('reference', ''))
        for element in gazebo.findall_tag('sensor'):
            kind = element.get('type', '').removeprefix('gz:').lower()
            name = unique(element.get('name') or kind, names)
            is_known = kind in _CAMERAS or kind in _SENSORS
            if link is None or not is_known or is_joint != (kind == 'force_torque'):
                losses.append(loss(
                    'sensor', Impact.DROPS, element, 'Sensor {name}, a {kind}, is left out', hint=(
                        '' if is_known and link is not None else 'MuJoCo has none'),
                    name=Name(element.get('name', '')), kind=Name(kind)))
                continue
            names |= {name, *(f'{name}_{suffix}' for _, suffix in _SENSORS.get(kind, ()))}
            node = bodies.nodes[link]
            if kind in _CAMERAS:
                _write_camera(node, name, element)
            elif kind == 'contact':
                add(sensor, 'contact', {'name': name, 'body1': bodies.names[link]})
            else:
                add(node, 'site', {'name': name, **pose(_pose_of(element))})
                for tag, suffix in _SENSORS[kind]:
                    owner = {'objtype': 'site', 'objname': name} if tag.startswith('frame') else {
                        'site': name}
                    add(sensor, tag, {'name': f'{name}_{suffix}', **owner})
            losses.append(loss(
                'sensor', Impact.IGNORES, element, 'The rate, the noise and the topic of sensor '
                '{name} are left out', name=Name(name), is_harmless=True))


def _owner(bodies: Bodies, reference: str) -> tuple[str | None, bool]:
    """Return the link that a sensor is in, and whether it is one of a joint."""
    robot = bodies.robot
    if reference in robot.links:
        return reference, False
    joint = robot.joints.get(reference)
    return (None if joint is None else joint.child), True


def _pose_of(element: Element) -> Pose:
    found = element.find_tag('pose')
    values = list(_numbers('' if found is None else found.text or ''))
    if len(values) != 6:
        return Pose()
    x, y, z, *angles = values
    return Pose((x, y, z), quaternion_from_rpy(*angles))


def _write_camera(node: Node, name: str, element: Element) -> None:
    camera = element.find_tag('camera')
    image = None if camera is None else camera.find_tag('image')
    width, height = (next(_numbers(_text(image, tag)), 0.0) for tag in ('width', 'height'))
    across = next(_numbers(_text(camera, 'horizontal_fov')), 1.047)
    origin = _pose_of(element)
    turned = quaternion_product(origin.quaternion, _FORWARD).tolist()
    fovy = 45.0
    if width > 0 and height > 0 and 0 < across < pi:
        fovy = degrees(2 * atan(tan(across / 2) * height / width))
    add(node, 'camera', {
        'name': name, **pose(Pose(origin.xyz, (turned[0], turned[1], turned[2], turned[3]))),
        'fovy': [fovy]})


def _text(element: Element | None, tag: str) -> str:
    found = None if element is None else element.find_tag(tag)
    return '' if found is None else found.text or ''


def _numbers(text: str) -> Iterator[float]:
    """Yield the numbers in a text up to the first word that is none."""
    for word in text.split():
        try:
            yield parse_number(word)
        except ValueError:
            return
