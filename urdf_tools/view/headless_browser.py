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
"""A Chromium without a window, for pictures of a page."""

from __future__ import annotations

from collections.abc import Sequence
import json
import os
from pathlib import Path
import shutil
import signal
import subprocess
import tempfile

PROGRAMS = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')

# Its last options let WebGL, and only that, run in software, on machines without a graphics card:
# what is around the scene would take as long.
_OPTIONS: Sequence[str] = json.loads(
    Path(__file__).with_name('chromium_options.json').read_bytes())


def find_chromium() -> str | None:
    """Return the path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class HeadlessBrowser:
    """
    A Chromium that shows one page, with a temporary profile.

    It ends with this process, however this one ends.

    :param program: its path.
    :param size: width and height of the page in pixels.
    :ivar profile: the folder of its profile.
    """

    def __init__(self, program: str, url: str, size: tuple[int, int], options: Sequence[str] = ()):
        self._folder = tempfile.TemporaryDirectory(
            prefix='urdf_tools-', ignore_cleanup_errors=True)
        self.profile = Path(self._folder.name)
        # The sandbox refuses to run as root, as in containers.
        sandbox = ['--no-sandbox'] if os.geteuid() == 0 else []
        # Chromium ends where the pipe that it reads commands from ends, here or with this process.
        self._process = subprocess.Popen(
            ['sh', '-c', 'exec "$0" "$@" 3<&0 4>/dev/null </dev/null', program, *_OPTIONS,
             *sandbox, *options, '--remote-debugging-pipe', f'--user-data-dir={self.profile}',
             '--window-size={},{}'.format(*size), url],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, such as because it cannot run here."""
        return self._process.poll() is not None

    def close(self) -> None:
        """End it with all its processes."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, number)
            except ProcessLookupError:
                break
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                continue
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._folder.cleanup()
