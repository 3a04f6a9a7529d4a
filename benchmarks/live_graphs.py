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
Whether graphs that are recorded while ``doctor`` watches get the same findings from both.

Each of the public graphs of the tests is started in a process of its own, which publishes over
DDS; another one is ``urdf-tools doctor``, and this one records everything to an MCAP file, of
which ``urdf-tools doctor`` then evaluates. What a busy computer causes is left out where the graph
is not about it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]

from support.held_out_graphs import HELD_OUT  # noqa: E402
from support.public_graphs import BROKEN  # noqa: E402
from support.public_graphs import HEALTHY  # noqa: E402
from tools.node_processes import reserved_domain  # noqa: E402
from urdf_tools.doctor.rules import GRAPH_RULES  # noqa: E402

SECONDS = 10.0
"""How long the doctor watches."""

NEEDS_NODES = {
    'clock-mixed', 'clock-of-stamps', 'clock-stands', 'data-frame-unknown', 'data-silent',
    'description-not-published',
    'description-parameter-differs', 'description-subscriber-volatile', 'frame-awaited',
    'frame-other-namespace', 'qos-mismatch'}
"""Rules about parameters, services and subscribers of nodes, which are not recorded."""

BY_LOAD = {code for code, rule in GRAPH_RULES.items()
           if rule.category == 'timing' or code == 'joint-states-silent'}
"""Rules that a busy computer breaks, in one of the processes and not in another."""

SAID = {each.thread: each.said for each in (*BROKEN, *HEALTHY, *HELD_OUT)}

Key = tuple[str, str, str]


def main(args: Sequence[str] | None = None) -> int:
    """Compare, print a line for each graph, and return 1 if any differ without a reason."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n')[0])
    parser.add_argument('threads', nargs='*', help='graphs; default: all')
    parser.add_argument('--jobs', type=int, default=1, help='graphs at one time; default: 1')
    parser.add_argument('--keep', type=Path, help='folder that keeps the recordings')
    arguments = parser.parse_args(args)
    threads = arguments.threads or [*SAID]
    print('| graph | findings live | in the recording | only live | only recorded |')
    print('|-------|--------------:|-----------------:|-----------|---------------|')
    unequal = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(arguments.jobs) as pool:
        found = pool.map(partial(findings, arguments.keep or Path(folder)), threads)
        for thread, (live, recorded) in zip(threads, found):
            of_load = BY_LOAD - SAID[thread].keys()
            live, recorded = ({key for key in part if key[0] not in of_load}
                              for part in (live, recorded))
            rows = [sorted(f'{code} {topic} {subject}'.strip() for code, topic, subject in part)
                    for part in (live - recorded, recorded - live)]
            print(f'| {thread} | {len(live)} | {len(recorded)} | {"; ".join(rows[0])} | '
                  f'{"; ".join(rows[1])} |', flush=True)
            unequal += bool(recorded - live) or any(
                code not in NEEDS_NODES for code, _, _ in live - recorded)
    print(f'{len(threads)} graphs, {unequal} differ in more than what a recording lacks')
    return int(unequal > 0)


def findings(folder: Path, thread: str) -> tuple[set[Key], set[Key]]:
    """Return what is found in a graph, and in its recording."""
    name = thread.replace('/', '_').replace('#', '_')
    path = folder / f'{name}.mcap'
    with reserved_domain() as domain:
        environment = {
            **os.environ, 'ROS_DOMAIN_ID': str(domain),
            'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST', 'PYTHONPATH': os.pathsep.join(
                (str(ROOT), str(ROOT / 'test'), os.environ.get('PYTHONPATH', '')))}
        start = partial(subprocess.Popen, env=environment, stdin=subprocess.PIPE)
        player = start([sys.executable, '-m', 'support.graph_player', thread, str(domain)],
                       stdout=subprocess.PIPE)
        recorder = start([sys.executable, '-m', 'support.graph_recorder', str(path), str(domain)],
                         stdout=subprocess.PIPE)
        try:
            for process in player, recorder:
                assert process.stdout.readline() == b'ready\n'
            live = subprocess.run(
                _doctor('--seconds', str(SECONDS)), env=environment, stdout=subprocess.PIPE)
        finally:
            for process in recorder, player:
                process.stdin.close()
                assert process.wait(30) == 0
    recorded = subprocess.run(_doctor(str(path)), env=environment, stdout=subprocess.PIPE)
    return {*_keys(live.stdout)}, {*_keys(recorded.stdout)}


def _doctor(*arguments: str) -> list[str]:
    return [sys.executable, '-m', 'urdf_tools.cli', 'doctor', '--format', 'json',
            *arguments]


def _keys(output: bytes) -> Iterator[Key]:
    for finding in json.loads(output)['findings']:
        assert finding['code'] in GRAPH_RULES
        yield finding['code'], finding['topic'], finding.get('subject') or ''


if __name__ == '__main__':
    sys.exit(main())
