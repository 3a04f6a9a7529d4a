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
"""Which pages may connect to the server: only its own, not any page that the browser has open."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
import http
import inspect
import ipaddress
import socket
import threading
from typing import Any
from urllib.parse import urlsplit

import viser
import websockets.asyncio.server

_LOOPBACK = ('localhost', '127.0.0.1', '::1')
_lock = threading.Lock()


class ViserVersionError(RuntimeError):
    """A viser whose connections cannot be checked."""


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
    return name in _LOOPBACK or name == served.lower() or _is_address(name) or name in (
        own := socket.gethostname().lower(), f'{own}.local', socket.getfqdn().lower())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@contextmanager
def checked_origins(served: str) -> Iterator[None]:
    """
    Let a server of viser that is started meanwhile refuse the pages of others.

    viser hands its handler of requests to websockets, and has no option for it.

    :param served: the address that the server is bound to.
    :raises ViserVersionError: viser has started its server in another way.
    """
    started = []
    original = websockets.asyncio.server.serve

    def serve(*arguments: Any, **options: Any) -> Any:
        options['process_request'] = _checking(options.get('process_request'), served)
        started.append(True)
        return original(*arguments, **options)

    with _lock:
        websockets.asyncio.server.serve = serve  # type: ignore[assignment, misc]
        try:
            yield
        finally:
            websockets.asyncio.server.serve = original  # type: ignore[misc]
    if not started:
        raise ViserVersionError(
            f'viser {viser.__version__} does not let the view refuse the pages of others; install '
            'another version with "pip install viser==1.1.1"')


def _checking(following: Callable[..., Any] | None, served: str) -> Callable[..., Any]:
    """Return a handler of requests that refuses, or does what the following one does."""
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
