#!/usr/bin/env python3
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

"""
Write what programs load of the descriptions of the tests into test/programs/oracles/.

``python tools/write_oracles.py mujoco``, after ``make oracle``. URDF_TOOLS_ORACLE names another
Python environment, such as one with an older release: ``mujoco-3.3`` is the program ``mujoco``.
"""

from __future__ import annotations

from pathlib import Path
import sys

if __name__ == '__main__':
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test'))
    from support.program_oracles import write_record
    for program in sys.argv[1:]:
        write_record(program)
