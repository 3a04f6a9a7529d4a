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

"""Generated descriptions: every element and attribute of URDF and its dialects, with faults."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import SubElement

import numpy as np
from support.generated_extensions import add_extension
from support.generated_extensions import add_joint_dialect
from support.generated_extensions import add_link_dialect
from support.generated_faults import add_fault
from support.generated_meshes import mesh_uri

_TYPES = (*['fixed', 'revolute', 'continuous', 'prismatic'] * 30, *['planar', 'floating'] * 5,
          'spherical', 'ball', 'screw', 'Fixed', '')

_VERSIONS = (*[None] * 180, *['1.0'] * 12, *['1.1', '1.2'] * 6, '1', '2.0', '1.3', '1.0.0',
             'x', '')

_LINK_NAMES = ('world', 'base link', 'a::b', 'a/b', 'é', ' ', 'l0_0', '__l__', '0', 'L0')


def generated_description(random: Random) -> Element:
    """Return a robot of one to six links, half of the time with up to three faults."""
    robot = _robot(random)
    for _ in range(random.choices((0, 1, 2, 3), (55, 30, 10, 5))[0]):
        add_fault(random, robot)
    return robot


def chance(random: Random, probability: float) -> bool:
    """Return True with a probability."""
    return random.random() < probability


def number(random: Random, low: float = -2.0, high: float = 2.0) -> str:
    """Return a number as authors write it, seldom in an unusual way."""
    value = random.choice((random.uniform(low, high), round(random.uniform(low, high), 1)))
    text = f'{value:.6g}'
    if chance(random, 0.97):
        return text
    return random.choice((f' {text}', f'{text} ', f'{value:.3e}', f'+{abs(value):.3f}',
                          f'{value:.0f}.', f'0{abs(value):.2f}', f'{value:.20f}'))


def numbers(random: Random, count: int, low: float = -2.0, high: float = 2.0) -> str:
    """Return numbers that are separated by spaces, seldom by other white space."""
    gap = random.choices((' ', '  ', '\t', '\n'), (97, 1, 1, 1))[0]
    return gap.join(number(random, low, high) for _ in range(count))


def _robot(random: Random) -> Element:
    robot = Element('robot', {'name': random.choice(('r', 'r', 'r', 'my robot', 'é'))})
    version = random.choice(_VERSIONS)
    if version is not None:
        robot.set('version', version)
    links = [f'l{index}' for index in range(random.choices(
        range(1, 7), (15, 30, 25, 15, 10, 5))[0])]
    if chance(random, 0.2):
        links[0] = 'world'
    if chance(random, 0.04):
        links[random.randrange(len(links))] = random.choice(_LINK_NAMES)
    joints = [f'j{index}' for index in range(1, len(links))]
    if joints and chance(random, 0.03):
        joints[-1] = random.choice((links[0], 'a::b', ' ', joints[0], 'world'))
    if chance(random, 0.3):
        robot.append(_material(random, random.choice(('red', 'blue'))))
    for index, name in enumerate(links):
        is_empty = index == 0 and len(links) > 1 and chance(random, 0.3)
        robot.append(_link(random, name, is_empty))
    for index, name in enumerate(joints):
        parent = links[index if chance(random, 0.6) else random.randrange(index + 1)]
        robot.append(_joint(random, name, parent, links[index + 1], joints))
    while chance(random, 0.25):
        add_extension(random, robot, links, joints)
    if chance(random, 0.1):
        children = list(robot)
        random.shuffle(children)
        robot[:] = children
    return robot


def _link(random: Random, name: str, is_empty: bool) -> Element:
    link = Element('link', {'name': name})
    if chance(random, 0.02):
        link.set('type', 'gripper')
    if is_empty:
        return link
    parts = [_inertial(random)] if chance(random, 0.88) else []
    for tag, probability in (('visual', 0.4), ('collision', 0.4)):
        while chance(random, probability):
            parts.append(_shape(random, tag))
    if chance(random, 0.1):
        random.shuffle(parts)
    link.extend(parts)
    if chance(random, 0.04):
        add_link_dialect(random, link)
    return link


def _origin(random: Random, parent: Element, size: float = 1.0) -> None:
    attributes = {}
    if chance(random, 0.85):
        attributes['xyz'] = numbers(random, 3, -size, size)
    if chance(random, 0.6):
        attributes['rpy'] = random.choice((
            numbers(random, 3, -3.2, 3.2), '0 0 0', '1.5707963267948966 0 0', '0 -1.5708 0'))
    if chance(random, 0.05):
        attributes['quat_xyzw'] = random.choice((
            numbers(random, 4, -1, 1), '0 0 0 1', '0 0 0.7071068 0.7071068', '0 0 0 0'))
    SubElement(parent, 'origin', attributes)


def _inertial(random: Random) -> Element:
    inertial = Element('inertial')
    if chance(random, 0.6):
        _origin(random, inertial, 0.3)
    mass = random.uniform(0.1, 5)
    text = f'{mass:.4g}' if chance(random, 0.93) else random.choice((
        '0', '0.0', '-1', '1e-7', '1e-16', '1e6', 'nan', 'inf'))
    SubElement(inertial, 'mass', {'value': text})
    SubElement(inertial, 'inertia', _inertia(random, mass))
    return inertial


def _inertia(random: Random, mass: float) -> dict[str, str]:
    """Return the attributes of the inertia of a turned box, seldom one that no body has."""
    matrix = np.diag([mass / 12 * random.uniform(0.01, 1) for _ in range(3)])
    matrix = np.trace(matrix) * np.eye(3) - matrix
    if chance(random, 0.4):
        turn, _ = np.linalg.qr([[random.gauss(0, 1) for _ in range(3)] for _ in range(3)])
        matrix = turn @ matrix @ turn.T
    if chance(random, 0.1):
        matrix = random.choice((
            np.zeros((3, 3)), np.eye(3), np.diag([1, 1, 3.0]), np.diag([1, 1, 2.0]),
            np.diag([1, 1, -1.0]), np.ones((3, 3)), np.diag([1e-9, 1e-9, 1e-9]),
            np.diag([0, 0, 1.0]), np.eye(3) + 2 * np.eye(3)[[1, 0, 2]] - np.diag([0, 0, 2.0])))
    keys = {'ixx': (0, 0), 'ixy': (0, 1), 'ixz': (0, 2), 'iyy': (1, 1), 'iyz': (1, 2),
            'izz': (2, 2)}
    found = {key: f'{matrix[place]:.9g}' for key, place in keys.items()}
    return dict(random.sample([*found.items()], 6)) if chance(random, 0.1) else found


def _shape(random: Random, tag: str) -> Element:
    shape = Element(tag)
    if chance(random, 0.25):
        shape.set('name', random.choice(('shell', 'shell', 'l1') if chance(random, 0.9) else (
            'a b', 'a::b', '')))
    if chance(random, 0.6):
        _origin(random, shape)
    _add_geometry(random, SubElement(shape, 'geometry'))
    if chance(random, 0.4 if tag == 'visual' else 0.02):
        shape.append(_material(random, random.choice(('red', 'blue', 'green'))))
    if tag == 'collision' and chance(random, 0.04):
        SubElement(shape, 'verbose', {'value': 'x'})
    if chance(random, 0.05):
        shape[:] = random.sample(list(shape), len(shape))
    return shape


def _add_geometry(random: Random, geometry: Element) -> None:
    def size(count: int = 1) -> str:
        if chance(random, 0.99):
            return numbers(random, count, 0.01, 1.5)
        return random.choice((' '.join(['0'] * count), numbers(random, count, -1, 0)))
    tag = random.choices(
        ('mesh', 'box', 'cylinder', 'sphere', 'capsule', 'cone', 'ellipsoid', 'plane', 'tetra'),
        (40, 20, 15, 12, 8, 1, 1, 1, 0.5))[0]
    attributes = {
        'box': ('size',), 'cylinder': ('radius', 'length'), 'sphere': ('radius',),
        'capsule': ('radius', 'length'), 'cone': ('radius', 'length'), 'ellipsoid': ('radii',),
        'plane': ('normal',), 'tetra': (), 'mesh': ()}[tag]
    found = {name: size(3 if name in ('size', 'radii', 'normal') else 1) for name in attributes}
    if tag == 'mesh':
        found['filename'] = mesh_uri(random)
        if chance(random, 0.35):
            found['scale'] = random.choices(
                ('1 1 1', '0.001 0.001 0.001', numbers(random, 3, 0.1, 2), '1 1 -1', '-1 1 1',
                 '-1 -1 -1', '0.5', '0 0 0', '1 1 0', '2 2', '1e-7 1e-7 1e-7', ''),
                (20, 20, 20, 6, 3, 2, 2, 1, 1, 1, 1, 1))[0]
        if chance(random, 0.02):
            found['size'] = '1 1 1'
    SubElement(geometry, tag, found)


def _material(random: Random, name: str) -> Element:
    material = Element('material', {'name': name})
    kind = random.random()
    if kind < 0.9:
        SubElement(material, 'color', {'rgba': numbers(random, 4, 0, 1)})
    elif kind < 0.92:
        SubElement(material, 'texture', {'filename': random.choice((
            'absent.png', 'package://robot/absent.png', ''))})
    elif kind < 0.95:
        SubElement(material, 'color', random.choice((
            {'rgb': '1 0 0', 'alpha': '1'}, {'rgba': '1 0 0'}, {'rgba': '255 0 0 1'},
            {'rgba': '1 0 0 2'}, {})))
    return material


def _joint(random: Random, name: str, parent: str, child: str, joints: Sequence[str]) -> Element:
    kind = random.choices(_TYPES)[0]
    joint = Element('joint', {'name': name, 'type': kind})
    if chance(random, 0.85):
        _origin(random, joint)
    SubElement(joint, 'parent', {'link': parent})
    SubElement(joint, 'child', {'link': child})
    is_fixed = kind in ('fixed', 'floating', '')
    if chance(random, 0.15 if is_fixed else 0.85):
        SubElement(joint, 'axis', {'xyz': random.choice((
            '0 0 1', '1 0 0', '0 -1 0', numbers(random, 3, -1, 1), '0 0 2', '1 1 0',
            *(['0 0 0', '0 0 1e-16', '', '1e-9 0 0'] if chance(random, 0.2) else [])))})
    if chance(random, 0.12 if is_fixed else 0.5 if kind == 'continuous' else 0.95):
        _add_limit(random, joint)
    if chance(random, 0.3):
        SubElement(joint, 'dynamics', _some(random, {
            'damping': number(random, 0, 2), 'friction': number(random, 0, 1)}, 0.8))
    if joints and chance(random, 0.08):
        leaders = *[each for each in joints if each != name] * 4, name, 'absent'
        SubElement(joint, 'mimic', _some(random, {
            'joint': random.choice(leaders), 'multiplier': number(random),
            'offset': number(random)}, 0.8))
    if chance(random, 0.06):
        SubElement(joint, 'safety_controller', _some(random, {
            'soft_lower_limit': '-0.5', 'soft_upper_limit': '0.5', 'k_position': '10',
            'k_velocity': '1'}, 0.9))
    if chance(random, 0.05):
        SubElement(joint, 'calibration', _some(random, {
            'rising': '0.1', 'falling': '0', 'reference_position': '0'}, 0.5))
    if chance(random, 0.04):
        add_joint_dialect(random, joint)
    if chance(random, 0.1):
        joint[:] = random.sample(list(joint), len(joint))
    return joint


def _some(random: Random, attributes: dict[str, str], probability: float) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if chance(random, probability)}


def _add_limit(random: Random, joint: Element) -> None:
    attributes = _some(random, {
        'lower': number(random, -3, 0), 'upper': number(random, 0, 3),
        'effort': number(random, 0, 100), 'velocity': number(random, 0, 10)}, 0.96)
    if chance(random, 0.08):
        attributes.update(_some(random, {
            'acceleration': number(random, 0, 9), 'deceleration': number(random, 0, 9),
            'jerk': number(random, 0, 99)}, 0.7))
    if chance(random, 0.08):
        attributes.update(random.choice((
            {'lower': '1', 'upper': '-1'}, {'lower': '0', 'upper': '0'}, {'effort': '0'},
            {'velocity': '0'}, {'effort': '-1'}, {'velocity': '-1'}, {'upper': 'inf'},
            {'lower': '-inf', 'upper': 'inf'}, {'effort': 'inf'}, {'velocity': 'nan'},
            {'lower': '1', 'upper': '1'}, {'upper': '1e300'}, {'lower': '-1e16'})))
    SubElement(joint, 'limit', attributes)
