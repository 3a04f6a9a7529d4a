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

"""What explains efforts at rest, and what must not be explained."""

import numpy as np
import pytest
from support.arms import arm
from support.arms import POSTURE

from urdf_tools.dynamics import InverseDynamics
from urdf_tools.dynamics.static_efforts import Cause
from urdf_tools.dynamics.static_efforts import explain
from urdf_tools.formats.description_files import load
from urdf_tools.formats.loader import loads

INVERSE = InverseDynamics(loads(arm()))
TREE = INVERSE.tree
POSITIONS = TREE.configuration(POSTURE)
OWN = INVERSE(POSITIONS)


def cause(efforts, positions=POSITIONS):
    return explain(INVERSE, positions, dict(zip(TREE.velocity_names, efforts)))


def of_wrench(*wrench, positions=POSITIONS):
    return INVERSE(positions, external={'tool': (*wrench, 0, 0, 0)})


def test_a_payload_is_told_with_its_mass_and_where_it_is():
    found = cause(of_wrench(0, 0, -50))
    assert (found.cause, found.link, found.mass) == (
        Cause.PAYLOAD, 'tool', pytest.approx(50 / 9.81))
    assert found.joints == ('lift', 'elbow')


@pytest.mark.parametrize('efforts', [
    OWN, OWN * 1.15, OWN + (1, 1.5, -1, 1), OWN / 12, -OWN, OWN * (1, 0.3, 1, 1),
    OWN * (1, 0.3, 0.5, 0.1), np.zeros(4), of_wrench(0, 0, 25), of_wrench(40, 0, -5),
    INVERSE(POSITIONS, gravity=(9.81, 0, 0)), INVERSE(POSITIONS, gravity=(3.3, 0, -9.2))],
    ids=['model', 'more friction', 'noise', 'currents', 'convention', 'spring', 'units', 'none',
         'lifted', 'pushed', 'wall', 'slope'])
def test_what_may_be_anything_is_not_explained(efforts):
    assert cause(efforts) is None


def test_joints_without_a_sensor_report_zero():
    assert cause(of_wrench(0, 0, -50) * (1, 1, 0, 1)) is None


@pytest.mark.slow
def test_few_false_causes_at_random(corpus):
    """Random units, noise and contacts hardly ever look like a payload."""
    rng = np.random.default_rng(4)
    inverse = InverseDynamics(load(corpus / 'robots/ur5/ur5/ur5.urdf'))
    names, found = inverse.tree.velocity_names, []
    for positions in inverse.tree.random_configuration(rng, 60):
        own = inverse(positions)
        scale = np.abs(own).max()
        for efforts in (
                own * (1 + rng.uniform(-0.2, 0.2, 6)) + 0.1 * scale * rng.uniform(-1, 1, 6),
                own * np.exp(rng.normal(0, 1, 6)), rng.normal(size=6) * scale,
                inverse(positions, external={'tool0': (*rng.normal(size=3) * 30, 0, 0, 0)})):
            found.append(explain(inverse, positions, dict(zip(names, efforts))))
    assert sum(each is not None for each in found) <= 0.02 * len(found)


def test_the_ground_bears_a_robot_with_a_floating_joint():
    walker = InverseDynamics(loads(arm().replace(
        '<link name="base"/>', '<link name="world"/><link name="base"/><joint name="free" '
        'type="floating"><parent link="world"/><child link="base"/></joint>')))
    positions = walker.tree.configuration(POSTURE)
    efforts = walker(positions, external={'tool': (0, 0, -50, 0, 0, 0)})
    assert explain(walker, positions, dict(zip(walker.tree.velocity_names, efforts))) is None
