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
"""The browser that draws pictures."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from urdf_tools.view.headless_browser import find_chromium

pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')]

HOLDER = """
import signal
from urdf_tools.view import headless_browser as module
browser = module.HeadlessBrowser(
    module.find_chromium(), 'about:blank', (300, 200), ['--remote-debugging-port=0'])
print(browser.profile, browser._process.pid, flush=True)
signal.pause()
"""


def wait_until(holds):
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def runs(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_ends_with_a_process_that_is_killed():
    holder = subprocess.Popen(
        [sys.executable, '-c', HOLDER], stdout=subprocess.PIPE, text=True)
    profile, group = holder.stdout.readline().split()
    wait_until(lambda: os.path.exists(f'{profile}/DevToolsActivePort'))
    assert runs(int(group))
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    wait_until(lambda: not runs(int(group)))
    shutil.rmtree(profile)
