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
"""A server of viser on this machine, for clients that know its address."""

from __future__ import annotations

from collections.abc import Awaitable
from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
from contextlib import nullcontext
from contextlib import redirect_stdout
from contextlib import suppress
import http
import inspect
import io
import ipaddress
import logging
import secrets
import socket
import threading
from typing import Any

from urdf_tools.model.errors import InputError
from urdf_tools.model.messages import shortened
from urdf_tools.view.markup import note
import viser
# No public module of viser has its messages.
from viser import _messages
import websockets.asyncio.server
from websockets.exceptions import ConnectionClosed

LOOPBACK = '127.0.0.1'
DEFAULT_PORT = 8080

_TIMEOUT = 120.0
"""Seconds until a page that does not answer is given up; one that draws may answer late."""

_READ_ONLY = ('GetRenderResponseMessage', 'ViewerCameraMessage')
"""The messages of a page that only shows the robot; others change what all pages show."""

MAX_UPLOAD = 2**29
"""Bytes that a page may send at once; they are kept in memory."""

_PART = 2**19
"""Bytes of a part of what a page sends."""

_serve_lock = threading.Lock()

_log = logging.getLogger('urdf_tools.view')
# A client that is not a browser would cause a traceback on the terminal.
_log.addFilter(lambda record: record.getMessage() != 'opening handshake failed')


class ViserVersionError(InputError):
    """A viser whose connections cannot be checked."""


class LocalServer(viser.ViserServer):
    """
    A server that never makes the page public.

    The first part of the path of its address is a random token. Without it, or for the page of
    another address, no request is answered.

    :param port: the first one to try; the next free one is used.
    :param allow_control: whether pages may change what all of them see; by default where no
        other machine reaches the server. Without it, each moves only its own camera.
    :ivar url: the address of the page on this machine, with the token.
    :raises OSError: the machine does not have the address.
    :raises ViserVersionError: this viser cannot refuse requests.
    """

    def __init__(self, host: str = LOOPBACK, port: int = DEFAULT_PORT,
                 allow_control: bool | None = None):
        if allow_control is None:
            allow_control = not is_open(host)
        # viser would try to bind it for ever.
        with socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET) as probe:
            probe.bind((host, 0))
        token = secrets.token_urlsafe(16)
        # viser prints a table of addresses.
        with redirect_stdout(io.StringIO()), _checked_connections(
                token, allow_control, self._refuse_upload):
            super().__init__(host=host, port=port, verbose=False)
        shown = 'localhost' if host in ('0.0.0.0', '::') else f'[{host}]' if ':' in host else host
        self.url = f'http://{shown}:{self.get_port()}/{token}'
        if not allow_control:
            self.gui._gui_input_handle_from_uuid = _DisabledInputs()
            self.gui.add_html(note('Read-only view: you can turn, move and zoom.'))
        self.gui.configure_theme(show_share_button=False, show_logo=False, control_width='large')
        self.gui.main_panel.dock_right()
        # A page that docks it before it knows the theme would make it narrower.
        self.gui.main_panel.set_width(388)

    def run_script(self, script: str, kind: str,
                   client: viser.ClientHandle | None = None) -> None:
        """Run JavaScript in one page, or in all, in later ones only the last of a kind."""
        message = _messages.RunJavascriptMessage(script)
        message.redundancy_key = lambda: kind  # type: ignore[method-assign]
        (client or self).gui._websock_interface.queue_message(message)

    def _refuse_upload(self) -> None:
        for client in self.get_clients().values():
            client.add_notification('The files cannot be shown', 'Together they are larger than '
                                    f'{MAX_UPLOAD >> 20} MB', color='red')

    def request_share_url(self, verbose: bool = True) -> str | None:
        """Share nothing: viser would open a tunnel through a server on the internet."""
        return None

    def stop(self) -> None:
        """Stop the server."""
        with redirect_stdout(io.StringIO()):  # viser prints that it has stopped.
            super().stop()

    def has_sent(self, client: viser.ClientHandle) -> bool:
        """Return whether the whole scene has been sent to a browser."""
        buffer = self._websock_server._broadcast_buffer
        last: int = buffer.generator_cursors.get(client.client_id, -1)
        return last >= buffer.message_counter - 1


