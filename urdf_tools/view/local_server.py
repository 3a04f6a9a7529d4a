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
"""A server of viser on this machine, without viser's public sharing."""

from __future__ import annotations

from contextlib import redirect_stdout
import io
import ipaddress
import socket

from urdf_tools.view.origin_check import checked_origins
import viser

LOOPBACK = '127.0.0.1'
DEFAULT_PORT = 8080


class LocalServer(viser.ViserServer):
    """
    A server that never makes the page public, whoever asks for it, and serves no other page.

    :param port: the first one to try; the next free one is used.
    :raises OSError: the machine does not have the address.
    :raises ViserVersionError: this viser cannot refuse other pages.
    """

    def __init__(self, host: str = LOOPBACK, port: int = DEFAULT_PORT, label: str = ''):
        # viser would try this for ever.
        with socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET) as probe:
            probe.bind((host, 0))
        # viser prints a table of addresses.
        with redirect_stdout(io.StringIO()), checked_origins(host):
            super().__init__(host=host, port=port, label=label or None, verbose=False)
        self.gui.configure_theme(show_share_button=False, show_logo=False, control_width='large')

    def request_share_url(self, verbose: bool = True) -> str | None:
        """Share nothing: viser would open a tunnel through a server on the internet."""
        return None

    def stop(self) -> None:
        """Stop the server."""
        with redirect_stdout(io.StringIO()):  # viser prints that it has stopped.
            super().stop()

    @property
    def url(self) -> str:
        """The address of the page on this machine."""
        host = self.get_host()
        return f'http://{"localhost" if host in ("0.0.0.0", "::") else host}:{self.get_port()}'


def is_open(host: str) -> bool:
    """Return whether other machines can reach an address."""
    if host == 'localhost':
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True


OPEN_ADDRESS = (
    'The page is open to the network: whoever reaches this address sees the robot, moves it in '
    'the view and saves poses, without a password')
"""What a user is told about an address that :func:`is_open`."""
