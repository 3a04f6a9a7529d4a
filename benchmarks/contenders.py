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

"""The nodes that are compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
import sys

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import PackageNotFoundError


@dataclass(frozen=True)
class Contender:
    """A node that turns joint states into transforms, and the command that starts it."""

    name: str
    command: tuple[str, ...]


OURS = Contender(
    'state_publisher',
    (sys.executable, str(Path(__file__).resolve().parents[1] / 'scripts' / 'state_publisher')))
NAIVE = Contender('naive rclpy node', (sys.executable, '-m', 'benchmarks.naive_state_publisher'))
RELAY = Contender('rclpy relay', (sys.executable, '-m', 'benchmarks.relay'))

OTHERS_IN_PYTHON = (NAIVE.name, RELAY.name)


def contenders() -> list[Contender]:
    """Return all nodes: ours first, robot_state_publisher last if it is installed."""
    found = [OURS, NAIVE, RELAY]
    try:
        prefix = get_package_prefix('robot_state_publisher')
    except PackageNotFoundError:
        return found
    program = Path(prefix, 'lib', 'robot_state_publisher', 'robot_state_publisher')
    return [*found, Contender('robot_state_publisher', (str(program),))]
