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

"""What make passes to the programs that it starts."""

import os
from pathlib import Path
import subprocess

import pytest

ROOT = Path(__file__).resolve().parents[2]

HOSTILE = [
    'a b.urdf', '"; touch {0}; "', "'; touch {0}; '", 'a; touch {0}', '$(touch {0})',
    '`touch {0}`', '$$(touch {0})', '$(shell touch {0})', '${shell touch {0}}', '| touch {0}',
    '&& touch {0}', 'a\ntouch {0}\n', '"$(touch {0})"', '%$@$<', '\\', '-n', '']


@pytest.fixture
def passed(tmp_path):
    """Return a function that returns what python3 gets from a target of make."""
    program = tmp_path / 'bin' / 'python3'
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] || printf "%s\\0" "$@" > "{tmp_path}/arguments"\n')
    program.chmod(0o755)

    def run(*words):
        subprocess.run(
            ['make', '--silent', 'SET_UP=:', 'ENV=:', *words], cwd=ROOT, check=True,
            env={**os.environ, 'PATH': f'{program.parent}:{os.environ["PATH"]}'})
        return (tmp_path / 'arguments').read_text().split('\0')[1:-1]
    return run


@pytest.mark.parametrize('target, options', [
    ('demo', []), ('run', ['--keep-running']), ('view', ['--view'])])
@pytest.mark.parametrize('text', HOSTILE)
def test_model_runs_no_command(passed, tmp_path, target, options, text):
    created = tmp_path / 'created'
    model = text.replace('{0}', str(created))
    assert passed(target, f'MODEL={model}') == [*options, model]
    assert not created.exists()


@pytest.mark.parametrize('text', [*filter(None, HOSTILE)])
def test_the_name_of_a_recording_runs_no_command(passed, tmp_path, text):
    record = text.replace('{0}', str(tmp_path / 'created'))
    assert passed('demo', f'RECORD={record}', 'MODEL=a.urdf') == ['--record', record, 'a.urdf']
    assert not (tmp_path / 'created').exists()


def test_arguments_with_quotes_of_their_own(passed):
    assert passed('demo', 'MODEL=a.xacro', """ARGS='name:=my robot' "it:=it's" c:=1""") == [
        'a.xacro', 'name:=my robot', "it:=it's", 'c:=1']
