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

"""Fixtures that tests share: the corpus of robots, and nodes as processes."""

from __future__ import annotations

from collections.abc import Iterator
import gc
from pathlib import Path
import signal
import time

from node_processes import NodeProcesses
from node_processes import reserved_domain
import pytest
from support.corpus import CORPUS
from support.corpus import corpus_robots
from support.corpus import CorpusRobot
from support.corpus import NO_CORPUS

try:
    from hypothesis import settings
except ImportError:
    pytest.exit(
        'The tests need hypothesis. Run "make development" in the clone, or with a sourced ROS 2 '
        '"rosdep install --from-paths . --ignore-src".', returncode=4)

# A slow machine must not fail a test.
settings.register_profile('no_deadline', deadline=None)
settings.register_profile('quick', deadline=None, max_examples=20)
settings.load_profile('no_deadline')


@pytest.hookimpl(hookwrapper=True)
def pytest_collection() -> Iterator[None]:
    """Spare the garbage collector the thousands of tests, which stay: a third of the time."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def unchanged_process() -> Iterator[None]:
    """Fail a test that leaves the process different for those after it, and their children."""
    before = state_of_process()
    yield
    assert state_of_process() == before
    # A thread of a server that tests share can be reading a description, and pauses it.
    deadline = time.monotonic() + 60
    while not gc.isenabled():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def state_of_process() -> tuple:
    """Return what the mains of programs change."""
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    return handlers, signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.fixture(params=corpus_robots(), scope='session')
def corpus_robot(request) -> CorpusRobot:
    """Return each robot of the corpus in turn."""
    return request.param


@pytest.fixture
def corpus() -> Path:
    """Return the folder of the corpus."""
    if not CORPUS.is_dir():
        pytest.skip(NO_CORPUS.kwargs['reason'])
    return CORPUS


@pytest.fixture(scope='module')
def domain() -> Iterator[int]:
    """Set the ROS domain of the processes that tests start, and return its number."""
    with reserved_domain() as number, pytest.MonkeyPatch.context() as patch:
        patch.setenv('ROS_DOMAIN_ID', str(number))
        patch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        yield number


@pytest.fixture(scope='module')
def nodes(domain) -> Iterator[NodeProcesses]:
    """Return what starts nodes, and stops them after the last test of the module."""
    with NodeProcesses() as processes:
        yield processes


@pytest.fixture(scope='module')
def client(domain):
    """Return a node that talks to those of the module."""
    # Most tests run without ROS, which this imports.
    from support.client import Client
    client = Client(domain)
    yield client
    client.close()


@pytest.fixture
def own_domain(monkeypatch) -> Iterator[int]:
    """Set a ROS domain for one test alone, such as one that moves the clock."""
    with reserved_domain() as number:
        monkeypatch.setenv('ROS_DOMAIN_ID', str(number))
        monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        yield number


@pytest.fixture
def own_nodes(own_domain) -> Iterator[NodeProcesses]:
    """Return what starts nodes in the domain of one test, and ends them after it."""
    with NodeProcesses() as processes:
        yield processes


@pytest.fixture
def own_client(own_domain):
    """Return a node that talks to those of one test."""
    from support.client import Client
    client = Client(own_domain)
    yield client
    client.close()


@pytest.fixture(scope='session')
def launch_system() -> None:
    """Skip where ROS 2 cannot launch the nodes of this package."""
    pytest.importorskip('launch_ros', reason='launch_ros is not installed')
    pytest.importorskip('ros2launch', reason='ros2launch is not installed')
    from ament_index_python import has_resource
    if not has_resource('packages', 'urdf_tools'):
        pytest.skip('urdf_tools is not installed; colcon build does that')
