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

"""Log messages about descriptions: each at once, and many at a low rate."""

import time

import pytest
from urdf_tools.ros.diagnostics import LimitedLog
from urdf_tools.ros.diagnostics import MAX_LINES
from urdf_tools.ros.diagnostics import PERIOD


class Lines(list):
    """A logger that keeps what it is given, and the clock of the log."""

    now = 100.0

    def error(self, text):
        self.append(('error', text))

    def warning(self, text):
        self.append(('warning', text))

    def info(self, text):
        self.append(('info', text))


@pytest.fixture
def lines():
    """Return a logger."""
    return Lines()


@pytest.fixture
def log(lines, monkeypatch):
    """Return the log that is tested."""
    monkeypatch.setattr(time, 'monotonic', lambda: lines.now)
    return LimitedLog(lines)


def test_a_message_is_logged_again_after_a_period(lines, log):
    for _ in range(300):
        log.error('refused')
        log.warning('repaired')
    log.info('other')
    assert lines == [('error', 'refused'), ('warning', 'repaired'), ('info', 'other')]
    lines.now += PERIOD
    for _ in range(3):
        log.error('refused')
        log.info('other')
    assert lines[3:] == [('error', 'refused'), ('info', 'other')]


def test_of_messages_that_differ_all_the_time_the_first_are_logged(lines, log):
    for number in range(3 * MAX_LINES):
        log.error(f'refused {number}')
    assert len(lines) == MAX_LINES
    lines.now += PERIOD
    log.info('next')
    assert lines[MAX_LINES:] == [('info', 'next')]
