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
"""The panels beside the robot, without a browser, and the reload of files."""

from __future__ import annotations

from importlib.util import find_spec
import re
import threading
import time

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from urdf_tools import KinematicTree
from urdf_tools import loads
from urdf_tools import ResourceResolver
from urdf_tools import validates
from urdf_tools.model.element_reader import quaternion_from_rpy
from urdf_tools.model.pose import Pose

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from support.scene_poses import link_poses  # noqa: E402,I100,I202
from support.viser_page import CAMERA  # noqa: E402
from support.viser_page import Page  # noqa: E402
from urdf_tools.view.link_panel import transform_text  # noqa: E402
from urdf_tools.view.local_server import LocalServer  # noqa: E402
from urdf_tools.view.model_file import ModelFile  # noqa: E402
from urdf_tools.view.robot_view import HIGHLIGHT  # noqa: E402
from urdf_tools.view.robot_view import Layer  # noqa: E402
from urdf_tools.view.shape_library import MeshScenes  # noqa: E402
from urdf_tools.view.shape_library import ShapeLibrary  # noqa: E402
from urdf_tools.view.viewer import Viewer  # noqa: E402

ROBOT = """<robot name="robot">
<link name="base"><visual><geometry><box size="0.3 0.3 0.1"/></geometry></visual></link>
<link name="left"><visual><geometry><box size="0.1 0.1 1"/></geometry></visual></link>
<link name="left_tip"><inertial><mass value="-1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><sphere radius="0.1"/></geometry></visual></link>
<link name="right"/><link name="right_tip"/>
<joint name="left_turn" type="revolute"><origin xyz="0 0.5 0"/><axis xyz="1 0 0"/>
  <parent link="base"/><child link="left"/>
  <limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
<joint name="left_slide" type="prismatic"><axis xyz="0 0 1"/>
  <parent link="left"/><child link="left_tip"/>
  <limit lower="0.2" upper="0.4" effort="1" velocity="1"/></joint>
<joint name="right_turn" type="revolute"><axis xyz="1 0 0"/>
  <parent link="base"/><child link="right"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/>
  <mimic joint="left_turn" multiplier="-2" offset="0.5"/></joint>
<joint name="right_free" type="floating"><parent link="right"/><child link="right_tip"/></joint>
</robot>"""


@pytest.fixture
def server():
    server = LocalServer(port=8450)
    yield server
    server.stop()


@pytest.fixture
def viewer(server):
    viewer = Viewer(server)
    viewer.use(*shown(ROBOT))
    yield viewer


def shown(text):
    robot = loads(text)
    library = ShapeLibrary(robot, ResourceResolver('.').resolve, MeshScenes())
    return KinematicTree(robot), library


def color(viewer, link):
    name = f'{viewer.view.node_name(link)}/visual0'
    return tuple(viewer.server.scene.get_handle_by_name(name).color)


