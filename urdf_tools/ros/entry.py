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
import signal
import sys

from urdf_tools.ros.start_conditions import lack_of_memory
from urdf_tools.ros.start_conditions import SIGNALS

_HEAP = {'PYTHONMALLOC': 'malloc', 'MALLOC_ARENA_MAX': '2'}
"""
The C library's heap instead of Python's, and two parts of it instead of one for each thread.

Python returns only whole megabytes, and each object that outlives a large description keeps one.
"""

_PROFILES = '{}_DEFAULT_PROFILES_FILE', 'DEFAULT_{}_PROFILES.xml'
"""Variable that names a file of settings of Fast DDS, and such a file in the current folder."""

_NAMES = 'FASTDDS', 'FASTRTPS'
"""What Fast DDS calls itself in them, the second up to ROS 2 Jazzy."""

_USE_PROFILES = 'RMW_FASTRTPS_USE_QOS_FROM_XML'


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
        _restart_returning_memory()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    if reason := lack_of_memory():
        print(f'[FATAL] [{name}]: {reason}', file=sys.stderr)
        return 1
    from urdf_tools.garbage_collection import defer_garbage_collection
    from urdf_tools.late_imports import prepare_node
    defer_garbage_collection()
    prepare_node()
    return int(import_module(f'urdf_tools.nodes.{name}.node').main())


def _restart_returning_memory() -> None:
    """
    Begin this process anew, once, with a heap that returns what large messages took.

    Fast DDS keeps, for each place in a queue, the memory of the largest message that was there,
    unless its settings say otherwise; those of the user count. Signals stay blocked meanwhile.
    """
    variables = {name: text for name, text in _HEAP.items() if name not in os.environ}
    if not variables or sys.platform != 'linux' or not sys.executable:
        return
    own = {_USE_PROFILES, *map(_PROFILES[0].format, _NAMES)} & os.environ.keys()
    if not own and not any(map(os.path.exists, map(_PROFILES[1].format, _NAMES))):
        name = _NAMES[os.environ.get('ROS_DISTRO') == 'jazzy']
        variables[_PROFILES[0].format(name)] = os.path.join(
            os.path.dirname(os.path.abspath(__file__)), 'fastdds_profiles.xml')
        variables[_USE_PROFILES] = '1'
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    command = [sys.executable, *sys.orig_argv[1:]]
    os.execve(sys.executable, command, {**os.environ, **variables})
