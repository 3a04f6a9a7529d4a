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

"""The help of nodes."""

import os
from pathlib import Path
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

SCRIPTS = Path(__file__).resolve().parents[2] / 'scripts'


@pytest.mark.parametrize('name', ['state_publisher', 'model_monitor'])
def test_help_ends_quietly_if_its_reader_has_gone(name):
    command = [sys.executable, SCRIPTS / name, '--help']
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert shown.startswith(f'usage: {name} ')
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, 'wb') as gone:
        result = subprocess.run(command, stdout=gone, stderr=subprocess.PIPE)
    assert (result.returncode, result.stderr) == (-signal.SIGPIPE, b'')
