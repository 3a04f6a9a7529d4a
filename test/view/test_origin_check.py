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
"""Other pages that the browser has open cannot connect to the view."""

from __future__ import annotations

import pytest

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from urdf_tools.view.local_server import LocalServer  # noqa: E402,I100,I202
from urdf_tools.view.origin_check import checked_connections  # noqa: E402
from urdf_tools.view.origin_check import is_allowed  # noqa: E402
from urdf_tools.view.origin_check import ViserVersionError  # noqa: E402
from urdf_tools.view.page_messages import PageMessages  # noqa: E402
import viser  # noqa: E402
from websockets.exceptions import InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402


@pytest.fixture(scope='module')
def server():
    server = LocalServer(port=8440)
    yield server
    server.stop()


def client(server, **options):
    return connect(
        f'ws://127.0.0.1:{server.get_port()}', subprotocols=[f'viser-v{viser.__version__}'],
        open_timeout=60, **options)


@pytest.mark.parametrize('origin', [
    'http://example.com', 'null', 'http://127.0.0.1', 'http://127.0.0.1:1', 'http://localhost:{}',
    'http://127.0.0.1.example.com:{}', 'file://', 'http://127.0.0.1:{}@example.com',
    'chrome-extension://127.0.0.1:{}'])
def test_other_pages_are_refused(server, origin):
    with pytest.raises(InvalidStatus) as refused:
        client(server, origin=origin.format(server.get_port()))
    assert refused.value.response.status_code == 403
    assert not server.get_clients()


@pytest.mark.parametrize('upgrade', ['WebSocket', 'WEBSOCKET'])
def test_other_spellings_of_the_header_are_refused(server, upgrade):
    """The header has no case for websockets, but it has for viser."""
    with pytest.raises(InvalidStatus) as refused:
        client(server, origin='http://example.com', additional_headers={'Upgrade': upgrade})
    assert refused.value.response.status_code in (400, 403)


@pytest.mark.parametrize('origin', [None, 'http://127.0.0.1:{}'])
def test_the_page_of_the_server_is_served(server, origin):
    """So are programs that are no browsers."""
    with client(server, origin=origin and origin.format(server.get_port())) as connection:
        assert connection.recv(60)


@pytest.mark.parametrize('origin, host, served, allowed', [
    ('http://localhost:9000', 'localhost:9000', '127.0.0.1', True),
    ('http://[::1]:8080', '[::1]:8080', '::1', True),
    ('https://192.0.2.7', '192.0.2.7', '0.0.0.0', True),
    ('http://Robot:80', 'robot:80', 'robot', True),
    ('http://evil.example.com:8080', 'evil.example.com:8080', '127.0.0.1', False),
    ('http://evil.example.com:8080', 'evil.example.com:8080', '0.0.0.0', False),
    ('http://[', '[', '127.0.0.1', False), ('', '', '127.0.0.1', False)])
def test_addresses(origin, host, served, allowed):
    """A name of somebody else may point to this machine."""
    assert is_allowed(origin, host, served) == allowed


def test_a_viser_that_cannot_be_checked_is_not_used():
    with pytest.raises(ViserVersionError, match=viser.__version__):
        with checked_connections('127.0.0.1', PageMessages(True, print)):
            pass