def wait(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_choice_moves_the_robot_and_what_mimics(viewer):
    tree = viewer.view.tree
    viewer.choose(tree.configuration({'left_turn': 0.5, 'left_slide': 0.3}))
    assert viewer.positions()['left_turn'] == 0.5
    poses = link_poses(viewer.view)
    assert poses[tree.link_index['left'], 2, 1] == pytest.approx(np.sin(0.5))
    assert poses[tree.link_index['right'], 2, 1] == pytest.approx(np.sin(-2 * 0.5 + 0.5))


@pytest.mark.parametrize('choice', [
    {'left_turn': np.nan}, {'right_free/rot_w': 0.0}, {'left_slide': np.inf}])
def test_a_choice_without_meaning_is_left_out(viewer, choice):
    viewer.choose(viewer.view.tree.configuration({'left_turn': 0.5}))
    viewer.choose(viewer.view.tree.configuration(choice))
    assert viewer.positions()['left_turn'] == 0.5


def test_what_was_chosen_for_an_earlier_robot_is_left_out(viewer):
    """A page may be a moment behind."""
    viewer.choose(viewer.view.tree.configuration({'left_turn': 0.5}))
    viewer.set_positions(np.zeros(2))
    viewer.select('gone')
    assert viewer.positions()['left_turn'] == 0.5
    assert viewer._selected == ''


def test_findings_colour_their_links(viewer):
    own = color(viewer, 'left_tip')
    viewer.set_report(validates(ROBOT))
    assert color(viewer, 'left_tip') == (220, 40, 40)
    assert color(viewer, 'base') == color(viewer, 'left')
    viewer.mark_findings('nothing')
    assert color(viewer, 'left_tip') == own
    viewer.mark_findings('errors')
    viewer.select('left_tip')
    assert color(viewer, 'left_tip') == HIGHLIGHT
    assert 'mass' in viewer._link_note.content


def test_colours_have_a_legend_and_losses_an_account(viewer):
    viewer.set_report(validates(ROBOT))
    viewer.mark_findings('errors')
    assert 'error: 1 link' in viewer._legend_note.content
    for program in ('mujoco', 'mjcf'):
        viewer.mark_findings(program)
        shown = re.findall(r': (\d+) links?<', viewer._legend_note.content)
        assert sum(map(int, shown)) == len(viewer.view.tree.link_names)
        assert f'{program} 4.0' in viewer._account_note.content
        assert 'line' in viewer._account_note.content
    viewer.mark_findings('nothing')
    assert viewer._legend_note.content == ''


def test_another_version_keeps_positions_layers_and_selection(viewer):
    viewer.choose(viewer.view.tree.configuration({'left_turn': 0.5}))
    viewer.show(Layer.FRAMES)
    viewer.select('left')
    viewer.use(*shown(ROBOT.replace('0 0.5 0', '0 0.7 0')))
    assert viewer.positions()['left_turn'] == 0.5
    pose = viewer.view.pose('left')
    assert (pose[1, 3], pose[2, 1]) == pytest.approx((0.7, np.sin(0.5)))
    assert color(viewer, 'left') == HIGHLIGHT
    name = f'{viewer.view.node_name("left")}/frame'
    assert viewer.server.scene.get_handle_by_name(name).visible


def test_links_are_hidden_and_seen_through(viewer):
    """Hidden ones stay hidden in the next version of the robot."""
    def shape(link):
        return viewer.server.scene.get_handle_by_name(f'{viewer.view.node_name(link)}/visual0')
    viewer.select('left')
    viewer._tools._hide('Only this')
    assert (shape('base').visible, shape('left').visible) == (False, True)
    viewer.show(Layer.VISUAL, False)
    viewer.show(Layer.VISUAL)
    assert not shape('base').visible
    viewer.use(*shown(ROBOT))
    assert (shape('base').visible, shape('left').visible) == (False, True)
    viewer._tools._hide('All')
    viewer._tools._hide('Hide')
    assert (shape('base').visible, shape('left').visible) == (True, False)
    viewer.view.fade(0.3)
    assert shape('base').opacity == pytest.approx(0.3)
    viewer.view.fade(1.0)
    assert shape('base').opacity is None


def test_joints_are_searched_for(viewer):
    """Sliders keep their values."""
    panel = viewer._joints
    viewer.choose(viewer.view.tree.configuration({'left_slide': 0.3}))
    panel._search.value = 'SLIDE'
    panel._add_joints()
    assert [*panel._sliders] == ['left_slide']
    assert panel._sliders['left_slide'].value == pytest.approx(0.3)
    panel._search.value = ''
    panel._add_joints()
    assert len(panel._sliders) == 9
    assert [*panel._followers] == ['right_turn']


def test_collisions_stand_in_for_what_is_missing(viewer):
    viewer.use(*shown(ROBOT.replace(
        '<box size="0.1 0.1 1"/></geometry></visual>',
        '<mesh filename="gone.stl"/></geometry></visual><collision><geometry>'
        '<box size="0.2 0.2 3"/></geometry></collision>')))
    scene = viewer.server.scene
    assert scene.get_handle_by_name(f'{viewer.view.node_name("left")}/stand_in0').visible
    assert viewer.view.bounds[1, 2] == pytest.approx(1.5)
    assert viewer.view.library.summary() == [
        '1 mesh file not shown, because not found or not readable: gone.stl',
        '1 link drawn with collision shapes instead: left']
    assert 'instead' in viewer._missing.content


@pytest.mark.parametrize('shape', ['<sphere radius="1e39"/>', '<box size="1e39 1 1e300"/>'])
def test_a_shape_that_is_too_large_is_not_shown(viewer, shape):
    viewer.use(*shown(f"""<robot name="large"><link name="base"><visual><geometry>{shape}
        </geometry></visual></link></robot>"""))
    assert np.isfinite(viewer.view.bounds).all()
    assert viewer.view.library.summary() == [
        '1 link with a shape too large to be shown: base']


def test_a_mesh_with_a_scale_beyond_float32_is_not_shown(viewer, tmp_path):
    (tmp_path / 'cube.stl').write_bytes(binary_stl(CORNERS[CUBE]))
    robot = loads("""<robot name="large"><link name="base"><visual><geometry>
        <mesh filename="cube.stl" scale="1 1e39 1"/></geometry></visual></link></robot>""")
    library = ShapeLibrary(robot, ResourceResolver(tmp_path).resolve, MeshScenes())
    viewer.use(KinematicTree(robot), library)
    assert np.isfinite(viewer.view.bounds).all()
    assert library.summary() == ['1 link with a shape too large to be shown: base']


def test_textures_of_the_description_are_listed(viewer):
    viewer.use(*shown(ROBOT.replace(
        '<sphere radius="0.1"/></geometry>', '<sphere radius="0.1"/></geometry>'
        '<material name="m"><texture filename="package://a/wood.png"/></material>')))
    assert viewer.view.library.summary() == ['1 <texture> not drawn: wood.png']
    assert '&lt;texture&gt; not drawn' in viewer._missing.content


def test_a_robot_without_visuals_is_drawn_with_its_skeleton(viewer):
    viewer.use(*shown("""<robot name="bare"><link name="base"/>
        <link name="tip"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="turn" type="fixed"><parent link="base"/><child link="tip"/>
        <origin xyz="0 0 1"/></joint></robot>"""))
    find = viewer.server.scene.get_handle_by_name
    assert find(f'{viewer.view.node_name("base")}/bones').visible
    assert find(f'{viewer.view.node_name("tip")}/stand_in0').visible
    assert viewer.view.library.summary() == [
        'No link has a visual; the skeleton is drawn',
        '1 link drawn with collision shapes instead: tip']


def test_text_from_outside_is_no_markup(viewer):
    text = '<img src=x onerror=alert(1)>'
    hostile = ROBOT.replace('"left_tip"', f'"{text}"'.replace('<', '&lt;').replace('>', '&gt;'))
    viewer.use(*shown(hostile))
    viewer.set_report(validates(hostile))
    viewer.select(text)
    viewer.show_error('No', text, text)
    for part in (viewer._link_note, viewer._measure_note, viewer._alarm, viewer._summary):
        assert '<img' not in part.content
    assert '&lt;img' in viewer._link_note.content


def test_a_page_that_closes_while_its_camera_moves(viewer, recwarn):
    with Page(viewer.server.url) as page:
        page.send(CAMERA)
        wait(viewer.server.get_clients)
        client, = viewer.server.get_clients().values()
    wait(lambda: not viewer.server.get_clients())
    viewer.camera.look_at(client, 'left')
    viewer.show(Layer.NAMES)
    viewer.names._lay_out(client, viewer.view)
    assert not [str(each.message) for each in recwarn if 'closed' in str(each.message)]


def test_measure():
    turned = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1.0]])
    assert transform_text('a', 'b', np.eye(4), turned).splitlines() == [
        'b in a', 'xyz 1 2 3 m', 'rpy 0 0 1.5708 rad',
        'quaternion (x y z w) 0 0 0.707107 0.707107', 'distance 3.74166 m']


