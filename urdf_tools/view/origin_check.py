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
"""Checks of which pages may connect to the server, and of their messages."""

from __future__ import annotations

from collections.abc import Awaitable
from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
from contextlib import suppress
import http
import inspect
import ipaddress
import logging
import socket
import threading
from typing import Any
from urllib.parse import urlsplit

from urdf_tools.model.errors import InputError
from urdf_tools.view.page_messages import MAX_BYTES
from urdf_tools.view.page_messages import MAX_PICTURE
from urdf_tools.view.page_messages import PageMessages
import viser
import websockets.asyncio.server
from websockets.exceptions import ConnectionClosed

_LOOPBACK = ('localhost', '127.0.0.1', '::1')
_lock = threading.Lock()

_log = logging.getLogger('urdf_tools.view')
# Whoever connects and is no browser would put a traceback on the terminal.
_log.addFilter(lambda record: record.getMessage() != 'opening handshake failed')


class ViserVersionError(InputError):
    """A viser whose connections cannot be checked."""

    def __init__(self) -> None:
        super().__init__(
            f'viser {viser.__version__} does not let the view refuse the pages of others and bad '
            'messages; install another version with "pip install viser==1.1.1"')


def is_allowed(origin: str | None, host: str, served: str) -> bool:
    """
    Return whether a page may connect.

    The port does not matter to the names, as it may be forwarded; but the page has to come from
    the address that it connects to. A name that anybody can let point here is no address.

    :param origin: where the page is from; None from programs that are no browsers.
    :param host: the address that it connects to, as it says.
    :param served: the address that the server is bound to.
    """
    if origin is None:
        return True
    try:
        page = urlsplit(origin)
        name = (urlsplit(f'//{host}').hostname or '').lower()
    except ValueError:
        return False
    if page.scheme not in ('http', 'https') or page.netloc.lower() != host.lower():
        return False
    return name in _LOOPBACK or name == served.lower() or address_of(name) is not None or (
        name in (own := socket.gethostname().lower(), f'{own}.local', socket.getfqdn().lower()))


def address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return a host that is given as an address, not as a name; else None."""
    with suppress(ValueError):
        return ipaddress.ip_address(host)
    return None


@contextmanager
def checked_connections(served: str, messages: PageMessages) -> Iterator[None]:
    """
    Make a viser server started in this context refuse foreign pages and bad messages.

    viser hands its handlers to websockets, and has no option for it.

    :param served: the address that the server is bound to.
    :param messages: decides what reaches the server.
    :raises ViserVersionError: viser has started its server in another way.
    """
    started = []
    original = websockets.asyncio.server.serve

    def serve(handler: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        options['process_request'] = _checking(options.get('process_request'), served)
        started.append(True)
        options |= {'logger': _log, 'max_size': MAX_BYTES}
        if messages.takes_pictures:
            # Whoever asks for pictures has a timeout; a page that draws may answer late.
            options |= {'open_timeout': None, 'ping_interval': None, 'max_size': MAX_PICTURE}
        return original(_receiving(handler, messages), *arguments, **options)

    with _lock:
        websockets.asyncio.server.serve = serve  # type: ignore[assignment, misc]
        try:
            yield
        finally:
            websockets.asyncio.server.serve = original  # type: ignore[misc]
    if not started:
        raise ViserVersionError


def _receiving(
        handler: Callable[..., Any], messages: PageMessages) -> Callable[..., Awaitable[None]]:
    """Return a handler of a connection that receives only permitted messages."""
    async def handle(connection: Any) -> None:
        received = connection.recv

        async def receive() -> bytes:
            while True:
                message = messages.checked(await received())
                if message is not None:
                    return message
        connection.recv = receive
        # Pages are closed at any moment, also while viser greets them.
        with suppress(ConnectionClosed):
            await handler(connection)
    return handle


def _checking(following: Callable[..., Any] | None, served: str) -> Callable[..., Any]:
    """Return a handler of requests that refuses them or calls the next handler."""
    async def check(connection: Any, request: Any) -> Any:
        headers = request.headers
        origins, hosts = headers.get_all('Origin'), headers.get_all('Host')
        # websockets opens a connection only with this header; all else is the page and its files.
        if headers.get_all('Upgrade') and not (
                len(origins) <= 1 and len(hosts) == 1
                and is_allowed(origins[0] if origins else None, hosts[0], served)):
            return connection.respond(
                http.HTTPStatus.FORBIDDEN, 'Only the page of this address may connect.\n')
        answer = None if following is None else following(connection, request)
        return await answer if inspect.isawaitable(answer) else answer
    return check
