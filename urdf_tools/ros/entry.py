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

"""
The first moment of a node's process.

This module imports nothing that takes time: until the signals are handled, one of them ends the
process by the signal or with a traceback.
"""

from __future__ import annotations

from importlib import import_module
import os
import resource
import signal
import sys

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a node with exit code 0."""

MIN_ADDRESS_SPACE = 768 * 2**20
"""Bytes of address space that a node needs: with less, the middleware may abort or hang."""


def lack_of_memory() -> str:
    """Return why a limit of the process leaves a node too little memory, or an empty string."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY or limit >= MIN_ADDRESS_SPACE:
        return ''
    return (f'The address space is limited to {limit // 2**20} MB, and a node needs '
            f'{MIN_ADDRESS_SPACE // 2**20}; raise the limit (ulimit -v)')


def start(name: str, returns_memory: bool = True) -> int:
    """
    Import and run a node.

    A signal during the imports ends the process with code 0 at once, since there is nothing to
    finish yet. Later ones are up to :func:`urdf_tools.ros.process.run`.

    :param name: of the node's package in :mod:`urdf_tools.nodes`.
    :param returns_memory: whether large messages may leave nothing behind, at the price of a
        later start.
    """
    for number in SIGNALS:
        signal.signal(number, lambda *_: os._exit(0))
    if returns_memory:
        from urdf_tools.ros.memory import restart_returning_memory
        restart_returning_memory()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    if reason := lack_of_memory():
        print(f'[FATAL] [{name}]: {reason}', file=sys.stderr)
        return 1
    from urdf_tools.garbage_collection import defer_garbage_collection
    from urdf_tools.late_imports import prepare_node
    defer_garbage_collection()
    prepare_node()
    return int(import_module(f'urdf_tools.nodes.{name}.node').main())
