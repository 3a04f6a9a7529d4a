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

"""The Jacobian of a link of a mechanism, against finite differences of its poses."""

from dataclasses import replace

import numpy as np
import pytest
from sensor_msgs.msg import JointState
from support.mechanisms import joint
from support.mechanisms import loop
from support.mechanisms import robot
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.nodes.model_server.answers import get_jacobian
from urdf_tools.nodes.model_server.requests import Server
from urdf_tools.ros.live_robot import LiveRobot
from urdf_tools_interfaces.srv import GetJacobian

STEP = 1e-5
POSITIONS = {'a': 1.9, 'c': 0.9, 'wrist': 0.4}


@pytest.fixture
def live():
    """Return a five-bar with a wrist on its second coupler, which no loop moves."""
    arm = robot(
        joint('a', 'base', 'l1'), joint('b', 'l1', 'l2', '0.2 0 0'),
        joint('c', 'base', 'r1', '0.3 0 0'), joint('d', 'r1', 'r2', '0.2 0 0'),
        joint('wrist', 'r2', 'tool', '0.35 0 0.1', '0 1 0'),
        loop('pin', 'l2', 'r2', '0.35 0 0', '0.35 0 0'))
    return LiveRobot(replace(arm, initial={'a': 2.0, 'b': -1.2, 'c': 1.1, 'd': 1.2}), '')


def ask(live, velocities=(), **fields):
    response = GetJacobian.Response()
    given = JointState(name=list(POSITIONS), position=list(POSITIONS.values()),
                       velocity=list(velocities))
    request = GetJacobian.Request(joint_state=given, **fields)
    get_jacobian(Server(lambda: live), request, response)
    return response


def pose(live, link, changed):
    """Return the pose of a link in the root's frame for positions of free joints."""
    configuration = live.configuration({**POSITIONS, **changed})
    assert not configuration.open
    return ForwardKinematics(live.tree, [link])(configuration.positions)[0]


@pytest.mark.parametrize('link', ['l2', 'r2', 'tool', 'l1'])
def test_it_has_the_velocities_of_the_free_joints(live, link):
    response = ask(live, link=link, reference_frame=GetJacobian.Request.LOCAL_WORLD_ALIGNED)
    names = response.velocity_names
    assert list(names) == ['a', 'c', 'wrist']
    jacobian = np.array(response.jacobian).reshape(6, 3)
    rotation = pose(live, link, {})[:3, :3]
    for column, name in zip(jacobian.T, names):
        ahead, behind = (
            pose(live, link, {name: POSITIONS[name] + sign * STEP}) for sign in (1, -1))
        rate = (ahead - behind) / (2 * STEP)
        spin = rate[:3, :3] @ rotation.T
        assert column[:3] == pytest.approx(rate[:3, 3], abs=1e-8)
        assert column[3:] == pytest.approx([spin[2, 1], spin[0, 2], spin[1, 0]], abs=1e-8)


def test_the_twist_follows_from_the_velocities_of_the_free_joints(live):
    response = ask(live, [0.3, -0.2, 0.5], link='tool')
    jacobian = np.array(response.jacobian).reshape(6, 3)
    twist = response.twist
    assert [twist.linear.x, twist.linear.y, twist.linear.z, twist.angular.x, twist.angular.y,
            twist.angular.z] == pytest.approx(jacobian @ [0.3, -0.2, 0.5])
