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
from urdf_tools.inertia import SpatialInertia
from urdf_tools.model.loader import load
from urdf_tools.ros.configuration import LiveRobot
from urdf_tools.ros.inertia_markers import IMPOSSIBLE
from urdf_tools.ros.inertia_markers import link_markers
from urdf_tools.ros.inertia_markers import MarkerPicture
from urdf_tools.ros.inertia_markers import robot_markers
from urdf_tools.ros.inertia_markers import SOLIDS
from urdf_tools.ros.whole_body import WholeBody
from visualization_msgs.msg import Marker


def body(mass=1.0, moments=(1.0, 1.0, 1.0)):
    return SpatialInertia(mass, np.array([1.0, 2.0, 3.0]), np.diag(moments))


def colors(markers):
    return {(round(m.color.r, 3), round(m.color.g, 3), round(m.color.b, 3)) for m in markers}


def test_a_ball_weighs_in_lead_what_the_body_does():
    ball, _ = robot_markers(body(mass=11.34), 'base', 'box')
    assert math.pi / 6 * ball.scale.x ** 3 == pytest.approx(1e-3)
    assert (ball.pose.position.x, ball.pose.position.y, ball.pose.position.z) == (1, 2, 3)


@pytest.mark.parametrize('solid', SOLIDS)
@pytest.mark.parametrize('impossible', [
    body(mass=-1.0), body(mass=0.0), body(moments=(1.0, 1.0, 3.0)), body(moments=(-1.0, 1.0, 1.0)),
    body(moments=(0.0, 0.0, 0.0))])
def test_what_no_body_can_be_is_shown_in_red(impossible, solid):
    markers = robot_markers(impossible, 'base', solid)
    assert colors(markers) == {IMPOSSIBLE.ball[:3]}
    assert len(markers) == 2
    for marker in markers:
        assert min(marker.scale.x, marker.scale.y, marker.scale.z) > 0


@pytest.mark.parametrize('nothing', [
    body(mass=0.0, moments=(0.0, 0.0, 0.0)), body(mass=math.inf), body(moments=(math.nan,) * 3)])
def test_what_is_nothing_is_not_shown(nothing):
    assert link_markers({'link': nothing}, 'box', '') == []


def test_a_picture_deletes_what_it_showed_before():
    picture = MarkerPicture()
    first = link_markers({'a': body(), 'b': body()}, 'box', '')
    assert list(picture.message(first).markers) == first
    for _ in range(2):
        second = link_markers({'c': body()}, 'box', '')
        shown, deleted = (
            [m for m in picture.message(second).markers if m.action == action]
            for action in (Marker.ADD, Marker.DELETE))
        assert shown == second
        assert {(m.ns, m.id) for m in deleted} == {
            ('links/center_of_mass', 1), ('links/inertia', 1)}
    assert list(picture.message(first).markers) == first


def test_every_robot_is_shown(corpus_robot):
    whole = WholeBody(LiveRobot(load(corpus_robot.path), ''))
    state = whole.state()
    for solid in SOLIDS:
        markers = link_markers(whole.links, solid, 'robot/')
        if whole.mass > 0:
            markers += robot_markers(state.body, 'robot/root', solid)
        frames = {marker.header.frame_id for marker in markers}
        assert frames <= {'robot/root', *(f'robot/{link}' for link in whole.links)}
        for marker in markers:
            scale, place, turn = marker.scale, marker.pose.position, marker.pose.orientation
            assert np.isfinite([place.x, place.y, place.z]).all()
            assert 0 < min(scale.x, scale.y, scale.z)
            assert max(scale.x, scale.y, scale.z) < 1000
            assert math.hypot(turn.x, turn.y, turn.z, turn.w) == pytest.approx(1)
