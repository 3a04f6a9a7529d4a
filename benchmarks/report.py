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

"""Results as a table."""

from __future__ import annotations

from datetime import date
import os
from pathlib import Path
import platform
from statistics import median
import sys
from typing import Dict
from typing import List
from typing import Tuple

from benchmarks.measurement import Measurement

Results = Dict[Tuple[int, str], List[Measurement]]
"""Measurements of each round, by number of joints and name of the node; ours comes first."""

_HEAD = (
    'joints', 'node', 'CPU us', 'p50 us', 'p99 us', 'MB', 'lost', 'CPU ratio', 'p50 ratio')


def machine() -> str:
    """Return the hardware and software that the numbers depend on, in one line."""
    models = {line.partition(':')[2].strip()
              for line in Path('/proc/cpuinfo').read_text().splitlines()
              if line.startswith('model name')}
    return ', '.join((
        f'{os.cpu_count()} cores{"".join(f" ({model})" for model in sorted(models))}',
        f'{platform.system()} {platform.release()}', python(),
        f'ROS 2 {os.environ.get("ROS_DISTRO", "of unknown distribution")}',
        os.environ.get('RMW_IMPLEMENTATION', 'default middleware'), date.today().isoformat()))


def python() -> str:
    """
    Return the version of Python and where it is installed.

    A distribution's is built with optimization and pyenv's without, but Debian's does not say so.
    """
    return f'Python {platform.python_version()} of {sys.base_prefix}'


def table(results: Results) -> str:
    """
    Return medians as a table in Markdown: CPU per message, latencies, memory.

    The last columns are ratios of ours to the node's in the same round.
    """
    ours = {joints: results[joints, name] for joints, name in reversed(results)}
    rows = [_HEAD, *(_row(joints, name, runs, ours[joints])
                     for (joints, name), runs in sorted(results.items(), key=_joints))]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ['| ' + ' | '.join(
        cell.ljust(width) if column == 1 else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths))) + ' |' for row in rows]
    rule = '|' + '|'.join(
        '-' * (width + 1) + ('-' if column == 1 else ':') for column, width in enumerate(widths))
    return '\n'.join([lines[0], rule + '|', *lines[1:]])


def _joints(item):
    (joints, _), _ = item
    return joints


def _row(joints, name, runs, ours):
    def middle(field):
        return f'{median(getattr(run, field) for run in runs):.0f}'

    def ratio(field):
        return f'{median(_ratios(field, ours, runs)):.2f}'

    return (str(joints), name, middle('cpu'), middle('p50'), middle('p99'), middle('resident'),
            str(sum(run.lost for run in runs)), ratio('cpu'), ratio('p50'))


def _ratios(field, ours, runs):
    return [getattr(our, field) / getattr(run, field) for our, run in zip(ours, runs)]
