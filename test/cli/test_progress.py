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

"""What is shown on a terminal while something takes long."""

import io
from threading import Event

import pytest

from urdf_tools.cli import progress


class Terminal(io.StringIO):
    """A stream that tells when something was written to it."""

    def __init__(self, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal
        self.written = Event()

    def isatty(self):
        return self.is_terminal

    def write(self, text):
        super().write(text)
        self.written.set()


def test_is_shown_and_removed(monkeypatch):
    monkeypatch.setattr(progress, 'DELAY', 0.001)
    stream = Terminal(True)
    with progress.progress('1 of 2: robot.urdf', stream):
        assert stream.written.wait(60)
    assert stream.getvalue().startswith('\r\033[K1 of 2: robot.urdf (0 s)')
    assert stream.getvalue().endswith('\r\033[K')


def test_is_said_now_and_then_without_a_terminal(monkeypatch):
    monkeypatch.setattr(progress, '_QUIET', 0.001)
    stream = Terminal(False)
    with progress.progress('robot.urdf', stream) as line:
        line.step('reading meshes')
        assert stream.written.wait(60)
    assert stream.getvalue().splitlines()[0] in (
        'urdf-tools: robot.urdf: reading meshes (0 s)', 'urdf-tools: robot.urdf (0 s)')
    assert '\033' not in stream.getvalue()


@pytest.mark.parametrize('is_terminal', [False, True])
def test_nothing_is_shown_of_what_is_fast(is_terminal, monkeypatch):
    monkeypatch.setattr(progress, 'DELAY', 1000)
    monkeypatch.setattr(progress, '_QUIET', 1000)
    stream = Terminal(is_terminal)
    with pytest.raises(KeyError), progress.progress('x', stream):
        raise KeyError
    assert stream.getvalue() == ''
