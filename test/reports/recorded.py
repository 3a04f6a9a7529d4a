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

"""Recordings and running graphs of the log of reports, each made by a function of its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.graph_records import GraphRecords
from support.graph_records import MODEL
from support.graph_records import robot
from support.recordings import record

from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.findings.formats.terminal import render

Making = Callable[[], GraphRecords]

MADE: dict[str, Making] = {}
"""Name of each input to the function that makes it."""


def made(function: Making) -> Making:
    """Make a function known by its name, with dashes."""
    MADE[function.__name__.replace('_', '-')] = function
    return function


def write(path: Path, records: GraphRecords) -> None:
    """Write a recording."""
    record(path, records.observation())


def said_of(records: GraphRecords) -> str:
    """Return what the doctor says about a running graph."""
    return render(evaluate(records.observation(), 'graph'))


@made
def prefix_without_slash() -> GraphRecords:
    return robot(MODEL.format(name='arm'), prefix='robot0')
