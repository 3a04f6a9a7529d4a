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

"""The least descriptions of which an account was once wrong, as the generator has found them."""

from __future__ import annotations

from collections.abc import Mapping

_BODY = ('<inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" '
         'izz="0.1"/></inertial>')
_NEGATIVE = '<inertial><origin xyz="0 0 1"/><mass value="-1"/></inertial>'

_COLOUR = ('<visual><geometry><sphere radius="1"/></geometry><material name="m"><color rgba="{}"/>'
           '</material></visual>')


def _two(joint: str, link: str = _BODY, kind: str = 'continuous', before: str = '') -> str:
    """Return a robot of two links, with the content of its joint and of the second link."""
    return (f'<robot name="r">{before}<link name="a"/><link name="b">{link}</link>'
            f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{joint}</joint>'
            '</robot>')


def _shape(mesh: str, tag: str = 'collision') -> str:
    return (f'<robot name="r"><link name="a">{_BODY}<{tag}><geometry>{mesh}</geometry></{tag}>'
            '</link></robot>')


GENERATED_CASES: Mapping[str, str] = {
    'axis-of-a-nanometre': _two('<axis xyz="1e-9 0 0"/>'),
    'range-of-a-ball': _two('<limit lower="1" upper="2.4"/>', kind='spherical'),
    'limit-without-end': _two('<limit lower="1" upper="inf" effort="1" velocity="1"/>',
                              kind='revolute'),
    'limit-of-1e300': _two('<limit upper="1e300" effort="1" velocity="1"/>', kind='revolute'),
    'effort-of-1e308': _two('<limit effort="1e308" velocity="1e308"/>'),
    'autolimits-of-1': _two('', before='<mujoco><compiler autolimits="1"/></mujoco>'),
    'inertia-from-visual': _two(
        '', '<visual><geometry><box size="1 1 1"/></geometry></visual>',
        before='<mujoco><compiler inertiafromgeom="true"/></mujoco>'),
    'mass-not-a-number': _two('', _BODY.replace('"1"', '"nan"')),
    'negative-mass': _two('', _NEGATIVE),
    'negative-mass-lumped': _two('', _NEGATIVE, 'fixed'),
    'flat-inertia-turned': _two('', _BODY.replace(
        '<mass', '<origin rpy="0 -1.5708 0"/><mass').replace('izz="0.1"', 'izz="0.2"')),
    'mass-in-the-world': '<robot name="r"><link name="world"><inertial><mass value="0 0 1"/>'
                         '</inertial></link></robot>',
    'spring-without-parts': f'<robot name="r"><link name="a">{_BODY}</link>'
                            '<drake:linear_spring_damper/></robot>',
    'group-without-name': f'<robot name="r"><link name="a">{_BODY}</link>'
                          '<drake:collision_filter_group/></robot>',
    'rounded-inertia': _two('<origin xyz="-0 0.9 0.2"/>', '<inertial><mass value="1"/></inertial>',
                            'fixed'),
    'colour-of-three': _two('', _BODY + _COLOUR.format('1 0 0')),
    'colour-with-line-breaks': _two('', _BODY + _COLOUR.format('1&#10;0 0 1')),
    'no-mass-beside-a-cycle': '<robot name="r"><link name="a"/><link name="b"/><joint name="j" '
                              'type="continuous"><parent link="b"/><child link="b"/></joint>'
                              '</robot>',
    'sdf-without-version': '<sdf name="r"/>',
    'sdf-with-version': '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>',
    'static-without-link': '<robot name="r"><gazebo><static>true</static></gazebo>'
                           '<link name="a"/></robot>',
    **{name: f'<robot name="r">{before}<link name="a">{content}</link></robot>'
       for name, before, content in (
           ('material-of-an-earlier-visual', '',
            _BODY + _COLOUR.format('1 0 0 1') + _COLOUR.format('0 1 0 1')),
           ('material-without-color', '<material name="m"/>', _BODY + _COLOUR.format('0 1 0 1')),
           ('color-beyond-1', '', _BODY + _COLOUR.format('1 0 0 2')),
           ('denormal-inertia', '', _BODY.replace('ixy="0"', 'ixy="1e-320"')),
           ('nearly-diagonal-inertia', '', _BODY.replace('ixz="0"', 'ixz="9e-8"').replace(
               'izz="0.1"', 'izz="0.2"')))},
    'joint-named-by-a-space': _two('', _BODY, 'planar').replace('"j"', '" "').replace(
        '"a"/>', f'"a">{_BODY}</link>', 1),
    'point-lumped': _two('<origin xyz="-0.7 -0.735335 -0.5"/>',
                         '<inertial><mass value="0.9641"/></inertial>', 'fixed'),
    'link-without-name': '<robot name="r"><link/></robot>',
    'two-parents': _two('', before='<link name="c"/><joint name="k" type="continuous">'
                        '<parent link="c"/><child link="b"/></joint>').replace(
                            '</robot>', '<joint name="l" type="fixed"><parent link="c"/>'
                            '<child link="a"/></joint></robot>'),
    'cylinder-inside-out': _two(
        '', '<collision><geometry><cylinder radius="-0.1" length="1"/></geometry></collision>',
        'fixed'),
    **{f'{tag}-of-{name}': _shape(f'<mesh filename="{name}"/>', tag)
       for tag in ('visual', 'collision') for name in (
           'empty.dae', 'params.dae', 'unused.dae', 'scene.dae', 'none.stl', 'one.stl', 'tiny.stl',
           'two.obj', 'groups.obj', 'points.obj', 'meshes', 'cut.stl', 'nan.obj')}}

LEFT = {
    ('pybullet', 'no-mass-beside-a-cycle'), *(
        (program, 'effort-of-1e308') for program in ('pinocchio', 'pybullet')),
    ('mujoco', 'flat-inertia-turned'), ('mujoco', 'collision-of-points.obj'),
    *(('usd', name) for name in (
        'limit-of-1e300', 'effort-of-1e308', *(
            f'{tag}-of-{mesh}' for tag in ('visual', 'collision')
            for mesh in ('nan.obj', 'params.dae')))), ('usd', 21)}
"""
What is not modelled, by the name of the case or the number of the generated description.

Memory that PyBullet overwrites; limits of 1e16 and more, which are none here; how MuJoCo
rounds moments, and the hull that it makes of points; single precision of USD, infinite inertias,
and meshes without numbers or without names of coordinates.
"""