@contextmanager
def _checked_connections(token: str, allow_control: bool,
                         refuse: Callable[[], None]) -> Iterator[None]:
    """
    Make a viser server started in this context refuse requests without the token.

    viser hands its handlers to websockets, and has no option for it.

    :raises ViserVersionError: viser has started its server in another way.
    """
    started = []
    original = websockets.asyncio.server.serve

    def serve(handler: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        started.append(True)
        following = options.get('process_request', lambda connection, request: None)
        options |= {'process_request': _checking(following, token),
                    'logger': _log, 'open_timeout': _TIMEOUT, 'ping_timeout': _TIMEOUT}
        return original(_receiving(handler, allow_control, refuse), *arguments, **options)

    with _serve_lock:
        websockets.asyncio.server.serve = serve  # type: ignore[assignment, misc]
        try:
            yield
        finally:
            websockets.asyncio.server.serve = original  # type: ignore[misc]
    if not started:
        raise ViserVersionError(
            f'viser {viser.__version__} does not let the view refuse the pages of others; '
            'install another version with "pip install viser==1.1.1"')


def _checking(following: Callable[..., Any], token: str) -> Callable[..., Any]:
    """Return a handler that refuses a request, or calls the next handler without the token."""
    async def check(connection: Any, request: Any) -> Any:
        given, _, rest = request.path.removeprefix('/').partition('/')
        given = given.partition('?')[0].encode('utf-8', 'surrogateescape')
        host, origin = request.headers.get('Host', ''), request.headers.get('Origin')
        is_own_page = origin is None or origin.lower() in (
            f'http://{host.lower()}', f'https://{host.lower()}')
        if not secrets.compare_digest(given, token.encode()) or not is_own_page:
            return connection.respond(
                http.HTTPStatus.FORBIDDEN, 'Only the page of the printed address may connect.\n')
        request.path = f'/{rest}'
        answer = following(connection, request)
        return await answer if inspect.isawaitable(answer) else answer
    return check


def _receiving(handler: Callable[..., Any], allow_control: bool, refuse: Callable[[], None]
               ) -> Callable[..., Awaitable[None]]:
    """
    Return a handler of a connection that receives only permitted messages.

    :param refuse: called where files are sent that are too large.
    """
    async def handle(connection: Any) -> None:
        received = connection.recv

        async def receive() -> Any:
            while True:
                data = await received()
                message = _messages.Message.deserialize(data)
                if max(getattr(message, 'size_bytes', 0),
                       getattr(message, 'part_count', 0) * _PART) > MAX_UPLOAD + _PART:
                    refuse()
                elif allow_control or type(message).__name__ in _READ_ONLY:
                    return data
        connection.recv = receive
        try:
            await handler(connection)
        except Exception as error:
            # Pages are closed at any moment, also while viser greets them.
            if not isinstance(error, ConnectionClosed):
                _log.warning('A page sent an invalid message, and is disconnected: %s',
                             shortened(repr(error)))
    return handle


@contextmanager
def page_update(client: viser.ClientHandle) -> Iterator[None]:
    """Send the changes of a page at once; a page that closes meanwhile is ignored."""
    buffer = client._websock_connection.get_message_buffer()
    # Versions of viser without this do not warn of it.
    with client.atomic(), getattr(buffer, 'sanctioned_dead_writes', nullcontext)():
        yield


def is_open(host: str) -> bool:
    """Return whether other machines can reach an address."""
    with suppress(ValueError):
        return not ipaddress.ip_address(host).is_loopback
    return host != 'localhost'


def open_address(allow_control: bool) -> str:
    """Return the warning about an address that :func:`is_open`."""
    what = 'sees the robot and moves it in the view' if allow_control else (
        'sees the robot, and can only look at it')
    return ('The page is open to the network, without encryption: whoever has this address, with '
            f'the random part at its end, {what}')


class _DisabledInputs(dict[str, Any]):
    """The inputs of a read-only page: each is disabled when it is added."""

    def __setitem__(self, identifier: str, handle: Any) -> None:
        super().__setitem__(identifier, handle)
        if isinstance(handle, viser.GuiButtonGroupHandle):
            handle.visible = False  # It cannot be disabled.
        else:
            handle.disabled = True
