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

"""Work that may never end is stopped, and nothing else is."""

import threading
import time

import pytest

from urdf_tools.lsp.deadline import within


def test_work_that_ends_gives_its_result():
    assert within(60.0, lambda: 3) == 3
    with pytest.raises(KeyError):
        within(60.0, lambda: {}[1])


def test_work_that_does_not_end_is_stopped():
    """Also if it catches every exception, as evaluated expressions may."""
    def work():
        while True:
            try:
                time.sleep(0.001)
            except Exception:
                pass

    with pytest.raises(TimeoutError):
        within(0.05, work)


def test_only_the_thread_of_the_work_is_stopped():
    results = []

    def other():
        try:
            within(0.05, endless)
        except TimeoutError as error:
            results.append(str(error))

    def endless():
        while True:
            time.sleep(0.001)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert results == ['The work takes longer than 0.05 s']
