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

"""What tests share: the corpus of robots, where there is one, and nodes as processes."""

from __future__ import annotations

from collections.abc import Iterator
import csv
from dataclasses import dataclass
import json
import os
from pathlib import Path

from hypothesis import settings
from node_processes import NodeProcesses
from node_processes import reserved_domain
import pytest

# A slow machine must not fail a test.
settings.register_profile('unhurried', deadline=None)
settings.load_profile('unhurried')

CORPUS = Path(os.environ.get(
    'URDF_TOOLS_CORPUS', Path(__file__).resolve().parents[2] / 'shared' / 'corpus'))

_NO_CORPUS = pytest.mark.skip(
    reason=f'no corpus of robots in {CORPUS} (set URDF_TOOLS_CORPUS to its folder)')


@dataclass(frozen=True)
class CorpusRobot:
    """
    A robot of the corpus.

    :ivar path: its description.
    :ivar packages: the folder that holds the packages of its ``package://`` resources.
    """

    name: str
    path: Path
    packages: Path

    @property
    def reference(self) -> dict:
        """Link poses, mass and centre of mass by other programs, at ``zero`` and at ``c1``."""
        return json.loads((CORPUS / 'REFERENCE_FK.json').read_text())[self.name]


def _corpus_robots():
    if not CORPUS.is_dir():
        return [pytest.param(None, marks=_NO_CORPUS, id='no-corpus')]
    with open(CORPUS / 'INDEX.tsv', newline='') as file:
        rows = list(csv.DictReader(file, delimiter='\t'))
    return [
        pytest.param(
            CorpusRobot(row['robot'], CORPUS / row['file'], CORPUS / 'robots' / row['robot']),
            id=row['robot'])
        for row in rows]


@pytest.fixture(params=_corpus_robots(), scope='session')
def corpus_robot(request) -> CorpusRobot:
    """Return each robot of the corpus in turn."""
    return request.param


@pytest.fixture
def corpus() -> Path:
    """Return the folder of the corpus."""
    if not CORPUS.is_dir():
        pytest.skip(_NO_CORPUS.kwargs['reason'])
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
    """Return what starts nodes, and ends them after the last test of the module."""
    with NodeProcesses() as processes:
        yield processes


@pytest.fixture(scope='session')
def launch_system() -> None:
    """Skip where ROS 2 cannot launch the nodes of this package."""
    pytest.importorskip('launch_ros', reason='launch_ros is not installed')
    pytest.importorskip('ros2launch', reason='ros2launch is not installed')
    from ament_index_python import has_resource
    if not has_resource('packages', 'urdf_tools'):
        pytest.skip('urdf_tools is not installed; colcon build does that')