@pytest.mark.parametrize('angles', [(0.1, -0.2, 0.3), (0.4, np.pi / 2, 0.0), (-3, 1.5, 3)])
def test_measured_angles_are_of_the_same_rotation(angles):
    rotation = Pose(quaternion=quaternion_from_rpy(*angles)).matrix
    text = transform_text('a', 'b', np.eye(4), rotation).splitlines()[2]
    found = [float(word) for word in text.split()[1:4]]
    np.testing.assert_allclose(
        Pose(quaternion=quaternion_from_rpy(*found)).matrix, rotation, atol=1e-5)


@pytest.fixture
def follow(server, tmp_path):
    """Return a function that shows a file in this folder, and follows it."""
    viewer, ended, threads = Viewer(server), threading.Event(), []

    def follow(name):
        model = ModelFile(
            viewer, str(tmp_path / name), {}, ResourceResolver(tmp_path),
            validates)
        model.show()
        threads.append(threading.Thread(target=model.watch, args=(ended,)))
        threads[0].start()
        return viewer
    yield follow
    ended.set()
    for thread in threads:
        thread.join()


def test_a_saved_file_is_shown(follow, tmp_path):
    """A broken version leaves the robot as it was, and tells the line."""
    file = tmp_path / 'robot.urdf'
    file.write_text(ROBOT)
    viewer = follow('robot.urdf')
    file.write_text(ROBOT.replace('0 0.5 0', '0 0.7 0'))
    wait(lambda: viewer.view.pose('left')[1, 3] == 0.7)
    file.write_text(ROBOT.replace('</joint>', '', 1))
    wait(lambda: viewer._alarm.visible)
    assert 'robot.urdf:' in viewer._alarm.content
    assert viewer.view.pose('left')[1, 3] == 0.7
    file.write_text(ROBOT.replace('0 0.5 0', '0 0.9 0'))
    wait(lambda: viewer.view.pose('left')[1, 3] == 0.9)
    assert not viewer._alarm.visible


