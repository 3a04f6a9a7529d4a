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

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a node with exit code 0."""


def start(name: str) -> int:
    """
    Import and run a node.

    A signal during the imports ends the process with code 0 at once, since there is nothing to
    finish yet. Later ones are up to :func:`urdf_tools.ros.process.run`.

    :param name: of the node's package in :mod:`urdf_tools.nodes`.
    """
    for number in SIGNALS:
        signal.signal(number, lambda *_: os._exit(0))
    from urdf_tools.garbage_collection import defer_garbage_collection
    from urdf_tools.late_imports import prepare_program
    defer_garbage_collection()
    prepare_program()
    return int(import_module(f'urdf_tools.nodes.{name}.node').main())
