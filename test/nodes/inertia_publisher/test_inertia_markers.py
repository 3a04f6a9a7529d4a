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

"""Markers of inertias, of single bodies and of the robots of the corpus."""

import math

import numpy as np
import pytest
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.dynamics.depiction import INCONSISTENT
from urdf_tools.dynamics.depiction import SOLIDS
from urdf_tools.nodes.inertia_publisher import body_markers
from urdf_tools.nodes.inertia_publisher import link_markers
from urdf_tools.nodes.inertia_publisher import RobotInertia
from urdf_tools.ros.live_robot import LiveRobot


def body(mass=1.0, moments=(1.0, 1.0, 1.0)):
    return SpatialInertia(mass, np.array([1.0, 2.0, 3.0]), np.diag(moments))


def colors(markers):
    return {(round(m.color.r, 3), round(m.color.g, 3), round(m.color.b, 3)) for m in markers}


def test_the_sphere_has_the_mass_in_lead():
    sphere, _ = body_markers(body(mass=11.34), 'base', 'box')
    assert math.pi / 6 * sphere.scale.x ** 3 == pytest.approx(1e-3)
    assert (sphere.pose.position.x, sphere.pose.position.y, sphere.pose.position.z) == (1, 2, 3)


@pytest.mark.parametrize('solid', SOLIDS)
@pytest.mark.parametrize('inconsistent', [
    body(mass=-1.0), body(mass=0.0), body(moments=(1.0, 1.0, 3.0)), body(moments=(-1.0, 1.0, 1.0)),
    body(moments=(0.0, 0.0, 0.0))])
def test_inconsistent_inertias_are_red(inconsistent, solid):
    markers = body_markers(inconsistent, 'base', solid)
    assert colors(markers) == {INCONSISTENT.com[:3]}
    assert len(markers) == 2
    for marker in markers:
        assert min(marker.scale.x, marker.scale.y, marker.scale.z) > 0


@pytest.mark.parametrize('nothing', [
    body(mass=0.0, moments=(0.0, 0.0, 0.0)), body(mass=math.inf), body(moments=(math.nan,) * 3)])
def test_massless_and_non_finite_bodies_have_no_markers(nothing):
    assert link_markers({'link': nothing}, 'box', '') == []


def test_every_robot_has_markers(corpus_robot):
    inertia = RobotInertia(LiveRobot(corpus_robot.robot, ''))
    state = inertia.state()
    for solid in SOLIDS:
        markers = link_markers(inertia.links, solid, 'robot/')
        if inertia.composite.mass > 0:
            markers += body_markers(state.body, 'robot/root', solid)
        frames = {marker.header.frame_id for marker in markers}
        assert frames <= {'robot/root', *(f'robot/{link}' for link in inertia.links)}
        for marker in markers:
            scale, position, turn = marker.scale, marker.pose.position, marker.pose.orientation
            assert np.isfinite([position.x, position.y, position.z]).all()
            assert 0 < min(scale.x, scale.y, scale.z)
            assert max(scale.x, scale.y, scale.z) < 1000
            assert math.hypot(turn.x, turn.y, turn.z, turn.w) == pytest.approx(1)
