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

"""The page about a recording: one file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path
import time

from urdf_tools.recordings.judged_recording import JudgedRecording
from urdf_tools.recordings.recorded_windows import Window
from urdf_tools.recordings.report_data import ReportData

_TEMPLATE = Path(__file__).with_name('report_page.html')


class ReportPage:
    """Collects what the page shows while the recording is read."""

    def __init__(self) -> None:
        self._data = ReportData()

    def add(self, window: Window) -> None:
        """Add an observation."""
        self._data.add(window)

    def render(self, found: JudgedRecording) -> str:
        """Return the page; what comes from the recording is only data in it."""
        data = json.dumps({
            **found.as_data(), **self._data.as_data(found.begin),
            'date': time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(found.begin // 10**9))},
            allow_nan=False)
        template = _TEMPLATE.read_text(encoding='utf-8')
        script = template.partition('<script>')[2].partition('</script>')[0]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        title = html.escape(Path(found.source).name)
        # In this order, as the data may contain anything, the names of places, too.
        return template.replace('{hash}', digest, 1).replace('{title}', title, 1).replace(
            '{data}', data.replace('<', r'\u003c'), 1)
