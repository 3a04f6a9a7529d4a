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

"""Forward kinematics directly from the XML, link by link, as a reference."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np


def link_poses(path, values):
    """
    Return the pose of every link in the root link's frame, (4, 4), by name.

    :param values: name of a joint to its position, or to three or seven of them; others are
        at zero.
    """
    root = ElementTree.parse(path).getroot()
    joints = {joint.find('child').get('link'): joint for joint in root.findall('joint')}
    by_name = {joint.get('name'): joint for joint in joints.values()}
    poses = {}

    def pose(link):
        if link not in poses:
            joint = joints.get(link)
            poses[link] = np.eye(4) if joint is None else (
                pose(joint.find('parent').get('link')) @ _origin(joint) @ _motion(joint))
        return poses[link]

    def position(joint):
        mimic = joint.find('mimic')
        if mimic is None:
            return values.get(joint.get('name'), 0.0)
        return (float(mimic.get('multiplier', 1)) * position(by_name[mimic.get('joint')])
                + float(mimic.get('offset', 0)))

    def _motion(joint):
        kind = joint.get('type')
        motion = np.eye(4)
        axis = _axis(joint)
        if kind in ('revolute', 'continuous'):
            motion[:3, :3] = turn(axis, position(joint))
        elif kind == 'prismatic':
            motion[:3, 3] = axis * position(joint)
        elif kind == 'planar' and joint.get('name') in values:
            x, y, theta = values[joint.get('name')]
            tilt = turn(np.cross([0, 0, 1], axis), np.arccos(axis[2]))
            motion[:3, 3] = tilt @ [x, y, 0]
            motion[:3, :3] = turn(axis, theta)
        elif kind == 'floating' and joint.get('name') in values:
            *translation, x, y, z, w = values[joint.get('name')]
            motion[:3, 3] = translation
            motion[:3, :3] = turn([x, y, z], 2 * np.arctan2(np.linalg.norm([x, y, z]), w))
        return motion

    for link in root.findall('link'):
        pose(link.get('name'))
    return poses


def turn(axis, angle):
    """Return the rotation about an axis of any length by Rodrigues' formula, (3, 3)."""
    length = np.linalg.norm(axis)
    if length == 0:
        return np.eye(3)
    x, y, z = np.asarray(axis) / length
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def _axis(joint):
    element = joint.find('axis')
    axis = np.array(_numbers(
        '1 0 0' if element is None else element.get('xyz', '1 0 0')))
    length = np.linalg.norm(axis)
    return axis / length if length else axis


def _origin(joint):
    matrix = np.eye(4)
    origin = joint.find('origin')
    if origin is not None:
        roll, pitch, yaw = _numbers(origin.get('rpy', '0 0 0'))
        matrix[:3, :3] = turn([0, 0, 1], yaw) @ turn([0, 1, 0], pitch) @ turn([1, 0, 0], roll)
        matrix[:3, 3] = _numbers(origin.get('xyz', '0 0 0'))
    return matrix


def _numbers(text):
    return [float(number) for number in text.split()]
