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

"""Which links touch at random configurations by their shapes, but not for the eye."""

import numpy as np
import pytest

from urdf_tools import loads
from urdf_tools.collision_shapes.convex_contacts import Convex
from urdf_tools.collision_shapes.convex_contacts import overlap
from urdf_tools.collision_shapes.eye_contacts import touch_for_the_eye
from urdf_tools.collision_shapes.random_contacts import new_contacts
from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.meshes.shape_triangles import shape_triangles
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Sphere

ROBOT = loads("""<robot name="slide">
  <link name="base"/><link name="mid"/><link name="tip"/>
  <joint name="lift" type="prismatic">
    <parent link="base"/><child link="mid"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="mid"/><child link="tip"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>""")


def solid(shape):
    return Solid(shape, np.eye(3), np.zeros(3))


def surface(shape):
    found = shape_triangles(shape)
    return Surface(found.vertices.astype(float)[found.faces])


def contacts(shapes, seen, number=400):
    solids = {name: [solid(shape)] for name, shape in shapes.items()}
    return list(new_contacts(
        ROBOT, solids, {name: surface(shape) for name, shape in seen.items()}, number))


def test_a_pair_whose_shapes_are_too_large_is_new():
    found, = contacts({'base': Sphere(0.5), 'tip': Sphere(0.5)},
                      {'base': Box((0.01, 0.01, 0.01)), 'tip': Box((0.01, 0.01, 0.01))})
    positions = robot_positions(400)
    tips = ForwardKinematics(ROBOT, ['tip'])(positions)[:, 0, :3, 3]
    assert found.links == ('base', 'tip')
    assert found.number == (np.linalg.norm(tips, axis=1) < 1 - 1e-4).sum()


def robot_positions(number):
    return ForwardKinematics(ROBOT).tree.random_configuration(np.random.default_rng(0), number)


@pytest.mark.parametrize('shape', [Box((0.4, 0.3, 0.5)), Cylinder(0.2, 0.6), Sphere(0.3)])
def test_shapes_that_are_what_is_seen_are_not_new(shape):
    assert contacts({'base': shape, 'tip': shape}, {'base': shape, 'tip': shape}) == []


def test_joined_links_do_not_count():
    assert contacts({'base': Sphere(1), 'mid': Sphere(1)},
                    {'base': Sphere(0.1), 'mid': Sphere(0.1)}) == []


def test_links_out_of_reach_are_not_new():
    assert contacts({'base': Sphere(0.01), 'tip': Sphere(0.01)},
                    {'base': Sphere(0.001), 'tip': Sphere(0.001)}, 20) == []


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


@pytest.mark.parametrize('x, expected', [
    (0.0, True), (0.35, False), (0.3486, False), (0.3484, True)])
def test_overlaps_at_many_poses_are_those_of_one_shape(x, expected):
    # A diamond of two triangles beside an upright cylinder of 0.25 m.
    triangles = Convex(np.array([[[-0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0]],
                                 [[0, 0, 0.9], [0.1, 0.1, 0.9], [0.1, -0.1, 0.9]]]))
    cylinder = Convex.of(solid(Cylinder(0.2485, 1)))
    found = overlap(triangles, cylinder, np.stack([at(x), at(x)]))
    assert found.tolist() == [expected, False]


@pytest.mark.parametrize('pose, expected', [
    (at(0.3009), True), (at(0.3011), False),    # Beside it.
    (at(0.29, 0.29), True),                     # One corner is in a side.
    (at(0.0), True),                            # Inside, far from all sides.
    (at(0.3011, 0.3011), False)])
def test_links_touch_for_the_eye_within_a_millimetre(pose, expected):
    small, large = surface(Box((0.1, 0.1, 0.1))), surface(Box((0.5, 0.5, 0.5)))
    assert touch_for_the_eye(small, large, pose) is expected
    assert touch_for_the_eye(large, small, np.linalg.inv(pose)) is expected
