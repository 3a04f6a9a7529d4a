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

"""Descriptions of mechanisms whose motion has a closed form."""

import math
import re

import numpy as np

from urdf_tools.formats.loader import loads
from urdf_tools.kinematics import Mechanism
from urdf_tools.model.loader import text_of


def joint(name, parent, child, xyz='0 0 0', axis='0 0 1', kind='continuous', rpy='0 0 0'):
    limit = '<limit lower="-10" upper="10" effort="1" velocity="1"/>' if (
        kind in ('revolute', 'prismatic')) else ''
    return (f'<link name="{child}"/><joint name="{name}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{child}"/><origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>{limit}'
            '</joint>')


def loop(name, parent, child, at='0 0 0', on='0 0 0', axis='0 0 1', kind='revolute'):
    return (f'<constraint name="{name}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{child}"/><parent_origin xyz="{at}"/><child_origin xyz="{on}"/>'
            f'<parent_axis xyz="{axis}"/><child_axis xyz="{axis}"/></constraint>')


def robot(*elements):
    return loads('<robot name="mechanism"><link name="base"/>' + '\n'.join(elements) + '</robot>')


def four_bar_parts(crank, coupler, rocker, ground, prefix='', x=0.0, kind='revolute'):
    return (
        joint(f'{prefix}a', 'base', f'{prefix}crank', f'{x} 0 0'),
        joint(f'{prefix}b', f'{prefix}crank', f'{prefix}coupler', f'{crank} 0 0'),
        joint(f'{prefix}c', 'base', f'{prefix}rocker', f'{x + ground} 0 0'),
        loop(f'{prefix}pin', f'{prefix}coupler', f'{prefix}rocker', f'{coupler} 0 0',
             f'{rocker} 0 0', kind=kind))


def four_bar(crank, coupler, rocker, ground, kind='revolute'):
    return robot(*four_bar_parts(crank, coupler, rocker, ground, kind=kind))


def slider_crank(crank, rod):
    return robot(
        joint('crank_joint', 'base', 'crank'),
        joint('rod_joint', 'crank', 'rod', f'{crank} 0 0'),
        joint('slide', 'base', 'piston', '0.1 0 0', '1 0 0', 'prismatic'),
        loop('pin', 'rod', 'piston', f'{rod} 0 0'))


def scissor_lift(stages, length):
    """Two chains of bars of half lengths; the outer ones slide on the base and on the table."""
    parts = [joint('foot', 'base', 'shoe', kind='prismatic', axis='1 0 0', xyz=f'{length} 0 0')]
    parts += [joint('a0', 'base', 'left0'), joint('b0', 'shoe', 'right0')]
    parts.append(loop('x0', 'left0', 'right0', f'{length / 2} 0 0', f'{length / 2} 0 0'))
    for stage in range(1, stages):
        # The bar that starts at the left ends at the right, where the next one starts.
        parts.append(joint(f'a{stage}', f'right{stage - 1}', f'left{stage}', f'{length} 0 0'))
        parts.append(joint(f'b{stage}', f'left{stage - 1}', f'right{stage}', f'{length} 0 0'))
        parts.append(loop(f'x{stage}', f'left{stage}', f'right{stage}',
                          f'{length / 2} 0 0', f'{length / 2} 0 0'))
    return robot(*parts)


def delta(base, arm, forearm, platform):
    """Three arms at a third of a turn, forearms with universal joints; z of the platform down."""
    parts = [joint('x', 'base', 'lx', axis='1 0 0', kind='prismatic'),
             joint('y', 'lx', 'ly', axis='0 1 0', kind='prismatic'),
             joint('z', 'ly', 'platform', axis='0 0 -1', kind='prismatic')]
    for number in range(3):
        angle = number * 2 * math.pi / 3
        at = f'{base * math.cos(angle)} {base * math.sin(angle)} 0'
        on = f'{platform * math.cos(angle)} {platform * math.sin(angle)} 0'
        parts += [
            joint(f'arm{number}', 'base', f'upper{number}', at, '0 1 0', rpy=f'0 0 {angle}'),
            joint(f'u{number}', f'upper{number}', f'cross{number}', f'{arm} 0 0', '0 1 0',
                  rpy='0 1.5707963267948966 0'),
            joint(f'v{number}', f'cross{number}', f'lower{number}', axis='0 0 1'),
            loop(f'ball{number}', f'lower{number}', 'platform', f'{forearm} 0 0', on,
                 kind='spherical')]
    return robot(*parts)


