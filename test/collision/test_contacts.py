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

"""Distances between two links."""

import numpy as np
import pytest

from urdf_tools.collision.solids import shell
from urdf_tools.collision.solids import Solid
from urdf_tools.kinematics import exp
from urdf_tools.model.records import Box

contacts = pytest.importorskip('urdf_tools.collision.contacts')

CORNER = shell(0.3 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])[
    [[0, 1, 2], [0, 2, 3], [0, 3, 1]]])
"""Three triangles about a corner, open on the fourth side."""

BAR = Solid(Box((0.05, 0.05, 0.4)), np.eye(3), np.zeros(3))


@pytest.mark.parametrize('other', [CORNER, BAR], ids=['mesh', 'box'])
def test_a_margin_changes_no_distance_below_it(other):
    pair = contacts.PairCollider(*(
        contacts.LinkCollider([shape]) for shape in (CORNER, other)))
    rng = np.random.default_rng(5)
    seen = set()
    for margin in (0.01, 0.1, 0.3):
        for twist in rng.uniform(-0.5, 0.5, (200, 6)) * [1, 1, 1, 6, 6, 6]:
            pose = exp(twist)[:3]
            distance = pair.nearer(pose, 10.0)
            assert (distance <= 0) == pair.touch(pose)
            assert pair.nearer(pose, margin) == pytest.approx(min(distance, margin), abs=1e-9)
            seen.add((distance <= 0, distance < margin))
    assert len(seen) == 3


@pytest.mark.parametrize('shapes', [[BAR], [BAR, CORNER]], ids=['one shape', 'two shapes'])
def test_bounds_are_no_larger_than_the_distances(shapes):
    first, second = (contacts.LinkCollider(some) for some in (shapes, shapes[::-1]))
    pair = contacts.PairCollider(first, second)
    twists = np.random.default_rng(6).uniform(-1, 1, (200, 6)) * [1, 1, 1, 6, 6, 6]
    relative = np.array([*map(exp, twists)])
    distances = np.array([pair.nearer(pose, 10.0) for pose in relative])
    gaps = first.gaps(second, relative)
    assert (gaps <= distances + 1e-9).all()
    assert np.mean(gaps[distances > 0.2] > 0) > 0.9
    limited = first.gaps(second, relative, 0.2)
    assert (limited <= gaps + 1e-9).all()
    np.testing.assert_allclose(limited[gaps < 0.2], gaps[gaps < 0.2], atol=1e-9)
