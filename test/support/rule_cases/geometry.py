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

"""Cases of the rules about shapes and materials."""

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import GEOMETRY
from support.validation_cases import LINK
from support.validation_cases import masses
from support.validation_cases import ROBOT
from support.validation_cases import VISUAL
from support.validation_cases import WHOLE

from urdf_tools.findings.finding import Severity

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO

REFUSES = 'refuses the description'

BALL = '<collision><geometry><sphere radius="1"/></geometry></collision>'

CYLINDER = '<collision><geometry><cylinder radius="{}" length="{}"/></geometry></collision>\n'

IN_BOX = '<visual><geometry><box size="0.1 0.12 0.3"/></geometry></visual>\n'

SAME_MESH = (
    '<visual><geometry><mesh filename="package://robot/part.stl"/></geometry></visual>\n'
    '<collision><origin xyz="{} 0 0"/>\n'
    '<geometry><mesh filename="package://robot/part.stl"/></geometry></collision>')


SHIFTED = (
    '<visual><origin xyz="0 0 0.01"/><geometry><box size="0.1 0.1 0.3"/></geometry></visual>\n'
    '<collision><origin xyz="0 0 {}"/><geometry><cylinder radius="0.05" length="0.3"/></geometry>'
    '</collision>')


def _wheels(radius):
    """Return a left wheel with a collision of this radius in m, and a right one with 0.3 m."""
    shape = '<geometry><cylinder radius="{}" length="0.1"/></geometry>'
    return '<link name="base_link"/>\n' + ''.join(
        f'<link name="{side}_wheel"><visual>{shape.format(0.3)}</visual>\n'
        f'<collision>{shape.format(size)}</collision></link><joint name="{side}" '
        f'type="continuous"><parent link="base_link"/><child link="{side}_wheel"/>'
        f'<origin xyz="0 {y} 0"/></joint>\n' for side, size, y in (
            ('l', radius, 0.2), ('r', 0.3, -0.2)))


HEAVY = (
    '<mass value="1"/>\n  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.02"/>'
    '</inertial>')

CHASSIS = """\
<link name="base_link">
  <visual><geometry><mesh filename="missing.dae"/></geometry></visual>
  <collision><geometry><box size="{}"/></geometry></collision></link>
<link name="a"/><joint name="j" type="fixed"><parent link="base_link"/><child link="a"/>
<origin xyz="0.5 0 0"/></joint>"""

OF_DISC = """\
<inertial><mass value="1"/>
  <inertia ixx="0.002633" ixy="0" ixz="0" iyy="0.002633" iyz="0" izz="0.005"/></inertial>"""


def shins(radius, length):
    """Return a left and a right shin, with the size of the right one."""
    return '<link name="base"/>' + ''.join(
        f'\n<link name="{side}_shin">{CYLINDER.format(*size).strip()}</link>'
        f'<joint name="{side}" type="fixed"><parent link="base"/><child link="{side}_shin"/>'
        '</joint>' for side, size in (('l', (0.04, 0.1)), ('r', (radius, length))))


TURNING = """\
<link name="base"/><joint name="j" type="continuous"><parent link="base"/><child link="arm"/>
<axis xyz="0 0 2"/></joint><link name="arm"><visual><origin xyz="{}"/><geometry>
<sphere radius="0.1"/></geometry></visual></link>"""

