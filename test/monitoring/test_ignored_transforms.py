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


"""Which transforms tf ignores, on records."""

from math import inf
from math import nan

import numpy as np
import pytest

from urdf_tools.monitoring.graph import Graph
from urdf_tools.monitoring.graph_rules import evaluate
from urdf_tools.monitoring.observation import FrameTrack
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.rules import GRAPH_RULES

STRAIGHT = (0.0, 0.0, 0.0, 1.0)


def messages(parent, child, translation, rotation):
    """Return what is found about a frame whose first transform is sound, and whose second is."""
    transforms = np.array([[(0.0, 0.0, 0.0, *STRAIGHT)], [(*translation, *rotation)]])
    times = np.array([1, 2])
    track = FrameTrack('/tf', b'a', '/driver', False, (parent,), (child,), times,
                       times[:, None], transforms)
    report = evaluate(Observation(Graph(), 5.0, 3, frames=(track,)), 'graph', [
        code for code in GRAPH_RULES if code != 'frame-ignored'])
    return [finding.message for finding in report.findings]


@pytest.mark.parametrize('translation, rotation', [
    ((0.0, 0.0, 0.0), STRAIGHT), ((1e6, 0.0, 0.0), (0.0, 0.0, 0.0, -1.0)),
    ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.996))])
def test_others_are_fine(translation, rotation):
    assert messages('base', 'arm', translation, rotation) == []


@pytest.mark.parametrize('parent, child, translation, rotation, reason', [
    ('base', 'arm', (nan, 0.0, 0.0), STRAIGHT, 'a number is not finite: arm'),
    ('base', 'arm', (inf, -inf, 0.0), STRAIGHT, 'a number is not finite: arm'),
    ('base', 'arm', (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, nan), 'a number is not finite: arm'),
    ('base', 'arm', (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), 'a quaternion has the length 0: arm'),
    ('base', 'arm', (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.99),
     'a quaternion has the length 0.99: arm'),
    ('base', '', (0.0, 0.0, 0.0), STRAIGHT, "a frame has no name: below 'base'"),
    ('', 'arm', (0.0, 0.0, 0.0), STRAIGHT, 'a parent has no name: arm'),
    ('arm', 'arm', (0.0, 0.0, 0.0), STRAIGHT, 'a frame is its own parent: arm')])
def test_what_tf_ignores_is_named_with_the_reason(parent, child, translation, rotation, reason):
    assert messages(parent, child, translation, rotation) == [
        f'tf ignores 1 frame from /driver, because {reason}']
