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

"""The size of requests, limited before Python objects are made of them."""

from __future__ import annotations

from collections.abc import Callable
import ctypes
from ctypes import py_object
from ctypes import pythonapi
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from rosidl_parser import definition


class RequestError(Exception):
    """A request that cannot be answered; the text is the reason for the client."""


MAX_ELEMENTS = 10_000
"""Maximum number of elements of a list in a request, by default."""

MAX_TEXT = 10_000_000
"""Maximum size of the text in a request by default, in bytes."""

_C_TYPES = {'boolean': 'bool', 'octet': 'uint8', 'char': 'uint8', 'wchar': 'uint16'}
"""Basic types that ctypes calls otherwise."""


class _Sequence(ctypes.Structure):
    """A list or string of the C library of messages, rosidl_runtime_c."""

    _fields_ = [
        ('data', ctypes.c_void_p), ('size', ctypes.c_size_t), ('capacity', ctypes.c_size_t)]


class _String(_Sequence):
    """A string, with its size in bytes."""


class _Strings(_Sequence):
    """A list of strings."""


def limit_requests(
        service: Any, max_elements: Callable[[], int], max_text: Callable[[], int]) -> None:
    """
    Limit the size of requests before rclpy makes Python objects of them.

    Those of 200,000 twists take seconds. The callback of the service gets a :class:`RequestError`
    in place of a request that is too large.

    :param service: a service of rclpy; it converts requests by functions of their type, of which
        this replaces one.
    :param max_elements: returns how many elements a list may have.
    :param max_text: returns how many bytes all texts together may have.
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
            size = _size_of_text(layout.from_address(address), max_elements())
            if size > max_text():
                raise RequestError(f'The request has {size} bytes of text; the parameter '
                                   f'max_request_size allows {max_text()}')
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
    if isinstance(kind, definition.AbstractGenericString):
        return _String
    if isinstance(kind, definition.AbstractSequence):
        is_of_strings = isinstance(kind.value_type, definition.AbstractGenericString)
        return _Strings if is_of_strings else _Sequence
    if isinstance(kind, definition.NamespacedType):
        return _layout(getattr(import_module('.'.join(kind.namespaces)), kind.name))
    if isinstance(kind, definition.Array):
        return _c_type(kind.value_type) * kind.size
    return getattr(ctypes, f'c_{_C_TYPES.get(kind.typename, kind.typename)}')


def _size_of_text(message: ctypes.Structure, max_elements: int, prefix: str = '') -> int:
    """
    Return the bytes of all texts in a message and in the messages in it.

    :raises RequestError: a list has too many elements.
    """
    size = 0
    for name, kind, *_ in message._fields_:
        value = getattr(message, name)
        if kind is _String:
            size += value.size
        elif issubclass(kind, _Sequence):
            if value.size > max_elements:
                raise RequestError(f'{prefix}{name} has {value.size} elements; at most '
                                   f'{max_elements} are accepted')
            if kind is _Strings and value.size:
                texts = (_String * value.size).from_address(value.data)
                size += sum(text.size for text in texts)
        elif issubclass(kind, ctypes.Structure):
            size += _size_of_text(value, max_elements, f'{prefix}{name}.')
    return size
