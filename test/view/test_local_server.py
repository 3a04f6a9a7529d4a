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
"""Who may connect to the view, and what a page may change."""

from __future__ import annotations

import logging
import socket
import time
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from urdf_tools import KinematicTree
from urdf_tools import loads
from urdf_tools import ResourceResolver
from urdf_tools import validates

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from support.viser_page import CAMERA  # noqa: E402,I100,I202
from support.viser_page import Page  # noqa: E402
from urdf_tools.view.local_server import _checked_connections  # noqa: E402
from urdf_tools.view.local_server import is_open  # noqa: E402
from urdf_tools.view.local_server import LocalServer  # noqa: E402
from urdf_tools.view.local_server import open_address  # noqa: E402
from urdf_tools.view.local_server import ViserVersionError  # noqa: E402
from urdf_tools.view.shape_library import MeshScenes  # noqa: E402
from urdf_tools.view.shape_library import ShapeLibrary  # noqa: E402
from urdf_tools.view.viewer import Viewer  # noqa: E402
import viser  # noqa: E402
from websockets.exceptions import InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

ROBOT = """<robot name="robot"><link name="base"/>
<link name="arm"><inertial><mass value="-1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><box size="1 1 1"/></geometry></visual></link>
<joint name="turn" type="revolute"><axis xyz="0 0 1"/><parent link="base"/><child link="arm"/>
  <limit lower="-1" upper="1.0471975511965976" effort="1" velocity="1"/></joint></robot>"""

CLICK = {
    'type': 'SceneNodeClickMessage', 'name': '/robot/0', 'instance_index': None,
    'ray_origin': [0, 0, 0], 'ray_direction': [0, 0, 1], 'screen_pos': [0.5, 0.5],
    'modifier': None, 'owner': ''}


@pytest.fixture(scope='module')
def server():
    server = LocalServer(port=8440)
    yield server
    server.stop()


def client(url, **options):
    return connect(url.replace('http:', 'ws:'), subprotocols=[f'viser-v{viser.__version__}'],
                   open_timeout=60, **options)


def test_it_is_bound_to_this_machine_only(server):
    assert server.url.startswith(f'http://127.0.0.1:{server.get_port()}/')
    for address in ('127.0.0.2', socket.gethostbyname(socket.gethostname())):
        if address != '127.0.0.1':
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((address, server.get_port()), 60).close()


@pytest.mark.parametrize('host, expected', [
    ('127.0.0.1', False), ('127.1.2.3', False), ('::1', False), ('localhost', False),
    ('0.0.0.0', True), ('::', True), ('192.0.2.7', True), ('robot', True)])
def test_addresses_that_other_machines_reach(host, expected):
    assert is_open(host) is expected


def other_paths(url):
    """Return addresses of a server without its token, or with a wrong one."""
    base, _, token = url.rpartition('/')
    return [base, f'{base}/', f'{base}/{token[:-1]}', f'{base}/{token}x', f'{base}//{token}',
            f'{base}/x/{token}', f'{base}/?{token}', f'{base}/index.html', f'{base}/%00',
            f'{base}/{token.swapcase()}']


def test_without_the_token_nothing_is_served(server):
    for url in other_paths(server.url):
        with pytest.raises(InvalidStatus) as refused:
            client(url)
        assert refused.value.response.status_code == 403, url
        with pytest.raises(HTTPError) as error:
            urlopen(url)
        assert error.value.code == 403, url
    assert not server.get_clients()


def test_each_server_has_a_token_of_its_own(server):
    other = LocalServer(port=8440)
    try:
        token = server.url.rpartition('/')[2]
        assert len(token) > 20 and token not in other.url
        with pytest.raises(InvalidStatus):
            client(f'{other.url.rpartition("/")[0]}/{token}')
    finally:
        other.stop()


@pytest.mark.parametrize('origin', [
    'http://example.com', 'null', 'http://127.0.0.1', 'http://127.0.0.1:1', 'http://localhost:{}',
    'http://127.0.0.1.example.com:{}', 'file://', 'http://127.0.0.1:{}@example.com',
    'chrome-extension://127.0.0.1:{}', ''])
def test_other_pages_are_refused(server, origin):
    """Also if they know the token."""
    with pytest.raises(InvalidStatus) as refused:
        client(server.url, origin=origin.format(server.get_port()))
    assert refused.value.response.status_code == 403
    assert not server.get_clients()


@pytest.mark.parametrize('upgrade', ['WebSocket', 'WEBSOCKET'])
def test_other_spellings_of_the_header_are_refused(server, upgrade):
    """The header has no case for websockets, but it has for viser."""
    with pytest.raises(InvalidStatus) as refused:
        client(server.url, origin='http://example.com', additional_headers={'Upgrade': upgrade})
    assert refused.value.response.status_code in (400, 403)


def test_a_second_origin_is_refused(server):
    with pytest.raises(InvalidStatus) as refused:
        client(server.url, origin='http://example.com', additional_headers={
            'Origin': f'http://127.0.0.1:{server.get_port()}'})
    assert refused.value.response.status_code in (400, 403, 500)


@pytest.mark.parametrize('origin', [None, 'http://127.0.0.1:{}'])
def test_the_page_of_the_server_is_served(server, origin):
    """So are programs that are not browsers, if they know the token."""
    with urlopen(server.url) as answer:
        assert b'<html' in answer.read(2000).lower()
    with client(server.url, origin=origin and origin.format(server.get_port())) as connection:
        assert connection.recv(60)


