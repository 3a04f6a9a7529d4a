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

from collections.abc import Callable
from collections.abc import Iterator
import ctypes
from ctypes import py_object
from ctypes import pythonapi
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from rosidl_parser.definition import AbstractGenericString
from rosidl_parser.definition import AbstractSequence
from rosidl_parser.definition import Array
from rosidl_parser.definition import NamespacedType

from urdf_tools.nodes.model_server.requests import RequestError

MAX_ELEMENTS = 10_000
"""Most elements of a list in a request, unless the robot has more links."""

_C_TYPES = {'boolean': 'bool', 'octet': 'uint8', 'char': 'uint8', 'wchar': 'uint16'}
"""Basic types that ctypes calls otherwise."""


class _Sequence(ctypes.Structure):
    """A list or string of the C library of messages, rosidl_runtime_c."""

    _fields_ = [
        ('data', ctypes.c_void_p), ('size', ctypes.c_size_t), ('capacity', ctypes.c_size_t)]


class _String(_Sequence):
    """A string."""


def count_before_conversion(service: Any, most: Callable[[], int]) -> None:
    """
    Count the elements of lists in requests before rclpy makes Python objects of them.

    Those of 200,000 twists take seconds. The callback of the service gets a :class:`RequestError`
    in place of a request whose lists are too long.

    :param service: a service of rclpy; it converts requests by functions of their type, of which
        this replaces one.
    :param most: returns how many elements a list may have.
    """
    kind = type(service.srv_type.Request)
    layout = _layout(service.srv_type.Request)
    function = ctypes.PYFUNCTYPE(py_object, ctypes.c_void_p)
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, py_object, ctypes.c_char_p)(
        ('PyCapsule_GetPointer', pythonapi))
    capsule = ctypes.PYFUNCTYPE(py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
        ('PyCapsule_New', pythonapi))
    convert = function(pointer(kind._CONVERT_TO_PY, None))

    def convert_short(address: int) -> Any:
        try:
            _check_counts(dict(_counts(layout.from_address(address))), most())
            return convert(address)
        except Exception as error:  # None may leave a function that C calls.
            return error if isinstance(error, RequestError) else RequestError(str(error))

    service.convert = function(convert_short)  # It lives as long as the service.
    limited = type('LimitedRequest', (), {
        **vars(kind), '_CONVERT_TO_PY': capsule(
            ctypes.cast(service.convert, ctypes.c_void_p), None, None)})
    service.srv_type = SimpleNamespace(Request=limited(), Response=service.srv_type.Response)


def _layout(message: Any) -> type[ctypes.Structure]:
    """Return the layout of a message in C."""
    return type(message.__name__, (ctypes.Structure,), {'_fields_': [
        (name, _c_type(kind)) for name, kind in zip(
            message.get_fields_and_field_types(), message.SLOT_TYPES)]})


def _c_type(kind: Any) -> Any:
    if isinstance(kind, (AbstractGenericString, AbstractSequence)):
        return _String if isinstance(kind, AbstractGenericString) else _Sequence
    if isinstance(kind, NamespacedType):
        return _layout(getattr(import_module('.'.join(kind.namespaces)), kind.name))
    if isinstance(kind, Array):
        return _c_type(kind.value_type) * kind.size
    return getattr(ctypes, f'c_{_C_TYPES.get(kind.typename, kind.typename)}')


def _counts(message: ctypes.Structure, prefix: str = '') -> Iterator[tuple[str, int]]:
    """Yield the lists of a message and of the messages in it, and how long they are."""
    for name, kind, *_ in message._fields_:
        if kind is _Sequence:
            yield prefix + name, getattr(message, name).size
        elif issubclass(kind, ctypes.Structure) and kind is not _String:
            yield from _counts(getattr(message, name), f'{prefix}{name}.')


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
    _check_counts(counts, most)
    size = sum(
        len(text.encode('utf-8', 'surrogatepass')) for value in fields.values()
        for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))
    if size > max_text:
        raise RequestError(
            f'The request has {size} bytes of text; the parameter max_request_size allows '
            f'{max_text}')
    return max(counts.values(), default=0)


def _check_counts(counts: dict[str, int], most: int) -> None:
    for name, count in counts.items():
        if count > most:
            raise RequestError(f'{name} has {count} elements; at most {most} are accepted')


def _fields(message: Any, prefix: str = '') -> Iterator[tuple[str, Any]]:
    """Yield the fields of a message and of the messages in it, except those in lists."""
    for name in message.get_fields_and_field_types():
        value = getattr(message, name)
        if hasattr(value, 'get_fields_and_field_types'):
            yield from _fields(value, f'{prefix}{name}.')
        else:
            yield prefix + name, value
