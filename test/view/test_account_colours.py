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
"""The colours of links by what a program drops of them."""

import pytest
from support.robot_text import joint
from support.robot_text import link

from urdf_tools import loads
from urdf_tools import ResourceResolver
from urdf_tools.programs.models import WITH_MJCF

pytest.importorskip('viser')
from urdf_tools.view.link_colours import account_for  # noqa: E402,I100,I202
from urdf_tools.view.link_colours import CHANGED_MASS  # noqa: E402
from urdf_tools.view.link_colours import DROPPED  # noqa: E402
from urdf_tools.view.link_colours import KEPT  # noqa: E402
from urdf_tools.view.link_colours import loss_colours  # noqa: E402
from urdf_tools.view.link_colours import MERGED  # noqa: E402
from urdf_tools.view.link_colours import REDUCED  # noqa: E402

ROBOT = loads('\n'.join((
    '<robot name="r">', link('a'), link('b'), link('c'), link('d', inertial=''),
    joint('ab', 'a', 'b', 'continuous'), joint('bc', 'b', 'c'), joint('ad', 'a', 'd'),
    '</robot>')))


def colours_for(choice, robot):
    return loss_colours(account_for(choice, robot, ResourceResolver()), robot)


@pytest.mark.parametrize('choice, colours', [
    ('mujoco', (DROPPED, KEPT, MERGED, MERGED)),
    ('gazebo', (KEPT, KEPT, MERGED, MERGED)),
    # It computes the inertia from shapes, which there are none of.
    ('pybullet', (CHANGED_MASS,) * 4),
    ('mjcf', (KEPT, KEPT, KEPT, KEPT))])
def test_colours(choice, colours):
    assert colours_for(choice, ROBOT) == dict(zip('abcd', colours))


def test_what_a_joint_or_a_shape_loses_is_at_its_link():
    sphere = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    robot = loads(''.join((
        '<robot name="r">', link('a'), link('b'), link('c', sphere), link('d'),
        joint('ab', 'a', 'b', 'continuous', '<limit effort="0" velocity="1"/>'),
        joint('ac', 'a', 'c', 'continuous'), joint('ad', 'a', 'd', 'continuous'), '</robot>')))
    assert colours_for('mujoco', robot) == {
        'a': DROPPED, 'b': REDUCED, 'c': REDUCED, 'd': KEPT}


def test_what_is_refused_is_as_bad_as_dropped():
    robot = loads('<robot name="r"><link name="a"/><link name="b"/>'
                  + joint('ab', 'a', 'b', 'continuous') + '</robot>')
    assert colours_for('mujoco', robot)['b'] == DROPPED


def test_each_program_with_a_model_can_be_chosen():
    for choice in WITH_MJCF:
        assert colours_for(choice, ROBOT).keys() == {*'abcd'}