def test_a_viser_that_cannot_be_checked_is_not_used():
    with pytest.raises(ViserVersionError, match=viser.__version__):
        with _checked_connections('token', True, list):
            pass


def test_it_is_never_made_public(server):
    assert server.request_share_url() is None


@pytest.fixture
def start():
    """Return a function that starts a server with a viewer."""
    started = []

    def start(**options):
        server = LocalServer(port=8460, **options)
        viewer = Viewer(server)
        started.append((server, viewer))
        robot = loads(ROBOT)
        viewer.use(KinematicTree(robot), ShapeLibrary(
            robot, ResourceResolver('.').resolve, MeshScenes()))
        viewer.set_report(validates(ROBOT))
        return server, viewer
    yield start
    for server, viewer in started:
        server.stop()


def wait(condition, again=lambda: None):
    """Wait for a condition; what causes it is repeated at times, as while one drags."""
    end = time.monotonic() + 60
    next_time = time.monotonic() + 2
    while not condition():
        assert time.monotonic() < end
        if time.monotonic() > next_time:
            again()
            next_time += 2
        time.sleep(0.01)


@pytest.mark.parametrize('options', [{}, {'host': '0.0.0.0', 'allow_control': True}])
def test_what_a_page_may_set(start, options):
    server, viewer = start(**options)
    with Page(server.url) as page:
        page.send(CAMERA)
        inputs = {message['props'].get('label'): name for name, message in page.inputs().items()
                  if message['type'] != 'GuiHtmlMessage'}

        def turn(value):
            page.set(inputs['turn [rad]'], value)
        turn(0.5)
        wait(lambda: viewer.positions()['turn'] == 0.5, lambda: turn(0.5))
        # What is typed beside a slider may be beyond the limit, by rounding or by much.
        for value in (1.0472, 7):
            turn(value)
            wait(lambda: viewer.positions()['turn'] == 1.0471975511965976, lambda: turn(value))
        page.set(inputs['Move all'], 'Zero')
        wait(lambda: viewer.positions()['turn'] == 0)
        page.set(inputs['Colour links by'], 'nothing')
        wait(lambda: viewer._marking.value == 'nothing')
        page.set(inputs['Frames'], True)
        wait(lambda: viewer._switches['Frames'].value)
        page.send({**CLICK, 'name': f'{viewer.view.node_name("arm")}/visual0'})
        wait(lambda: viewer._selected == 'arm')


@pytest.mark.parametrize('options', [{'allow_control': False}, {'host': '0.0.0.0'}])
def test_a_read_only_page(start, options, capfd):
    """Its inputs are disabled, and what it sends anyway is ignored; it moves its own camera."""
    server, viewer = start(**options)
    before = viewer.positions()
    with Page(server.url) as page:
        page.send({**CAMERA, 'fov': 0.5})
        wait(lambda: [client.camera.fov for client in server.get_clients().values()] == [0.5])
        inputs = page.inputs()
        handles = server.gui._gui_input_handle_from_uuid
        assert all(handle.disabled or not handle.visible for handle in handles.values())
        assert len(handles) > 10
        values = {name: handle.value for name, handle in handles.items()}
        for name, message in inputs.items():
            for value in (True, 1, 'Zero', 'all findings', None, *(
                    message['props'].get('options') or ())):
                page.set(name, value)
        for other in (
                {'type': 'ShareUrlRequest'},
                {'type': 'RunJavascriptMessage', 'source': 'alert(1)'}, {
                    **CLICK, 'name': f'{viewer.view.node_name("arm")}/visual0'}):
            page.send(other)
        page.send({**CAMERA, 'fov': 0.7})
        wait(lambda: [client.camera.fov for client in server.get_clients().values()] == [0.7])
        assert {name: handle.value for name, handle in handles.items()} == values
        assert (viewer.positions(), viewer._selected) == (before, '')
    assert 'Traceback' not in ''.join(capfd.readouterr())


@pytest.mark.slow
@pytest.mark.parametrize('options', [{}, {'allow_control': False}])
def test_an_invalid_message_ends_the_page_with_one_line(start, options, capfd, caplog):
    server, viewer = start(**options)
    invalid = ('text', b'', b'\xc1', b'\x91' * 100_000, [], {}, 7, None, {'type': 7},
               {'type': 'GuiUpdateMessage'}, {'type': 'no message'}, {**CAMERA, 'fov': [{}]},
               {**CAMERA, 'wxyz': None})
    for number, message in enumerate(invalid, 1):
        with Page(server.url) as page:
            page.send(CAMERA)
            wait(server.get_clients)
            page.send(message)
            wait(lambda: len(caplog.messages) == number)
        wait(lambda: not server.get_clients())
    for message in caplog.messages:
        assert message.startswith('A page sent an invalid message, and is disconnected: ')
        assert len(message) < 300 and '\n' not in message
    with Page(server.url) as page:
        assert next(page.messages)
    assert 'Traceback' not in ''.join(capfd.readouterr())


def test_the_warning_names_what_others_may_do():
    assert 'can only look' in open_address(False)
    assert 'moves it' in open_address(True)


@pytest.mark.parametrize('data', [
    b'', b'\0', b'hello\r\n\r\n', b'\x16\x03\x01\x02\x00\x01\x00', b'GET / HTTP/1.1\r\n',
    b'POST / HTTP/1.1\r\n\r\n', b'GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n', b'x' * 10_000,
    b'GET /' + b'x' * 5000 + b' HTTP/1.1\r\nHost: localhost\r\n\r\n',
    b'GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    b'GET * HTTP/1.1\r\nHost: localhost\r\nHost: x\r\n\r\n',
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
