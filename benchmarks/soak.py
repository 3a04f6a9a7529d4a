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
Run the state publisher at a high rate for a long time.

It prints the longest pause: the longest time from a joint state to the next transforms that follow
it. The exit code is 1 if a joint state is lost or memory grows.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
import sys
import time

from benchmarks.contenders import OURS
from benchmarks.measurement import load
import numpy as np
from tools.node_processes import reserved_domain

MAX_GROWTH = 1.0
"""Allowed growth of resident memory in MB."""

_SETTLING = 5.0


def main(args: Sequence[str] | None = None) -> int:
    """Run, print memory every minute, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n')[0])
    parser.add_argument('--minutes', type=float, default=10.0, help='default: 10')
    parser.add_argument('--joints', type=int, default=30, help='default: 30')
    parser.add_argument('--rate', type=float, default=1000.0, help='in Hz; default: 1000')
    arguments = parser.parse_args(args)
    with reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        return soak(arguments.joints, arguments.rate, arguments.minutes * 60)


def soak(joints: int, rate: float, seconds: float) -> int:
    """Return 1 if a joint state is lost or memory grows, 0 otherwise."""
    with load(OURS, joints, rate) as node:
        start = time.time_ns()
        time.sleep(_SETTLING)
        before = node.resident
        print(f'{node.process.name}, {joints} joints, {rate:g} Hz, {before:.2f} MB', flush=True)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, 60.0))
            print(f'{seconds - end + time.monotonic():5.0f} s: {node.resident:.2f} MB', flush=True)
        growth = node.resident - before
        sent, received = node.stop()
    sent = sent[sent >= start]
    pause, when = longest_pause(sent, received)
    print(f'longest pause {pause / 1e6:.1f} ms, {(when - start) / 1e9:.1f} s after the start')
    lost = len(sent) - np.isin(sent, received[:, 0]).sum()
    print(f'{len(sent)} joint states at {(len(sent) - 1) / np.ptp(sent) * 1e9:.0f} Hz: '
          f'{lost} lost; memory grew by {growth:.2f} MB')
    return int(lost > 0 or growth > MAX_GROWTH)


def longest_pause(sent: np.ndarray, received: np.ndarray) -> tuple[int, int]:
    """
    Return the longest time from a joint state to the next transforms, and the stamp of that state.

    :param sent: stamps of the joint states in order, shape (n,), in nanoseconds.
    :param received: stamps and arrivals of the transforms, shape (m, 2).
    """
    stamps, arrivals = received[np.argsort(received[:, 0])].T
    followed = sent[sent <= stamps[-1]]
    pauses = arrivals[np.searchsorted(stamps, followed)] - followed
    longest = int(np.argmax(pauses))
    return int(pauses[longest]), int(followed[longest])


if __name__ == '__main__':
    sys.exit(main())
