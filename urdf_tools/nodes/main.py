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

"""The main program of each node."""

from __future__ import annotations

from functools import partial
import json
import os
from pathlib import Path
from pkgutil import resolve_name
import signal
import sys

from urdf_tools.ros.process import prepare
from urdf_tools.ros.process import run

TYPE_CHECKING = False  # As in typing, which is imported only once signals are handled.
if TYPE_CHECKING:
    from typing import NoReturn  # noqa: I300

NODES: dict[str, str] = json.loads(Path(__file__).with_name('nodes.json').read_bytes())
"""Name of each executable to the class of its node."""


def main(name: str) -> NoReturn:
    """Run a node until a signal ends it, and exit; see :func:`~urdf_tools.ros.process.run`."""
    publishes_frames = name in ('robot_state_publisher', 'state_publisher')
    if not {'-h', '--help'}.isdisjoint(sys.argv[1:]):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # No traceback under head.
        print(_help(name, publishes_frames))
        sys.exit()
    # Before the other imports, which take most of the time of a start.
    prepare(name, returns_memory=not publishes_frames)
    if name == 'viewer':
        os.nice(10)  # A picture may come late; what moves the robot may not.
    node_class = resolve_name(NODES[name])
    if publishes_frames:
        # As in robot_state_publisher, an argument may be the path of a URDF file.
        sys.exit(run(name, partial(node_class, name=name), max_arguments=1))
    sys.exit(run(name, node_class))


def _help(name: str, takes_file: bool) -> str:
    """Return how a node is started, and what it does."""
    module = sys.modules[resolve_name(NODES[name]).__module__]
    return (f'usage: {name}{" [FILE]" * takes_file} [--ros-args [-p NAME:=VALUE ...] [-r OLD:=NEW '
            f'...] [--params-file FILE]]\n\n{(module.__doc__ or "").strip()}\n\n'
            f'Its parameters are in docs/nodes.md; "ros2 param list" lists them while it runs.')
