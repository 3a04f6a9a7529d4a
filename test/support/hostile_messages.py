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

"""Each field of what nodes take, at its limits and beyond what a client of rclpy can send."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
import ctypes
from ctypes import c_bool
from ctypes import c_char_p
from ctypes import c_int
from ctypes import c_size_t
from ctypes import c_uint64
from ctypes import c_void_p
from functools import cache
from importlib import import_module
import math
import os
import random
import time
from typing import Any
from typing import NamedTuple

from rcl_interfaces.msg import Parameter
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import GetParameters
from rcl_interfaces.srv import ListParameters
from rcl_interfaces.srv import SetParameters
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from rclpy.utilities import get_rmw_implementation_identifier
from rosidl_parser import definition

PATIENCE = 100.0 * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
"""Seconds after which a response counts as missing, on a machine that others use, too."""

TRANSIENT_LOCAL = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

NUMBERS = (math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 0.0)
TEXTS = ('', '/', ' ', 'a' * 10_000, 'link_1', 'joint_1', '\u202e\x07', '../..', '__a', '\ud7ff')


class Trial(NamedTuple):
    """What a node has got, and what it did wrong."""

    node: str
    what: str
    fault: str = ''


class Fields:
    """
    Each field of what the nodes in the graph take, at its limits and beyond.

    Messages, requests and parameters have one hostile field each; and each serialized message and
    request is sent with invalid bytes, too, which no client of rclpy could do.
    """

    def __init__(self, node: Node, rng: random.Random):
        self._node = node
        self._rng = rng
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(node)

    def call(self, kind: Any, name: str, request: object) -> Any:
        """Return the response of a service, or None if there is none in time."""
        client = self._node.create_client(kind, name)
        end = time.monotonic() + PATIENCE
        response = None
        # A server that has not yet discovered the client loses its response.
        while response is None and time.monotonic() < end and client.wait_for_service(PATIENCE):
            future = client.call_async(request)
            self._executor.spin_until_future_complete(future, timeout_sec=PATIENCE / 4)
            response = future.result() if future.done() else None
        self._node.destroy_client(client)
        return response

    def wait_for(self, holds: Callable[[], bool]) -> bool:
        """Work until something holds, and return whether it does in time."""
        end = time.monotonic() + PATIENCE
        while not holds() and time.monotonic() < end:
            self._executor.spin_once(timeout_sec=0.1)
        return holds()

    def attacked(self) -> list[str]:
        """Return the names of the nodes that have parameters, which those of peers have not."""
        services = {name for name, _ in self._node.get_service_names_and_types()}
        nodes = [f'{space.rstrip("/")}/{name}'
                 for name, space in self._node.get_node_names_and_namespaces()]
        return sorted(name for name in nodes if f'{name}/set_parameters' in services)

    def services(self, node: str) -> list[tuple[str, Any]]:
        """Return the names and types of the services of a node."""
        space, _, base = node.rpartition('/')
        return [(name, _class(kind)) for name, (kind,) in
                self._node.get_service_names_and_types_by_node(base, space or '/')]

    def describing(self, node: str) -> list[tuple[str, Any]]:
        """Return those that take a description."""
        return [(name, kind) for name, kind in self.services(node)
                if 'description' in kind.Request.get_fields_and_field_types()]

    @cache
    def parameters(self, node: str) -> dict[str, ParameterValue]:
        """Return the parameters of a node when it was first asked for them."""
        names = self.call(
            ListParameters, f'{node}/list_parameters', ListParameters.Request()).result.names
        return dict(zip(names, self.call(
            GetParameters, f'{node}/get_parameters', GetParameters.Request(names=names)).values))

    def set_parameter(self, node: str, name: str, value: ParameterValue) -> Any:
        """Set a parameter, and return the result, or None if there is none in time."""
        response = self.call(SetParameters, f'{node}/set_parameters', SetParameters.Request(
            parameters=[Parameter(name=name, value=value)]))
        return response.results[0] if response else None

    def each(self) -> Iterator[Trial]:
        """Yield each trial, once it has been made."""
        for node in self.attacked():
            space, _, base = node.rpartition('/')
            topics = self._node.get_subscriber_names_and_types_by_node(base, space or '/')
            for topic, (kind,) in topics:
                yield from self._messages(node, topic, _class(kind))
            for service, kind in self.services(node):
                yield from self._requests(node, service, kind)
            yield from self._parameters(node)

    def _messages(self, node: str, topic: str, kind: Any) -> Iterator[Trial]:
        publisher = self._node.create_publisher(kind, topic, TRANSIENT_LOCAL)
        for message in hostile_messages(kind):
            publisher.publish(message)
            yield Trial(node, f'messages on {topic}')
            publisher.publish(broken(serialize_message(message), self._rng))
            yield Trial(node, f'invalid messages on {topic}')
        self._node.destroy_publisher(publisher)

    def _requests(self, node: str, service: str, kind: Any) -> Iterator[Trial]:
        send = raw_sender(self._node, kind.Request, service)
        for request in [*hostile_messages(kind.Request), kind.Request()]:
            response = self.call(kind, service, request)
            text = getattr(response, 'message', '')
            fault = ''
            if response is None:
                fault = f'no answer to {str(request)[:2000]}'
            elif not text.isprintable() or text.startswith('Internal error'):
                fault = f'it answers {text[:200]!r} to {str(request)[:2000]}'
            yield Trial(node, f'requests to {service}', fault)
            send(broken(serialize_message(request), self._rng))
            yield Trial(node, f'invalid requests to {service}')

    def _parameters(self, node: str) -> Iterator[Trial]:
        for name, before in self.parameters(node).items():
            for value in hostile_messages(ParameterValue):
                kind = next((number for number, field in _PARAMETER_FIELDS.items()
                             if getattr(value, field) != getattr(ParameterValue(), field)), None)
                value.type = value.type or kind or self._rng.randrange(12)
                result = self.set_parameter(node, name, value)
                fault = '' if result and result.reason.isprintable() else f'{name}: {result}'
                if result and result.successful:
                    restored = self.set_parameter(node, name, before)
                    if not restored or not restored.successful:
                        fault = f'{name} does not take {before} again: {restored}'
                yield Trial(node, f'values of {name}', fault[:500])


_PARAMETER_FIELDS = dict(enumerate([*ParameterValue.get_fields_and_field_types()][1:], 1))


def _class(name: str) -> Any:
    """Return the class of a type such as ``std_msgs/msg/String``."""
    package, folder, kind = name.split('/')
    return getattr(import_module(f'{package}.{folder}'), kind)


def hostile_messages(kind: Any) -> Iterator[Any]:
    """Yield messages of a type with one hostile field each."""
    for name, of in zip(kind.get_fields_and_field_types(), kind.SLOT_TYPES):
        for value in _values(of):
            message = kind()
            setattr(message, name, value)
            yield message


def _values(kind: Any) -> list[Any]:
    """Return the limits of a type and hostile values."""
    if isinstance(kind, definition.AbstractGenericString):
        return [*TEXTS]
    if isinstance(kind, definition.NamespacedType):
        return [*hostile_messages(_class('/'.join((*kind.namespaces, kind.name))))]
    if isinstance(kind, definition.Array):
        return [[value] * kind.size for value in _values(kind.value_type)]
    if isinstance(kind, definition.AbstractSequence):
        # rclpy sends no more than the most that a type allows.
        each, most = _values(kind.value_type), getattr(kind, 'maximum_size', 20_000)
        return [each[:most], *([value] for value in each), each[:1] * most]
    name = kind.typename
    if name in _OTHER_VALUES:
        return [*_OTHER_VALUES[name]]
    bits, is_unsigned = int(name.lstrip('uint')), name.startswith('u')
    least = 0 if is_unsigned else -2**(bits - 1)
    return [least, least + 1, least + 2**bits - 1]


_OTHER_VALUES = {
    'double': NUMBERS, 'float': (*NUMBERS[:3], 3e38, 0.0), 'boolean': (False, True),
    'octet': (b'\0', b'\xff'), 'char': (0, 255)}


def broken(data: bytes, rng: random.Random) -> bytes:
    """Return a serialized message cut, or with other lengths, texts or an other encoding."""
    changed, at, kind = bytearray(data), rng.randrange(4, len(data) + 1), rng.randrange(5)
    if kind == 0:
        del changed[at:]
    elif kind < 3:
        at -= at % 4
        changed[at:at + 4] = rng.choice((0, 1, 2**31 - 1, 2**32 - 1, 10**6)).to_bytes(4, 'little')
    elif kind == 3:
        changed[at:at + 3] = rng.choice((b'\0\0\0', b'\xff\xfea', b'\xed\xa0\x80', b'\xc0\x80a'))
    else:
        changed[:2] = rng.randbytes(2)
    return bytes(changed)


@cache
def raw_sender(node: Node, kind: Any, service: str) -> Callable[[bytes], object]:
    """
    Return what sends serialized requests, whatever their bytes are; nobody gets the response.

    Clients of rclpy send what it can serialize only, so this asks the middleware for a publisher
    on the topic behind the service.
    """
    class Profile(ctypes.Structure):
        _fields_ = [
            ('history', c_int), ('depth', c_size_t), ('reliability', c_int), ('durability', c_int),
            ('deadline', c_uint64 * 2), ('lifespan', c_uint64 * 2), ('liveliness', c_int),
            ('lease', c_uint64 * 2), ('has_its_own_names', c_bool)]

    class Bytes(ctypes.Structure):
        _fields_ = [('data', c_char_p), ('size', c_size_t), ('capacity', c_size_t),
                    ('allocator', c_void_p * 5)]

    rcl = ctypes.CDLL('librcl.so')
    rmw = ctypes.CDLL(f'lib{get_rmw_implementation_identifier()}.so')
    pointer = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, c_char_p)(
        ('PyCapsule_GetPointer', ctypes.pythonapi))
    rcl.rcl_node_get_rmw_handle.restype = rmw.rmw_create_publisher.restype = c_void_p
    type(kind).__import_type_support__()
    with node.handle:
        handle = c_void_p(rcl.rcl_node_get_rmw_handle(c_void_p(node.handle.pointer)))
    profile = Profile(1, 10, 1, 2, liveliness=1, has_its_own_names=True)
    publisher = c_void_p(rmw.rmw_create_publisher(
        handle, c_void_p(pointer(kind._TYPE_SUPPORT, None)), f'rq{service}Request'.encode(),
        ctypes.byref(profile), (c_void_p * 2)()))
    return lambda data: rmw.rmw_publish_serialized_message(
        publisher, ctypes.byref(Bytes(data, len(data), len(data))), None)
