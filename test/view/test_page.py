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
    session.page.wait(lambda: session.page.evaluate('document.title') == 'robot', 'the title')
    assert not session.page.complaints


def test_a_click_on_a_link_selects_it(session):
    session.page.wait(lambda: session.red().sum() > 1000, 'the red link')
    y, x = np.argwhere(session.red()).mean(axis=0)
    session.page.click_at(float(x), float(y) + 160)
    session.page.wait(lambda: session.viewer._selected == 'arm', 'the selection')
    session.viewer.select('')
    assert not session.page.complaints


def test_a_finding_selects_its_link(session):
    session.page.click('Findings')
    session.page.click('Show arm')
    session.page.wait(lambda: session.viewer._selected == 'arm', 'the selection')
    session.page.click('Link')
    session.page.wait(lambda: 'Joint above' in session.page.text(), 'the data of the link')
    session.viewer.select('')
    assert not session.page.complaints
