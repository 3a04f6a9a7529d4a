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

"""The demo's end, which is that of its nodes."""

from pathlib import Path
import signal
import sys
import time

from node_processes import Process
import pytest

DEMO = Path(__file__).resolve().parents[2] / 'tools' / 'demo.py'


def children(pid):
    text = Path(f'/proc/{pid}/task/{pid}/children').read_text()
    return [int(child) for child in text.split()]


@pytest.mark.parametrize(('number', 'code'), [
    (signal.SIGTERM, 128 + signal.SIGTERM),
    (signal.SIGHUP, 128 + signal.SIGHUP),
    (signal.SIGKILL, -signal.SIGKILL)])
def test_whatever_ends_the_demo_ends_its_nodes(own_domain, number, code):
    pytest.importorskip('urdf_tools_interfaces')
    demo = Process('demo', [sys.executable, str(DEMO), '--keep-running'])
    demo.wait_for_line('runs in ROS domain', 60)
    nodes = children(demo.pid)
    assert len(nodes) == 5 + 1  # The worker that has expanded the description is one, too.
    assert demo.stop(number, 60) == code, demo.output
    deadline = time.monotonic() + 60
    while any(Path(f'/proc/{node}').exists() for node in nodes):
        assert time.monotonic() < deadline, 'nodes outlived the demo'
        time.sleep(0.01)
