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

"""Limits on the size of service requests, checked before anything else reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urdf_tools.nodes.model_server.requests import RequestError

MAX_ELEMENTS = 10_000
"""Most elements of a list in a request, unless the robot has more links."""


def check_size(request: Any, most: int, max_text: int) -> int:
    """
    Return the number of elements of the longest list in a request.

    :param most: elements that a list may have.
    :param max_text: bytes that all texts together may have.
    :raises RequestError: the request has more of them.
    """
    fields = dict(_fields(request))
    counts = {name: len(value) for name, value in fields.items()
              if not isinstance(value, str) and hasattr(value, '__len__')}
    for name, count in counts.items():
        if count > most:
            raise RequestError(f'{name} has {count} elements; at most {most} are accepted')
    size = sum(
        len(text.encode('utf-8', 'surrogatepass')) for value in fields.values()
        for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))
    if size > max_text:
        raise RequestError(
            f'The request has {size} bytes of text; the parameter max_request_size allows '
            f'{max_text}')
    return max(counts.values(), default=0)


def _fields(message: Any, prefix: str = '') -> Iterator[tuple[str, Any]]:
    """Yield the fields of a message and of the messages in it, except those in lists."""
    for name in message.get_fields_and_field_types():
        value = getattr(message, name)
        if hasattr(value, 'get_fields_and_field_types'):
            yield from _fields(value, f'{prefix}{name}.')
        else:
            yield prefix + name, value