def stewart(base, platform, height):
    """Six legs of a universal joint and a slide; the pose of the platform is six joints."""
    names = ('x', 'y', 'z', 'yaw', 'pitch', 'roll')
    axes = ('1 0 0', '0 1 0', '0 0 1', '0 0 1', '0 1 0', '1 0 0')
    parts, parent = [], 'base'
    for name, axis in zip(names, axes):
        child = 'platform' if name == 'roll' else f'at_{name}'
        parts.append(joint(
            name, parent, child, f'0 0 {height if name == "x" else 0}', axis,
            'prismatic' if name in 'xyz' else 'continuous'))
        parent = child
    for leg in range(6):
        low = (leg // 2) * 2 * math.pi / 3 + (0.2 if leg % 2 else -0.2)
        high = low + (0.7 if leg % 2 else -0.7)
        at = f'{base * math.cos(low)} {base * math.sin(low)} 0'
        on = f'{platform * math.cos(high)} {platform * math.sin(high)} 0'
        parts += [
            joint(f'u{leg}', 'base', f'cross{leg}', at, '1 0 0'),
            joint(f'v{leg}', f'cross{leg}', f'barrel{leg}', axis='0 1 0'),
            joint(f'leg{leg}', f'barrel{leg}', f'piston{leg}', axis='0 0 1', kind='prismatic'),
            loop(f'ball{leg}', f'piston{leg}', 'platform', f'0 0 {height}', on,
                 kind='spherical')]
    return robot(*parts)


def peaucellier(ground, long, short):
    """Eight bars that draw a straight line; the crank is as long as the ground."""
    return robot(
        joint('crank_joint', 'base', 'crank', f'{ground} 0 0'),
        joint('p', 'base', 'long1'), joint('q', 'base', 'long2'),
        joint('r', 'long1', 'short1', f'{long} 0 0'),
        joint('s', 'long2', 'short2', f'{long} 0 0'),
        joint('t', 'crank', 'inner1', f'{ground} 0 0'),
        joint('u', 'crank', 'inner2', f'{ground} 0 0'),
        loop('end', 'short1', 'short2', f'{short} 0 0', f'{short} 0 0'),
        loop('in1', 'inner1', 'long1', f'{short} 0 0', f'{long} 0 0'),
        loop('in2', 'inner2', 'long2', f'{short} 0 0', f'{long} 0 0'))


def gripper(is_geared):
    """Two fingers of the dimensions of a Robotiq 2F-85, each a four-bar, perhaps with gears."""
    parts = []
    for side, s in (('left', 1), ('right', -1)):
        parts += [
            joint(f'{side}_knuckle', 'base', f'{side}_bar', f'{0.0306 * s} 0 0.0549', '0 1 0'),
            joint(f'{side}_spring', 'base', f'{side}_rod', f'{0.0127 * s} 0 0.0614', '0 1 0'),
            joint(f'{side}_follower', f'{side}_bar', f'{side}_tip', f'{0.0317 * s} 0 0.0394',
                  '0 1 0'),
            loop(f'{side}_pin', f'{side}_tip', f'{side}_rod', f'{-0.0122 * s} 0 0.0068',
                 f'{0.0374 * s} 0 0.0397', '0 1 0')]
    return robot(*parts, '<coupling name="gears"><predecessor link="left_bar"/><successor '
                 'link="right_bar"/><ratio value="-1"/></coupling>' if is_geared else '')


def heavy(massless):
    """Return a robot whose links all have masses, each another one."""
    masses = iter(range(1, 1000))

    def link(match):
        n = next(masses)
        return (f'<link name="{match[1]}"><inertial><origin xyz="0.0{n % 7} 0.0{n % 5} 0.01" '
                f'rpy="0.1 0.2 0.{n % 9}"/><mass value="{0.25 * (n % 4 + 2)}"/>'
                '<inertia ixx="0.02" ixy="0.001" ixz="0.002" iyy="0.03" iyz="-0.001" izz="0.025"/>'
                '</inertial></link>')

    return loads(re.sub(r'<link name="([^"]+)"/>', link, text_of(massless).decode()))


CLOSED_CHAINS = {
    'four-bar': (four_bar(0.1, 0.35, 0.3, 0.4), {'a': 0.5, 'b': 0.4, 'c': 1.5}, ('a',)),
    'four-bar, rocker driven': (
        four_bar(0.1, 0.35, 0.3, 0.4), {'a': 1.5, 'b': 0.4, 'c': 1.5}, ('c',)),
    'slider-crank': (slider_crank(0.05, 0.15), {'crank_joint': 0.7}, ('crank_joint',)),
    'slider-crank, piston driven': (slider_crank(0.05, 0.15), {'crank_joint': 0.7}, ('slide',)),
    'delta': (delta(0.2, 0.3, 0.6, 0.05), {'arm0': 0.3, 'arm1': 0.3, 'arm2': 0.3},
              ('arm0', 'arm1', 'arm2')),
    'Stewart platform': (stewart(0.5, 0.3, 0.6), {}, tuple(f'leg{leg}' for leg in range(6))),
    'gripper': (gripper(False), {'left_knuckle': 0.2, 'right_knuckle': -0.3},
                ('left_knuckle', 'right_knuckle')),
    'gripper with gears': (gripper(True), {'left_knuckle': 0.2, 'right_knuckle': -0.2},
                           ('left_knuckle',))}
"""Mechanisms with initial positions, and joints that are driven."""


def closed_chain(name):
    """Return the mechanism of a name with masses, its joints that are driven, and motions."""
    massless, initial, driven = CLOSED_CHAINS[name]
    mechanism = Mechanism(heavy(massless), initial)
    tree, rng = mechanism.tree, np.random.default_rng(0)
    moved = np.tile(mechanism.start, (4, 1))
    moved[:, [tree.variable_index[each] for each in driven]] += (
        0.02 * rng.uniform(-1, 1, (4, len(driven))))
    closure = mechanism.close(moved, driven, start=mechanism.start)
    assert closure.closed.all()
    return mechanism, driven, (closure.positions, *rng.normal(
        0, 0.1, (2, 4, len(tree.velocity_names))))
