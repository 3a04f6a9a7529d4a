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

"""Which links touch by their shapes, but not by their visual geometry."""

from time import process_time

import numpy as np
import pytest

from urdf_tools import loads
from urdf_tools.collision.solids import shell
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.surface import Surface
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere

module = pytest.importorskip('urdf_tools.collision.contacts')

ROBOT = """<robot name="slide">
  <link name="base"/><link name="mid"/><link name="tip"/>
  <joint name="lift" type="prismatic">
    <origin xyz="{} {} {}"/>
    <parent link="base"/><child link="mid"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="mid"/><child link="tip"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>"""


def slide(x=0.0, y=0.0, z=0.0):
    return loads(ROBOT.format(x, y, z))


def solid(shape, x=0.0):
    return Solid(shape, np.eye(3), np.array([x, 0, 0]))


def finder(seen, robot):
    return module.NewContacts(
        robot, {name: Surface(solid(shape).triangles) for name, shape in seen.items()})


def contacts(shapes, seen):
    return [*finder(seen, slide()).pairs(
        {name: [solid(shape)] for name, shape in shapes.items()})]


def test_a_pair_whose_shapes_are_too_large_is_new():
    seen = {'base': Box((0.01, 0.01, 0.01)), 'tip': Box((0.01, 0.01, 0.01))}
    for distance, expected in ((0.9, [('base', 'tip')]), (1.1, [])):
        assert [*finder(seen, slide(distance)).pairs(
            {name: [solid(Sphere(0.5))] for name in seen})] == expected


@pytest.mark.parametrize('shape', [Box((0.4, 0.3, 0.5)), Cylinder(0.2, 0.6), Sphere(0.3)])
def test_shapes_that_are_what_is_seen_are_not_new(shape):
    assert contacts({'base': shape, 'tip': shape}, {'base': shape, 'tip': shape}) == []


def test_joined_links_do_not_count():
    assert contacts({'base': Sphere(1), 'mid': Sphere(1)},
                    {'base': Sphere(0.1), 'mid': Sphere(0.1)}) == []


@pytest.mark.parametrize('place, expected', [
    ((0.3009, 0, 0), True), ((0.3011, 0, 0), False),    # Beside it.
    ((0.29, 0.29, 0), True),                            # One corner is in a side.
    ((0, 0, 0), True),                                  # Inside, far from all sides.
    ((0.3011, 0.3011, 0), False)])
def test_visuals_touch_within_a_millimetre(place, expected):
    small, large = Box((0.1, 0.1, 0.1)), Box((0.5, 0.5, 0.5))
    for seen in ({'base': small, 'tip': large}, {'base': large, 'tip': small}):
        found = finder(seen, slide(*place)).pairs(dict.fromkeys(seen, [solid(Sphere(1))]))
        assert list(found) == ([] if expected else [('base', 'tip')])


def test_what_is_in_the_hollow_of_a_link_does_not_touch_it():
    robot, bowl = slide(0, 0, 0.1), solid(Cylinder(0.5, 1)).triangles
    bowl = np.concatenate([bowl, 0.9 * bowl[:, ::-1]])
    seen = {'base': Surface(bowl), 'tip': Surface(solid(Sphere(0.1)).triangles)}
    shapes = dict.fromkeys(seen, [solid(Sphere(1))])
    assert list(module.NewContacts(robot, seen).pairs(shapes)) == [('base', 'tip')]
    wall = solid(Cylinder(0.01, 0.01), 0.475).triangles
    seen['tip'] = Surface(wall)
    assert not list(module.NewContacts(robot, seen).pairs(shapes))


def collide(first, second):
    """Return whether two shapes touch at zero, of links that are far from each other."""
    far = {'base': Box((0.01, 0.01, 0.01)), 'tip': Box((0.01, 0.01, 0.01))}
    robot = slide(100.0)
    near = Solid(second.shape, second.rotation, second.centre - [100, 0, 0])
    return bool([*finder(far, robot).pairs({'base': [first], 'tip': [near]})])


@pytest.mark.parametrize('gap, expected', [(-0.01, True), (-1e-5, False), (0.01, False)])
@pytest.mark.parametrize('shape', [
    Box((0.2, 0.2, 0.2)), Cylinder(0.1, 0.2), Sphere(0.1), Capsule(0.1, 0.3)])
def test_shapes_collide(shape, gap, expected):
    first, second = solid(shape), solid(Sphere(0.1), 0.2 + gap)
    assert collide(first, second) is collide(second, first) is expected
    assert collide(first, first)


def test_a_mesh_collides_where_its_triangles_are():
    sides = [solid(Box((0.1, 0.5, 0.1)), x).triangles for x in (-0.2, 0.2)]
    sides += [solid(Box((0.3, 0.1, 0.1))).triangles + [0, y, 0] for y in (-0.2, 0.2)]
    ring = shell(np.concatenate(sides))
    assert not collide(ring, solid(Sphere(0.1)))
    assert collide(ring, solid(Sphere(0.16)))


def test_very_many_links_that_are_far_from_each_other():
    links = ''.join(f'<link name="l{number}"/>' for number in range(1000))
    joints = ''.join(
        f'<joint name="j{number}" type="continuous"><origin xyz="1 0 0"/><axis xyz="0 0 1"/>'
        f'<parent link="l{number - 1}"/><child link="l{number}"/></joint>'
        for number in range(1, 1000))
    robot = loads(f'<robot name="chain">{links}{joints}</robot>')
    found = module.NewContacts(robot, dict.fromkeys(
        robot.links, Surface(solid(Box((0.01, 0.01, 0.01))).triangles)))
    shapes = dict.fromkeys(robot.links, [solid(Sphere(0.1))])
    shapes['l7'] = shapes['l9'] = [solid(Sphere(1.01))]
    begin = process_time()
    assert [*found.pairs(shapes)] == [('l7', 'l9')]
    assert [*found.pairs(shapes, 'l9')] == [*found.pairs(shapes, 'l7')] == [('l7', 'l9')]
    assert process_time() - begin < 2
