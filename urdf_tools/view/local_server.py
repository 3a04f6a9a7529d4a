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

from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
from contextlib import nullcontext
from contextlib import redirect_stdout
import io
import socket
from typing import Any

from urdf_tools.view.markup import note
from urdf_tools.view.origin_check import address_of
from urdf_tools.view.origin_check import checked_connections
from urdf_tools.view.origin_check import ViserVersionError
from urdf_tools.view.page_messages import PageMessages
import viser
# No public module of viser has its messages.
from viser import _messages

LOOPBACK = '127.0.0.1'
DEFAULT_PORT = 8080


class LocalServer(viser.ViserServer):
    """
    A server that never makes the page public, and serves no other page.

    :param port: the first one to try; the next free one is used.
    :param allow_control: whether pages may change what all of them see; by default where no
        other machine reaches the server. Without it, each moves only its own camera.
    :param warn: called with a sentence about messages that were dropped.
    :param takes_pictures: whether pages are asked for pictures of themselves.
    :ivar messages: what pages may say.
    :raises OSError: the machine does not have the address.
    :raises ViserVersionError: this viser cannot refuse other pages or bad messages.
    """

    def __init__(self, host: str = LOOPBACK, port: int = DEFAULT_PORT,
                 allow_control: bool | None = None,
                 warn: Callable[[str], object] = lambda text: None, takes_pictures: bool = False):
        self.messages = PageMessages(
            not is_open(host) if allow_control is None else allow_control, warn, takes_pictures)
        # viser would try this for ever.
        with socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET) as probe:
            probe.bind((host, 0))
        # viser prints a table of addresses.
        with redirect_stdout(io.StringIO()), checked_connections(host, self.messages):
            super().__init__(host=host, port=port, verbose=False)
        if takes_pictures:
            self._leave_out_inputs()
        try:
            inputs, nodes = self.gui._gui_input_handle_from_uuid, self.scene._handle_from_node_name
        except AttributeError as error:
            self.stop()
            raise ViserVersionError from error
        if not self.messages.allow_control:
            self.gui._gui_input_handle_from_uuid = inputs = _DisabledInputs()
            self.gui.add_html(note('This page only looks: you can turn, move and zoom.'))
        self.messages.serve(inputs, nodes)
        self.gui.configure_theme(show_share_button=False, show_logo=False, control_width='large')

    def _leave_out_inputs(self) -> None:
        """Send pages no panel, which nobody uses and which takes longer than the drawing."""
        connection = self._websock_server
        queue = connection.queue_message
        connection.queue_message = lambda message: (  # type: ignore[method-assign]
            None if type(message).__name__.startswith('Gui') else queue(message))

    def run_script(self, script: str, kind: str) -> None:
        """Run JavaScript in all pages, in later ones only the last script of a kind."""
        message = _messages.RunJavascriptMessage(script)
        message.redundancy_key = lambda: kind  # type: ignore[method-assign]
        self.gui._websock_interface.queue_message(message)

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

    @property
    def url(self) -> str:
        """The address of the page on this machine."""
        host = self.get_host()
        return f'http://{"localhost" if host in ("0.0.0.0", "::") else host}:{self.get_port()}'


@contextmanager
def page_update(client: viser.ClientHandle) -> Iterator[None]:
    """Send the changes of a page at once; a page that closes meanwhile is ignored."""
    buffer = client._websock_connection.get_message_buffer()
    # Versions of viser without this do not warn of it.
    with client.atomic(), getattr(buffer, 'sanctioned_dead_writes', nullcontext)():
        yield


def is_open(host: str) -> bool:
    """Return whether other machines can reach an address."""
    address = address_of(host)
    return host != 'localhost' and not (address and address.is_loopback)


def open_address(allow_control: bool) -> str:
    """Return the warning about an address that :func:`is_open`."""
    what = 'sees the robot, moves it in the view and saves poses' if allow_control else (
        'sees the robot, and can only look at it')
    return ('The page is open to the network: whoever reaches this address '
            f'{what}, without a password')


class _DisabledInputs(dict[str, Any]):
    """The inputs of a page that only looks: each is disabled when it is added."""

    def __setitem__(self, identifier: str, handle: Any) -> None:
        super().__setitem__(identifier, handle)
        if isinstance(handle, viser.GuiButtonGroupHandle):
            handle.visible = False  # It cannot be disabled.
        else:
            handle.disabled = True