@pytest.mark.skipif(find_spec('xacro') is None, reason='xacro is not installed')
def test_a_saved_include_is_shown(follow, tmp_path):
    include = tmp_path / 'size.xacro'
    part = '<robot xmlns:xacro="http://ros.org/x"><xacro:property name="y" value="{}"/></robot>'
    include.write_text(part.format(1))
    (tmp_path / 'robot.xacro').write_text(
        ROBOT.replace('0 0.5 0', '0 ${y} 0').replace(
            '<robot name="robot">', '<robot name="robot" xmlns:xacro="http://ros.org/x">'
            '<xacro:include filename="size.xacro"/>'))
    viewer = follow('robot.xacro')
    assert viewer.view.pose('left')[1, 3] == 1
    include.write_text(part.format('${unknown}'))
    wait(lambda: viewer._alarm.visible)
    include.write_text(part.format(2))
    wait(lambda: viewer.view.pose('left')[1, 3] == 2)


def test_a_saved_mesh_is_shown(follow, tmp_path):
    """So is one that was missing."""
    (tmp_path / 'robot.urdf').write_text(ROBOT.replace(
        '<sphere radius="0.1"/>', '<mesh filename="cube.stl"/>'))
    viewer = follow('robot.urdf')
    assert [missing.filename for missing in viewer.view.library.missing] == ['cube.stl']
    for size in (1.0, 3.0):
        (tmp_path / 'cube.stl').write_bytes(binary_stl(size * CORNERS[CUBE]))
        wait(lambda: viewer.view.bounds[1, 0] == size)
    assert not viewer.view.library.missing


def test_a_file_that_is_broken_from_the_start(server, tmp_path):
    """The page tells what is wrong, and shows the robot at its start once that is fixed."""
    file = tmp_path / 'robot.urdf'
    file.write_text(ROBOT.replace('</joint>', '', 1))
    viewer, ended = Viewer(server, start={'left_turn': 0.5, 'unknown': 1.0}), threading.Event()
    model = ModelFile(
        viewer, str(file), {}, ResourceResolver(tmp_path), validates)
    model.try_to_show()
    assert 'robot.urdf:' in viewer._alarm.content
    assert 'once this is fixed' in viewer._alarm.content
    thread = threading.Thread(target=model.watch, args=(ended,))
    thread.start()
    try:
        file.write_text('<robot name="r"/>')
        wait(lambda: 'no links' in viewer._alarm.content)
        file.write_text(ROBOT)
        wait(lambda: viewer._by_link is not None)
        assert not viewer._alarm.visible
        assert viewer.positions()['left_turn'] == 0.5
    finally:
        ended.set()
        thread.join()
