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

"""Jobs for workers that do what they should not."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from urdf_tools.sandbox import worker


def run(request: Any, data: bytes) -> tuple[Any, bytes]:
    """Do what a request names, with its arguments."""
    name, *arguments = request
    return globals()[name](*arguments), data


def echo(value):
    return value


def process():
    return os.getpid()


def folder():
    return os.getcwd()


def limits():
    return [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_CORE)]


def fail(text):
    raise ValueError(text)


def end(code):
    os._exit(code)


def send_signal(number):
    os.kill(os.getpid(), number)
    time.sleep(600)


def fill_memory():
    return len(bytearray(2**40))


def compute():
    """Stay in one instruction, which no exception ends."""
    return 9 ** 9 ** 9


def loop(path=None):
    """Loop for ever, and catch every exception."""
    if path is not None:
        with open(path, 'w') as file:
            file.write(str(os.getpid()))
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def sleep():
    time.sleep(600)


def ignore_signals():
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL})
    time.sleep(600)


def answer_long(size):
    return 'a' * size


def write(text):
    """Write to all files of the process, as if it were the answer."""
    for descriptor in range(3, 100):
        try:
            os.write(descriptor, text.encode('latin-1'))
        except OSError:
            pass


def close():
    """
    Close the file of answers, and do not end.

    That of requests stays open: a thread may be about to read it, and ends the process then.
    """
    worker._answers[0].close()
    time.sleep(600)


def talk():
    print('printed')
    print('printed', file=sys.stderr)
    return sys.stdin.read()


def asking(questions):
    return [[value, data.decode()] for value, data in map(worker.ask, questions)]


def evaluate(expression):
    return eval(expression, {**_MODULES, 'done': threading.Event()})


_MODULES = {module.__name__: module for module in (
    fcntl, os, resource, signal, socket, subprocess, threading)}


def refused_calls(listed):
    """Return the error of each system call but the listed ones, without arguments."""
    libc = ctypes.CDLL(None, use_errno=True)
    errors = []
    for number in range(462):
        if number not in (*listed, 335, 336):  # Of probes, which no filter sees.
            ctypes.set_errno(0)
            libc.syscall(number, 0, 0, 0, 0, 0, 0)
            errors.append(ctypes.get_errno())
    return errors


def answer_twice(text):
    worker.write_frame(worker._answers[0], {'answer': text, 'token': worker._token})
    return text


def kill_once(path):
    if not os.path.exists(path):
        open(path, 'w').close()
        send_signal(signal.SIGKILL)
    return 'done'
