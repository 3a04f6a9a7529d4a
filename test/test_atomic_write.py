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

"""Files are replaced as a whole, also by several writers at the same time."""

import os
from threading import Thread

import pytest
from urdf_tools.atomic_write import replace_file
from urdf_tools.atomic_write import replacement


def test_an_exception_leaves_the_old_file_alone(tmp_path):
    replace_file(tmp_path / 'a', b'old')
    with pytest.raises(KeyError), replacement(tmp_path / 'a') as file:
        file.write(b'half')
        raise KeyError
    assert os.listdir(tmp_path) == ['a']
    assert (tmp_path / 'a').read_bytes() == b'old'


def test_file_of_another_thread_stays(tmp_path):
    with replacement(tmp_path / 'a') as file:
        file.write(b'whole')
        replace_file(tmp_path / 'b', b'whole')
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {b'whole'}


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


@pytest.mark.parametrize('mode, is_written', [(0o1777, False), (0o777, True), (0o1755, True)])
@pytest.mark.parametrize('exists', [True, False])
def test_links_of_others_in_a_folder_of_all_users(
        tmp_path, monkeypatch, mode, is_written, exists):
    """As with ``fs.protected_symlinks``, nobody lets a report of others overwrite their files."""
    (tmp_path / 'shared').mkdir()
    (tmp_path / 'shared').chmod(mode)
    own, link = tmp_path / 'own', tmp_path / 'shared' / 'report'
    if exists:
        own.write_bytes(b'precious')
    link.symlink_to(own)
    lstat = os.lstat
    monkeypatch.setattr(os, 'lstat', lambda path, **options: os.stat_result([
        *lstat(path, **options)[:4], os.geteuid() + 1, *lstat(path, **options)[5:10]]))
    if is_written:
        replace_file(link, b'report')
    else:
        with pytest.raises(PermissionError, match='link of another user'):
            replace_file(link, b'report')
    monkeypatch.undo()
    assert own.exists() == (exists or is_written)
    assert not exists or own.read_bytes() == (b'report' if is_written else b'precious')
    replace_file(link, b'mine')
    assert own.read_bytes() == b'mine'


def test_a_file_keeps_its_other_names_and_its_owner(tmp_path):
    for name, text in ('a', b'longer than before'), ('b', b'x'):
        path, other = tmp_path / name, tmp_path / f'other {name}'
        path.write_bytes(b'old text')
        other.hardlink_to(path)
        replace_file(path, text)
        assert path.read_bytes() == other.read_bytes() == text
        other.unlink()
        if os.geteuid() == 0:
            os.chown(path, 1234, 4321)
            path.chmod(0o640)
            replace_file(path, b'new')
            assert (os.stat(path).st_uid, os.stat(path).st_gid) == (1234, 4321)
            assert os.stat(path).st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ['a', 'b']


def test_a_full_disk_leaves_a_file_with_two_names_alone(tmp_path, monkeypatch):
    path = tmp_path / 'a'
    path.write_bytes(b'old text')
    (tmp_path / 'b').hardlink_to(path)

    def fail(descriptor, start, length):
        os.truncate(descriptor, length)
        raise OSError(28, 'No space left on device')
    monkeypatch.setattr(os, 'posix_fallocate', fail)
    with pytest.raises(OSError, match='No space'):
        replace_file(path, b'longer than before')
    assert path.read_bytes() == b'old text'
    assert sorted(os.listdir(tmp_path)) == ['a', 'b']