CASES = (
    example('geometry-missing', 3, "Collision 'c' of link 'base_link' has no <geometry>"),
    example('geometry-empty', 4, "The <geometry> of <visual> of link 'base_link' is empty"),
    example(
        'geometry-unknown', 4,
        "<cone> of <collision> of link 'base_link' is not a shape of URDF"),
    Case(
        'geometry-unknown', VISUAL,
        '<geometry><cone/></geometry>',
        '<geometry><sphere radius="1"/></geometry>',
        4, "<cone> of <visual> of link 'base_link' is not a shape of URDF"),
    Case(
        'geometry-unknown', GEOMETRY,
        '<sphere radius="1"/><cone/>',
        '<sphere radius="1"/>',
        4, "<cone> of <collision> of link 'base_link' is not a shape of URDF",
        WARN, effects={'urdf_parser_py': REFUSES}),
    Case(
        'geometry-unknown', WHOLE,
        '<robot name="r" xmlns:drake="drake"><link name="base_link"><collision><geometry>\n'
        '  <drake:ellipsoid a="1" b="1" c="1"/>\n'
        '</geometry></collision></link></robot>',
        '<robot name="r"><link name="base_link"><collision><geometry>\n'
        '  <sphere radius="1"/>\n'
        '</geometry></collision></link></robot>',
        2, "<drake:ellipsoid> of <collision> of link 'base_link' is not a shape of URDF", WARN),
    example(
        'geometry-multiple', 4,
        "<visual> of link 'base_link' has 2 shapes (<sphere>, <box>)"),
    example('size-missing', 4, "The <cylinder> of link 'base_link' has no length"),
    example(
        'size-not-positive', 4,
        "The size of the <box> of link 'base_link' is not positive (1 1 0)", ERROR, effects={},
        unaffected=('moveit',)),
    Case(
        'size-not-positive', GEOMETRY,
        '<cylinder radius="0" length="0"/>',
        '<cylinder radius="1" length="1"/>',
        4, "The radius and length of the <cylinder> of link 'base_link' are not positive (0, 0)",
        ERROR),
    Case(
        'size-not-positive', GEOMETRY,
        '<sphere radius="0"/>',
        '<sphere radius="0.001"/>',
        4, "The radius of the <sphere> of link 'base_link' is not positive (0)",
        WARN, effects={}, unaffected=('moveit',)),
    Case(
        'size-not-positive', GEOMETRY,
        '<sphere radius="-1"/>',
        '<sphere radius="1"/>',
        4, "The radius of the <sphere> of link 'base_link' is not positive (-1)",
        ERROR, effects={'moveit': REFUSES}),
    Case(
        'size-not-positive', VISUAL,
        '<geometry><sphere radius="-1"/></geometry>',
        '<geometry><sphere radius="1"/></geometry>',
        4, "The radius of the <sphere> of link 'base_link' is not positive (-1)",
        ERROR, effects={}, unaffected=('moveit',)),
    Case(
        'size-not-positive', VISUAL,
        '<geometry><box size="0 0 0"/></geometry>',
        '<geometry><box size="0.001 0.001 0.001"/></geometry>',
        4, "The size of the <box> of link 'base_link' is not positive (0 0 0)", WARN),
    Case(
        'size-not-positive', VISUAL,
        '<geometry><sphere radius="0"/></geometry>',
        '<geometry><sphere radius="1"/></geometry>',
        4, "The radius of the <sphere> of link 'base_link' is not positive (0)",
        WARN, ('tesseract',)),
    Case(
        'size-not-positive', WHOLE,
        '<robot name="r" version="1.2"><link name="base_link">\n'
        '  <visual><geometry><box size="0 0 0"/></geometry></visual>\n'
        '</link></robot>',
        '<robot name="r" version="1.2"><link name="base_link">\n'
        '  <visual><geometry><box size="1 1 1"/></geometry></visual>\n'
        '</link></robot>',
        2, "The size of the <box> of link 'base_link' is not positive (0 0 0)", ERROR),
    example(
        'mesh-no-filename', 4,
        "The <mesh> of link 'base_link' has no filename", effects={'urdf_parser_py': REFUSES}),
    Case(
        'mesh-no-filename', VISUAL,
        '<geometry><mesh filename=""/></geometry>',
        '<geometry><mesh filename="part.stl"/></geometry>',
        4, "The <mesh> of link 'base_link' has no filename",
        effects={}, unaffected=('urdf_parser_py',)),
    Case(
        'mesh-no-filename', GEOMETRY,
        '<mesh filename=""/>',
        '<mesh filename="part.stl"/>',
        4, "The <mesh> of link 'base_link' has no filename"),
    example(
        'mesh-scale-zero', 4,
        "The scale of the <mesh> of link 'base_link' contains a zero (1 1 0)"),
    Case(
        'mesh-scale-zero', VISUAL,
        '<geometry><mesh filename="part.stl" scale="0 1 1"/></geometry>',
        '<geometry><mesh filename="part.stl"/></geometry>',
        4, "The scale of the <mesh> of link 'base_link' contains a zero (0 1 1)"),
    example(
        'mesh-scale-negative', 4,
        "The scale of the <mesh> of link 'base_link' is negative (1 -1 1)"),
    example(
        'mesh-scheme-unsupported', 4,
        "'https://example.org/part.stl' is fetched from the network by Gazebo and RViz alone",
        effects={'rviz': 'blocks while it downloads the mesh'}, unaffected=('moveit',)),
    Case(
        'mesh-scheme-unsupported', GEOMETRY,
        '<mesh filename="file:///part.stl"/>',
        '<mesh filename="package://parts/part.stl"/>',
        4, "'file:///part.stl' is a path that exists on one machine only, and does not exist on "
           'this one', INFO, effects={}, unaffected=('rviz', 'moveit')),
    Case(
        'mesh-scheme-unsupported', GEOMETRY,
        '<mesh filename="part.stl"/>',
        '<mesh filename="package://parts/part.stl"/>',
        4, "'part.stl' is a path relative to the description",
        INFO, effects={'rviz': 'drops the shape', 'moveit': 'drops the shape'}),
    Case(
        'mesh-scheme-unsupported', VISUAL,
        '<geometry><mesh filename="part.stl"/></geometry>',
        '<geometry><mesh filename="package://parts/part.stl"/></geometry>',
        4, "'part.stl' is a path relative to the description",
        INFO, effects={'rviz': 'drops the shape'}, unaffected=('moveit',)),
    Case(
        'mesh-scheme-unsupported', VISUAL,
        '<geometry><mesh filename="model://parts/part.stl"/></geometry>',
        '<geometry><mesh filename="package://parts/part.stl"/></geometry>',
        4, "'model://parts/part.stl' has the scheme of Gazebo, which RViz does not know",
        INFO, effects={'rviz': 'drops the shape'}, unaffected=('moveit',)),
    example('visual-without-collision', 2, "Link 'base_link' has a <visual> but no <collision>"),
    Case(
        'visual-without-collision', ROBOT,
        f'<link name="base_link">{BALL}</link>\n'
        '<link name="cover">\n'
        '  <visual><geometry><sphere radius="1"/></geometry></visual>\n'
        '</link>\n'
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="cover"/></joint>',
        f'<link name="base_link">{BALL}</link>\n'
        '<link name="cover"/>\n'
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="cover"/></joint>',
        3, "Link 'cover' has a <visual> but no <collision>", INFO),
    Case(
        'visual-without-collision', LINK,
        '<visual><geometry><box size="0.035 0.027 0.006"/></geometry></visual>',
        '<visual><geometry><box size="0.01 0.01 0.01"/></geometry></visual>',
        2, "Link 'base_link' has a <visual> but no <collision>"),
    Case(
        'visual-without-collision', LINK,
        '<visual><geometry><sphere radius="1"/></geometry></visual>\n<!-- <collision/> -->',
        f'{BALL}<visual><geometry><sphere radius="1"/></geometry></visual>',
        2, "Link 'base_link' has a <visual> but no <collision>", Severity.INFO),
    example('collision-without-visual', 2, "Link 'base_link' has a <collision> but no <visual>"),
    Case(
        'collision-far-from-visual', LINK,
        f'{BALL}<visual><geometry><sphere radius="0.1"/></geometry></visual>\n'
        '<visual><origin xyz="0 0 12"/><geometry><sphere radius="0.1"/></geometry></visual>',
        f'{BALL}<visual><geometry><sphere radius="0.1"/></geometry></visual>\n'
        '<visual><origin xyz="0 0 2"/><geometry><sphere radius="0.1"/></geometry></visual>',
        4, "The <visual> is 10.9 m away from all other shapes of link 'base_link', which are at "
        'most 3.46 m across'),
    example(
        'collision-far-from-visual', 4,
        "The collisions of link 'base_link' are 2.8 m away from its visuals, but both are "
        'at most 0.346 m across'),
    example(
        'shapes-far-from-axis', 2, "The shapes of link 'base_link', 0.346 m across, are 1 m from "
        'its frame'),
    Case(
        'shapes-far-from-axis', ROBOT,
        TURNING.format('0.6 0 0'), TURNING.format('0 0 0.6'), 3,
        "The shapes of link 'arm', 0.346 m across, are 0.6 m from the axis of its joint"),
    example(
        'collision-pose-differs', 5, "The cylinder of link 'base_link' as a collision is turned "
        'by 90 degrees from the same cylinder as a visual: the <origin> is "0 0 0" with rpy '
        '"0 0 0", that of the visual "0 0 0" with rpy "1.5708 0 0"'),
    Case(
        'collision-pose-differs', LINK, SAME_MESH.format(0.051), SAME_MESH.format(0.0005),
        5, "The mesh of link 'base_link' as a collision is 0.051 m away from the same mesh as a "
        'visual: the <origin> is "0.051 0 0" with rpy "0 0 0", that of the visual "0 0 0" with '
        'rpy "0 0 0"'),
    Case(
        'collision-pose-differs', LINK, SHIFTED.format(0.16), SHIFTED.format(0.01),
        4, "The collisions of link 'base_link' have the size of its visuals, but their middle is "
        '0.15 m away from that of the visuals'),
    example(
        'collision-larger-than-visual', 4, "The collisions of link 'base_link' are 3.46 m across, "
        '10 times as much as its visuals'),
    example(
        'collision-of-other-link', 9, "Link 'd' has the collision mesh of link 'c', 'c.stl'; "
        'the meshes of 3 links have the same name for both'),
    Case(
        'collision-of-other-link', ROBOT,
        ''.join(f'<link name="{name}"><visual><geometry><mesh filename="{mesh}.dae"/></geometry>'
                f'</visual>\n<collision><geometry><mesh filename="{name}.stl"/></geometry>'
                '</collision></link>\n' for name, mesh in zip('abcd', 'abcc')),
        ''.join(f'<link name="{name}"><visual><geometry><mesh filename="{mesh}.dae"/></geometry>'
                f'</visual>\n<collision><geometry><mesh filename="{name}.stl"/></geometry>'
                '</collision></link>\n' for name, mesh in zip('abcd', 'abcd')),
        8, "Link 'd' has the visual mesh of link 'c', 'c.dae'; the meshes of 3 links have the "
        'same name for both'),
    example(
        'length-in-millimetres', 4,
        "The <origin> of <visual> of link 'base_link' is 125 m away, 500 times the size of the "
        'largest shape'),
    Case(
        'length-in-millimetres', LINK,
        '<visual><geometry><cylinder radius="0.05" length="0.04"/></geometry></visual>\n'
        '<collision>\n'
        '  <geometry><cylinder radius="50" length="40"/></geometry>\n'
        '</collision>',
        '<visual><geometry><cylinder radius="0.05" length="0.04"/></geometry></visual>\n'
        '<collision>\n'
        '  <geometry><cylinder radius="0.05" length="0.04"/></geometry>\n'
        '</collision>',
        5, "The <cylinder> of link 'base_link' is 100 m long, 1000 times as long as the visuals "
           'of the link'),
    Case(
        'length-in-millimetres', ROBOT,
        '<link name="world"/>\n'
        '<link name="base_link"><visual><geometry><sphere radius="0.1"/></geometry></visual>\n'
        '</link>\n'
        '<link name="finger"/>\n'
        '<joint name="far" type="fixed">\n'
        '  <origin xyz="300 0 0"/><parent link="world"/><child link="base_link"/>\n'
        '</joint>\n'
        '<joint name="j" type="prismatic"><parent link="base_link"/><child link="finger"/>\n'
        '  <limit lower="0" upper="85" effort="1" velocity="1"/>\n'
        '</joint>',
        '<link name="world"/>\n'
        '<link name="base_link"><visual><geometry><sphere radius="0.1"/></geometry></visual>\n'
        '</link>\n'
        '<link name="finger"/>\n'
        '<joint name="far" type="fixed">\n'
        '  <origin xyz="300 0 0"/><parent link="world"/><child link="base_link"/>\n'
        '</joint>\n'
        '<joint name="j" type="prismatic"><parent link="base_link"/><child link="finger"/>\n'
        '  <limit lower="-1000" upper="1000" effort="1" velocity="1"/>\n'
        '</joint>',
        10, "Joint 'j' moves from 0 to 85 m, 425 times the size of the largest shape"),
    example('no-geometry-at-all', 1, 'No link has a <visual> or a <collision>'),
    example(
        'collision-is-visual-mesh', 4,
        "Link 'base_link' has the visual mesh 'part.dae' as its collision mesh"),
    example(
        'material-no-name', 2,
        'The <material> has no name', effects={'urdf_parser_py': REFUSES}),
    Case(
        'material-no-name', VISUAL,
        '<material><color rgba="1 0 0 1"/></material>',
        '<material name="red"><color rgba="1 0 0 1"/></material>',
        4, "The <material> of link 'base_link' has no name"),
    Case(
        'material-no-name', VISUAL,
        '<material name=""><color rgba="1 0 0 1"/></material>',
        '<material name="red"><color rgba="1 0 0 1"/></material>',
        4, "The <material> of link 'base_link' has an empty name", INFO, ()),
    example('material-undefined', 4, "Material 'red' of link 'base_link' is not defined"),
    Case(
        'material-undefined', ROBOT,
        '<link name="base_link"><visual><material name="red"/></visual></link>\n'
        '<link name="tip"><visual>\n'
        '  <material name="red"><color rgba="1 0 0 1"/></material>\n'
        '</visual></link>',
        '<link name="base_link"><visual>\n'
        '  <material name="red"><color rgba="1 0 0 1"/></material>\n'
        '</visual></link>\n'
        '<link name="tip"><visual><material name="red"/></visual></link>',
        2, "Material 'red' of link 'base_link' is defined only later, on line 4"),
    example(
        'material-no-color-or-texture', 2,
        "Material 'red' has neither a <color> nor a <texture>", effects={},
        unaffected=('urdf_parser_py',)),
    Case(
        'material-no-color-or-texture', VISUAL,
        '<material name="red"><color/></material>',
        '<material name="red"><color rgba="1 0 0 1"/></material>',
        4, "The <color> of material 'red' of link 'base_link' has no rgba", WARN),
    Case(
        'material-no-color-or-texture', VISUAL,
        '<material/>',
        '<material name="red"><color rgba="1 0 0 1"/></material>',
        4, "<material> of link 'base_link' has neither a <color> nor a <texture>", WARN, ()),
    example('texture-no-filename', 2, "The <texture> of material 'red' has no filename"),
    example(
        'rgba-out-of-range', 2,
        "The rgba of material 'red' is not between 0 and 1 (255 0 0 1)",
        effects={'tesseract': REFUSES}),
    Case(
        'rgba-out-of-range', ROBOT,
        '<material name="red"><color rgba="255 0 0 1"/></material>\n'
        '<link name="base_link"><visual><material name="red"/></visual></link>',
        '<material name="red"><color rgba="1 0 0 1"/></material>\n'
        '<link name="base_link"><visual><material name="red"/></visual></link>',
        2, "The rgba of material 'red' is not between 0 and 1 (255 0 0 1)"),
    example('alpha-zero', 2, "Material 'red' is fully transparent (alpha is 0)"),
    example(
        'cylinder-swapped', 4, "The collision of link 'base_link' is a cylinder with a radius of "
        '0.04 m and a length of 0.1 m, but its visuals fit it with both swapped'),
    Case(
        'cylinder-swapped', LINK,
        CYLINDER.format(0.04, 0.1) + OF_DISC, CYLINDER.format(0.1, 0.04) + OF_DISC,
        3, "The collision of link 'base_link' is a cylinder with a radius of 0.04 m and a length "
        'of 0.1 m, but its inertia fits it with both swapped'),
    Case(
        'cylinder-swapped', ROBOT, shins(0.1, 0.04), shins(0.04, 0.1),
        4, "The collision of link 'r_shin' is a cylinder with a radius of 0.1 m and a length of "
        "0.04 m, but its mirror image, link 'l_shin', has both swapped"),
    Case(
        'cylinder-swapped', ROBOT,
        masses(1, 1).replace('</inertial></link>\n<joint', '</inertial>' + CYLINDER.format(
            0.03, 0.1) + '</link>\n<joint').replace('"j"', '"wheel"'),
        masses(1, 1).replace('</inertial></link>\n<joint', '</inertial>' + CYLINDER.format(
            0.1, 0.03) + '</link>\n<joint').replace('"j"', '"wheel"'),
        9, "The collision of link 'tip' is a cylinder with a radius of 0.03 m and a length of 0.1 "
        'm, but a wheel is not 3 times as wide as its radius'),
    Case(
        'cylinder-swapped', LINK,
        IN_BOX + CYLINDER.format(0.17, 0.04), IN_BOX + CYLINDER.format(0.04, 0.17),
        4, "The collision of link 'base_link' is a cylinder with a radius of 0.17 m and a length "
        'of 0.04 m, but its visuals fit it with both swapped'),
    example(
        'length-in-centimetres', 7, "The <origin> of joint 'j' is 12.5 m away, "
        '50 times the size of the largest shape, as if it were in centimetres'),
    Case(
        'length-in-millimetres', LINK,
        '<visual><geometry><box size="0.1 0.1 0.25"/></geometry></visual>\n'
        f'<inertial>\n  <origin xyz="0 0 125"/>{HEAVY}',
        '<visual><geometry><box size="0.1 0.1 0.25"/></geometry></visual>\n'
        f'<inertial>\n  <origin xyz="0 0 0.1"/>{HEAVY}',
        5, "The <origin> of <inertial> of link 'base_link' is 125 m away, 500 times the size of "
        'the largest shape'),
    Case(
        'length-in-millimetres', ROBOT,
        CHASSIS.format('450 300 120'), CHASSIS.format('0.45 0.3 0.12'),
        4, "The <box> of link 'base_link' is 450 m long, 900 times as long as the rest of "
        'the robot'),
    example(
        'mirrored-shape-differs', 11, "The sphere of link 'r_wheel' measures 0.39 m, but that of "
        "its mirror image, link 'l_wheel', measures 0.3 m"),
    Case(
        'mirrored-shape-differs', ROBOT, _wheels(0.39), _wheels(0.3),
        4, "The cylinder of link 'l_wheel' measures 0.39 m, but that of its mirror image, link "
        "'r_wheel', measures 0.3 m"),
)
