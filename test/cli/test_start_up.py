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

"""What the command imports: no more than the verb needs."""

from importlib import import_module
from pathlib import Path
import subprocess
import sys

import pytest

from urdf_tools.check.workspace.settings import NAMES
from urdf_tools.cli import check
from urdf_tools.cli.command import VERBS

ROBOT = str(Path(__file__).resolve().parents[2] / 'urdf' / 'arm.urdf')

PROGRAM = """
import atexit, sys
from urdf_tools.cli import main
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
sys.exit(main())
"""


def imported(*arguments: str) -> set[str]:
    """Return the names of the modules that a call of the command imports."""
    result = subprocess.run(
        [sys.executable, '-c', PROGRAM, *arguments], capture_output=True, text=True, check=True)
    return set(result.stderr.split())


@pytest.mark.parametrize('option', ['--version', '--help'])
def test_what_no_verb_does_imports_no_verb(option):
    names = imported(option)
    assert not {f'urdf_tools.cli.{verb}' for verb in VERBS} & names
    assert not {'numpy._core', 'importlib.metadata'} & names


@pytest.mark.parametrize('format', ['text', 'json'])
def test_the_tree_needs_no_numbers_no_rules_and_no_loops(format):
    names = imported('tree', ROBOT, '--format', format)
    parts = {name.split('.')[1] for name in names if name.startswith('urdf_tools.')}
    assert not {'findings', 'programs', 'kinematics', 'dynamics'} & parts
    assert 'urdf_tools.check.validator' not in names
    assert 'numpy._core' not in names


def test_the_list_of_verbs_says_what_the_verbs_say():
    for name, summary in VERBS.items():
        assert import_module(f'urdf_tools.cli.{name}').__doc__.strip().splitlines()[0] == summary


def test_the_help_of_check_names_the_files_of_settings():
    assert all(name in check.__doc__ for name in NAMES)
