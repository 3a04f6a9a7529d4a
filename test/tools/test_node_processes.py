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


from pathlib import Path
import signal
import socket
import sys
import time

from node_processes import Process
from node_processes import reserved_domain
import pytest

TOOLS = Path(__file__).resolve().parents[2] / 'tools'


def test_domains_are_reserved_until_they_are_given_back():
    with reserved_domain() as first, reserved_domain() as second:
        assert len({first, second}) == 2
        assert {first, second} <= set(range(1, 101))
        with socket.socket() as other, pytest.raises(OSError):
            other.bind(('', 32768 + first))
    with socket.socket() as other:
        other.bind(('', 32768 + first))


def test_lines_are_waited_for():
    process = Process('talker', ['sh', '-c', 'echo one; echo two >&2; exec sleep 600'])
    assert process.wait_for_line(r'tw(.)').group(1) == 'o'
    assert process.wait_for_line('one')
    assert process.stop(signal.SIGTERM) == -signal.SIGTERM
    assert process.output == 'one\ntwo'


def test_a_line_that_does_not_come_is_an_error_with_the_output():
    process = Process('talker', ['sh', '-c', 'echo one'])
    with pytest.raises(AssertionError, match="talker did not write 'two' but:\none"):
        process.wait_for_line('two')
    assert process.wait() == 0


def test_processes_end_with_the_one_that_started_them():
    program = """
import os, sys
sys.path.append(sys.argv[1])
from node_processes import Process
process = Process('sleeper', ['sh', '-c', 'echo ready; exec sleep 600'])
process.wait_for_line('ready')
print(process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    parent = Process('parent', [sys.executable, '-c', program, str(TOOLS)])
    child = int(parent.wait_for_line(r'^(\d+)$').group(1))
    assert parent.wait() == -signal.SIGKILL
    deadline = time.monotonic() + 60
    while Path(f'/proc/{child}').exists():
        assert time.monotonic() < deadline, 'the process outlived the one that started it'
        time.sleep(0.01)
