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

"""Nothing that a page says ends the server of the view, or sets what a user cannot set."""

from __future__ import annotations

import logging
import math
import socket
import time

import pytest
from urdf_tools import KinematicTree
from urdf_tools import loads
from urdf_tools import ResourceResolver
from urdf_tools import validates

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from support.viser_page import CAMERA  # noqa: E402,I100,I202
from support.viser_page import Page  # noqa: E402
from urdf_tools.view.local_server import LocalServer  # noqa: E402
from urdf_tools.view.local_server import open_address  # noqa: E402
from urdf_tools.view.mesh_scenes import MeshScenes  # noqa: E402
from urdf_tools.view.page_messages import MAX_BYTES  # noqa: E402
from urdf_tools.view.page_messages import MAX_TEXT  # noqa: E402
from urdf_tools.view.pose_file import PoseFile  # noqa: E402
from urdf_tools.view.shape_nodes import ShapeLibrary  # noqa: E402
from urdf_tools.view.viewer import Viewer  # noqa: E402

ROBOT = """<robot name="robot"><link name="base"/>
<link name="arm"><inertial><mass value="-1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><box size="1 1 1"/></geometry></visual></link><link name="tip"/>
<joint name="turn" type="revolute"><axis xyz="0 0 1"/><parent link="base"/><child link="arm"/>
  <limit lower="-1" upper="1.0471975511965976" effort="1" velocity="1"/></joint>
<joint name="free" type="floating"><parent link="arm"/><child link="tip"/></joint></robot>"""

VALUES = (
    None, True, False, 0, 1, -1, 0.5, 1e6, -1e300, 2**63, math.nan, math.inf, -math.inf, '', 'x',
    'Sweep', 'errors', 'arm', 'x' * (MAX_TEXT + 1), 'x' * 2**16, '\x00\x1b[31m', b'x', [], [0],
    [[[]]], {}, {'value': 1}, {1: 2})

ALLOWED = {
    'GuiCheckboxMessage': lambda value, props: isinstance(value, bool),
    'GuiButtonMessage': lambda value, props: isinstance(value, bool),
    'GuiDropdownMessage': lambda value, props: value in [*props['options']],
    'GuiButtonGroupMessage': lambda value, props: value in [*props['options']],
    'GuiTextMessage': lambda value, props: isinstance(value, str) and len(value) <= MAX_TEXT,
    'GuiSliderMessage': lambda value, props: (
        type(value) in (int, float) and math.isfinite(value))}
"""The messages that add inputs, to which values these take."""

CLICK = {
    'type': 'SceneNodeClickMessage', 'name': '/robot/0', 'instance_index': None,
    'ray_origin': [0, 0, 0], 'ray_direction': [0, 0, 1], 'screen_pos': [0.5, 0.5],
    'modifier': None, 'owner': ''}

DRAG = {
    'type': 'TransformControlsUpdateMessage', 'name': '/robot/0', 'wxyz': [1, 0, 0, 0],
    'position': [0, 0, 0], 'owner': ''}

MESSAGES = (
    '', 'text', '{"type": "GuiUpdateMessage"}', b'', b'\xc1', b'\x81', b'\x91' * 100_000,
    b'\x81\xa4type' + b'\x91' * 100_000, b'\x81\xa1\xff\x01', [], {}, 7, None, {'type': 7},
    {'type': []}, {'type': 'Message'}, {'type': 'GuiUpdateMessage'}, {'type': 'ShareUrlRequest'},
    {'type': 'ShareUrlDisconnect'}, {'type': 'RunJavascriptMessage', 'source': 'alert(1)'},
    {'type': 'GuiFormDirtyMessage', 'uuid': 'x'}, {'type': 'ResetGuiMessage'},
    {'type': 'FileTransferStartUpload', 'source_component_uuid': 'x', 'transfer_uuid': 'x',
     'filename': 'x', 'mime_type': 'x', 'part_count': 10**9, 'size_bytes': 1},
    {'type': 'GuiUpdateMessage', 'uuid': 'x', 'updates': {'value': 1}},
    {'type': 'GuiUpdateMessage', 'uuid': ['x'], 'updates': {'value': 1}},
    {'type': 'GuiUpdateMessage', 'uuid': 'x', 'updates': [1]},
    *({**CAMERA, name: value} for name in CAMERA for value in (
        None, 'x', math.nan, [math.nan] * 3, [1e308] * 4, [], {})),
    {**CAMERA, 'extra': 1}, {**CAMERA, 'look_at': CAMERA['position']},
    {**CAMERA, 'up_direction': [0, 0, 0]}, {'type': 'ViewerCameraMessage'},
    *({**CLICK, name: value} for name in CLICK if name not in ('instance_index', 'owner')
      for value in (
          7, 'x', ['x'], [math.inf] * 3)), {**CLICK, 'name': ''}, {**CLICK, 'owner': 7},
    # What cannot be dragged.
    DRAG, {**DRAG, 'name': '/robot/drag'}, {**DRAG, 'wxyz': [0, 0, 0, 0]})


