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

"""Random trees of links, with and without what makes Gazebo drop, lump or refuse them."""

from __future__ import annotations

from random import Random

_TYPES = (*['fixed', 'revolute', 'continuous', 'prismatic'] * 10, 'planar', 'floating')

_INERTIALS = (
    (60, '<mass value="{mass}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
    (16, '<origin xyz="0.1 0 0.3" rpy="0.3 1.1 0"/><mass value="{mass}"/><inertia ixx="0.2" '
        'ixy="0.01" ixz="0" iyy="0.3" iyz="-0.02" izz="0.4"/>'),
    (4, '<mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'),
    (1, '<mass value="0"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
    (1, '<mass value="-1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
    (1, '<mass value="1e-7"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'),
    (1, '<mass value="{mass}"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'),
    (1, '<mass value="{mass}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/>'),
    (1, '<mass value="{mass}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" '
        'izz="2.000000001"/>'),
    (1, '<mass value="{mass}"/><inertia ixx="1" ixy="2" ixz="0" iyy="1" iyz="0" izz="1"/>'),
    (1, '<mass value="{mass}"/>'),
    (1, '<mass value="one"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'))
"""What an ``<inertial>`` may contain, each with its weight."""

_MATERIAL = '<material name="red"><color rgba="1 0 0 1"/></material>'


def random_robot(random: Random) -> str:
    """Return the text of a tree of one to nine links."""
    names = [f'l{i}' for i in range(random.randint(1, 9))]
    joints = [_rarely(random, f'j{i}', (names[random.randrange(i)], names[i], '__j__', 'world',
                                        'a::b', ' '), 0.03) for i in range(1, len(names))]
    if random.random() < 0.2:
        names[0] = 'world'
    if random.random() < 0.02:
        names[-1] = random.choice(('world', '__l__', 'a::b'))
    name = _rarely(random, 'r', ('world', '__r__', 'a::b'), 0.02)
    parts = [_link(random, link) for link in names]
    for i, joint in enumerate(joints):
        parent = names[i if random.random() < 0.5 else random.randrange(i + 1)]
        parts.append(_joint(random, joint, parent, names[i + 1], joints))
    if len(names) > 2 and random.random() < 0.02:
        parts.append(_joint(random, 'second', names[0], names[-1], joints))
    for _ in range(random.choice((0, 0, 1, 2, 3))):
        parts.append(_extension(random, names, joints))
    if random.random() < 0.02:
        parts += [_MATERIAL, _MATERIAL]
    random.shuffle(parts)
    version = _rarely(random, '', (' version="1.1"',), 0.02)
    return f'<robot name="{name}"{version}>\n' + '\n'.join(parts) + '\n</robot>\n'


def _rarely(random: Random, usual: str, others: tuple[str, ...], probability: float) -> str:
    return random.choice(others) if random.random() < probability else usual


def _link(random: Random, name: str) -> str:
    parts = []
    if random.random() < 0.85:
        weights, texts = zip(*_INERTIALS)
        text, = random.choices(texts, weights)
        mass = random.choice((1, 2.5, 0.01))
        parts.append(f'<inertial>{text.format(mass=mass)}</inertial>')
    for tag in ('visual', 'collision'):
        if random.random() < 0.3:
            shape = _rarely(random, '<sphere radius="1"/>', ('<mesh filename=""/>',), 0.02)
            own = _rarely(random, '', (' name="shell"', f' name="{name}"', ' name="a::b"'), 0.1)
            parts.append(f'<{tag}{own}><geometry>{shape}</geometry></{tag}>')
    return f'<link name="{name}">' + ''.join(parts) + '</link>'


def _joint(random: Random, name: str, parent: str, child: str, joints: list[str]) -> str:
    kind = random.choice(_TYPES)
    angles = ' '.join(f'{random.uniform(-2, 2):.3f}' for _ in range(3))
    parts = [f'<parent link="{parent}"/><child link="{child}"/>'
             f'<origin xyz="0 0 0.5" rpy="{angles}"/>']
    if kind in ('revolute', 'prismatic') and random.random() < 0.98 or random.random() < 0.05:
        values = _rarely(random, ' velocity="1"', ('', ' velocity="1,5"'), 0.02)
        parts.append(f'<limit lower="-1" upper="1" effort="1"{values}/>')
    if random.random() < 0.3:
        axis = _rarely(random, ' xyz="0 0 1"', (' xyz="0 0 0"', ''), 0.04)
        parts.append(f'<axis{axis}/>')
    if random.random() < 0.06:
        parts.append(f'<mimic joint="{random.choice((*joints, name, "nowhere"))}"/>')
    if random.random() < 0.01:
        parts.append('<dynamics/>')
    return f'<joint name="{name}" type="{kind}">' + ''.join(parts) + '</joint>'


def _extension(random: Random, names: list[str], joints: list[str]) -> str:
    link, other = random.sample([*names, 'nowhere'], 2)
    joint = random.choice(joints or ['nowhere'])
    usual = (
        (joint, '<preserveFixedJoint>true</preserveFixedJoint>'),
        (joint, '<disableFixedJointLumping>true</disableFixedJointLumping>'),
        (joint, '<provideFeedback>1</provideFeedback><sensor name="force" type="force_torque"/>'),
        (link, '<sensor name="imu" type="imu"/>'),
        (link, '<mu1>0.5</mu1><material>Gazebo/Red</material>'),
        ('', '<plugin name="p" filename="p"/>'),
        ('', f'<frame name="tcp" attached_to="{other}"/>'),
        ('', f'<joint name="loop" type="revolute"><parent>{link}</parent><child>{other}</child>'
             '<axis><xyz>0 0 1</xyz></axis></joint>'))
    faulty = (
        (link, '<sensor name="imu" type="imu"/><sensor name="imu" type="imu"/>'),
        (link, '<sensor name="a::b" type="imu"/>'), (link, '<mu1>half</mu1>'),
        ('', f'<frame name="{link}"/>'))
    reference, content = random.choice(faulty if random.random() < 0.1 else usual)
    attribute = f' reference="{reference}"' if reference else ''
    return f'<gazebo{attribute}>{content}</gazebo>'
