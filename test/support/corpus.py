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

"""The corpus of robots, which is not part of the repository."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from functools import lru_cache
import json
import os
from pathlib import Path

import pytest

from urdf_tools import load
from urdf_tools import Robot

CORPUS = Path(os.environ.get(
    'URDF_TOOLS_CORPUS', Path(__file__).resolve().parents[3] / 'shared' / 'corpus'))

NO_CORPUS = pytest.mark.skip(
    reason=f'no corpus of robots in {CORPUS} (set URDF_TOOLS_CORPUS to its folder)')

SKIPPED = [pytest.param(None, marks=NO_CORPUS, id='no-corpus')]
"""The parameters of a test that needs the corpus, where it does not exist."""


@dataclass(frozen=True)
class CorpusRobot:
    """
    A robot of the corpus.

    :ivar path: its description.
    :ivar packages: the folder with the packages of its ``package://`` resources.
    """

    name: str
    path: Path
    packages: Path

    @property
    def reference(self) -> dict:
        """Link poses, mass and centre of mass from other programs, at ``zero`` and ``c1``."""
        return _references()[self.name]

    @property
    def robot(self) -> Robot:
        """The robot, which tests one after another share."""
        return _loaded(self.path)


@cache
def _references() -> dict:
    return json.loads((CORPUS / 'REFERENCE_FK.json').read_text())


_loaded = lru_cache(maxsize=1)(load)

LARGE = {'icub_2_5', 'nao_v40', 'pr2', 'wolfgang'}
"""Robots that take as long as five to ten others."""


def corpus_robots() -> list:
    """Return the robots of the corpus as parameters of a test, or :data:`SKIPPED`."""
    if not CORPUS.is_dir():
        return SKIPPED
    with open(CORPUS / 'INDEX.tsv', newline='') as file:
        rows = list(csv.DictReader(file, delimiter='\t'))
    return [
        pytest.param(
            CorpusRobot(row['robot'], CORPUS / row['file'], CORPUS / 'robots' / row['robot']),
            id=row['robot'], marks=[pytest.mark.slow] * (row['robot'] in LARGE))
        for row in rows]
