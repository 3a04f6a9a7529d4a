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

"""What a confined worker is kept from, whatever code runs in it."""

import ctypes
import errno
import os
import platform
import subprocess
import sys

import pytest

from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.linux import _CALLS
from urdf_tools.sandbox.pool import WorkerPool

pytestmark = pytest.mark.skipif(
    sys.platform != 'linux' or platform.machine() not in ('x86_64', 'aarch64'),
    reason='the calls are those of Linux')

LIMITS = Limits(memory=500, time=60, wall=60, answer=1)

WAYS_OUT = {
    'a program': 'subprocess.run(["true"])',
    'a shell': 'os.system("true") and os.unlink("/")',
    'a program by fork': 'os.execv("/bin/true", ["true"]) if os.fork() == 0 else None',
    'a program by posix_spawn': 'os.posix_spawn("/bin/true", ["true"], {{}})',
    'a program in its place': 'os.execv("/bin/true", ["true"])',
    'a connection': 'socket.create_connection(("127.0.0.1", 9), 1)',
    'a server': 'socket.create_server(("127.0.0.1", 0))',
    'a local socket': 'socket.socket(socket.AF_UNIX)',
    'a new file': 'open("{folder}/new", "w")',
    'a new file by a descriptor': 'os.open("{folder}/new", os.O_CREAT | os.O_RDONLY)',
    'an old file': 'open("{folder}/inside", "a")',
    'a truncated file': 'os.truncate("{folder}/inside", 0)',
    'a removed file': 'os.unlink("{folder}/inside")',
    'a renamed file': 'os.rename("{folder}/inside", "{folder}/other")',
    'a link': 'os.symlink("/", "{folder}/link")',
    'a second name': 'os.link("{folder}/inside", "{folder}/link")',
    'a folder': 'os.mkdir("{folder}/sub")',
    'a pipe with a name': 'os.mkfifo("{folder}/pipe")',
    'a mode': 'os.chmod("{folder}/inside", 0o777)',
    'an owner': 'os.chown("{folder}/inside", os.getuid(), os.getgid())',
    'a time': 'os.utime("{folder}/inside")',
    'an attribute': 'os.setxattr("{folder}/inside", "user.x", b"")',
    'a signal to its parent': 'os.kill(os.getppid(), signal.SIGTERM)',
    'a limit of its parent': 'resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0))',
    'the priority of its parent': 'os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)',
    'a signal by a descriptor': 'fcntl.fcntl(os.open("/dev/urandom", 0), fcntl.F_SETOWN, 1)',
    'a command to a device': 'fcntl.ioctl(os.open("/dev/urandom", 0), 0x5413, bytes(8))',
    'the files of a folder': 'os.listdir("{folder}")',
    'the folders of the system': 'os.listdir("/home")',
    'a file in memory': 'os.memfd_create("x")',
    'a file': 'open("{folder}/inside").read()',
    'a file of the system': 'open("/etc/passwd").read()',
    'the variables of its parent': 'open(f"/proc/{{os.getppid()}}/environ").read()'}


def has_landlock():
    """Return whether the kernel knows which folders a process may use."""
    return ctypes.CDLL(None).syscall(444, None, 0, 1) > 0


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a file."""
    (tmp_path / 'inside').write_text('text')
    return tmp_path


@pytest.fixture
def run(folder):
    """Return a function that runs an expression in a confined worker."""
    pool = WorkerPool('support.sandbox_jobs:run', 1, is_confined=True, reads_files=False)
    yield lambda expression: pool.run(
        ['evaluate', expression.format(folder=folder)], LIMITS)[0]
    pool.end()


@pytest.mark.parametrize('expression', WAYS_OUT.values(), ids=WAYS_OUT)
def test_there_is_no_way_out(run, folder, expression):
    with pytest.raises(SandboxError, match='PermissionError'):
        run(expression)
    assert os.listdir(folder) == ['inside']
    assert (folder / 'inside').read_text() == 'text'
    assert run('1 + 1') == 2


def test_a_system_call_that_is_not_listed_is_refused(folder):
    """Such as shmget, whose memory stays, open_tree, fanotify_init and syslog."""
    column = ['x86_64', 'aarch64'].index(platform.machine())
    listed = [numbers[column] for calls in _CALLS.values() for numbers in calls.values()]
    pool = WorkerPool('support.sandbox_jobs:run', 1, is_confined=True)
    try:
        answers = pool.run(['refused_calls', listed], LIMITS)[0]
    finally:
        pool.end()
    assert len(answers) > 280 and {*answers} == {errno.EPERM, errno.ENOSYS}
    assert answers.count(errno.ENOSYS) == 1  # That of clone3, without which threads start, too.


WITHOUT_LANDLOCK = """
import ctypes, os, platform, struct, sys
from urdf_tools.sandbox import linux
seccomp, architecture, _ = linux._SECCOMP[platform.machine()]
code = b''.join([
    linux._instruction(linux._LOAD, linux._NUMBER),
    linux._instruction(linux._EQUAL, 444, 0, 1), linux._instruction(linux._RETURN, 0x50000 | 38),
    linux._instruction(linux._RETURN, linux._ALLOW)])
held = ctypes.create_string_buffer(code, len(code))
libc = ctypes.CDLL(None)
libc.prctl(38, 1, 0, 0, 0)
assert not libc.syscall(seccomp, 1, 1, struct.pack('HP', 4, ctypes.addressof(held)))
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Runs a program as an older kernel does."""


def test_untrusted_descriptions_are_refused_where_the_kernel_does_not_confine(tmp_path):
    (tmp_path / 'robot.urdf').write_text('<robot name="r"><link name="a"/></robot>')

    def check(*options, before=()):
        return subprocess.run(
            [*before, 'urdf-tools', 'check', 'robot.urdf', '--untrusted', *options],
            cwd=tmp_path, capture_output=True, text=True)

    old = [sys.executable, '-c', WITHOUT_LANDLOCK]
    if has_landlock():
        assert check().returncode == 0
    refused = check(before=old)
    assert refused.returncode == 2 and refused.stdout == ''
    assert 'lets a description read other files; a kernel with Landlock' in refused.stderr
    assert check('--unconfined', before=old).returncode == 0


def test_environment_variables_are_not_inherited(run, monkeypatch):
    monkeypatch.setenv('SECRET', 'secret')
    assert 'secret' not in run('str(dict(os.environ))')


def test_modules_and_threads_can_still_be_used(run):
    assert run('str(__import__("fractions").Fraction(1, 2))') == '1/2'
    assert run('[threading.Thread(target=done.set).start(), done.wait()]') == [None, True]


def test_a_worker_that_may_read_files_writes_none(folder):
    pool = WorkerPool('support.sandbox_jobs:run', 1, is_confined=True)
    try:
        assert pool.run(['evaluate', f'open("{folder}/inside").read()'], LIMITS)[0] == 'text'
        with pytest.raises(SandboxError, match='PermissionError'):
            pool.run(['evaluate', f'open("{folder}/inside", "w")'], LIMITS)
    finally:
        pool.end()