@pytest.fixture
def start():
    """Return a function that starts a server with a viewer."""
    servers, viewers = [], []

    def start(**options):
        servers.append(LocalServer(port=8460, **options))
        viewers.append(Viewer(servers[-1], PoseFile(None)))
        use(viewers[-1], ROBOT)
        return servers[-1], viewers[-1]
    yield start
    for viewer in viewers:
        viewer.end()
    for server in servers:
        server.stop()


def use(viewer, text):
    """Show a robot as after each save."""
    robot = loads(text)
    library = ShapeLibrary(robot, ResourceResolver('.').resolve, MeshScenes())
    viewer.use(KinematicTree(robot), library)
    viewer.set_report(validates(text))


def wait(condition, again=lambda: None):
    """Wait for a condition; what brings it about is done again at times, as while one drags."""
    end = time.monotonic() + 60
    next_time = time.monotonic() + 2
    while not condition():
        assert time.monotonic() < end
        if time.monotonic() > next_time:
            again()
            next_time += 2
        time.sleep(0.01)


def test_bad_values_of_every_input(start, capfd):
    """They are dropped and counted, the inputs keep their values, and a save is shown."""
    warnings = []
    server, viewer = start(warn=warnings.append)
    with Page(server.url) as page:
        page.send(CAMERA)
        inputs = page.inputs()
        kinds = {message['type'] for message in inputs.values()} - {'GuiHtmlMessage'}
        assert kinds >= ALLOWED.keys()
        handles = server.gui._gui_input_handle_from_uuid
        before = {name: handle.value for name, handle in handles.items()}
        sent = 0
        for name, message in inputs.items():
            is_allowed = ALLOWED.get(message['type'], lambda value, props: False)
            for value in VALUES:
                if not is_allowed(value, message['props']):
                    page.set(name, value)
                    sent += 1
            for updates in ({}, {'props': 1}, {'value': True, 'visible': False}, {'__class__': 1},
                            {'options': ['x'], 'value': 'x'}):
                page.send({'type': 'GuiUpdateMessage', 'uuid': name, 'updates': updates})
                sent += 1
        wait(lambda: server.messages.dropped >= sent)
        assert server.messages.dropped == sent
        assert {name: handle.value for name, handle in handles.items()} == before
        use(viewer, ROBOT.replace('-1"/>', '2"/>'))
        assert len(warnings) == len(str(sent))
    assert 'Traceback' not in ''.join(capfd.readouterr())


def test_other_messages(start, capfd):
    server, viewer = start()
    with Page(server.url) as page:
        page.send(CAMERA)
        for message in MESSAGES:
            page.send(message)
        wait(lambda: server.messages.dropped >= len(MESSAGES))
        assert server.messages.dropped == len(MESSAGES)
        assert len(server.get_clients()) == 1
    assert 'Traceback' not in ''.join(capfd.readouterr())


def test_a_message_that_is_too_large_ends_its_page_only(start, capfd):
    server, viewer = start()
    with Page(server.url) as page, Page(server.url) as other:
        for each in (page, other):
            each.send(CAMERA)
        wait(lambda: len(server.get_clients()) == 2)
        page.send(b'x' * (MAX_BYTES + 1))
        wait(lambda: len(server.get_clients()) == 1)
        moves(viewer, other)
    assert 'Traceback' not in ''.join(capfd.readouterr())


def moves(viewer, page):
    """Check that a page sets each kind of input to what a user can set."""
    inputs = {message['props'].get('label'): name for name, message in page.inputs().items()
              if message['type'] != 'GuiHtmlMessage'}

    def turn(value):
        page.set(inputs['turn [rad]'], value)
    turn(0.5)
    wait(lambda: viewer.positions()['turn'] == 0.5, lambda: turn(0.5))
    # The page rounds, and so may be beyond the limit.
    turn(1.0472)
    wait(lambda: viewer.positions()['turn'] == 1.0471975511965976, lambda: turn(1.0472))
    page.set(inputs['Move all'], 'Zero')
    wait(lambda: viewer.positions()['turn'] == 0)
    page.set(inputs['Colour links by'], 'nothing')
    wait(lambda: viewer._marking.value == 'nothing')
    page.set(inputs['Frames'], True)
    wait(lambda: viewer._switches['Frames'].value)
    page.send({**CLICK, 'name': f'{viewer.view.node_name("arm")}/visual0'})
    wait(lambda: viewer._selected == 'arm')
    page.set(inputs['Name'], 'home')
    page.set(inputs['Save the present pose'], True)
    wait(lambda: 'home' in viewer.poses.read())


