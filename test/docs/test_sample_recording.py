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

"""The recording of the tutorial is the one that its program makes."""

from __future__ import annotations

from pathlib import Path
import shutil
import subprocess
import sys

import pytest
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recorded import RecordingLimits
from urdf_tools.doctor.recordings.recording import Recording

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / 'docs' / 'tutorials' / 'drive.mcap'


def messages(path: Path) -> list[tuple[str, int, bytes]]:
    return [(record.topic.name, record.received, record.data)
            for record in Recording(path, RecordingLimits()).records()
            if isinstance(record, Recorded)]


@pytest.mark.slow
def test_the_shipped_recording_is_what_the_program_makes(tmp_path):
    pytest.importorskip('mcap')
    shutil.copytree(ROOT / 'urdf', tmp_path / 'urdf')
    program = tmp_path / 'docs' / 'tutorials' / 'recording.py'
    program.parent.mkdir(parents=True)
    shutil.copy(SHIPPED.with_name('recording.py'), program)
    subprocess.run([sys.executable, program], cwd=tmp_path, check=True, timeout=120)
    assert SHIPPED.stat().st_size < 1_000_000
    made, shipped = messages(tmp_path / 'drive.mcap'), messages(SHIPPED)
    assert [each[:2] for each in made] == [each[:2] for each in shipped]
    # The last bits of sines differ between processors.
    texts = [(one, other) for one, other in zip(made, shipped) if one[0] == '/robot_description']
    assert all(one == other for one, other in texts) and texts
    assert [len(each[2]) for each in made] == [len(each[2]) for each in shipped]
