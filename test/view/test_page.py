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
"""The page as a person sees it, in a headless Chromium."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from urdf_tools import ResourceResolver
from urdf_tools.check.validator import validates

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from urdf_tools.view.headless_browser import find_chromium  # noqa: E402,I100,I202
from urdf_tools.view.local_server import LocalServer  # noqa: E402
from urdf_tools.view.model_file import ModelFile  # noqa: E402
from urdf_tools.view.viewer import Viewer  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')]

ROBOT = """<robot name="robot">
<link name="base"><visual><geometry><box size="0.4 0.4 0.2"/></geometry></visual></link>
<link name="arm"><inertial><mass value="-1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><origin xyz="0 0 0.5"/><geometry><box size="0.2 0.2 1"/></geometry>
  <material name="blue"><color rgba="0 0 1 1"/></material></visual></link>
<joint name="turn" type="revolute"><axis xyz="1 0 0"/>
  <parent link="base"/><child link="arm"/>
  <limit lower="-1.5" upper="1.5" effort="1" velocity="1"/></joint>
</robot>"""


class Session:
    """A file, the page that shows it, and what the server knows of both."""

    def __init__(self, folder):
        from support.devtools import Page
        self.file = folder / 'robot.urdf'
        self.file.write_text(ROBOT)
        self.server = LocalServer(port=8470)
        self.viewer = Viewer(self.server)
        self.ended = threading.Event()
        model = ModelFile(
            self.viewer, str(self.file), {}, ResourceResolver(folder), validates)
        model.show()
        self.thread = threading.Thread(target=model.watch, args=(self.ended,))
        self.thread.start()
        self.page = Page(self.server.url)
        self.page.wait(self.server.get_clients, 'the page')

    def close(self):
        self.page.close()
        self.ended.set()
        self.thread.join()
        self.server.stop()

    def red(self):
        """Return where the scene is as red as a link with an error, below what viser warns of."""
        pixels = self.page.picture()[160:, :560]
        return (pixels[..., 0] > 120) & (pixels[..., 1:].max(axis=-1) < pixels[..., 0] / 2)


@pytest.fixture(scope='module')
def session(tmp_path_factory):
    session = Session(tmp_path_factory.mktemp('page'))
    yield session
    session.close()


def test_a_link_with_an_error_is_red(session):
    session.page.wait(lambda: session.red().sum() > 1000, 'the red link')
    assert not session.page.complaints


def test_a_slider_moves_the_joint_and_the_picture(session):
    session.page.wait(lambda: session.red().sum() > 1000, 'the red link')
    before = session.red()
    session.page.click('Joints')
    slider = 'document.querySelector("[role=slider]")'
    session.page.wait(lambda: session.page.evaluate(f'{slider} !== null'), 'the slider')
    session.page.evaluate(f'{slider}.focus()')
    session.page.press('End')
    session.page.wait(lambda: session.viewer.positions()['turn'] == 1.5, 'the joint')
    session.page.wait(
        lambda: (session.red() != before).sum() > 1000, 'the picture of the moved joint')
    session.viewer.choose(np.zeros(1))
    assert not session.page.complaints


def test_arrow_keys_on_a_slider_do_not_move_the_camera(session):
    session.page.click('Joints')
    slider = 'document.querySelector("[role=slider]")'
    session.page.wait(lambda: session.page.evaluate(f'{slider} !== null'), 'the slider')
    client, = session.server.get_clients().values()
    before = np.array(client.camera.position)
    session.page.evaluate(f'{slider}.focus()')
    for _ in range(5):
        session.page.press('ArrowRight')
    session.page.wait(lambda: session.viewer.positions()['turn'] > 0.01, 'the joint')
    np.testing.assert_array_equal(client.camera.position, before)
    session.page.evaluate('document.activeElement.blur()')
    session.page.wait(lambda: session.page.press('ArrowRight', 1) or not np.array_equal(
        client.camera.position, before), 'the camera')
    session.viewer.choose(np.zeros(1))


def test_a_number_that_is_typed_is_where_the_robot_is(session):
    page = session.page
    page.click('Joints')
    box = 'document.querySelector("[role=slider]").closest("div.mantine-Flex-root")' \
        '.querySelector("input[type=text]")'
    page.wait(lambda: page.evaluate(f'{box} !== null'), 'the box')
    for typed, shown in (('0.123456', 0.123456), ('7', 1.5), ('-0.25', -0.25), ('-99', -1.5)):
        page.evaluate(f'{box}.focus(), {box}.select()')
        page.call('Input.insertText', text=typed)
        page.wait(lambda: session.viewer.positions()['turn'] == shown, f'the joint at {shown}')
        page.evaluate(f'{box}.blur()')
        page.wait(lambda: float(page.evaluate(f'{box}.value')) == shown, f'{shown} in the box')
        # The page sends the number that it has corrected.
        slider = session.viewer._joints._sliders['turn']
        page.wait(lambda: slider.value == shown, f'{shown} at the server')
        assert session.viewer.positions()['turn'] == shown
    session.viewer.choose(np.array([0.9876543212]))
    page.wait(lambda: page.evaluate(f'{box}.value') == '0.987654', 'what is chosen elsewhere')
    page.evaluate(f'{box}.focus()')
    page.evaluate(f'{box}.blur()')
    page.wait(lambda: page.picture() is not None)
    assert session.viewer.positions()['turn'] == 0.9876543212
    session.viewer.choose(np.zeros(1))
    assert not page.complaints


def test_an_edit_is_shown_and_a_broken_one_tells_its_line(session):
    session.page.wait(lambda: session.red().sum() > 1000, 'the red link')
    fine = ROBOT.replace('value="-1"', 'value="1"')
    session.file.write_text(fine)
    session.page.wait(lambda: session.red().sum() < 50, 'the link without an error')
    session.file.write_text(fine.replace('</joint>', '</joint'))
    session.page.wait(lambda: 'robot.urdf:' in session.page.text(), 'the message')
    session.page.wait(
        lambda: session.page.evaluate('document.title') == '\u2717 robot.urdf', 'the title')
    assert 'robot.urdf: error' in session.page.text()
    blue = session.page.picture()[160:, :560]
    assert ((blue[..., 2] > 120) & (blue[..., 0] < blue[..., 2] / 2)).sum() > 1000
    session.file.write_text(ROBOT)
    session.page.wait(lambda: session.red().sum() > 1000, 'the red link')
    assert 'robot.urdf:' not in session.page.text()
    session.page.wait(
        lambda: session.page.evaluate('document.title') == '\u2717 robot', 'the title')
    assert not session.page.complaints


def test_a_click_on_a_link_selects_it(session):
    session.page.wait(lambda: session.red().sum() > 1000, 'the red link')
    y, x = np.argwhere(session.red()).mean(axis=0)
    session.page.click_at(float(x), float(y) + 160)
    session.page.wait(lambda: session.viewer._selected == 'arm', 'the selection')
    session.viewer.select('')
    assert not session.page.complaints


def test_a_touch_opens_the_tab_of_the_link(session):
    """What one looks for first is above the paths, which are folded."""
    page = session.page
    page.click('Joints')
    page.wait(lambda: session.red().sum() > 1000, 'the red link')
    y, x = np.argwhere(session.red()).mean(axis=0)
    page.call('Input.dispatchTouchEvent', type='touchStart', touchPoints=[
        {'x': float(x), 'y': float(y) + 160}])
    page.call('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])
    page.wait(lambda: 'Joint above' in page.text(), 'the data of the link')
    text = page.text()
    places = [text.index(word) for word in ('Mass', 'Origin', 'Limits', 'Joint above', 'Files')]
    assert places == sorted(places)
    assert not page.evaluate('document.querySelector("details").open')
    page.click('Files')
    page.wait(lambda: page.evaluate('document.querySelector("details").open'), 'the paths')
    session.viewer.select('')
    assert not page.complaints


def test_the_pointer_shows_the_name_of_a_link(session):
    page = session.page
    page.wait(lambda: session.red().sum() > 1000, 'the red link')
    y, x = np.argwhere(session.red()).mean(axis=0)

    def name():
        for shift in (0, 2):
            page.call('Input.dispatchMouseEvent', type='mouseMoved', x=float(x) + shift,
                      y=float(y) + 160)
        return page.evaluate('document.querySelector("#hovered:not([hidden])")?.textContent')
    page.wait(lambda: name() == 'arm', 'the name')
    x, y = 5.0, 300.0
    page.wait(lambda: name() is None, 'no name beside the robot')


def test_the_robot_is_beside_the_panel(session):
    """On a telephone, it is above it."""
    page = session.page
    for width, height, mobile in ((390, 844, True), (960, 640, False)):
        page.call('Emulation.setDeviceMetricsOverride', width=width, height=height,
                  deviceScaleFactor=1, mobile=mobile)
        page.wait(lambda: page.evaluate('innerWidth') == width, 'the size')

        def is_clear():
            panel, canvas = (page.evaluate(
                f'(r => [r.x, r.y])({each}.getBoundingClientRect())') for each in (
                    'document.querySelector("[role=tab]")', 'document.querySelector("canvas")'))
            size = page.evaluate('(c => [c.clientWidth, c.clientHeight])('
                                 'document.querySelector("canvas[data-engine]"))')
            return canvas[1] + size[1] <= panel[1] if mobile else canvas[0] + size[0] <= panel[0]
        page.wait(is_clear, f'a panel beside the scene at {width} pixels')
        page.evaluate('urdfTab("Account")')
        page.wait(lambda: page.evaluate(
            '(e => e && e.clientWidth > 100 && e.scrollWidth <= e.clientWidth)('
            'document.querySelector(".programs"))'), f'all programs at {width} pixels')


def test_the_tree_chooses_a_link_and_the_title_says_that_it_fails(session):
    page = session.page
    page.evaluate('urdfTab("Tree")')
    page.evaluate('document.querySelector("[data-link=arm]").click()')
    page.wait(lambda: session.viewer._selected == 'arm', 'the selection')
    assert 'robot: fails, 1 error' in page.text()
    assert page.evaluate('getComputedStyle(document.querySelector(".tabler-icon-cloud-check"))'
                         '.display') == 'none'
    page.evaluate('urdfTab("Account")')
    page.wait(lambda: 'moving joints' in page.text(), 'the comparison of programs')
    programs = 'document.querySelector(".programs")'
    assert page.evaluate(f'{programs}.firstChild.rows[0].cells.length > 6')
    unlike = page.evaluate(
        f'[...{programs}.querySelectorAll("[data-unlike]")].map(e => e.textContent)')
    assert '1' in unlike and 'yes' not in unlike
    session.viewer.select('')
    assert not page.complaints


def test_angles_in_degrees(session):
    page = session.page
    page.evaluate('urdfTab("Joints")')
    page.click('Degrees')
    page.wait(lambda: 'turn [\u00b0]' in page.text(), 'the unit')
    slider = 'document.querySelector("[role=slider]")'
    page.evaluate(f'{slider}.focus()')
    page.press('End')
    page.wait(lambda: abs(session.viewer.positions()['turn'] - 1.5) < 1e-6, 'the joint')
    box = f'{slider}.closest("div.mantine-Flex-root").querySelector("input[type=text]")'
    page.wait(lambda: page.evaluate(f'{box}.value') == '85.943669', 'the number')
    assert page.evaluate(f'{box}.scrollWidth <= {box}.clientWidth')
    session.viewer.use_degrees(False)
    session.viewer.choose(np.zeros(1))
    page.wait(lambda: 'turn [rad]' in page.text(), 'the unit')


def test_a_finding_selects_its_link(session):
    session.page.click('Findings')
    session.page.click('Show arm')
    session.page.wait(lambda: session.viewer._selected == 'arm', 'the selection')
    session.page.evaluate('urdfTab("Link")')
    session.page.wait(lambda: 'Joint above' in session.page.text(), 'the data of the link')
    session.viewer.select('')
    assert not session.page.complaints


def drop(page, path):
    """Drop a file or a folder on the page."""
    data = {'items': [], 'files': [str(path)], 'dragOperationsMask': 1}
    for kind in ('dragEnter', 'dragOver', 'drop'):
        page.call('Input.dispatchDragEvent', type=kind, x=200, y=300, data=data)


def test_a_folder_is_dropped(session, tmp_path):
    """Its robot is shown, with the meshes of its packages; another one can be chosen."""
    package = tmp_path / 'dropped_description'
    (package / 'meshes').mkdir(parents=True)
    (package / 'package.xml').write_text('<package><name>other_name</name></package>')
    (package / 'meshes' / 'cube.stl').write_bytes(binary_stl(CORNERS[CUBE]))
    for name in ('first', 'second'):
        (package / f'{name}.urdf').write_text(
            f'<robot name="{name}"><link name="cube"><visual><geometry>'
            '<mesh filename="package://other_name/meshes/cube.stl"/></geometry></visual></link>'
            '</robot>')
    page = session.page
    drop(page, package)
    page.wait(lambda: session.viewer.view.tree.robot.name == 'first', 'the robot')
    assert not session.viewer.view.library.missing
    session.viewer._paths.value = 'dropped_description/second.urdf'
    assert session.viewer._paths.options == (
        'dropped_description/first.urdf', 'dropped_description/second.urdf')
    assert not page.complaints


def test_what_is_too_large_is_refused(session, tmp_path, monkeypatch):
    page = session.page
    page.evaluate('urdfDrop.most = 1000')
    monkeypatch.setattr('urdf_tools.view.local_server.MAX_UPLOAD', 1000)
    monkeypatch.setattr('urdf_tools.view.local_server._PART', 1)
    shown = session.viewer.view.tree.robot
    path = tmp_path / 'large.urdf'
    path.write_text(f'<robot name="large"><link name="l"/><!-- {"x" * 1000} --></robot>')
    drop(page, path)
    page.wait(lambda: 'Together they are larger than 0 MB' in page.text(), 'the reason')
    assert session.viewer.view.tree.robot is shown
    assert not page.complaints


def test_without_the_object_of_viser_a_drop_says_so(session, tmp_path):
    page = session.page
    path = tmp_path / 'some.urdf'
    path.write_text('<robot name="some"><link name="l"/></robot>')
    page.evaluate('window.kept = window.__viserMutable; window.__viserMutable = undefined; 0')
    try:
        drop(page, path)
        page.wait(lambda: 'Nothing can be dropped' in page.text(), 'the reason')
    finally:
        page.evaluate('window.__viserMutable = window.kept; 0')
    assert not page.complaints