def test_what_a_page_may_set(start):
    server, viewer = start()
    with Page(server.url) as page:
        page.send(CAMERA)
        moves(viewer, page)
    assert server.messages.dropped == 0


@pytest.mark.parametrize('options', [{'allow_control': False}, {'host': '0.0.0.0'}])
def test_a_page_that_only_looks(start, options):
    """Its inputs are disabled, and what it says anyway is left out; it moves its own camera."""
    server, viewer = start(**options)
    before = viewer.positions()
    with Page(server.url) as page:
        page.send({**CAMERA, 'fov': 0.5})
        wait(lambda: [client.camera.fov for client in server.get_clients().values()] == [0.5])
        inputs = {name: message for name, message in page.inputs().items()
                  if message['type'] in ALLOWED}
        handles = server.gui._gui_input_handle_from_uuid
        assert inputs.keys() <= handles.keys()
        assert all(handle.disabled or not handle.visible for handle in handles.values())
        values = {name: handle.value for name, handle in handles.items()}
        for name, message in inputs.items():
            for value in (*VALUES, *message['props'].get('options', ())):
                page.set(name, value)
        page.send({**CLICK, 'name': f'{viewer.view.node_name("arm")}/visual0'})
        page.send({**CAMERA, 'fov': 0.7})
        wait(lambda: [client.camera.fov for client in server.get_clients().values()] == [0.7])
        assert {name: handle.value for name, handle in handles.items()} == values
        assert (viewer.positions(), viewer._selected) == (before, '')


@pytest.mark.parametrize('options, shown', [
    ({}, 1.0471975511965976), ({'allow_control': False}, 0)])
def test_a_page_shows_where_the_joint_is(start, options, shown):
    """What is typed beyond a limit, or into a page that only looks, does not stay there."""
    server, viewer = start(**options)
    with Page(server.url) as page:
        page.send(CAMERA)
        name, = (name for name, message in page.inputs().items()
                 if message['props'].get('label') == 'turn [rad]')
        wait(server.get_clients)
        for typed in (1.2, 7, 70):
            page.set(name, typed)
        next(message for message in page.messages if message['type'] == 'GuiUpdateMessage' and (
            message['uuid'], message['updates']) == (name, {'value': shown}))
        wait(lambda: viewer.positions()['turn'] == shown)


def test_control_from_other_machines_is_asked_for(start):
    server, viewer = start(host='0.0.0.0', allow_control=True)
    with Page(server.url) as page:
        page.send(CAMERA)
        moves(viewer, page)
    assert 'can only look' in open_address(False)
    assert 'moves it' in open_address(True)


@pytest.mark.parametrize('data', [
    b'', b'\0', b'hello\r\n\r\n', b'\x16\x03\x01\x02\x00\x01\x00', b'GET / HTTP/1.1\r\n',
    b'POST / HTTP/1.1\r\n\r\n', b'GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n', b'x' * 10_000,
    b'GET /' + b'x' * 5000 + b' HTTP/1.1\r\nHost: localhost\r\n\r\n',
    b'GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    b'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'])
def test_a_failed_handshake_is_no_traceback(start, caplog, capfd, data):
    server, viewer = start()
    with socket.create_connection(('127.0.0.1', server.get_port()), 60) as peer:
        peer.sendall(data)
        peer.shutdown(socket.SHUT_WR)
        while peer.recv(4096):
            pass
    with Page(server.url) as page:
        assert next(page.messages)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert ''.join(capfd.readouterr()) == ''


def test_a_link_is_dragged(start, capfd):
    """The joint above it follows up to its limit, and nothing else is dragged."""
    server, viewer = start()
    viewer.select('arm')
    viewer._tools._drag.value = True
    with Page(server.url) as page:
        page.send(CAMERA)
        wait(lambda: server.scene.get_handle_by_name('/robot/drag') is not None)
        drag = {**DRAG, 'name': '/robot/drag', 'wxyz': [math.cos(0.2), 0, 0, math.sin(0.2)]}
        for bad in ({'wxyz': [0, 0, 0, 0]}, {'position': [math.nan] * 3}, {'name': '/robot'}):
            page.send({**drag, **bad})
        wait(lambda: server.messages.dropped == 3)
        wait(lambda: viewer.positions()['turn'] == pytest.approx(0.4, abs=1e-3),
             lambda: page.send(drag))
    assert 'Traceback' not in ''.join(capfd.readouterr())
