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
"""What the scene holds: poses, layers and shapes of the robots of the corpus and of our own."""

from __future__ import annotations

import numpy as np
import pytest
from urdf_tools import KinematicTree
from urdf_tools import loads
from urdf_tools import ResourceResolver

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from support.scene_poses import link_poses  # noqa: E402,I100,I202
from urdf_tools.view.local_server import LocalServer  # noqa: E402
from urdf_tools.view.robot_view import HIGHLIGHT  # noqa: E402
from urdf_tools.view.robot_view import Layer  # noqa: E402
from urdf_tools.view.robot_view import RobotView  # noqa: E402
from urdf_tools.view.shape_library import MeshScenes  # noqa: E402
from urdf_tools.view.shape_library import ShapeLibrary  # noqa: E402

pytestmark = pytest.mark.slow

ARM = """<robot name="arm">
<link name="base/link"><inertial><mass value="2"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
<link name="tool"><inertial><origin xyz="1 0 0"/><mass value="2"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="none.stl"/></geometry></visual>
  <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="turn" type="revolute"><origin xyz="0 0 1"/><axis xyz="0 0 1"/>
  <parent link="base/link"/><child link="tool"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.fixture(scope='module')
def server():
    server = LocalServer(port=8450)
    yield server
    server.stop()


@pytest.fixture
def arm(server):
    view = view_of(server, loads(ARM), ResourceResolver('.'))
    yield view
    view.remove()


def view_of(server, robot, resources):
    return RobotView(
        server, KinematicTree(robot), ShapeLibrary(robot, resources.resolve, MeshScenes()))


def test_robots_of_the_corpus(server, corpus_robot):
    """All open with all layers, and stand where other programs say they do."""
    robot = corpus_robot.robot
    packages = {path.name: path for path in corpus_robot.packages.iterdir() if path.is_dir()}
    view = view_of(
        server, robot, ResourceResolver(corpus_robot.path.parent, packages=packages))
    for layer in Layer:
        view.show(layer)
    for expected in (corpus_robot.reference['zero'], corpus_robot.reference['c1']):
        view.set_positions(view.tree.configuration({
            name: value for name, value in expected['q'].items()
            if name in view.tree.variable_index}))
        held = link_poses(view)
        for link, pose in expected['links'].items():
            np.testing.assert_allclose(
                held[view.tree.link_index[link], :3], pose, rtol=0, atol=1e-6)
    view.remove()


def test_small_motions_add_up(arm):
    """The setters of viser leave out changes below 1e-5."""
    for step in range(200):
        arm.set_positions(np.array([step * 4e-6]))
    assert link_poses(arm)[1, 1, 0] == pytest.approx(np.sin(199 * 4e-6), abs=1e-12)


def test_what_is_not_finite_does_not_move_the_robot(arm):
    arm.set_positions(np.array([0.5]))
    arm.set_positions(np.array([np.nan]))
    assert link_poses(arm)[1, 1, 0] == pytest.approx(np.sin(0.5))


def test_missing_mesh(arm):
    missing, = arm.library.missing
    assert (missing.link, missing.filename) == ('tool', 'none.stl')
    assert "'none.stl' does not exist" in missing.reason


def test_centre_of_mass_of_the_robot(arm, server):
    arm.show(Layer.COM)
    arm.set_positions(np.array([np.pi / 2]))
    handle = server.scene.get_handle_by_name('/robot/com')
    np.testing.assert_allclose(handle.position, [0, 0.5, 0.5], atol=1e-12)


def test_colours(arm, server):
    """A selected link looks selected, whatever its mark is."""
    arm.show(Layer.VISUAL)
    box = server.scene.get_handle_by_name(f'{arm.node_name("base/link")}/visual0')
    own = tuple(box.color)
    arm.mark_links({'base/link': (1, 2, 3)})
    assert tuple(box.color) == (1, 2, 3)
    arm.highlight('base/link')
    assert tuple(box.color) == HIGHLIGHT
    arm.highlight('')
    arm.mark_links({})
    assert tuple(box.color) == own


def test_layers(arm, server):
    name = f'{arm.node_name("tool")}/collision0'
    assert server.scene.get_handle_by_name(name) is None
    arm.show(Layer.COLLISION)
    assert server.scene.get_handle_by_name(name).visible
    arm.show(Layer.COLLISION, False)
    assert not server.scene.get_handle_by_name(name).visible
