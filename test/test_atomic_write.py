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

"""Temporary files of writers that were killed are removed, and no other file."""

import os
from pathlib import Path
import signal
import subprocess
import sys
from threading import Thread

import pytest
from urdf_tools.atomic_write import replace_file
from urdf_tools.atomic_write import replacement

WRITER = """
import sys
from urdf_tools.atomic_write import replacement
with replacement(sys.argv[1]) as file:
    file.write(b'half')
    file.flush()
    print('writing', flush=True)
    sys.stdin.read()
"""


def temporary_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob('.urdf-tools-*'))


@pytest.fixture
def writer(tmp_path):
    """Return a process that is writing a file."""
    with subprocess.Popen([sys.executable, '-c', WRITER, str(tmp_path / 'a')], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == 'writing\n'
        yield process
        process.kill()


@pytest.mark.parametrize('number', [signal.SIGKILL, signal.SIGTERM])
def test_what_a_killed_process_has_left_is_removed_at_the_next_run(tmp_path, writer, number):
    writer.send_signal(number)
    assert writer.wait() == -number
    assert len(temporary_files(tmp_path)) == 1
    replace_file(tmp_path / 'b', b'whole')
    assert os.listdir(tmp_path) == ['b']


def test_file_of_a_running_process_stays(tmp_path, writer):
    replace_file(tmp_path / 'b', b'whole')
    assert len(temporary_files(tmp_path)) == 1
    writer.communicate('')
    assert (tmp_path / 'a').read_bytes() == b'half'
    assert temporary_files(tmp_path) == []


def test_file_of_another_thread_stays(tmp_path):
    with replacement(tmp_path / 'a') as file:
        file.write(b'whole')
        replace_file(tmp_path / 'b', b'whole')
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {b'whole'}


def test_nothing_but_such_files_is_removed(tmp_path):
    folder = tmp_path / 'folder'
    folder.mkdir()
    kept = tmp_path / 'kept'
    kept.write_text('kept')
    (folder / '.urdf-tools-linked00.tmp').symlink_to(kept)
    (folder / '.urdf-tools-folder00.tmp').mkdir()
    os.mkfifo(folder / '.urdf-tools-fifo0000.tmp')
    (folder / '.urdf-tools-baseline').write_text('a file of the user')
    before = temporary_files(folder)
    os.link(kept, folder / '.urdf-tools-hardlink.tmp')
    replace_file(folder / 'b', b'whole')
    assert temporary_files(folder) == before
    assert kept.read_text() == 'kept'


def test_writers_do_not_remove_the_files_of_each_other(tmp_path):
    threads = [Thread(target=lambda name=str(number): [
        replace_file(tmp_path / name, name.encode() * 1000) for _ in range(50)])
        for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        str(number): str(number).encode() * 1000 for number in range(8)}


def test_folder_that_cannot_be_listed(tmp_path):
    tmp_path.chmod(0o333)
    try:
        replace_file(tmp_path / 'b', b'whole')
        assert (tmp_path / 'b').read_bytes() == b'whole'
    finally:
        tmp_path.chmod(0o755)
