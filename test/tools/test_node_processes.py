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


import signal
import socket

from node_processes import Process
from node_processes import reserved_domain
import pytest


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
