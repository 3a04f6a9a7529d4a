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

"""The messages that a page may send to its server; all of them are checked here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite
from typing import Any

import msgspec
from urdf_tools.model.messages import count
import viser
# No public module of viser has its messages.
from viser import _messages

MAX_BYTES = 2**20
"""Largest message; a page sends some hundred bytes."""

MAX_PICTURE = 2**26
"""Largest message of a page that sends pictures of itself."""

MAX_TEXT = 200
"""Longest text that a user may write into a field."""

_MAX_NUMBER = 1e9

_SETTLED = 0.7
"""Seconds after which a number that is typed is taken to be complete."""

_KINDS: Mapping[str, type[Any]] = {
    kind.__name__: kind for kind in (
        _messages.GetRenderResponseMessage, _messages.GuiUpdateMessage,
        _messages.SceneNodeClickMessage, _messages.TransformControlsDragEndMessage,
        _messages.TransformControlsDragStartMessage, _messages.TransformControlsUpdateMessage,
        _messages.ViewerCameraMessage)}
"""What the page of the view sends; others, such as uploads and public sharing, are for others."""


_ALWAYS = ('GetRenderResponseMessage', 'ViewerCameraMessage')
"""The messages of a page that only views."""


class BadMessageError(ValueError):
    """A message that no page of the view sends."""


class PageMessages:
    """
    Decides which messages of pages a server gets.

    :param allow_control: whether pages may do more than move their own camera.
    :param warn: called with a sentence when 1, 10, 100, ... messages have been dropped.
    :param takes_pictures: whether pages are asked for pictures of themselves.
    :ivar dropped: number of messages that were dropped because they are bad.
    """

    def __init__(self, allow_control: bool, warn: Callable[[str], object],
                 takes_pictures: bool = False):
        self.allow_control = allow_control
        self.takes_pictures = takes_pictures
        self.dropped = 0
        self._warn = warn
        self._inputs: Mapping[str, Any] = {}
        self._nodes: Mapping[str, Any] = {}
        self._corrections: dict[str, asyncio.TimerHandle] = {}

    def serve(self, inputs: Mapping[str, Any], nodes: Mapping[str, Any]) -> None:
        """
        Let pages reach inputs and nodes; both may change.

        :param inputs: identifier of each input to its handle.
        :param nodes: name of each node of the scene to its handle.
        """
        self._inputs, self._nodes = inputs, nodes

    def checked(self, data: bytes | str) -> bytes | None:
        """Return a checked message, or None if it is dropped."""
        try:
            message = _decoded(data)
            if not self.allow_control and message['type'] not in _ALWAYS:
                # viser lets users type beside a slider that is disabled.
                self._correct(message.get('uuid'))
                return None
            self._check(message)
        except BadMessageError:
            self.dropped += 1
            if self.dropped == 10 ** (len(str(self.dropped)) - 1):
                self._warn(f'Dropped {count(self.dropped, "message")} from pages, because the '
                           'page of the view does not send such')
            return None
        return msgspec.msgpack.encode(message)

    def _check(self, message: dict[str, Any]) -> None:
        """
        Check a message of a known kind, whose fields have the right types.

        :raises BadMessageError: it names what does not exist, or has a value that is not allowed.
        """
        kind = message['type']
        if kind == 'GuiUpdateMessage':
            handle = self._inputs.get(message['uuid'])
            updates = message['updates']
            is_fine = handle is not None and updates.keys() == {'value'} and not getattr(
                handle, 'disabled', False)
            if is_fine:
                value = updates['value']
                updates['value'] = _checked_value(handle, value)
                if updates['value'] != value:
                    self._correct(message['uuid'])
        elif kind == 'GetRenderResponseMessage':
            is_fine = self.takes_pictures
        elif not all(abs(number) <= _MAX_NUMBER for number in _numbers(tuple(message.values()))):
            is_fine = False
        elif kind == 'SceneNodeClickMessage':
            is_fine = message['name'] in self._nodes
        elif kind.startswith('TransformControls'):
            node = self._nodes.get(message['name'])
            is_fine = isinstance(node, viser.TransformControlsHandle) and any(
                message.get('wxyz', (1,)))
        else:
            is_fine = message['position'] != message['look_at'] and any(message['up_direction'])
        if not is_fine:
            raise BadMessageError

    def _correct(self, identifier: Any) -> None:
        """Let pages show the value of a slider again that one of them shows another value of."""
        def send() -> None:
            del self._corrections[identifier]
            if (handle := self._inputs.get(identifier)) is not None:
                handle._queue_update('value', handle.value)

        if isinstance(self._inputs.get(identifier), viser.GuiSliderHandle):
            if identifier in self._corrections:
                self._corrections[identifier].cancel()
            self._corrections[identifier] = asyncio.get_running_loop().call_later(_SETTLED, send)


def _decoded(data: bytes | str) -> dict[str, Any]:
    """
    Return the fields of a message, of the types that viser declares, and its kind as ``type``.

    :raises BadMessageError: it is no such message.
    """
    if isinstance(data, str):
        raise BadMessageError
    try:
        fields = msgspec.msgpack.decode(data, type=dict[str, Any])
        kind = fields.pop('type', '')
        if not isinstance(kind, str) or kind not in _KINDS:
            raise BadMessageError
        message = asdict(msgspec.convert(fields, _KINDS[kind]))
        if fields.keys() - message.keys():
            raise BadMessageError
        return {'type': kind, **message}
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessageError from error


def _checked_value(handle: Any, value: Any) -> Any:
    """
    Return the value for an input.

    :raises BadMessageError: a user cannot give it this value.
    """
    is_allowed = False
    if isinstance(handle, (viser.GuiCheckboxHandle, viser.GuiButtonHandle)):
        is_allowed = isinstance(value, bool)
    elif isinstance(handle, (viser.GuiDropdownHandle, viser.GuiButtonGroupHandle)):
        is_allowed = isinstance(value, str) and value in handle.options
    elif isinstance(handle, viser.GuiTextHandle):
        is_allowed = isinstance(value, str) and len(value) <= MAX_TEXT
    elif isinstance(handle, viser.GuiSliderHandle):
        # What is typed beside it, or rounded to digits, may be beyond the ends.
        is_allowed = type(value) in (int, float) and isfinite(value)
        value = min(max(float(value), handle.min), handle.max) if is_allowed else value
    if not is_allowed:
        raise BadMessageError
    return value


def _numbers(value: Any) -> Iterator[float]:
    """Yield the numbers in nested tuples."""
    if isinstance(value, (int, float)):
        yield value
    elif isinstance(value, tuple):
        for inner in value:
            yield from _numbers(inner)
